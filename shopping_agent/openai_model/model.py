"""One typed action from one request; a second request only for a reply that cannot be understood."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import instructor
from instructor.v2.core.registry import mode_registry
from openai import OpenAI
from openai.types.chat import ChatCompletion

from shopping_agent.actions import NextActionResponse
from shopping_agent.errors import ModelError, ModelReplyError, ModelUnavailableError
from shopping_agent.model import Decision, DecisionRequest, Exchange
from shopping_agent.openai_model.dialect import Dialect, Limits, adapted, build_request
from shopping_agent.openai_model.sending import RequestComplaint, Sender, error_in_answer
from shopping_agent.prices import PRICES, Price, cost_usd
from shopping_agent.prompt import HISTORY_TOKENS, build_messages, tokens_in
from shopping_agent.replies import Call, Reading, Reply, UnreadableReplyError, read_actions, reply_from
from shopping_agent.settings import DEFAULT_MODEL
from shopping_agent.usage import NOTHING_SPENT, Usage

log = logging.getLogger(__name__)

DEFAULT_TIMEOUT_S = 25.0
# Tokens are estimated from above by bytes / 4: a third of the estimate is less than any tokenizer makes of it.
CUT_SHARE = 0.33
CUT_TOKENS = 1000

# Prepared once: instructor makes a new class a call of a plain model, a third of its time and 256 dead classes kept.
_Prepared: Any = instructor.openai_schema(NextActionResponse)
# What `from_response` of that class calls, after a walk over the class in search of async validators, on every reply.
_parse: Any = mode_registry.get_handlers(instructor.Provider.OPENAI, instructor.Mode.TOOLS).response_parser
_SCHEMA: dict[str, Any] = {key: _Prepared.openai_schema[key] for key in ("name", "parameters")}


@dataclass(slots=True)
class _Attempt:
    """What one decision has spent and learned so far."""

    request: DecisionRequest
    deadline_s: float
    usage: Usage = NOTHING_SPENT
    budget_tokens: int = HISTORY_TOKENS
    repairs: tuple[str, ...] = ()
    exchanges: list[Exchange] = field(default_factory=list)


class OpenAIActionModel:
    """Decides by OpenAI or a compatible server. Thread-safe: threads share what is learned of the server's dialect.

    `client` may be any `openai.OpenAI`, a test's double of one, or an instructor client around one. Give it
    `max_retries=0`: every request is counted and bounded here.
    """

    def __init__(
        self,
        client: OpenAI | instructor.Instructor,
        *,
        model: str = DEFAULT_MODEL,
        dialect: Dialect | None = None,
        limits: Limits | None = None,
        history_tokens: int = HISTORY_TOKENS,
        prices: Mapping[str, Price] = PRICES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model = model
        self._dialect = dialect or Dialect()
        self._limits = limits or Limits()
        self._history_tokens = history_tokens
        self._prices = prices
        self._clock = clock
        own: Any = client.client if isinstance(client, instructor.Instructor) else client
        self._client = own
        self._sender = Sender(self._client, clock)

    @property
    def name(self) -> str:
        """The model's name as the service knows it."""
        return self._model

    @property
    def dialect(self) -> Dialect:
        """How the server is spoken to by now."""
        return self._dialect

    def decide(self, request: DecisionRequest) -> Decision:
        """One action. Raises `ModelError` with the usage of all that was sent; at most `request.max_calls` requests."""
        deadline_s = self._clock() + DEFAULT_TIMEOUT_S if request.deadline_s is None else request.deadline_s
        attempt = _Attempt(request, deadline_s, budget_tokens=self._history_tokens)
        failed: ModelError = ModelUnavailableError("No call is left in this turn.", reason="no_call_left")
        while attempt.usage.calls < request.max_calls:
            try:
                reply = self._ask(attempt)
                reading = read_actions(reply, _validated)
            except UnreadableReplyError as error:
                log.info("unusable reply of %s: %s", self._model, error)
                failed = ModelReplyError(f"{self._model} sent nothing usable: {error}", reason="unusable_reply")
                attempt.request = replace(request, feedback=_joined(request.feedback, str(error)))
                attempt.repairs = ("asked_again",)
            except RequestComplaint as complaint:
                failed = complaint.cause
                if not self._learned(complaint, attempt):
                    break
            except ModelError as error:
                failed = error
                break
            else:
                return self._decision(reading, attempt)
        failed.usage = attempt.usage
        raise failed

    def close(self) -> None:
        """Close the client's connections."""
        self._client.close()

    def _ask(self, attempt: _Attempt) -> Reply:
        """Send once and count it, whatever comes of it."""
        messages = build_messages(attempt.request, budget_tokens=attempt.budget_tokens)
        dialect = self._dialect
        body = build_request(dialect, messages, model=self._model, schema=_SCHEMA, limits=self._limits)
        started_s = self._clock()
        reply = Reply()
        received: Any = None
        try:
            stopped = attempt.request.stopped
            received = self._sender.send(dialect.path, body, deadline_s=attempt.deadline_s, stopped=stopped)
            reply = reply_from(received)
        finally:
            attempt.exchanges.append(Exchange(messages, received))
            spent = replace(reply.usage, calls=1, model_ms=(self._clock() - started_s) * 1000)
            attempt.usage += replace(spent, cost_usd=cost_usd(self._model, spent, self._prices))
        self._warn_of_cut(messages, reply.usage.input_tokens)
        if reply.error is not None:
            raise error_in_answer(reply.error)
        return _as_call(reply) if dialect.speaks_json else reply

    def _warn_of_cut(self, messages: list[dict[str, Any]], input_tokens: int | None) -> None:
        """Local servers cut a prompt that is longer than their context without a word; their count gives it away."""
        sent = sum(tokens_in(message["content"]) for message in messages)
        if input_tokens is not None and input_tokens < sent * CUT_SHARE and sent > CUT_TOKENS:
            log.warning(
                "%s counted %d tokens where about %d were sent: its context may be too short. Lower HISTORY_TOKENS, or "
                "start the server with a longer context.",
                self._model,
                input_tokens,
                sent,
            )

    def _learned(self, complaint: RequestComplaint, attempt: _Attempt) -> bool:
        """Whether another request could avoid what the service complains of."""
        if complaint.error.get("code") == "context_length_exceeded" and attempt.budget_tokens > 1:
            attempt.budget_tokens = 1
            return True
        dialect = adapted(self._dialect, complaint.error)
        if dialect is None:
            return False
        log.warning("%s refuses part of the request, going on with %s: %s", self._model, dialect, complaint)
        self._dialect = dialect
        return True

    def _decision(self, reading: Reading, attempt: _Attempt) -> Decision:
        return Decision(
            action=reading.action,
            model=self._model,
            usage=attempt.usage,
            repairs=(*attempt.repairs, *reading.repairs),
            exchanges=tuple(attempt.exchanges),
            later=reading.later,
        )


def _joined(*parts: str | None) -> str:
    return " ".join(part for part in parts if part)


def _as_call(reply: Reply) -> Reply:
    """In the JSON modes an object in the text is the call that was asked for, not one that strayed."""
    text = reply.text.strip()
    return replace(reply, text="", calls=(Call("", text),)) if text.startswith("{") and not reply.calls else reply


def _validated(payload: dict[str, Any]) -> NextActionResponse:
    """`payload` as instructor validates it. Raises pydantic's `ValidationError`."""
    function = {"name": _SCHEMA["name"], "arguments": json.dumps(payload)}
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call", "type": "function", "function": function}],
    }
    completion = ChatCompletion.construct(choices=[{"index": 0, "finish_reason": "stop", "message": message}])
    response: NextActionResponse = _parse(response=completion, response_model=_Prepared, strict=False)
    return response
