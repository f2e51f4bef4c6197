"""Doubles that ship, typed and strict."""

from __future__ import annotations

from shopping_agent.testing.scripted_model import ScriptedModel
from shopping_agent.testing.stub_openai import StubOpenAI
from shopping_agent.testing.stub_replies import Answer, Fault, Step, chooses, completion, error, says, streams
from shopping_agent.testing.stub_rules import Quirks

__all__ = [
    "Answer",
    "Fault",
    "Quirks",
    "ScriptedModel",
    "Step",
    "StubOpenAI",
    "chooses",
    "completion",
    "error",
    "says",
    "streams",
]
