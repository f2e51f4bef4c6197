from __future__ import annotations

import pytest

from tests.evals.relevance import ndcg, scores


def test_the_ideal_order_scores_one_and_any_other_less() -> None:
    grades = {"a": 3, "b": 2, "c": 0}

    assert ndcg(["a", "b", "c"], grades) == pytest.approx(1)
    assert ndcg(["b", "a", "c"], grades) == pytest.approx(0.834, abs=0.001)
    assert ndcg(["x", "y"], grades) == 0


def test_unjudged_products_push_judged_ones_down() -> None:
    assert ndcg(["x", "a"], {"a": 1}) == pytest.approx(0.631, abs=0.001)


def test_queries_without_a_positive_grade_are_left_out() -> None:
    found = scores(lambda query, limit: ["a"][:limit], {"lamp": {"a": 1}, "yacht": {"a": 0}})

    assert found == {"lamp": pytest.approx(1)}
