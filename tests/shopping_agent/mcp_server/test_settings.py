"""What may be set, and what is refused before anything is served."""

from __future__ import annotations

import pytest

from shopping_agent.errors import AgentSettingsError
from shopping_agent.mcp_server.settings import McpServerSettings, mcp_server_settings_from_env


def test_without_settings_only_this_machine_is_served() -> None:
    settings = mcp_server_settings_from_env({"MCP_HOST": " "})
    assert settings == McpServerSettings()
    assert settings.host == "127.0.0.1" and "127.0.0.1:*" in settings.hosts


def test_everything_can_be_set() -> None:
    settings = mcp_server_settings_from_env(
        {
            "MCP_HOST": "0.0.0.0",
            "MCP_PORT": "0",
            "MCP_TOKEN": "qZ3vX9-tLk2_mW8c",
            "MCP_ALLOWED_HOSTS": "shop.example, shop.example:8443",
            "MCP_ALLOWED_ORIGINS": "https://shop.example/",
            "SHOPPER_SECRET": "horse-staple-battery",
            "MCP_RATE_LIMIT": "0",
            "MCP_TIMEOUT_S": "2.5",
        }
    )
    assert settings.hosts[-2:] == ("shop.example", "shop.example:8443")
    assert settings.origins[-1] == "https://shop.example"
    assert (settings.port, settings.timeout_s, settings.rate_limit) == (0, 2.5, 0)
    assert settings.shopper_secret == "horse-staple-battery"


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({"MCP_HOST": "0.0.0.0"}, "MCP_TOKEN is not set"),
        ({"MCP_TOKEN": "short"}, "MCP_TOKEN is shorter"),
        ({"MCP_TOKEN": "x" * 32}, "easy to guess"),
        ({"SHOPPER_SECRET": "secret"}, "SHOPPER_SECRET is too easy to guess"),
        ({"MCP_TOKEN": "with blanks in its middle"}, "not plain ASCII"),
        ({"MCP_PORT": "70000"}, "MCP_PORT 70000"),
        ({"MCP_PORT": "http"}, "MCP_PORT 'http'"),
        ({"MCP_TIMEOUT_S": "0"}, "MCP_TIMEOUT_S 0.0"),
        ({"MCP_RATE_LIMIT": "-1"}, "MCP_RATE_LIMIT -1"),
        ({"MCP_ALLOWED_HOSTS": "https://shop.example"}, "MCP_ALLOWED_HOSTS: 'https://shop.example'"),
        ({"MCP_ALLOWED_ORIGINS": "shop.example"}, "MCP_ALLOWED_ORIGINS: 'shop.example'"),
    ],
)
def test_what_cannot_work_is_refused_by_name(environ: dict[str, str], told: str) -> None:
    with pytest.raises(AgentSettingsError, match=told.replace("(", r"\(")):
        mcp_server_settings_from_env(environ)


def test_a_token_is_never_repeated() -> None:
    with pytest.raises(AgentSettingsError) as caught:
        mcp_server_settings_from_env({"MCP_TOKEN": "s3cr3t"})
    assert "s3cr3t" not in str(caught.value)
