"""Run by the peers' own interpreter: CPU per decision and bytes sent of pydantic-ai with the same three actions.

Reads {"prompt", "turns": [[user, assistant], …] lists by size, "calls", "rounds"} from stdin, prints JSON.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any, Literal

import httpx2
from openai import AsyncOpenAI
from pydantic import BaseModel, Field
from pydantic_ai import Agent  # type: ignore[import-not-found]
from pydantic_ai.messages import (  # type: ignore[import-not-found]
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.models.openai import OpenAIChatModel  # type: ignore[import-not-found]
from pydantic_ai.providers.openai import OpenAIProvider  # type: ignore[import-not-found]


class Search(BaseModel):
    """Find products in the catalog."""

    keywords: list[str] = Field(
        description='What the product is, in the catalog\'s language, spelled right: ["running shoes"].'
    )
    min_price: float | None = None
    max_price: float | None = None
    brands: list[str] = []
    category: str | None = None
    colors: list[str] = []
    sizes: list[str] = []
    min_rating: float | None = None
    in_stock: bool = False
    exclude: list[str] = Field(default=[], description='What it must not be or have: ["leather"].')
    sort: Literal["relevance", "price_asc", "price_desc", "rating", "newest"] = "relevance"


class GetProductDetails(BaseModel):
    """Show one product, answer a question about it, or compare it with others."""

    product_id: str = Field(description="Id of a shown product, or its number as shown.")
    aspect: str | None = Field(
        default=None,
        description='What is asked about it in one or two words: "waterproof", "price"; left out for everything.',
    )
    compare_with: list[str] = Field(default=[], description="Ids of other shown products to compare it with.")


class Clarify(BaseModel):
    """Ask one short question, or answer small talk with one."""

    question: str = Field(
        description="One plain question in the shopper's language, under 200 characters; "
        "no digits, prices, links or promises."
    )
    about: str | None = Field(default=None, description="What is asked for: category, brand, color, size or price.")


BODIES: list[bytes] = []


def answer(request: httpx2.Request) -> httpx2.Response:
    BODIES[:] = [request.content]
    names = [tool["function"]["name"] for tool in json.loads(request.content)["tools"]]
    name = next(name for name in names if "Search" in name)
    function = {"name": name, "arguments": '{"keywords": ["lamp"]}'}
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c", "type": "function", "function": function}],
    }
    body = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
    return httpx2.Response(200, json=body)


def messages(prompt: str, turns: list[list[str]]) -> list[Any]:
    history: list[Any] = [ModelRequest(parts=[SystemPromptPart(content=prompt)])]
    for user, assistant in turns:
        history.append(ModelRequest(parts=[UserPromptPart(content=user)]))
        history.append(ModelResponse(parts=[TextPart(content=assistant)]))
    return history


def main() -> None:
    told = json.load(sys.stdin)
    transport = httpx2.MockTransport(answer)
    client = AsyncOpenAI(
        api_key="k", base_url="http://stub/v1", http_client=httpx2.AsyncClient(transport=transport), max_retries=0
    )
    model = OpenAIChatModel("m", provider=OpenAIProvider(openai_client=client))
    agent = Agent(model, output_type=[Search, GetProductDetails, Clarify], retries=0)
    result: dict[str, Any] = {}
    for size, turns in told["turns"].items():
        history = messages(told["prompt"], turns)
        best = float("inf")
        for _ in range(told["rounds"]):
            started = time.process_time()
            for _ in range(told["calls"]):
                agent.run_sync("a desk lamp under 50", message_history=history)
            best = min(best, (time.process_time() - started) / told["calls"] * 1000)
        result[size] = {"cpu_ms": best, "bytes": len(BODIES[0])}
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
