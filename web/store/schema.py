"""Tables of the web app."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

conversations = Table(
    "conversations",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("title", String(120), nullable=False),
    Column("updated_at", Float, nullable=False),
    Index("conversations_by_owner", "owner", "updated_at"),
)

turns = Table(
    "turns",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("conversation_id", ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("key", String(64), nullable=False),
    Column("message", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("reply", Text, nullable=False, default=""),
    Column("answer", JSON, nullable=False, default=dict),
    Column("created_at", Float, nullable=False),
    Column("begun_at", Float, nullable=False),
    Column("runner", String(120), nullable=False, comment="the process that answers it"),
    Column("rating", Integer),
    Column("rating_reason", Text, nullable=False, default=""),
    UniqueConstraint("conversation_id", "seq"),
    UniqueConstraint("conversation_id", "key"),
)
