"""A turn is answered even when its model is not: by the built-in one, which says so."""

from __future__ import annotations

import logging
from dataclasses import replace

from shopping_agent.errors import ModelError, ModelRefusedError
from shopping_agent.model import ActionModel, Decision, DecisionRequest

log = logging.getLogger(__name__)


class Fallback:
    """Asks `first`; where it raises, or no call is left to ask it, `second` decides and the decision says why."""

    def __init__(self, first: ActionModel, second: ActionModel) -> None:
        self._first = first
        self._second = second

    @property
    def name(self) -> str:
        return self._first.name

    def decide(self, request: DecisionRequest) -> Decision:
        """One action; raises only what `second` raises."""
        if request.max_calls < 1:
            return replace(self._second.decide(request), fallback="no_call_left")
        try:
            return self._first.decide(request)
        except ModelError as error:
            # The operator must act on a refusal; an outage ends by itself.
            level = logging.ERROR if isinstance(error, ModelRefusedError) else logging.WARNING
            log.log(level, "%s did not decide (%s): %s", self._first.name, error.reason, error)
            decision = self._second.decide(replace(request, max_calls=0))
            return replace(decision, usage=error.usage + decision.usage, fallback=error.reason)

    def close(self) -> None:
        self._first.close()
        self._second.close()
