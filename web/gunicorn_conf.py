"""The production server: `make serve`. Threads, because a turn waits for a model; two processes, for two cores."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from search_client.errors import SearchClientError
from search_client.settings import catalog_settings_from_env
from shopping_agent.errors import ShoppingAgentError
from shopping_agent.settings import agent_settings_from_env
from web.errors import WebError
from web.settings import web_settings_from_env
from web.traffic import count_from_env

os.environ.setdefault("PRODUCTION", "1")
try:  # what is set wrongly is said once here, and not by each process with its own traceback
    workers = count_from_env(os.environ, "WEB_WORKERS", 2)
    threads = count_from_env(os.environ, "WEB_THREADS", 256)  # every open stream holds one
    web_settings_from_env(os.environ)
    agent_settings_from_env(os.environ)
    catalog_settings_from_env(os.environ)
except (WebError, ShoppingAgentError, SearchClientError) as error:
    sys.stderr.write(f"{error}\n")
    raise SystemExit(2) from None

bind = os.environ.get("BIND", "127.0.0.1:5000")
worker_class = "gthread"
worker_connections = 4000
timeout = 90
graceful_timeout = 40  # longer than a turn may last: a stop finishes what runs
keepalive = 5
preload_app = False  # the index and its connections are opened by each process for itself: see `on_starting`
accesslog = None

_own_folder = "PROMETHEUS_MULTIPROC_DIR" not in os.environ
if _own_folder:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="shop-metrics-")


def on_starting(_server: Any) -> None:
    """Import and read once what every process needs: they share it, and one that died is soon replaced.

    A database that cannot be written is said once, before anything listens.
    """
    import web.app
    from shopping_agent.guard import Guard
    from shopping_agent.offline.model import OfflineActionModel
    from web.shopfront import compile_templates
    from web.store.engine import open_engine
    from web.store.migrations import migrate
    from web.strings import DEFAULT_LANGUAGE

    assert web.app
    settings = web_settings_from_env(os.environ)
    compile_templates(settings.look.language or DEFAULT_LANGUAGE)
    try:
        engine = open_engine(settings.database_url)
        migrate(engine)
        engine.dispose()
    except WebError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None
    Guard()
    OfflineActionModel()
    if agent_settings_from_env(os.environ).uses_openai:
        import shopping_agent.openai_model

        assert shopping_agent.openai_model


def worker_exit(_server: Any, _worker: Any) -> None:
    """The server has waited for those who read; a turn whose reader left is finished too."""
    from web.background import finish_turns

    finish_turns(graceful_timeout)


def child_exit(_server: Any, worker: Any) -> None:
    """Figures of a worker that ended stay counted; its gauges go."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]  # the package's own signature is untyped


def on_exit(_server: Any) -> None:
    """Leave nothing behind."""
    if _own_folder:
        shutil.rmtree(Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]), ignore_errors=True)


def post_worker_init(_worker: Any) -> None:
    """Log lines as JSON; what was loaded is never looked through again for garbage.

    It is half a million objects: to walk over them held up every turn of the process for 130 ms.
    """
    from web.logs import configure_logs

    configure_logs()
    gc.collect()
    gc.freeze()
