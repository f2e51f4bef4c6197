"""A turn that nobody wants any more."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from shopping_agent.openai_model import OpenAIActionModel, connect
from shopping_agent.testing import Fault, StubOpenAI
from tests.web.echo import Tab, echo_app

FAR = 300.0


def _text(step: str | bytes) -> str:
    return step if isinstance(step, str) else step.decode()


@pytest.mark.parametrize(("action", "status"), [("t/{turn}/stop", 200), ("delete", 404)])
def test_a_turn_that_is_stopped_or_deleted_hangs_up_on_the_model_and_ends(
    tmp_path: Path, action: str, status: int
) -> None:
    stub = StubOpenAI([Fault("hang")])
    with stub.serve() as url:
        model = OpenAIActionModel(connect(base_url=url, timeout_s=FAR))
        with echo_app(f"sqlite:///{tmp_path}/c.sqlite", model, turn_timeout_s=FAR) as app:
            tab = Tab(app)
            stream = map(_text, tab.post("a lamp", stream=True).response)
            started = next(stream)
            tab.conversation, turn = (
                re.findall(pattern, started)[0] for pattern in (r'"conversation": "(\w+)"', r't-(\w+)\\"')
            )
            with ThreadPoolExecutor(1) as pool:
                rest = pool.submit("".join, stream)
                path = f"/c/{tab.conversation}/{action.format(turn=turn)}"
                assert tab.another().client.post(path).status_code == 303
                steps = rest.result(timeout=FAR / 2)  # the model itself never ends
            assert "result_ready" not in steps and stub.calls == 1
            assert tab.client.get(f"/c/{tab.conversation}").status_code == status
        model.close()
