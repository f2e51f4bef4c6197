"""The agent with discovered tools: several steps a turn; nothing that changes anything without the shopper's yes."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator
from typing import Any

from search_client.client import SearchClient
from search_client.errors import SearchClientError
from search_client.models import ANYONE, Shopper
from shopping_agent.actions import Action, Clarify
from shopping_agent.agent import (
    FALLBACK_NOTICE,
    STEP_LIMIT_NOTICE,
    TOOL_FAILED,
    ShoppingAgent,
)
from shopping_agent.errors import ModelError, ModelUnavailableError
from shopping_agent.events import (
    ActionChosen,
    AgentEvent,
    ConfirmationNeeded,
    Notice,
    PendingCall,
    ResultReady,
    StepTaken,
    ToolAnswered,
    TurnFailed,
    TurnFinished,
)
from shopping_agent.grounding import grounded
from shopping_agent.guard import check_question
from shopping_agent.mcp_host.errors import ToolCallError
from shopping_agent.mcp_host.results import ToolResult
from shopping_agent.mcp_host.showing import Findings, as_answer, records, shown_text
from shopping_agent.mcp_host.toolbox import Toolbox, Usable
from shopping_agent.model import ActionModel, Decision
from shopping_agent.offline.model import OfflineActionModel
from shopping_agent.render import render
from shopping_agent.steps.loop import Ended, StepDone, Stop, take_steps
from shopping_agent.steps.pad import Scratchpad
from shopping_agent.steps.step import Chosen, FinalAnswer, Observation, StepModel, StepRequest, ToolCall
from shopping_agent.turn import RunningTurn, step_taken
from shopping_agent.usage import Usage

log = logging.getLogger(__name__)

MAX_STEPS = 6
MISSING_NOTICE = "Some of the assistant's tools are not available right now."
CHANGED = "The tool has changed since you were asked, so nothing was done."


class _Steps:
    """One turn's steps: what is found, and the call that waits for a yes."""

    def __init__(self, agent: McpShoppingAgent, turn: RunningTurn) -> None:
        self._agent = agent
        self._turn = turn
        self.findings = Findings()
        self.pending: PendingCall | None = None

    def decide(self, pad: Scratchpad) -> Chosen:
        """The next step, counted. Raises `ModelError`, also where no time is left."""
        request, agent = self._turn.request, self._agent
        if request.deadline_s is not None and agent._clock() >= request.deadline_s:
            raise ModelUnavailableError("No time is left in this turn.", reason="timeout")
        tools = tuple(tool.offer for tool in agent.tools.discover().usable.values())
        chosen = agent.steps.choose(
            StepRequest(
                user_message=request.user_message,
                conversation=request.conversation,
                tools=tools,
                observed=pad.observed,
                left_out=pad.left_out,
                deadline_s=request.deadline_s,
                stopped=request.stopped,
            )
        )
        self._turn.usage += chosen.usage
        agent._await_verdict(self._turn)
        return chosen

    def act(self, chosen: Chosen) -> Observation:
        """What came of a call, errors included. Raises `Stop` where the shopper must say yes first."""
        call = chosen.step
        assert isinstance(call, ToolCall)
        try:
            tool = self._agent.tools.find(call.tool)
            arguments = self._agent.tools.fitted(tool, call.arguments)
            if not tool.read_only:
                self.pending = _pending(tool, arguments)
                raise Stop
            result = self._agent.tools.call(tool, arguments)
        except ToolCallError as error:
            return Observation(str(error), is_error=True)
        if not result.is_error:
            self.findings.results.append((call, result))
        return Observation(fenced(result), is_error=result.is_error)

    def event(self, done: StepDone) -> StepTaken:
        """A step as operators see it."""
        usable = self._agent.tools.discover().usable.get(done.observed.call.tool)
        return step_taken(done, server=usable.definition.server if usable else "")


class McpShoppingAgent(ShoppingAgent):
    """The same `run` and `stream`; its tools are those that `tools` discovers. Thread-safe; keeps no conversation.

    Facts come from tools and records, never from the model: its final answer only says which of the findings is meant.
    Where the model that chooses steps does not answer, or no tool can be used, `fallback` takes the turn as in
    `ShoppingAgent`.
    """

    def __init__(
        self,
        steps: StepModel,
        client: SearchClient,
        *,
        tools: Toolbox,
        max_steps: int = MAX_STEPS,
        fallback: ActionModel | None = None,
        turn_timeout_s: float = 60.0,
        **more: Any,
    ) -> None:
        """`more`: guard, validation, budget and clock, as for `ShoppingAgent`."""
        if max_steps < 1:
            raise ValueError(f"max_steps {max_steps!r} is not at least 1.")
        super().__init__(fallback or OfflineActionModel(), client, turn_timeout_s=turn_timeout_s, **more)
        self.steps = steps
        self.tools = tools
        self._max_tool_steps = max_steps

    @property
    def model_name(self) -> str:
        """Which model chooses the steps."""
        return self.steps.name

    def confirmed(self, call: PendingCall, *, shopper: Shopper = ANYONE) -> Iterator[AgentEvent]:
        """The turn of a call that the shopper allowed: made once, without a model, if the tool is still the same."""
        try:
            tool = self.tools.find(call.tool)
            if tool.definition.digest != call.digest or tool.definition.server != call.server:
                raise ToolCallError(CHANGED)
            result = self.tools.call(tool, self.tools.fitted(tool, call.arguments))
        except ToolCallError as error:
            log.warning("a confirmed call failed: %s", error)
            text = CHANGED if str(error) == CHANGED else TOOL_FAILED
            yield TurnFailed("tool_failed", text, retryable=False)
            yield TurnFinished(text, Usage(), failed=True)
            return
        yield ToolAnswered(tool.offer.name, call.server, shown_text(result))
        yield TurnFinished(_marked(result), Usage())

    def close(self) -> None:
        """Close models, servers and the catalog."""
        self.steps.close()
        self.tools.close()
        super().close()

    def _answer(self, turn: RunningTurn) -> Generator[AgentEvent, None, str]:
        if not turn.request.user_message or turn.budget_spent:
            return (yield from super()._answer(turn))
        found = self.tools.discover()
        if found.problems:
            yield Notice("tools_missing", MISSING_NOTICE)
        if not found.usable:
            return (yield from super()._answer(turn))
        steps = _Steps(self, turn)
        try:
            ended = yield from self._taken(steps)
        except ModelError as error:
            log.warning("no next step: %s", error)
            turn.usage += error.usage
            ended = Ended("step_limit")
        return (yield from self._concluded(turn, steps, ended))

    def _taken(self, steps: _Steps) -> Generator[AgentEvent, None, Ended]:
        running = take_steps(steps.decide, steps.act, max_steps=self._max_tool_steps)
        while True:
            try:
                done = next(running)
            except StopIteration as end:
                ended: Ended = end.value
                return ended
            yield steps.event(done)

    def _concluded(self, turn: RunningTurn, steps: _Steps, ended: Ended) -> Generator[AgentEvent, None, str]:
        if steps.pending is not None:
            yield ConfirmationNeeded(steps.pending)
            return _asking(steps.pending)
        last = steps.findings.last
        if last is None:
            return (yield from self._without_findings(turn, ended))
        if ended.reason != "answered":
            yield Notice("step_limit", STEP_LIMIT_NOTICE)
        call, result = last
        try:
            products = list(records(steps.findings.named(ended.answer), self.client, turn.shopper))
        except SearchClientError as error:
            log.warning("products of a tool cannot be looked up: %s", error)
            products = []
        if not products:
            yield ToolAnswered(result.tool, result.server, shown_text(result))
            return _marked(result)
        action, shown = as_answer(
            products, call, client=self.client, shopper=turn.shopper, message=turn.request.user_message
        )
        action = grounded(action, turn.request)
        yield ActionChosen(action, Decision(action, self.steps.name, turn.usage))
        yield ResultReady(action, shown)
        return render(shown)

    def _without_findings(self, turn: RunningTurn, ended: Ended) -> Generator[AgentEvent, None, str]:
        """Nothing was found by tools: a question of the model if it is one, else the turn as it goes without tools."""
        question = check_question(ended.answer.text) if isinstance(ended.answer, FinalAnswer) else None
        if question is None:
            if ended.reason != "answered":
                yield Notice("offline_fallback", FALLBACK_NOTICE)
            return (yield from super()._answer(turn))
        action: Action = Clarify(question=question)
        result = action.execute(self.client, shopper=turn.shopper)
        yield ActionChosen(action, Decision(action, self.steps.name, turn.usage))
        yield ResultReady(action, result)
        return render(result)


def fenced(result: ToolResult) -> str:
    """A result as a model reads it: marked as data, and unable to end that mark itself."""
    inside = result.text.replace("<", "‹").replace(">", "›")
    return f"<result of {result.tool}>\n{inside}\n</result>"


def _pending(tool: Usable, arguments: dict[str, Any]) -> PendingCall:
    definition = tool.definition
    return PendingCall(
        tool=tool.offer.name,
        server=definition.server,
        title=definition.title or definition.name,
        arguments=arguments,
        digest=definition.digest,
    )


def _asking(call: PendingCall) -> str:
    told = ", ".join(f"{name}: {value}" for name, value in call.arguments.items())
    return f"May “{call.title}” of {call.server} be run with {told or 'no arguments'}? Nothing was done yet."


def _marked(result: ToolResult) -> str:
    return f"From {result.tool} ({result.server}):\n{shown_text(result)}"
