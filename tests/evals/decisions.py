"""`make evals`: how often a model decides right, by kind and language, and what that costs.

The offline model, or any service: OPENAI_BASE_URL=… OPENAI_MODEL=… python -m tests.evals.decisions --repeat 3 --resume
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from shopping_agent.errors import ModelError
from shopping_agent.usage import Usage
from tests.evals import decider, trials
from tests.evals.scoring import Mark, confusion, mark, pass_all, shares
from tests.shared_data import SHARED

ROWS = SHARED / "utterances.jsonl"
KEPT = Path("var/evals")
FLOORS = {"all": 0.92, "kind:search": 0.85, "kind:details": 0.85, "kind:clarify": 0.85}
WHOLE_FLOOR = 0.80


@dataclass(frozen=True, slots=True)
class Outcome:
    """One decision as it is kept for a resumed run."""

    row_id: str
    run: int
    action: dict[str, Any]
    usage: Usage
    ms: float
    repairs: tuple[str, ...] = ()


def main(arguments: Sequence[str] = ()) -> int:
    """Print the table; 1 where the offline model is under its floors or a trial fails."""
    options = _parser().parse_args(arguments)
    failed = trials.main()
    if not options.file.exists():
        print(f"no labelled messages: {options.file.name} is not beside the project")
        return failed
    rows = [json.loads(line) for line in options.file.read_text(encoding="utf-8").splitlines() if line.strip()]
    firm = [row for row in rows if not row.get("debatable")][: options.limit]
    outcomes = _run(firm, options)
    runs = [[mark(row, outcomes[run, row["id"]].action) for row in firm] for run in range(options.repeat)]
    _report(firm, runs, list(outcomes.values()), misses=options.misses)
    if options.debatable:
        open_rows = [row for row in rows if row.get("debatable")][: options.limit]
        debatable = _run(open_rows, argparse.Namespace(**{**vars(options), "repeat": 1}))
        told = shares(mark(row, debatable[0, row["id"]].action) for row in open_rows)
        print(
            f"debatable, apart: {told['all'].rows} rows, action {told['all'].action:.3f}, whole {told['all'].whole:.3f}"
        )
    if options.json:
        _write(options.json, runs, outcomes.values())
    return failed or _under_floor(runs[0])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.evals.decisions", description=__doc__)
    parser.add_argument("--file", type=Path, default=ROWS, help="labelled rows (default: the shared utterances)")
    parser.add_argument("--repeat", type=int, default=1, metavar="K", help="runs a row; reports pass^K")
    parser.add_argument("--limit", type=int, metavar="N", help="the first N rows only")
    parser.add_argument("--misses", type=int, default=0, metavar="N", help="print the first N wrong rows")
    parser.add_argument("--resume", action="store_true", help=f"go on from {KEPT}/ and keep what is decided there")
    parser.add_argument("--debatable", action="store_true", help="score the debatable rows too, apart")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write marks and totals")
    return parser


def _run(rows: Sequence[dict[str, Any]], options: argparse.Namespace) -> dict[tuple[int, str], Outcome]:
    """(run, row id) → outcome, from what was kept and from the model."""
    kept = KEPT / f"decisions-{decider.model().name.replace('/', '_')}.jsonl"
    done = {(one.run, one.row_id): one for one in (_read(kept) if options.resume else ())}
    todo = [(run, row) for run in range(options.repeat) for row in rows if (run, row["id"]) not in done]
    if options.resume:
        kept.parent.mkdir(parents=True, exist_ok=True)
    for run, row in tqdm(todo, desc=decider.model().name, unit="", disable=not sys.stderr.isatty()):
        outcome = _decided(row, run)
        done[run, row["id"]] = outcome
        if options.resume:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(dataclasses.asdict(outcome), ensure_ascii=False) + "\n")
    return done


def _read(path: Path) -> Iterable[Outcome]:
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            told = json.loads(line)
            yield Outcome(**{**told, "usage": Usage(**told["usage"]), "repairs": tuple(told["repairs"])})


def _decided(row: dict[str, Any], run: int) -> Outcome:
    started = time.perf_counter()
    try:
        made = decider.decided(row["utterance"], row["history"])
        action, usage, repairs = made.action, made.usage, made.repairs
    except ModelError as error:
        action, usage, repairs = {"kind": f"error {error.reason}"}, error.usage, ()
    return Outcome(row["id"], run, action, usage, (time.perf_counter() - started) * 1000, repairs)


def _report(
    rows: Sequence[dict[str, Any]], runs: Sequence[Sequence[Mark]], outcomes: Sequence[Outcome], *, misses: int
) -> None:
    marks = [one for run in runs for one in run]
    print(f"{decider.model().name}: {len(rows)} messages, {len(runs)} runs each")
    print(f"{'group':<24}{'n':>6}{'action':>9}{'whole':>9}")
    for group, share in shares(marks).items():
        print(f"{group:<24}{share.rows:>6}{share.action:>9.3f}{share.whole:>9.3f}")
    print("confusion (wished → got): " + ", ".join(f"{a} → {b} {n}" for (a, b), n in confusion(marks).most_common()))
    if len(runs) > 1:
        print(f"pass^{len(runs)}: {pass_all(runs):.3f}")
    print(_costs(outcomes))
    by_id = {row["id"]: row for row in rows}
    for one in [one for one in runs[0] if one.wrong][:misses]:
        print(f"  {one.row_id} {one.want} → {one.got} {', '.join(one.wrong)}: {by_id[one.row_id]['utterance'][:120]!r}")


def _costs(outcomes: Sequence[Outcome]) -> str:
    usage = Usage()
    for one in outcomes:
        usage += one.usage
    times = sorted(one.ms for one in outcomes) or [0.0]
    pick = [times[min(len(times) - 1, int(share * len(times)))] for share in (0.5, 0.95, 0.99)]
    cost = "n/a" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
    tokens = "n/a" if usage.input_tokens is None else f"{usage.input_tokens} in ({usage.cached_tokens or 0} cached)"
    mended = sum(bool(one.repairs) for one in outcomes)
    return (
        f"calls {usage.calls}, tokens {tokens}, {usage.output_tokens or 'n/a'} out, cost {cost}, mended {mended}, "
        f"ms p50 {pick[0]:.2f} p95 {pick[1]:.2f} p99 {pick[2]:.2f}"
    )


def _write(path: Path, runs: Sequence[Sequence[Mark]], outcomes: Iterable[Outcome]) -> None:
    told = {
        "model": decider.model().name,
        "groups": {
            group: dataclasses.asdict(share) for group, share in shares(one for run in runs for one in run).items()
        },
        "pass_all": pass_all(runs),
        "marks": [dataclasses.asdict(one) for run in runs for one in run],
        "outcomes": [dataclasses.asdict(one) for one in outcomes],
    }
    path.write_text(json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8")


def _under_floor(marks: Sequence[Mark]) -> int:
    """1 where the built-in model is under a floor; other models are measured, not judged."""
    if decider.model().name != "offline":
        return 0
    told = shares(marks)
    low = [group for group, floor in FLOORS.items() if group in told and told[group].action < floor]
    if told and told["all"].whole < WHOLE_FLOOR:
        low.append(f"whole {told['all'].whole:.3f}")
    if low:
        print(f"under the floor: {', '.join(low)}")
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
