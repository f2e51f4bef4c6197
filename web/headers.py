"""What every response tells the browser not to do."""

from __future__ import annotations

from flask import Flask, Response, request
from werkzeug.middleware.proxy_fix import ProxyFix

from web.deployment import Deployment

COOKIE = "shop-session"  # a name of our own: two apps on one host would throw each other's shoppers out
FRAMED_PATHS = ("/widget",)
"""The only pages that listed shops may frame."""


def content_security_policy(deployment: Deployment, *, framed: bool) -> str:
    """No inline script or style, no foreign host but for pictures; frames only for the bubble on listed origins."""
    pictures = " ".join(deployment.image_hosts) or "https:"
    ancestors = " ".join(("'self'", *deployment.widget_origins)) if framed else "'none'"
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; manifest-src 'self'; "
        f"img-src 'self' {pictures}; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; "
        f"frame-ancestors {ancestors}"
    )


def protect(app: Flask, deployment: Deployment) -> None:
    """Set the headers on every response, errors included, the cookie's flags, trusted hosts and counted proxies."""
    app.config.update(
        SESSION_COOKIE_NAME=f"__Host-{COOKIE}" if deployment.https else COOKIE,
        SESSION_COOKIE_SECURE=deployment.https,
        SESSION_COOKIE_HTTPONLY=True,
        # In a frame on another site only a partitioned cookie is sent; it is that site's own, and forms carry a token.
        SESSION_COOKIE_SAMESITE="None" if deployment.https and deployment.widget_origins else "Lax",
        SESSION_COOKIE_PARTITIONED=deployment.https and bool(deployment.widget_origins),
        SESSION_COOKIE_PATH="/",
        TRUSTED_HOSTS=list(deployment.trusted_hosts) or None,
    )
    if deployment.proxy_hops:
        hops = deployment.proxy_hops
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]

    @app.after_request
    def _headers(response: Response) -> Response:
        framed = request.path.startswith(FRAMED_PATHS)
        response.headers["Content-Security-Policy"] = content_security_policy(deployment, framed=framed)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        response.headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=()"
        if not framed:
            response.headers["X-Frame-Options"] = "DENY"
        if deployment.https:
            response.headers["Strict-Transport-Security"] = "max-age=31536000"
        if response.mimetype == "text/html":
            response.headers.setdefault("Cache-Control", "no-store")
        return response
