"""Fails when a file's branch coverage is under the floor: an average hides the one file nobody tests."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path


def files_under(report: dict[str, dict[str, dict[str, dict[str, float]]]], floor: float) -> list[tuple[str, float]]:
    """(file, percent) of each file below `floor`, lowest first."""
    shares = [(name, data["summary"]["percent_covered"]) for name, data in report["files"].items()]
    return sorted(((name, share) for name, share in shares if share < floor), key=lambda pair: pair[1])


def main() -> int:
    floor = float(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "coverage.json")
        subprocess.run([sys.executable, "-m", "coverage", "json", "-q", "-o", str(path)], check=True)
        low = files_under(json.loads(path.read_text(encoding="utf-8")), floor)
    for name, share in low:
        sys.stdout.write(f"{name}: {share:.0f} % covered, the floor is {floor:.0f} %\n")
    return 1 if low else 0


if __name__ == "__main__":
    raise SystemExit(main())
