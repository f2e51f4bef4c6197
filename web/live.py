"""A running turn as parts of the page: what each event shows. Needs no request any more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from search_client.client import SearchClient
from shopping_agent.events import (
    ActionChosen,
    AgentEvent,
    ConfirmationNeeded,
    MessageRefused,
    Notice,
    ResultReady,
    StepTaken,
    ToolAnswered,
    TurnFailed,
    TurnFinished,
    TurnStarted,
)
from web.page import Page
from web.rendering.stored import StoredAnswer
from web.rendering.turns import Reader, TurnView, fresh, progress
from web.store.conversation_store import ConversationRecord, TurnRecord


class LiveTurn:
    """Renders one turn for a script, event by event, with the templates that the whole page uses."""

    def __init__(
        self,
        page: Page,
        turn: TurnRecord,
        *,
        catalog: SearchClient,
        chats: Callable[[], Sequence[ConversationRecord]],
    ) -> None:
        self._page = page
        self._turn = turn
        self._catalog = catalog
        self._chats = chats

    def part(self, event: AgentEvent, answer: StoredAnswer) -> Mapping[str, object]:
        """What goes over the wire for `event`: `html`, and where to put it."""
        page, turn = self._page, self._turn
        match event:
            case TurnStarted():
                running = TurnView(turn, "running")
                return {"html": page.render("parts/turn.html", view=running, last=True)} | self._where
            case ActionChosen():
                return {"html": page.render("parts/progress.html", text=self._progress(event))}
            case ResultReady(result=result):
                return self._answer(fresh(turn, answer, result, page.t, currency=self._currency))
            case Notice(code="stale_catalog"):
                return {}  # the result says so itself
            case Notice(code=code, text=text, choices=choices):
                return {"html": page.render("parts/notice.html", code=code, text=text, offers=choices), "code": code}
            case StepTaken(tool=tool, server=server):  # what was thought and found on the way is for operators
                # A tool that no server offers is a name that a model made up.
                text = page.t("progress.tool", name=tool) if server else page.t("progress.read")
                return {"html": page.render("parts/progress.html", text=text)}
            case ToolAnswered() | ConfirmationNeeded():
                return self._answer(TurnView(turn, "answered", notices=answer.notices, tool=answer.tool))
            case TurnFinished():
                return self._finished()
            case MessageRefused() | TurnFailed():
                failed = TurnView(turn, "failed", failure=answer.failure) if answer.failure else None
                return self._answer(failed or TurnView(turn, "refused"))
            case _:
                assert_never(event)

    @property
    def _currency(self) -> str | None:
        return self._catalog.vocabulary().currency

    def _answer(self, view: TurnView) -> Mapping[str, object]:
        return {"html": self._page.render("parts/answer.html", view=view, last=True)}

    def _progress(self, event: ActionChosen) -> str:
        reader = Reader(self._catalog, self._page.t, shopper=self._page.shopper)
        return progress(event.action, self._page.t, name_of=reader.name, currency=self._currency)

    def _finished(self) -> Mapping[str, object]:
        page, turn = self._page, self._turn
        chats = self._chats()
        nav = page.render("parts/conversations.html", conversations=chats, current=turn.conversation_id)
        return {"nav": nav} | self._where

    @property
    def _where(self) -> dict[str, object]:
        """The conversation that goes on, which a script learns before the turn is over: it may be stopped or cut."""
        conversation_id = self._turn.conversation_id
        return {
            "conversation": conversation_id,
            "url": self._page.url("chat.conversation", conversation_id=conversation_id),
        }
