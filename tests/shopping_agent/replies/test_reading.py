"""What models send in place of one clean call is understood where it can be, and told where it cannot."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shopping_agent.actions import Clarify, GetProductDetails, Search
from shopping_agent.questions import REFUSED_QUESTION
from shopping_agent.replies import Call, Reading, Reply, UnreadableReplyError, read_actions, reply_from


def as_call(arguments: Any, name: str = "NextActionResponse") -> Reply:
    return Reply(calls=(Call(name, arguments),), finish="tool_calls")


def as_text(text: str) -> Reply:
    return Reply(text=text, finish="stop")


def search_of(reading: Reading) -> Search:
    assert isinstance(reading.action, Search)
    return reading.action


BOOTS_IN_TEXT = [
    '{"name":"Search","arguments":{"query":"rain boots"}}',
    '{"name": "Search", "arguments": "{\\"query\\": \\"rain boots\\"}"}',
    '```json\n{"action":"Search","query":"rain boots"}\n```',
    '```json\n{"action":"Search","query":"rain boots"}',
    'Sure, one moment.\n{"next_action":{"kind":"search","keywords":["rain boots"]}}\nDone.',
    '<tool_call>\n{"name": "search", "arguments": {"query": "rain boots"}}\n</tool_call>',
    "<function=Search><parameter=keywords>rain boots</parameter></function>",
    '<invoke name="Search"><parameter name="keywords">rain boots</parameter></invoke>',
    '[TOOL_CALLS][{"name":"Search","arguments":{"query":"rain boots"}}]',
    '[TOOL_CALLS]Search{"query":"rain boots"}',
    '<|tool_call_begin|>functions.Search:0<|tool_call_argument_begin|>{"query":"rain boots"}<|tool_call_end|>',
    'Search(keywords=["rain boots"])',
    'Thought: they want boots.\nAction: Search\nAction Input: {"query": "rain boots"}',
    '{"action": "Search", "action_input": {"query": "rain boots"}}',
    '{"Search": {"query": "rain boots"}}',
    '{"tool": "search", "parameters": {"query": "rain boots"}}',
    "{'kind': 'search', 'keywords': ['rain boots',], 'in_stock': False}",
    '{"type":"function","function":{"name":"Search","parameters":{"query":"rain boots"}}}',
    '<think>Maybe {"query": "x"}?</think>\n{"name":"Search","arguments":{"query":"rain boots"}}',
    'They want boots, {"query": "x"} perhaps.</think>{"name":"Search","arguments":{"query":"rain boots"}}',
    '<|channel|>analysis<|message|>{"query":"x"}<|channel|>final<|message|>{"kind":"search","keywords":"rain boots"}',
    '{"kind":"search","keywords":["rain boots"]}<|eot_id|>',
]


@pytest.mark.parametrize("text", BOOTS_IN_TEXT)
def test_a_call_written_as_text_is_run_without_asking_again(text: str) -> None:
    reading = read_actions(as_text(text))
    assert search_of(reading).keywords == ["rain boots"]
    assert reading.repairs == ("call_in_text",)


@pytest.mark.parametrize("text", BOOTS_IN_TEXT)
def test_a_call_written_as_text_within_the_arguments_is_found_too(text: str) -> None:
    assert search_of(read_actions(as_call(text))).keywords == ["rain boots"]


@pytest.mark.parametrize(
    "text",
    [
        "We have two lamps.",
        "<think>hmm</think>We have two lamps.",
        "Sure! We have many nice lamps, for example the SunRay. Which one do you want?",
        "We have {many} lamps",
        "I called Search(query='lamp') and it returned K3, score 0.83.".replace("Search(query='lamp')", "a tool"),
        "<|im_start|>assistant\nHello<|im_end|>",
        "[1, 2, 3]",
        "{}",
    ],
)
def test_prose_without_an_action_is_never_shown_but_asked_again(text: str) -> None:
    with pytest.raises(UnreadableReplyError):
        read_actions(as_text(text))


def test_a_text_that_is_one_plain_question_is_asked() -> None:
    reading = read_actions(as_text("<think>vague</think> Which colour would you like?<|im_end|>"))
    assert reading == Reading(Clarify(question="Which colour would you like?"), repairs=("question_in_text",))


@pytest.mark.parametrize(
    "name", ["functions.get_product_details", "GetProductDetails", "get-product-details", "details"]
)
def test_a_name_that_is_almost_right_is_right(name: str) -> None:
    reading = read_actions(as_call('{"product_id":"K3"}', name))
    assert reading.action == GetProductDetails(product_id="K3")


@pytest.mark.parametrize("name", ["AddToCart", "checkout", "execute_sql", "delete_account"])
@pytest.mark.parametrize("arguments", ['{"product_id":"K3","qty":1}', '{"query":"lamp"}', "{}"])
def test_an_action_that_does_not_exist_is_answered_with_those_that_do(name: str, arguments: str) -> None:
    with pytest.raises(UnreadableReplyError, match="choose search, details or clarify"):
        read_actions(as_call(arguments, name))


def test_an_unknown_kind_is_answered_with_those_there_are() -> None:
    with pytest.raises(UnreadableReplyError, match="choose search, details or clarify"):
        read_actions(as_call('{"next_action":{"kind":"checkout","product_id":"p1"}}'))


def test_fields_of_one_action_under_the_name_of_another_are_the_first() -> None:
    assert read_actions(as_call('{"product_id":"K3"}', "Search")).action == GetProductDetails(product_id="K3")
    assert read_actions(as_call('{"query":"lamp"}', "Clarify")).repairs == ("renamed_action",)


@pytest.mark.parametrize("arguments", [{"query": "boots", "max_price": 150}, '{"query":"boots","max_price":150}'])
def test_arguments_may_be_an_object_or_a_string(arguments: Any) -> None:
    action = search_of(read_actions(as_call(arguments, "Search")))
    assert (action.keywords, action.max_price) == (["boots"], 150)


@pytest.mark.parametrize("arguments", [None, "", "null", "{}", "[]", "  "])
@pytest.mark.parametrize("name", ["Clarify", "Search", "GetProductDetails"])
def test_arguments_that_hold_nothing_are_asked_for_once_more(name: str, arguments: Any) -> None:
    with pytest.raises(UnreadableReplyError):
        read_actions(as_call(arguments, name))


@pytest.mark.parametrize(
    "arguments",
    [
        '{"query":"waterproof boots","max_pri',
        '{"query":"waterproof boots",',
        '{"query":"waterproof boots","max_price":',
        '{"query":"waterproof bo',
        '{"next_action":{"kind":"search","keywords":["boots","wat',
    ],
)
def test_arguments_cut_where_something_is_missing_are_not_guessed(arguments: str) -> None:
    with pytest.raises(UnreadableReplyError, match="cut off"):
        read_actions(as_call(arguments, "Search"))


@pytest.mark.parametrize(
    "arguments", ['{"query":"desk lamp"', '{"next_action":{"kind":"search","keywords":["desk lamp"]']
)
def test_arguments_that_lack_only_their_closing_brackets_are_used(arguments: str) -> None:
    assert search_of(read_actions(as_call(arguments, "Search"))).keywords == ["desk lamp"]


@pytest.mark.parametrize(
    ("arguments", "keywords"),
    [
        ('{"query":"27" monitor"}', ['27" monitor']),
        ('{"keywords":["27" monitor", "arm"]}', ['27" monitor', "arm"]),
        ('{"query":"12" skillet, 10" lid"}', ['12" skillet', '10" lid']),
        ("{'query': 'men's boots'}", ["men's boots"]),
        ('{"query": "boots", }', ["boots"]),
        ('{query: "boots"}', ["boots"]),
        ('{"query":"Gr\\u00f6\\u00dfe: 42 \\u2013 K3"}', ["Größe: 42 – K3"]),
        ('{"query":"Gr\\\\u00f6\\\\u00dfe: 42"}', ["Größe: 42"]),
        ('{"query":"two\\u0000 lamps\\u0007\\ud83d"}', ["two lamps"]),
        ('{"query":"two\nlamps"}', ["two", "lamps"]),
    ],
)
def test_strings_as_models_write_them_are_read_as_they_meant(arguments: str, keywords: list[str]) -> None:
    assert search_of(read_actions(as_call(arguments, "Search"))).keywords == keywords


@pytest.mark.parametrize(
    "calls",
    [
        (Call("Search", '{"query":"desk lamp","max_price":50}'), Call("Search", '{"query":"rain boots"}')),
        (Call("Search", '{"query":"desk lamp","max_price":50}{"query":"rain boots"}'),),
        (Call("Search", '[{"query":"desk lamp","max_price":50},{"query":"rain boots"}]'),),
    ],
)
def test_of_two_wishes_the_first_is_run_and_the_second_kept_with_its_own_budget(calls: tuple[Call, ...]) -> None:
    reading = read_actions(Reply(calls=calls))
    assert reading.action == Search(keywords=["desk lamp"], max_price=50)
    assert reading.later == (Search(keywords=["rain boots"]),)


def test_the_same_call_twice_is_one() -> None:
    reading = read_actions(Reply(calls=(Call("Search", '{"query":"lamp"}'),) * 2))
    assert (reading.later, reading.repairs) == ((), ())


def test_a_call_beside_text_is_run_and_the_text_is_not_shown() -> None:
    reply = Reply(text="Let me look for lamps.", calls=(Call("Search", '{"query":"lamp"}'),))
    assert read_actions(reply).action == Search(keywords=["lamp"])


@pytest.mark.parametrize("reply", [Reply(refusal="No."), Reply(finish="content_filter")])
def test_a_refusal_is_a_polite_question_and_is_not_asked_again(reply: Reply) -> None:
    assert read_actions(reply) == Reading(Clarify(question=REFUSED_QUESTION), repairs=("refusal",))


@pytest.mark.parametrize(
    ("price", "amount"),
    [
        ("$50", 50),
        ("under 50 USD", 50),
        ("1,299.00", 1299),
        ("1.299,00 €", 1299),
        ("1k", 1000),
        ("50.5", 50.5),
        (50, 50),
    ],
)
def test_a_price_in_words_is_its_number(price: Any, amount: float) -> None:
    action = search_of(read_actions(as_call(json.dumps({"query": "lamp", "max_price": price}), "Search")))
    assert action.max_price == amount


def test_a_price_that_cannot_be_read_is_asked_for_and_never_dropped() -> None:
    with pytest.raises(UnreadableReplyError, match="max_price must be a plain number"):
        read_actions(as_call('{"query":"lamp","max_price":"cheap"}', "Search"))


@pytest.mark.parametrize("none", ["null", "None", "", "n/a", "any", None, 0, "0", "$0", [], {}])
def test_every_way_of_saying_no_filter_is_no_filter(none: Any) -> None:
    given = {
        "query": "lamp",
        "category": none,
        "min_price": none,
        "max_price": none,
        "brands": none,
        "min_rating": none,
    }
    given["category"] = None if none in (0, "0", "$0") else none
    given["brands"] = given["category"]
    assert search_of(read_actions(as_call(json.dumps(given), "Search"))) == Search(keywords=["lamp"])


def test_nested_filters_are_the_same_filters() -> None:
    given = '{"action":{"query":"lamp","filters":{"price":{"min":10,"max":"$50"},"colour":"red","minRating":4}}}'
    want = Search(keywords=["lamp"], min_price=10, max_price=50, colors=["red"], min_rating=4)
    assert read_actions(as_call(given)).action == want


@pytest.mark.parametrize("reference", ["<K3>", "`K3`", "'K3'", " K3 ", "(ID: K3)", "[K3]", ["K3"], {"id": "K3"}])
def test_an_id_is_known_whatever_stands_around_it(reference: Any) -> None:
    reading = read_actions(as_call(json.dumps({"product_id": reference}), "GetProductDetails"))
    assert reading.action == GetProductDetails(product_id="K3")


def test_several_ids_are_one_product_and_those_to_compare_it_with() -> None:
    reading = read_actions(as_call('{"kind":"compare","product_ids":["K1","K2","K1"]}'))
    assert reading.action == GetProductDetails(product_id="K1", compare_with=["K2"])


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        "x",
        {},
        {"choices": None},
        {"choices": []},
        {"choices": [None]},
        {"choices": [{"message": None}]},
        {"choices": [{"message": {"tool_calls": [None, {"function": None}]}}]},
        {"choices": [{"message": {"content": "", "reasoning_content": "I will search for a lamp."}}]},
        {"choices": [{"message": {"content": ""}, "finish_reason": "load"}]},
        {"output": []},
    ],
)
def test_an_answer_without_content_is_empty_whatever_its_shape(body: Any) -> None:
    with pytest.raises(UnreadableReplyError):
        read_actions(reply_from(body))


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": None}, {"prompt_tokens": "x", "completion_tokens": -1}, "nan", []]
)
def test_usage_that_is_not_told_is_unknown_and_not_zero(usage: Any) -> None:
    told = reply_from({"choices": [], "usage": usage}).usage
    assert (told.input_tokens, told.output_tokens, told.cached_tokens) == (None, None, None)


def test_a_deeply_nested_or_endless_reply_is_given_up() -> None:
    shapes = ("[", "{", '{"a":', "[{}", "{}", "Search(", "a.", "<think>", "<function=a>", '{"a":"\\', "{a ", "<|a")
    nested = '{"next_action":' * 50 + "{}" + "}" * 50
    for text in (*(shape * (20_000 // len(shape)) for shape in shapes), nested, '{"query":"' + '"' * 20_000):
        with pytest.raises(UnreadableReplyError):
            read_actions(as_text(text))
        with pytest.raises(UnreadableReplyError):
            read_actions(as_call(text))
