from __future__ import annotations

from pathlib import Path

import pytest

from search_client.analysis import DEFAULT_SYNONYMS, Synonym, SynonymError, Synonyms


def test_a_comma_rule_works_both_ways_and_an_arrow_only_one() -> None:
    table = Synonyms.parse("sofa, couch\nshoes => sandals  # kinds of shoes")

    assert table.at(["sofa"], 0) == [Synonym(1, ("couch",))]
    assert table.at(["couch"], 0) == [Synonym(1, ("sofa",))]
    assert table.at(["shoe"], 0) == [Synonym(1, ("sandal",), umbrella=True)]
    assert table.at(["sandal"], 0) == []


def test_a_run_of_words_has_synonyms_of_its_own() -> None:
    table = Synonyms.parse("cell phone, smartphone")

    assert table.at(["blue", "cell", "phone"], 1) == [Synonym(2, ("smartphone",))]
    assert table.at(["cell"], 0) == []


@pytest.mark.parametrize("line", ["sofa", "=> couch", "sofa =>", "sofa, ,"])
def test_a_bad_line_is_named_with_its_number(line: str) -> None:
    with pytest.raises(SynonymError, match="line 2"):
        Synonyms.parse(f"# head\n{line}")


def test_a_merchants_file_adds_to_the_default(tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("Kaffi, coffee\n", encoding="utf-8")

    table = Synonyms.load(DEFAULT_SYNONYMS, own)

    assert Synonym(1, ("coffee",)) in table.at(["kaffi"], 0)
    assert Synonym(1, ("couch",)) in table.at(["sofa"], 0)
    assert len(table) > len(Synonyms.load(DEFAULT_SYNONYMS))
