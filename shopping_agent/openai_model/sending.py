"""One request over the SDK's client, bounded by the turn's deadline; its failures as this package's errors."""

from __future__ import annotations

import json
import os
import re
import time
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2
import openai
from openai import OpenAI

from shopping_agent.errors import ModelError, ModelRefusedError, ModelUnavailableError
from shopping_agent.openai_model.deadline import deadline_of_thread
from shopping_agent.replies.stream import merged_chunks, merged_stream

CONNECT_TIMEOUT_S = 5.0
MAX_BODY_BYTES = 1_000_000
SHOWN_BODY_CHARS = 200

_SDK_FOLDER = os.path.dirname(openai.__file__)
_SECRET = re.compile(r"\b(?:sk|key|pk)-[\w*.-]{3,}|Bearer\s+\S+", re.IGNORECASE)
_QUOTA_CODES = ("insufficient_quota", "billing_hard_limit_reached", "billing_not_active")
_ADAPTABLE_STATUS = (400, 404, 422, 500, 501)


class RequestComplaint(Exception):
    """The service refuses something in the request itself; `error` is its error object."""

    def __init__(self, error: Mapping[str, Any], cause: ModelError) -> None:
        super().__init__(str(cause))
        self.error = error
        self.cause = cause


@dataclass(frozen=True, slots=True)
class Sender:
    """Sends request bodies and returns response bodies, parsed."""

    client: OpenAI
    clock: Callable[[], float] = time.monotonic

    def send(
        self,
        path: str,
        request: dict[str, Any],
        *,
        deadline_s: float,
        stopped: Callable[[], bool] | None = None,
    ) -> Any:
        """The response body as plain JSON values; the connection is closed once `stopped` says so.

        Raises `RequestComplaint` for what another request could avoid, else `ModelUnavailableError` or
        `ModelRefusedError`. Never lets an error of the SDK or of the network through.
        """
        left_s = deadline_s - self.clock()
        if left_s <= 0:
            raise ModelUnavailableError("No time is left in this turn.", reason="timeout")
        try:
            with deadline_of_thread(deadline_s, stopped=stopped):
                return self._send(path, request, deadline_s, left_s)
        except (openai.APITimeoutError, httpx2.TimeoutException):
            if stopped is not None and stopped():
                raise ModelUnavailableError("The shopper stopped the turn.", reason="stopped") from None
            raise ModelUnavailableError(f"No answer from {self._url(path)} in time.", reason="timeout") from None
        except openai.APIStatusError as error:
            raise _refusal(error, url=self._url(path)) from None
        except (openai.APIConnectionError, httpx2.HTTPError) as error:
            told = _redacted(repr(error.__cause__ or error))
            raise ModelUnavailableError(f"{self._url(path)} is not reachable: {told}", reason="unreachable") from None
        except openai.OpenAIError as error:
            raise ModelUnavailableError(f"The SDK failed: {_redacted(repr(error))}", reason="unreachable") from None

    def _send(self, path: str, request: dict[str, Any], deadline_s: float, left_s: float) -> Any:
        timeout = httpx2.Timeout(left_s, connect=min(CONNECT_TIMEOUT_S, left_s))
        create = self._create(path)
        if not _is_sdks_own(create):
            # A tracer's wrapper, or a test's double: it sees model, messages and tools as anybody would send them.
            return _plain(create(**request, timeout=timeout))
        # `create` walks every message against its typed unions: 0.15 ms a message with the GIL held (9.3 ms at 60
        # messages, against 0.2 ms here). The body is the same; reading it as it comes lets us stop at the deadline.
        raw: Any = self.client.post(
            path,
            body=request,
            cast_to=object,
            options={
                "headers": {"X-Stainless-Raw-Response": "stream"},
                "timeout": timeout,
                "max_retries": 0,
                "security": {"bearer_auth": True},
            },
        )
        response: httpx2.Response = raw.http_response
        try:
            return self._body(response, deadline_s)
        finally:
            response.close()

    def _create(self, path: str) -> Callable[..., Any]:
        if path == "/responses":
            return self.client.responses.create
        return self.client.chat.completions.create

    def _body(self, response: httpx2.Response, deadline_s: float) -> Any:
        streamed = "event-stream" in response.headers.get("content-type", "")
        chunks = self._chunks(response, deadline_s)
        if streamed:
            return merged_stream(chunks)
        content = b"".join(chunks)
        try:
            return json.loads(content)
        except ValueError:
            start = _redacted(content[:SHOWN_BODY_CHARS].decode("utf-8", "replace"))
            message = f"{response.url} answered {response.status_code} without JSON: {start!r}"
            raise ModelUnavailableError(message, reason="bad_body") from None

    def _chunks(self, response: httpx2.Response, deadline_s: float) -> Any:
        size = 0
        for chunk in response.iter_bytes():
            size += len(chunk)
            if size > MAX_BODY_BYTES:
                raise ModelUnavailableError(f"The answer is over {MAX_BODY_BYTES:,} bytes.", reason="bad_body")
            if self.clock() > deadline_s:
                raise ModelUnavailableError("The answer did not end in time.", reason="timeout")
            yield chunk

    def _url(self, path: str) -> str:
        return f"{str(self.client.base_url).rstrip('/')}{path}"


def _plain(answer: Any) -> Any:
    """An answer of the SDK as plain values; one in pieces as the whole it makes."""
    if hasattr(answer, "model_dump"):
        return answer.model_dump(warnings=False)
    if isinstance(answer, openai.Stream):
        return merged_chunks(chunk.model_dump(warnings=False) for chunk in answer)
    return answer


def _is_sdks_own(create: Any) -> bool:
    """Whether `create` is the SDK's method itself, not something put in its place."""
    code = getattr(getattr(create, "__func__", None), "__code__", None) if type(create) is types.MethodType else None
    return code is not None and code.co_filename.startswith(_SDK_FOLDER)


def _redacted(text: str) -> str:
    return _SECRET.sub("(secret)", text)


def _error_object(error: openai.APIStatusError) -> Mapping[str, Any]:
    body = error.body
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        return inner if isinstance(inner, Mapping) else {"message": str(inner)}
    return {"message": body if isinstance(body, str) else error.response.text[:2000]}


def _retry_after_s(headers: httpx2.Headers) -> float | None:
    """Seconds to wait as told by `Retry-After`; None where it is absent or a date."""
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None


def _refusal(error: openai.APIStatusError, *, url: str) -> ModelError | RequestComplaint:
    status, told = error.status_code, _error_object(error)
    code = str(told.get("code") or told.get("type") or "")
    words = _redacted(str(told.get("message") or "")[:SHOWN_BODY_CHARS])
    if status == 429:
        return _over_limit(error, code, words)
    if status in (401, 403):
        return ModelRefusedError(f"{url} refuses the key ({status} {code}): check OPENAI_API_KEY.", reason="key")
    if status == 404:
        hint = "check OPENAI_MODEL, and that OPENAI_BASE_URL ends in /v1"
        refused: ModelError = ModelRefusedError(f"{url} answered 404: {words!r}; {hint}.", reason="model")
    elif status >= 500 or status in (408, 409):
        waiting = _retry_after_s(error.response.headers)
        message = f"{url} answered {status}: {words!r}"
        refused = ModelUnavailableError(message, reason="server_error", retry_after_s=waiting)
    else:
        refused = ModelRefusedError(f"{url} refuses the request ({status} {code}): {words!r}", reason="request")
    return RequestComplaint(told, refused) if status in _ADAPTABLE_STATUS else refused


def error_in_answer(error: Mapping[str, Any]) -> ModelError:
    """The failure that an error object means which came with status 200, whole or within a stream."""
    code = str(error.get("code") or error.get("type") or "")
    words = _redacted(str(error.get("message") or "")[:SHOWN_BODY_CHARS])
    if code in _QUOTA_CODES:
        return ModelRefusedError(f"The account has no quota left ({code}): {words!r}", reason="quota")
    return ModelUnavailableError(f"The service sent an error with status 200: {words!r}", reason="server_error")


def _over_limit(error: openai.APIStatusError, code: str, words: str) -> ModelError:
    if code in _QUOTA_CODES:
        return ModelRefusedError(f"The account has no quota left ({code}): {words!r}", reason="quota")
    waiting = _retry_after_s(error.response.headers)
    return ModelUnavailableError(f"Over the rate limit: {words!r}", reason="rate_limit", retry_after_s=waiting)
