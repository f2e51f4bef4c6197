"""Keys: the one that signs cookies, given in production, made once per machine in development; and those shared."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from shopping_agent.keys import is_guessable
from web.errors import WebSettingsError

MIN_CHARS = 32
_TOO_EASY = "{} is too easy to guess: use one made by 'openssl rand -hex 32'."


def secret_keys(environ: Mapping[str, str], *, production: bool, folder: Path) -> tuple[str, tuple[str, ...]]:
    """The signing key and the older ones still accepted. Raises `WebSettingsError` without showing any."""
    given, older = environ.get("SECRET_KEY", ""), environ.get("SECRET_KEY_FALLBACKS", "")
    fallbacks = tuple(key.strip() for key in older.split(",") if key.strip())
    for name, key in (("SECRET_KEY", given), *(("SECRET_KEY_FALLBACKS", key) for key in fallbacks)):
        if key and is_guessable(key, min_chars=MIN_CHARS):
            raise WebSettingsError(_TOO_EASY.format(name))
    if not given and production:
        raise WebSettingsError("SECRET_KEY is not set; in production give one made by 'openssl rand -hex 32'.")
    return given or development_secret(folder), fallbacks


def shared_key(environ: Mapping[str, str], name: str, *, production: bool) -> str:
    """A key that operators or other servers carry, empty where none is set.

    Raises `WebSettingsError` without showing it, in production only: on one's own machine any word will do.
    """
    key = environ.get(name, "")
    if key and production and is_guessable(key):
        raise WebSettingsError(_TOO_EASY.format(name))
    return key


def development_secret(folder: Path) -> str:
    """The machine's own random key, made on first use, readable by its owner only.

    Processes that start at once agree: the file appears whole or not at all.
    """
    path, draft = folder / "secret_key", folder / f".secret_key-{secrets.token_hex(4)}"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # another process was faster: its key holds
        finally:
            draft.unlink()
    return path.read_text(encoding="ascii")
