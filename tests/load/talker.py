"""A shopper who never stops, whatever happens to the server, and who counts what became of every message."""

from __future__ import annotations

import re
import secrets
import threading
import time
import urllib.error
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException

from tests.server import Browser

CHAT_TURNS = 8
FOR_A_MOMENT = (409, 502, 503)
"""Answers that ask to come again."""
_URL = re.compile(r'"url": ?"/c/([0-9a-f]+)"')
_TURN = re.compile(r'<div class="turn" id="t-\w+" data-status="(\w+)".*?</span>([^<]*)</h2>', re.DOTALL)


def turns_of(page: str) -> list[tuple[str, str]]:
    """Status and message of each turn on a page."""
    return _TURN.findall(page)


@dataclass(slots=True)
class Tally:
    """What one shopper saw."""

    acknowledged: int = 0
    lost: list[str] = field(default_factory=list)
    cut: int = 0
    retried: int = 0
    not_retryable: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def progress(self) -> int:
        """Grows with everything that comes back."""
        return self.acknowledged + self.retried


@dataclass(slots=True)
class _Message:
    text: str
    key: str
    acknowledged: bool = False


@dataclass(slots=True)
class Talker:
    """One shopper. A message counts as acknowledged when its stream has begun; one that was cut is tried again."""

    browser: Browser
    number: int
    stop: threading.Event
    tally: Tally = field(default_factory=Tally)
    chats: dict[str, list[str]] = field(default_factory=dict)
    """What was said in each conversation, each message once, in order."""
    _chat: str = ""
    _said: int = 0

    def talk(self) -> None:
        """Say one thing after another until told to stop."""
        while not self.stop.is_set():
            self.say_next()

    def say_next(self) -> None:
        """One message, in chats of a few each, until it is answered. The first one gives the browser its session."""
        if self._said % CHAT_TURNS == 0:
            self._chat = ""
        self._said += 1
        self._until_answered(f"shopper {self.number} wants lamp number {self._said}")

    def _until_answered(self, text: str) -> None:
        message = _Message(text, key=secrets.token_hex(8))
        done = self._reach(partial(self._say, message))
        while not done:
            time.sleep(0.05)
            done = self._reach(partial(self._resume, message))
        self.chats.setdefault(self._chat, []).append(text)

    def _reach(self, step: Callable[[], bool]) -> bool:
        """Whether the message is answered; a server that is away is no error."""
        try:
            return step()
        except urllib.error.HTTPError as error:
            if error.code not in FOR_A_MOMENT:
                self.tally.errors.append(f"{error.code}: {error.read()[-300:]!r}")
        except (OSError, HTTPException):
            pass
        return False

    def _say(self, message: _Message) -> bool:
        answered = failed = False
        with self.browser.open_stream(message.text, conversation=self._chat, key=message.key) as stream:
            for line in stream:
                text = line.decode()
                found = _URL.search(text)
                if found and not message.acknowledged:
                    self._chat = found[1]
                    message.acknowledged = True
                    self.tally.acknowledged += 1
                failed = failed or text.startswith("event: turn_failed")
                answered = answered or text.startswith("event: turn_finished")
        return answered and not failed

    def _resume(self, message: _Message) -> bool:
        """Look at the page, as after a reload, and do what it offers."""
        if not self._chat:  # no word came back: the form is sent again
            return self._say(message)
        page = self.browser.get(f"/c/{self._chat}")
        status, text = (turns_of(page) or [("", "")])[-1]
        if text != message.text:
            if message.acknowledged:
                self.tally.lost.append(message.text)
                message.acknowledged = False
            return self._say(message)
        return self._retry(page, message) if status == "failed" else status == "answered"

    def _retry(self, page: str, message: _Message) -> bool:
        self.tally.cut += 1
        after = turns_of(self.browser.retry(page, conversation=self._chat))
        if not after or after[-1] != ("answered", message.text):
            self.tally.not_retryable.append(f"{message.text}: {after[-1:]}")
            return False
        self.tally.retried += 1
        return True
