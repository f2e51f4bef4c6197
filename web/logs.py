"""Log lines as JSON: one event a line, ids to follow a request by, no message text and no key."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any, TextIO

import structlog

_SECRET = re.compile(
    r"\b(sk-[\w-]{6})[\w-]{6,}|(?i:(bearer|api[_-]?key|password|secret|token)([\"'=:\s]+))[\w./+-]{8,}"
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_LINE_CHARS = 4000  # a traceback fits, a model's whole reply does not


def redact(text: str) -> str:
    """The text without anything that looks like a key, control characters escaped, cut at 4,000 characters."""
    hidden = _SECRET.sub(lambda m: f"{m[1]}…" if m[1] else f"{m[2]}{m[3]}…", text)
    return _CONTROL.sub(lambda m: f"\\u{ord(m[0]):04x}", hidden[:_LINE_CHARS])


def _redacted(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    return {key: redact(value) if isinstance(value, str) else value for key, value in event.items()}


def configure_logs(stream: TextIO | None = None, *, level: int = logging.INFO) -> None:
    """Send the whole process's log to `stream` (standard error) as JSON lines; vendors' chatter is turned down."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            _redacted,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for chatty in ("httpx", "httpx2", "openai", "instructor", "werkzeug"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
