"""What a database says when something goes wrong."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.disks import disk, unwritable
from web.errors import StoreUnavailableError
from web.store.engine import open_engine, reading
from web.store.migrations import migrate
from web.store.sql_conversations import SqlConversationStore


def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path}/c.sqlite")
    store = SqlConversationStore(engine)
    turn = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    with engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
        connection.rollback()
    with pytest.raises(StoreUnavailableError, match="full"):
        store.finish_turn(turn.id, status="answered", reply="x" * 100_000)
    assert store.conversation("ann", turn.conversation_id).turns[0].message == "a red mug"
    engine.dispose()


def test_a_file_that_is_no_database_is_told_without_the_statement(tmp_path: Path) -> None:
    Path(tmp_path, "c.sqlite").write_bytes(b"no database at all" * 100)
    engine = open_engine(f"sqlite:///{tmp_path}/c.sqlite")
    with pytest.raises(StoreUnavailableError, match="not a database") as raised:
        SqlConversationStore(engine)
    assert "SELECT" not in str(raised.value)
    engine.dispose()


def test_a_reader_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path}/c.sqlite")
    store = SqlConversationStore(engine)
    turn = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    with engine.begin():
        assert store.conversation("ann", turn.conversation_id).title == "a red mug"
    engine.dispose()


def test_an_unreachable_server_is_one_error(tmp_path: Path) -> None:
    engine = open_engine("postgresql://nobody@127.0.0.1:1/none")
    with pytest.raises(StoreUnavailableError, match="does not answer"), reading(engine) as connection:
        connection.execute(text("SELECT 1"))
    engine.dispose()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    Path(tmp_path, "file").write_text("")
    with pytest.raises(StoreUnavailableError, match="file"):
        open_engine(f"sqlite:///{tmp_path}/file/c.sqlite")


def test_a_pool_that_is_used_up_is_one_error(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path}/c.sqlite")
    engine.pool._timeout = 0.01  # type: ignore[attr-defined]  # thirty seconds otherwise
    with ExitStack() as taken, pytest.raises(StoreUnavailableError, match="every connection is taken"):
        while True:
            taken.enter_context(engine.connect())
    engine.dispose()


@pytest.mark.parametrize("kind", ["full", "read-only"])
def test_a_disk_that_cannot_be_written_is_named_at_the_start(kind: str) -> None:
    with disk() as place:
        engine = open_engine(f"sqlite:///{place}/c.sqlite")
        SqlConversationStore(engine).close()
        with unwritable(place, kind):
            with pytest.raises(StoreUnavailableError, match=f"Is the disk of .*{place.name}.* full, read-only"):
                migrate(engine)
            engine.dispose()
        assert migrate(engine) == 0
        engine.dispose()
