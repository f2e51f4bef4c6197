"""Everything the web app can be told from outside, read once, checked before serving."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from web.deployment import DEFAULT_DEPLOYMENT, Deployment, deployment_from_env
from web.errors import WebSettingsError
from web.look import DEFAULT_LOOK, Look, look_from_env
from web.traffic import DEFAULT_LIMITS, TrafficLimits, limits_from_env

VAR = Path("var")
DEFAULT_DATABASE_URL = "sqlite:///var/conversations.sqlite"
DEFAULT_SHOP_NAME = "Demo Shop"


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Settings of the page. Those of the agent and the catalog are read by their own packages."""

    database_url: str = DEFAULT_DATABASE_URL
    """`DATABASE_URL`: where conversations and carts are kept; SQLite or PostgreSQL."""
    secret_key: str = ""
    """`SECRET_KEY`: signs the session cookie. In development one is made and kept per machine."""
    shopper_secret: str = ""
    """`SHOPPER_SECRET`: the key under which the host shop signs who shops; empty: everybody is anonymous."""
    operator_token: str = ""
    """`OPERATOR_TOKEN`: opens the operator's pages and `/metrics`; empty: no such pages."""
    shop_name: str = DEFAULT_SHOP_NAME
    """`SHOP_NAME`: shown in the page's header and title."""
    deployment: Deployment = DEFAULT_DEPLOYMENT
    """Proxies, names, frames."""
    limits: TrafficLimits = DEFAULT_LIMITS
    """How much at once."""
    look: Look = DEFAULT_LOOK
    """Colours, greeting, first questions, checkout."""


def development_secret(folder: Path) -> str:
    """The machine's own random key, made on first use and readable by its owner only."""
    path = folder / "secret_key"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_hex(32), encoding="ascii")
    return path.read_text(encoding="ascii")


def web_settings_from_env(environ: Mapping[str, str]) -> WebSettings:
    """Read and check the settings. Raises `WebSettingsError` naming the variable and its value."""
    url = environ.get("DATABASE_URL") or DEFAULT_DATABASE_URL
    if not url.startswith(("sqlite:", "postgresql:", "postgresql+psycopg:")):
        raise WebSettingsError(f"DATABASE_URL {url!r} is neither sqlite:///… nor postgresql://…; set one of them.")
    return WebSettings(
        database_url=url,
        secret_key=environ.get("SECRET_KEY") or development_secret(VAR),
        shopper_secret=environ.get("SHOPPER_SECRET", ""),
        operator_token=environ.get("OPERATOR_TOKEN", ""),
        shop_name=environ.get("SHOP_NAME") or DEFAULT_SHOP_NAME,
        deployment=deployment_from_env(environ),
        limits=limits_from_env(environ),
        look=look_from_env(environ),
    )
