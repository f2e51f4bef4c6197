"""Pages for the people who run the shop: what shoppers miss, and how single turns were decided. Read only."""

from __future__ import annotations

import csv
import hmac
import io
import json
import time

from flask import Blueprint, Response, abort, render_template, request

from web.services import services

operator = Blueprint("operator", __name__, url_prefix="/operator")

DEFAULT_DAYS = 7
MAX_DAYS = 365


@operator.before_request
def check_token() -> Response | None:
    """The token as the password of HTTP basic authentication, or as a bearer; without a token set there is no page."""
    token = services().settings.operator_token
    if not token:
        abort(404)
    if hmac.compare_digest(_given_token().encode(), token.encode()):
        return None
    return Response("The operator's token is needed.\n", 401, {"WWW-Authenticate": 'Basic realm="operator"'})


def _given_token() -> str:
    given = request.authorization
    return str(given.token or given.password or "") if given else ""


def _since() -> tuple[int, float]:
    days = request.args.get("days", DEFAULT_DAYS, type=int)
    days = min(max(days, 1), MAX_DAYS)
    return days, time.time() - days * 86400


@operator.get("/")
def insights() -> str:
    """What was wished, not found, emptied, disliked."""
    days, since = _since()
    return render_template("operator/insights.html", days=days, tallies=services().traces.insights(since=since))


@operator.get("/insights.csv")
def insights_csv() -> Response:
    """The same as a table; a cell that a spreadsheet would run is marked as text."""
    _, since = _since()
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("kind", "value", "count"))
    for tally in services().traces.insights(since=since):
        writer.writerows((tally.name, _as_text(value), count) for value, count in tally.rows)
    headers = {"Content-Disposition": 'attachment; filename="insights.csv"'}
    return Response(out.getvalue(), mimetype="text/csv", headers=headers)


def _as_text(value: str) -> str:
    return f"'{value}" if value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


@operator.get("/turns")
def recent_turns() -> str:
    """The latest turns, newest first."""
    before = request.args.get("before", type=float)
    return render_template("operator/turns.html", traces=services().traces.recent(before=before))


@operator.get("/turns/<turn_id>")
def turn(turn_id: str) -> str:
    """One turn in full: prompt, raw reply, repairs, query, hits, timings."""
    trace = services().traces.one(turn_id)
    if trace is None:
        abort(404)
    detail = {key: json.dumps(value, ensure_ascii=False, indent=1) for key, value in trace.detail.items()}
    return render_template("operator/turn.html", trace=trace, detail=detail)
