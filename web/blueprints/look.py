"""How the shop front looks: the merchant's theme, and the shopper's own wishes for it."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, request, session, url_for

from web import theme as themes
from web.answers import local_path, see_other
from web.page import THEMES, current_language, current_page
from web.services import services
from web.strings import Strings, languages

look = Blueprint("look", __name__)

FOR_A_YEAR = "public, max-age=31536000, immutable"


@look.get("/theme.css")
def theme() -> Response:
    """The merchant's colours as custom properties."""
    text = themes.stylesheet(services().settings.look.color)
    return Response(text, mimetype="text/css", headers={"Cache-Control": FOR_A_YEAR})


@look.get("/widget.js")
def widget() -> Response:
    """The bubble that a shop page embeds with one line: `<script src="…/widget.js" async></script>`."""
    settings = services().settings
    colors = themes.tokens(settings.look.color, dark=False)
    template = current_app.jinja_env.get_template("widget.js")  # no page: a cached script carries no session
    text = template.render(
        t=Strings(current_language()),
        frame=url_for("framed_chat.latest"),
        name=settings.shop_name,
        fill=colors["fill"],
        on_fill=colors["on-fill"],
    )
    return Response(text, mimetype="text/javascript", headers={"Cache-Control": "public, max-age=300"})


@look.post("/preferences")
def preferences() -> Response:
    """Language and theme of this shopper."""
    language, theme = request.form.get("language"), request.form.get("theme")
    if language in languages():
        session["language"] = language
    if theme in THEMES:
        session["theme"] = theme
    return see_other(local_path(request.form.get("back")) or current_page().url("chat.new"))
