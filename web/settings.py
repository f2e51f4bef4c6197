"""Everything the web app can be told from outside, read once, checked before serving."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from web.deployment import DEFAULT_DEPLOYMENT, Deployment, deployment_from_env, flag
from web.errors import WebSettingsError
from web.look import DEFAULT_LOOK, Look, look_from_env
from web.secret import secret_keys, shared_key
from web.traffic import DEFAULT_LIMITS, TrafficLimits, limits_from_env

VAR = Path("var")
DEFAULT_DATABASE_URL = "sqlite:///var/conversations.sqlite"
DEFAULT_SHOP_NAME = "Demo Shop"
DEFAULT_RETENTION_DAYS = 90


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Settings of the page. Those of the agent and the catalog are read by their own packages."""

    database_url: str = DEFAULT_DATABASE_URL
    """`DATABASE_URL`: where conversations and carts are kept; SQLite or PostgreSQL."""
    secret_key: str = ""
    """`SECRET_KEY`: signs the session cookie; required in production, in development made once per machine."""
    secret_key_fallbacks: tuple[str, ...] = ()
    """`SECRET_KEY_FALLBACKS`: older keys whose cookies are still accepted, separated by commas."""
    retention_days: int = DEFAULT_RETENTION_DAYS
    """`RETENTION_DAYS`: conversations not used for so long are deleted for good; 0 keeps them."""
    shopper_secret: str = ""
    """`SHOPPER_SECRET`: the key under which the host shop signs who shops; empty: everybody is anonymous."""
    operator_token: str = ""
    """`OPERATOR_TOKEN`: opens the operator's pages and `/metrics`; empty: no such pages."""
    spans_endpoint: str = ""
    """`OTEL_EXPORTER_OTLP_ENDPOINT`: the OpenTelemetry collector that gets a span a turn; empty: none."""
    serve_catalog_key: str = ""
    """`SERVE_CATALOG_KEY`: what other deployments must carry to search this catalog; empty: it is open, as the page."""
    shop_name: str = DEFAULT_SHOP_NAME
    """`SHOP_NAME`: shown in the page's header and title."""
    deployment: Deployment = DEFAULT_DEPLOYMENT
    """Proxies, names, frames."""
    limits: TrafficLimits = DEFAULT_LIMITS
    """How much at once."""
    look: Look = DEFAULT_LOOK
    """Colours, greeting, first questions, checkout."""


def web_settings_from_env(environ: Mapping[str, str]) -> WebSettings:
    """Read and check the settings; `PRODUCTION` makes a secret key compulsory and refuses guessable ones.

    Raises `WebSettingsError` naming the variable and its value.
    """
    url = environ.get("DATABASE_URL") or DEFAULT_DATABASE_URL
    if not url.startswith(("sqlite:", "postgresql:", "postgresql+psycopg:")):
        raise WebSettingsError(f"DATABASE_URL {url!r} is neither sqlite:///… nor postgresql://…; set one of them.")
    days = environ.get("RETENTION_DAYS") or str(DEFAULT_RETENTION_DAYS)
    if not (days.isascii() and days.isdecimal() and int(days) <= 36_500):
        raise WebSettingsError(f"RETENTION_DAYS {days!r} is not a number of days from 0 to 36500.")
    production = flag(environ, "PRODUCTION")
    secret_key, fallbacks = secret_keys(environ, production=production, folder=VAR)
    return WebSettings(
        database_url=url,
        secret_key=secret_key,
        secret_key_fallbacks=fallbacks,
        retention_days=int(days),
        shopper_secret=shared_key(environ, "SHOPPER_SECRET", production=production),
        operator_token=shared_key(environ, "OPERATOR_TOKEN", production=production),
        spans_endpoint=environ.get("OTEL_EXPORTER_OTLP_ENDPOINT", ""),
        serve_catalog_key=shared_key(environ, "SERVE_CATALOG_KEY", production=production),
        shop_name=environ.get("SHOP_NAME") or DEFAULT_SHOP_NAME,
        deployment=deployment_from_env(environ),
        limits=limits_from_env(environ),
        look=look_from_env(environ),
    )
