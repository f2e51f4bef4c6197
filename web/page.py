"""What every template needs, captured from the request once, so that a stream renders without one."""

from __future__ import annotations

import functools
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from flask import current_app, request, session
from flask_wtf.csrf import generate_csrf
from jinja2 import Environment
from werkzeug.routing import BuildError, MapAdapter

from search_client.models import Money, Shopper
from web.identity import current_shopper
from web.query import query
from web.services import services
from web.sessions import current_owner
from web.settings import WebSettings
from web.store.cart import CartGlance
from web.strings import Strings, choose_language, languages

THEMES = ("auto", "light", "dark")
FRAMED_PREFIX = "/widget"
"""The same pages for the frame of the bubble: only what lies below may be framed, so links inside stay below."""
FRAMED_NAME = "framed_"
TEMPLATES = "shop_templates"
"""Where the app keeps its templates by language."""
_EVERYWHERE = {"static", "look.theme", "look.widget", "pictures.show"}


@dataclass(frozen=True, slots=True)
class Page:
    """Words, addresses and forms for one shopper's request."""

    t: Strings
    settings: WebSettings
    csrf: str
    theme: str
    path: str
    """Path and query of this page, to come back to."""
    model: str
    """Which model answers."""
    framed: bool
    """Whether it stands in the bubble's frame on a shop's own page."""
    version: str
    """Changes with the static files; part of their addresses."""
    shopper: Shopper
    _glance: Callable[[], CartGlance] = field(repr=False)
    """Read when first asked for, so that a page shows what its own request has changed."""
    _adapter: MapAdapter | None = field(repr=False)
    _path_of: Callable[[str], str | None] = field(repr=False)
    """The path of a route whose values are all in the query; found once a page, for it holds many links alike."""
    _templates: Environment = field(repr=False)

    @property
    def cart_count(self) -> int:
        """How many pieces lie in the cart. Raises `StoreUnavailableError`."""
        return self._glance().pieces

    @property
    def saved(self) -> frozenset[str]:
        """Ids of the products this shopper saved. Raises `StoreUnavailableError`."""
        return self._glance().saved

    @property
    def languages(self) -> tuple[tuple[str, str], ...]:
        """Tags and own names of the languages to choose from."""
        return tuple((language, Strings(language)("language.name")) for language in languages())

    def url(self, endpoint: str, **values: object) -> str:
        """The path of a route; inside the bubble's frame, of the same route there."""
        if self.framed and endpoint not in _EVERYWHERE:
            endpoint = FRAMED_NAME + endpoint.removeprefix(FRAMED_NAME)
        given = {name: value for name, value in values.items() if value is not None}
        path = self._path_of(endpoint)
        if path is None:
            assert self._adapter is not None  # made from a request
            return self._adapter.build(endpoint, given)
        return f"{path}?{query(given.items())}" if given else path

    def static(self, filename: str) -> str:
        """The path of a static file, with its version."""
        return self.url("static", filename=filename, v=self.version)

    def money(self, money: Money) -> str:
        """A price in the shopper's language."""
        return self.t.money(money)

    def key(self) -> str:
        """A new key for a form that must count once, however often it is sent."""
        return secrets.token_hex(8)

    def render(self, template: str, /, **values: Any) -> str:
        """A template as HTML."""
        return self._templates.get_template(template).render(page=self, t=self.t, **values)


def current_page() -> Page:
    """The page of the current request."""
    found = services()
    language, adapter = current_language(), current_app.create_url_adapter(request)
    return Page(
        t=Strings(language),
        settings=found.settings,
        csrf=generate_csrf(),
        theme=current_theme(),
        path=request.full_path.rstrip("?") if request.method == "GET" else "/",
        model=found.agent.model_name,
        framed=request.path.startswith(f"{FRAMED_PREFIX}/"),
        version=str(current_app.config["ASSETS_VERSION"]),
        shopper=current_shopper(),
        _glance=functools.cache(partial(found.carts.glance, current_owner())),
        _adapter=adapter,
        _path_of=functools.cache(partial(_plain_path, adapter)),
        _templates=current_app.extensions[TEMPLATES][language],
    )


def _plain_path(adapter: MapAdapter | None, endpoint: str) -> str | None:
    """None where the path itself holds values."""
    assert adapter is not None  # made from a request
    try:
        return adapter.build(endpoint)
    except BuildError:
        return None


def current_language() -> str:
    """What the shopper chose, else what the browser asks for, else the shop's own."""
    wanted = [session.get("language", ""), *request.accept_languages.values()]
    return choose_language(wanted, default=services().settings.look.language or "en")


def current_theme() -> str:
    """`light` or `dark` where the shopper chose one, else `auto`."""
    theme = session.get("theme", "auto")
    return theme if theme in THEMES else "auto"
