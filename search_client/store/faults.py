"""What a database says when something goes wrong, in this package's own errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import exc

from search_client.errors import CatalogError, SearchClientError, SearchTimeoutError, SearchUnavailableError

# SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html
_TIMEOUT_STATES = {"57014", "55P03", "25P03", "25P04"}  # statement, lock, idle and transaction timeouts
_UNUSABLE_CLASSES = {"42", "3F", "22", "23", "XX", "0A", "54"}  # no such table, no right, corrupt, not supported
# Primary result codes: https://www.sqlite.org/rescode.html
_SQLITE_BUSY = {5, 6}  # BUSY, LOCKED
_SQLITE_UNUSABLE = {11, 14, 26, 8, 13}  # CORRUPT, CANTOPEN, NOTADB, READONLY, FULL


@contextmanager
def translated(where: str) -> Iterator[None]:
    """Database errors inside come out as `SearchClientError`; `where` is the catalog as it may be shown."""
    try:
        yield
    except exc.SQLAlchemyError as error:
        raise translate(error, where) from error
    except UnicodeDecodeError as error:
        raise CatalogError(f"The catalog {where} holds bytes that are no text: restore it, or import again.") from error


def translate(error: exc.SQLAlchemyError, where: str) -> SearchClientError:
    """The error to raise instead."""
    if isinstance(error, exc.TimeoutError):
        return SearchTimeoutError(f"All connections to the catalog {where} stayed busy; try again, or raise the pool.")
    if not isinstance(error, exc.DBAPIError):
        return CatalogError(f"The catalog {where} cannot be used: {first_line(error)}.")
    origin = error.orig
    reason = first_line(origin or error)
    sqlite_code = getattr(origin, "sqlite_errorcode", None)
    if sqlite_code is not None:
        return _of_sqlite(sqlite_code & 0xFF, reason, where)
    if type(origin).__module__ == "sqlite3":  # the driver's own complaint, such as of text that is not UTF-8
        return CatalogError(f"The catalog {where} cannot be used: {reason}. Restore the file, or import again.")
    state = getattr(origin, "sqlstate", None) or ""
    if state in _TIMEOUT_STATES or "timeout" in type(origin).__name__.lower():
        return SearchTimeoutError(f"The catalog {where} took longer than allowed: {reason}.")
    if state[:2] in _UNUSABLE_CLASSES:
        return CatalogError(f"The catalog {where} cannot be used: {reason}.")
    if isinstance(error, exc.OperationalError | exc.InterfaceError | exc.InternalError):
        return SearchUnavailableError(f"The catalog {where} does not answer: {reason}.")
    return CatalogError(f"The catalog {where} cannot be used: {reason}.")


def _of_sqlite(code: int, reason: str, where: str) -> SearchClientError:
    if code in _SQLITE_BUSY:
        return SearchTimeoutError(f"The catalog {where} is being written by another process: {reason}.")
    if code in _SQLITE_UNUSABLE:
        return CatalogError(
            f"The catalog {where} cannot be used: {reason}. Restore the file, or move it away and import."
        )
    return SearchUnavailableError(f"The catalog {where} does not answer: {reason}.")


def first_line(error: BaseException) -> str:
    """What the database said, without the statement, its parameters and further lines."""
    return str(error).strip().split("\n", 1)[0].rstrip(".")[:200] or type(error).__name__
