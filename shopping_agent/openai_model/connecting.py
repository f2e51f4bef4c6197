"""A client of OpenAI or a compatible server, built once: no hidden retries, time-outs of ours, connections kept."""

from __future__ import annotations

from urllib.parse import urlsplit

import openai
import openai.resources  # the SDK's own way is to import it within the first call: half a second of a shopper's turn
from openai import OpenAI

from shopping_agent.errors import AgentSettingsError
from shopping_agent.openai_model.deadline import bound_by_deadline

NO_KEY = "no-key"  # local servers take any key; the SDK insists on one


def connect(*, api_key: str | None = None, base_url: str | None = None, timeout_s: float = 25.0) -> OpenAI:
    """A client whose every request ends by the turn's deadline. Raises `AgentSettingsError` for an unusable URL."""
    http_client = openai.DefaultHttpxClient(timeout=timeout_s)
    bound_by_deadline(http_client)
    url = usable_url(base_url) if base_url else None
    return OpenAI(api_key=api_key or NO_KEY, base_url=url, max_retries=0, timeout=timeout_s, http_client=http_client)


def usable_url(base_url: str) -> str:
    """The URL that ends where `/chat/completions` goes on: `/v1` is added to a bare host, what is too much is cut."""
    url = base_url.strip().rstrip("/").removesuffix("/chat/completions").removesuffix("/responses").rstrip("/")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise AgentSettingsError(
            f"OPENAI_BASE_URL {base_url!r} is no http(s) URL: write it like http://127.0.0.1:8080/v1"
        )
    return url if parts.path.strip("/") else f"{url}/v1"
