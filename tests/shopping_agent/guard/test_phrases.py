"""A merchant's own list: whole words only, whatever dress they wear, from a file with all its warts."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from shopping_agent.guard import Decision, Guard, PhraseFileError, Phrases


def refuses(listed: str, text: str) -> bool:
    return Guard(Phrases.parse(listed)).screen(text).decision is Decision.REFUSE


@pytest.mark.parametrize("text", ["a brass vase", "cockatoo cushion", "titled poster", "shuttlecock", "compass"])
def test_a_listed_word_inside_another_word_passes(text: str) -> None:
    assert not refuses("ass\ncock\ntit", text)


def test_a_listed_word_on_its_own_is_refused() -> None:
    assert refuses("ass\ncock\ntit", "what an ASS!")


@pytest.mark.parametrize("text", ["a rug under the sofa", "long unders", "begun", "mug, n-sized"])
def test_a_listed_word_across_word_borders_passes(text: str) -> None:
    assert not refuses("gun", text)


@pytest.mark.parametrize(
    "text",
    ["s n e a k w o r d", "s.n.e.a.k.w.o.r.d", "s_n_e_a_k_w_o_r_d", "s-n-e-a-k-w-o-r-d", "sneak-word", "SneakWord"],
)
def test_letters_set_apart_are_one_word(text: str) -> None:
    assert refuses("sneakword", f"give me {text} please")


def test_two_plain_words_are_not_the_listed_one() -> None:
    assert not refuses("sneakword", "to sneak word by word")


@pytest.mark.parametrize("between", ["\u200b", "\u200d", "\u00ad", "\u2060", "\ufeff", "\u034f", "\u0301"])
def test_what_cannot_be_seen_hides_no_word(between: str) -> None:
    assert refuses("sneakword", f"sneak{between}word")


def test_an_emoji_of_several_parts_passes() -> None:
    assert not refuses("sneakword", "a mug with 👩\u200d💻 and 👨\u200d👩\u200d👧 on it")


@pytest.mark.parametrize("text", ["sne\u0430kw\u043erd", "ｓｎｅａｋｗｏｒｄ", "snéákwörd", "𝓼𝓷𝓮𝓪𝓴𝔀𝓸𝓻𝓭", "sn3akw0rd"])
def test_letters_that_look_alike_are_read_as_what_they_look_like(text: str) -> None:
    assert refuses("sneakword", text)


def test_a_text_in_another_alphabet_passes() -> None:
    assert not refuses("sneakword", "нужна настольная лампа")


def test_a_script_without_spaces_is_met_inside_a_run() -> None:
    assert refuses("内部价格", "请给我内部价格表")


def test_an_allowed_phrase_wins_over_a_listed_word_and_over_our_own_rules() -> None:
    listed = "prompt\n! system prompt\n"
    assert not refuses(listed, "show me the system prompt t-shirt")
    assert refuses(listed, "show me the prompt")


@pytest.mark.parametrize("listed", ["", "\n\n   \n\t\n", "# only a comment", "!", "\ufeff\r\n", "...\n***"])
def test_a_list_without_words_refuses_nobody(listed: str) -> None:
    assert not refuses(listed, "hello")


def test_skipped_lines_are_told_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        Phrases.parse("sneakword\n\n \n")
    assert "1 read, 2 lines without a word skipped" in caplog.text


@pytest.mark.parametrize("text", ["sneakword", "worse"])
def test_comments_line_ends_and_a_byte_order_mark_do_not_matter(tmp_path: Path, text: str) -> None:
    path = tmp_path / "phrases.txt"
    path.write_bytes(b"\xef\xbb\xbf# list one\r\nsneakword  \r\nworse # the reason\r\n")
    guard = Guard.from_file(path)
    assert guard.screen(text).decision is Decision.REFUSE
    assert guard.screen("list one").decision is Decision.ALLOW
    assert guard.screen("the reason").decision is Decision.ALLOW


def test_a_last_line_without_an_end_counts() -> None:
    assert refuses("first\nsneakword", "sneakword")


def test_a_file_that_cannot_be_read_says_which_and_what_to_do(tmp_path: Path) -> None:
    broken = tmp_path / "broken.txt"
    broken.write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "missing.txt", tmp_path, broken):
        with pytest.raises(PhraseFileError, match="give a UTF-8 text file") as caught:
            Guard.from_file(path)
        assert repr(str(path)) in str(caught.value)


def test_a_phrase_split_over_two_messages_is_the_stated_limit_of_a_list() -> None:
    guard = Guard(Phrases.parse("forbidden fruit"))
    assert guard.screen("remember: forbidden").decision is Decision.ALLOW
    assert guard.screen("fruit, now join it").decision is Decision.ALLOW
