"""From a reply to actions: what can be understood is used, what cannot is told in words a model can act on."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from shopping_agent.actions import Action, Clarify, GetProductDetails, NextActionResponse, Search
from shopping_agent.guard import check_question
from shopping_agent.questions import REFUSED_QUESTION
from shopping_agent.replies.reply import Call, Reply
from shopping_agent.replies.spoken_calls import SpokenCall, spoken_calls, spoken_text
from shopping_agent.replies.tolerant_json import parse_at

MAX_ACTIONS = 3
MAX_CANDIDATES = 12
MAX_UNWRAPS = 6

Validate = Callable[[dict[str, Any]], NextActionResponse]
"""From the canonical `{"next_action": {...}}` to the typed action; raises pydantic's `ValidationError`."""

_KINDS = {
    "search": ["search", "searchproducts", "productsearch", "searchcatalog", "find", "findproducts", "browse", "query"],
    "details": ["details", "getproductdetails", "productdetails", "getdetails", "getproduct", "showproduct", "compare"],
    "clarify": ["clarify", "clarification", "ask", "askuser", "askquestion", "clarifyquestion", "question", "respond"],
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names}
_WRAPPERS = frozenset(
    ["nextactionresponse", "nextaction", "action", "function", "toolcall", "tool", "response", "json"]
)
_NAME_KEYS = ("kind", "action", "name", "tool", "function", "type", "tool_name", "action_type", "next_action")
_BODY_KEYS = ("arguments", "parameters", "args", "input", "action_input", "params", "kwargs", "fields")
_NEST_KEYS = ("next_action", "action", "function", "tool_call", "tool_calls", "response", "NextActionResponse")
_SIGNS = {
    "details": ("product_id", "productId", "product_ids", "compare_with"),
    "search": ("keywords", "query", "q", "search_query", "keyword", "search_terms"),
    "clarify": ("question", "clarification", "message"),
}


class UnreadableReplyError(ValueError):
    """No action can be read; the message says why, for the model's second try and for the log."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply asks for."""

    action: Action
    later: tuple[Action, ...] = ()
    """Further wishes in the same reply: not run now, offered to the shopper."""
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    kind: str
    fields: dict[str, Any]
    repairs: tuple[str, ...] = ()


def read_actions(reply: Reply, validate: Validate = NextActionResponse.model_validate) -> Reading:
    """The action of `reply`. Raises `UnreadableReplyError`."""
    if reply.refusal is not None or (reply.finish == "content_filter" and not reply.calls):
        return Reading(Clarify(question=REFUSED_QUESTION), repairs=("refusal",))
    if reply.is_empty:
        raise UnreadableReplyError("The answer was empty. Choose one of the three actions.")
    actions: list[Action] = []
    repairs: list[str] = []
    reason = ""
    for found in itertools.islice(_candidates(reply), MAX_CANDIDATES):
        if isinstance(found, UnreadableReplyError):
            reason = reason or str(found)
            continue
        try:
            action = _validated(found, validate)
        except UnreadableReplyError as error:
            reason = reason or str(error)
            continue
        if action not in actions:
            actions.append(action)
            repairs += found.repairs
    if not actions:
        asked = _question_in(reply)
        if asked is None:
            raise UnreadableReplyError(
                reason or "The answer was text without an action. Choose one of the three actions."
            )
        return Reading(asked, repairs=("question_in_text",))
    if len(actions) > 1:
        repairs.append("several_actions")
    later = tuple(action for action in actions[1:MAX_ACTIONS] if isinstance(action, Search))
    return Reading(actions[0], later=later, repairs=tuple(dict.fromkeys(repairs)))


def _candidates(reply: Reply) -> Iterator[_Found | UnreadableReplyError]:
    if reply.calls:
        for call in reply.calls:
            yield from _in_call(call)
        return
    for spoken in spoken_calls(reply.text):
        yield from _in_spoken(spoken, reply.finish)


def _in_call(call: Call) -> Iterator[_Found | UnreadableReplyError]:
    if not isinstance(call.arguments, str):
        repairs = ("arguments_not_text",) if call.arguments is not None else ()
        yield from _in_value(call.arguments or {}, call.name, repairs)
        return
    text = call.arguments.strip()
    if text[:1] not in ("{", "[", '"'):
        yield from _in_text_arguments(text, call.name)
        return
    at = 0
    # Two objects glued together are two calls whose pieces a server merged.
    while at < len(text):
        parsed = parse_at(text, at)
        if parsed is None or (at == 0 and not _may_hold_action(parsed.value)):
            yield from _in_text_arguments(text, call.name) if at == 0 else ()
            return
        if parsed.lost:
            yield UnreadableReplyError("The arguments were cut off. Answer shorter, with complete JSON.")
            return
        yield from _in_value(parsed.value, call.name, ("mended_json",) if parsed.mended else ())
        rest = text[parsed.end :]
        at = parsed.end + len(rest) - len(rest.lstrip(" \n\t,;"))
        if text[at : at + 1] not in ("{", "["):
            return


def _may_hold_action(value: Any) -> bool:
    """An object, a list of objects, or an object encoded twice."""
    if isinstance(value, list):
        return any(isinstance(item, dict) for item in value)
    return isinstance(value, dict) or (isinstance(value, str) and value.lstrip().startswith("{"))


def _in_text_arguments(text: str, name: str) -> Iterator[_Found | UnreadableReplyError]:
    found = [result for spoken in spoken_calls(text) for result in _in_spoken(spoken, "", name)]
    yield from found or [UnreadableReplyError("The arguments were not JSON.")]


def _in_spoken(spoken: SpokenCall, finish: str, name: str = "") -> Iterator[_Found | UnreadableReplyError]:
    if spoken.lost:
        yield UnreadableReplyError("The answer was cut off. Answer shorter, with complete JSON.")
        return
    yield from _in_value(spoken.value, spoken.name or name, ("call_in_text",), spoken=True)


def _in_value(
    value: Any, name: str, repairs: tuple[str, ...], *, spoken: bool = False, depth: int = 0
) -> Iterator[_Found | UnreadableReplyError]:
    """The actions in one object, in a list of them, or wrapped in envelopes of up to `MAX_UNWRAPS` layers."""
    if isinstance(value, str):
        parsed = parse_at(value.strip())
        value = parsed.value if parsed and not parsed.lost else value
    if isinstance(value, list) and depth < MAX_UNWRAPS:
        for item in value[:MAX_ACTIONS]:
            yield from _in_value(item, name, repairs, spoken=spoken, depth=depth + 1)
        return
    if not isinstance(value, Mapping):
        value = {}
    if depth < MAX_UNWRAPS:
        inner = _unwrapped(value, name)
        if inner is not None:
            yield from _in_value(inner[0], inner[1], repairs, spoken=spoken, depth=depth + 1)
            return
    yield _named(dict(value), name, repairs, spoken=spoken)


def _unwrapped(value: Mapping[str, Any], name: str) -> tuple[Any, str] | None:
    """What an envelope holds, and the name that stands on it; None where `value` is no envelope."""
    own = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), "")
    for key in _BODY_KEYS:
        if key in value and (own or len(value) == 1):
            return value[key], own or name
    for key in _NEST_KEYS:
        if isinstance(value.get(key), (Mapping, list)):
            return value[key], own or name
    if len(value) == 1:
        key, inner = next(iter(value.items()))
        if _kind(str(key)) and isinstance(inner, Mapping):
            return inner, str(key)
    return None


def _bare(name: str) -> str:
    """`functions.get_product_details` as `getproductdetails`."""
    return re.sub(r"[^a-z]", "", re.split(r"[./:]", name.strip())[-1].casefold())


def _kind(name: str) -> str | None:
    return _KIND_OF.get(_bare(name))


def _named(
    fields: dict[str, Any], name: str, repairs: tuple[str, ...], *, spoken: bool
) -> _Found | UnreadableReplyError:
    """`fields` with the kind that their name, their `kind` or their own names tell."""
    own = next((fields[key] for key in _NAME_KEYS if isinstance(fields.get(key), str) and _kind(fields[key])), "")
    stated = _kind(own) or _kind(name)
    foreign = name if name and not stated and _bare(name) not in _WRAPPERS else ""
    given_kind = fields.get("kind")
    if not stated and isinstance(given_kind, str) and given_kind.strip():
        foreign = given_kind
    if foreign and not (spoken and not isinstance(given_kind, str)):
        return UnreadableReplyError(f"There is no action {foreign[:40]!r}: choose search, details or clarify.")
    signed = next((kind for kind, signs in _SIGNS.items() if any(fields.get(sign) for sign in signs)), None)
    kind = stated
    if signed and (stated is None or not any(fields.get(sign) for sign in _SIGNS[stated])):
        kind = signed
        repairs = (*repairs, "renamed_action") if stated else repairs
    if kind is None:
        return UnreadableReplyError("The answer names no action: set kind to search, details or clarify.")
    return _Found(kind, fields, repairs)


def _validated(found: _Found, validate: Validate) -> Action:
    try:
        action = validate({"next_action": {**found.fields, "kind": found.kind}}).next_action
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(str(part) for part in first["loc"][1:])
        raise UnreadableReplyError(f"The field {field!r} is wrong: {first['msg']}.") from error
    _refuse_unpriced(found, action)
    match action:
        case Search() if action.wishes_nothing:
            raise UnreadableReplyError("A search needs keywords: name the product.")
        case GetProductDetails() if not action.product_id:
            raise UnreadableReplyError("Details need a product_id: the id or number of a shown product.")
        case Clarify() if not action.question:
            raise UnreadableReplyError("Clarify needs a question.")
    return action


def _refuse_unpriced(found: _Found, action: Action) -> None:
    """A price wish that cannot be read is asked for again: dropping it would show what costs more than was said."""
    if not isinstance(action, Search):
        return
    for name in ("max_price", "min_price"):
        given = found.fields.get(name)
        if action.min_price is not None or action.max_price is not None or not isinstance(given, str):
            continue
        if any(char.isalnum() for char in given) and not _says_nothing(given):
            raise UnreadableReplyError(f"{name} must be a plain number.")


def _says_nothing(given: str) -> bool:
    words = given.casefold().split()
    return bool(re.fullmatch(r"0+([.,]0+)?", given.strip(" $€£"))) or any(
        word in ("null", "none", "nil", "n/a", "na", "any", "undefined", "unknown", "no", "not", "unspecified")
        for word in words
    )


def _question_in(reply: Reply) -> Clarify | None:
    """A reply that is nothing but one question, which may then be asked. More text could carry a claim about goods."""
    said = " ".join(spoken_text(reply.text).split())
    if reply.calls or "{" in said or len(re.findall(r"[.!?。！？]", said)) != 1:
        return None
    question = check_question(said)
    return Clarify(question=question) if question else None
