"""Everything the agent can be told from outside, read once, checked before anything is spent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from shopping_agent.errors import AgentSettingsError

ModelKind = Literal["auto", "openai", "offline"]
ModeChoice = Literal["tools", "json_schema", "md_json", "responses"]
SystemRoleChoice = Literal["system", "developer", "user"]
ValidatorChoice = Literal["off", "gated", "always"]

DEFAULT_MODEL = "gpt-4.1-mini"


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """Settings of deciding. Those of the catalog are read by `search_client`."""

    assistant_model: ModelKind = "auto"
    """`ASSISTANT_MODEL`: `openai`, `offline`, or `auto`: OpenAI if a key or a base URL is set, else offline."""
    openai_api_key: str | None = None
    """`OPENAI_API_KEY`: the key; a local server needs none."""
    openai_base_url: str | None = None
    """`OPENAI_BASE_URL`: any compatible server, `http://127.0.0.1:8080/v1`."""
    openai_model: str = DEFAULT_MODEL
    """`OPENAI_MODEL`: the model's name at that service."""
    openai_mode: ModeChoice = "tools"
    """`OPENAI_MODE`: `tools`, or `json_schema` or `md_json` for servers without tool calls, or `responses`."""
    openai_system_role: SystemRoleChoice = "system"
    """`OPENAI_SYSTEM_ROLE`: `user` for chat templates without a system role, `developer` for some reasoning models."""
    openai_stream: bool = False
    """`OPENAI_STREAM`: `1` asks for answers in pieces, for servers and proxies that cut silent connections."""
    openai_max_tokens: int = 400
    """`OPENAI_MAX_TOKENS`: bound of one answer, thinking included."""
    openai_temperature: float | None = None
    """`OPENAI_TEMPERATURE`: empty for the service's own."""
    history_tokens: int = 1500
    """`HISTORY_TOKENS`: how much of a conversation is sent; lower it for servers with a short context."""
    max_steps: int = 1
    """`MAX_STEPS`: actions that run in one turn, each in the light of what came of those before."""
    turn_timeout_s: float = 25.0
    """`TURN_TIMEOUT_S`: every turn has an answer by then."""
    validator: ValidatorChoice = "off"
    """`VALIDATOR`: a second, small call judges messages: `always`, or `gated` where the guard is unsure."""
    guard_phrases: Path | None = None
    """`GUARD_PHRASES`: a file of phrases to refuse, one a line; `!phrase` lets it pass."""
    budget_conversation_usd: float | None = None
    """`BUDGET_CONVERSATION_USD`: spent, the built-in model goes on."""
    budget_session_usd: float | None = None
    """`BUDGET_SESSION_USD`: the same over all conversations of one shopper's session."""
    budget_day_usd: float | None = None
    """`BUDGET_DAY_USD`: the same over the whole shop, per UTC day."""
    budget_session_tokens: int | None = None
    """`BUDGET_SESSION_TOKENS`: input and output tokens of one shopper's session; holds where no price is known."""
    budget_day_tokens: int | None = None
    """`BUDGET_DAY_TOKENS`: the same over the whole shop, per UTC day."""
    prices_file: Path | None = None
    """`PRICES_FILE`: JSON with US dollars per million tokens, over the built-in table."""
    mcp_servers: Path | None = None
    """`MCP_SERVERS`: JSON file of MCP servers whose accepted tools the agent may use; needs a model service."""
    mcp_max_steps: int = 6
    """`MCP_MAX_STEPS`: calls of such tools in one turn."""

    @property
    def uses_openai(self) -> bool:
        """Whether a model service is asked at all."""
        reachable = bool(self.openai_api_key or self.openai_base_url)
        return self.assistant_model == "openai" or (self.assistant_model == "auto" and reachable)


def agent_settings_from_env(environ: Mapping[str, str]) -> AgentSettings:
    """Read and check the settings. Raises `AgentSettingsError` naming the variable, its value and what to do."""
    env = {name: value.strip() for name, value in environ.items() if value.strip()}
    settings = AgentSettings(
        assistant_model=_one_of(env, "ASSISTANT_MODEL", get_args(ModelKind), "auto"),
        openai_api_key=env.get("OPENAI_API_KEY"),
        openai_base_url=env.get("OPENAI_BASE_URL"),
        openai_model=env.get("OPENAI_MODEL", DEFAULT_MODEL),
        openai_mode=_one_of(env, "OPENAI_MODE", get_args(ModeChoice), "tools"),
        openai_system_role=_one_of(env, "OPENAI_SYSTEM_ROLE", get_args(SystemRoleChoice), "system"),
        openai_stream=_one_of(env, "OPENAI_STREAM", ("0", "1"), "0") == "1",
        openai_max_tokens=int(_number(env, "OPENAI_MAX_TOKENS", 400, low=32, high=100_000)),
        openai_temperature=_optional(env, "OPENAI_TEMPERATURE", high=2),
        history_tokens=int(_number(env, "HISTORY_TOKENS", 1500, low=100, high=1_000_000)),
        max_steps=int(_number(env, "MAX_STEPS", 1, low=1, high=10)),
        turn_timeout_s=_number(env, "TURN_TIMEOUT_S", 25.0, low=1, high=600),
        validator=_one_of(env, "VALIDATOR", get_args(ValidatorChoice), "off"),
        guard_phrases=Path(env["GUARD_PHRASES"]) if "GUARD_PHRASES" in env else None,
        budget_conversation_usd=_optional(env, "BUDGET_CONVERSATION_USD"),
        budget_session_usd=_optional(env, "BUDGET_SESSION_USD"),
        budget_day_usd=_optional(env, "BUDGET_DAY_USD"),
        budget_session_tokens=_optional_int(env, "BUDGET_SESSION_TOKENS"),
        budget_day_tokens=_optional_int(env, "BUDGET_DAY_TOKENS"),
        prices_file=Path(env["PRICES_FILE"]) if "PRICES_FILE" in env else None,
        mcp_servers=Path(env["MCP_SERVERS"]) if "MCP_SERVERS" in env else None,
        mcp_max_steps=int(_number(env, "MCP_MAX_STEPS", 6, low=1, high=50)),
    )
    check_settings(settings)
    return settings


def check_settings(settings: AgentSettings) -> None:
    """Raises `AgentSettingsError` where OpenAI is asked for and cannot be reached as it stands."""
    if settings.uses_openai and not (settings.openai_api_key or settings.openai_base_url):
        raise AgentSettingsError(
            "OpenAI is asked for (ASSISTANT_MODEL 'openai') and OPENAI_API_KEY is not set: set it, or OPENAI_BASE_URL "
            "for a server of your own, or ASSISTANT_MODEL=offline."
        )


def _one_of(env: Mapping[str, str], name: str, allowed: tuple[str, ...], default: str) -> Any:
    value = env.get(name, default).casefold()
    if value not in allowed:
        raise AgentSettingsError(f"{name} {env[name]!r} is none of {', '.join(allowed)}: set one of them.")
    return value


def _number(env: Mapping[str, str], name: str, default: float, *, low: float, high: float) -> float:
    try:
        value = float(env.get(name, default))
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise AgentSettingsError(f"{name} {env.get(name)!r} is no number from {low:g} to {high:g}: set one.")
    return value


def _optional(env: Mapping[str, str], name: str, *, high: float = 1e6) -> float | None:
    return _number(env, name, 0, low=0, high=high) if name in env else None


def _optional_int(env: Mapping[str, str], name: str) -> int | None:
    value = _optional(env, name, high=1e12)
    return None if value is None else int(value)
