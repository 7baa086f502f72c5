# Every target sets up what it needs in .venv; nothing else on the machine is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --require-hashes
UV := UV_DEFAULT_INDEX=$${PIP_INDEX_URL:-https://pypi.org/simple} $(BIN)/python -m uv pip
# uv takes seconds where pip takes a minute; pip does it where uv cannot, on a platform or behind an index it does not know.
install = $(UV) install --quiet --python $(BIN)/python --require-hashes -r $(1) || $(PIP) -r $(1)
COMPILE := $(UV) compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate --no-header
PORT ?= 8000
PYTEST_WORKERS ?= 2
MANAGE := $(BIN)/python manage.py
PEERS := pydantic_ai openai_agents langchain fastapi
PEERS_VENVS := var/benchmarks
.DEFAULT_GOAL := help
.PHONY: help run test lint serve eval bench lock clean

# Without a key, a provider or an .env of one's own, what is tried out runs on the scripted model, and says so.
ifeq ($(wildcard .env)$(OPENAI_API_KEY)$(LLM_PROVIDER),)
SERVE_PROVIDER := LLM_PROVIDER=scripted
endif
SAMPLE := LLM_PROVIDER=scripted DATABASE_URL=sqlite:///$(CURDIR)/var/backoffice.sqlite3

help: ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1: /'

run: $(VENV)/.runtime ## the nightly job over the sample notes, on SQLite and the scripted model
	@$(SAMPLE) $(MANAGE) migrate --verbosity 0
	@$(SAMPLE) $(MANAGE) summarise_batch --input summarizer/samples/notes.csv --show-rows
	@echo; echo "And a bad night: rate limits, a stream cut off, a malformed chunk."
	@$(SAMPLE) $(MANAGE) summarise_batch --input summarizer/samples/bad_night.csv; status=$$?; test $$status -eq 0 -o $$status -eq 3
	@echo; echo "Next: 'make serve' shows these runs in admin, where failed rows can be queued again."

serve: $(VENV)/.runtime ## the web server and the background worker
	@$(SERVE_PROVIDER) $(MANAGE) migrate --verbosity 0
	@$(SERVE_PROVIDER) $(MANAGE) demo_login --port $(PORT)
	@$(SERVE_PROVIDER) PATH="$(CURDIR)/$(BIN):$$PATH" PORT=$(PORT) $(BIN)/honcho start

test: $(VENV)/.dev ## the whole suite, with coverage
	@$(BIN)/coverage erase
	$(BIN)/pytest -n $(PYTEST_WORKERS) --cov --cov-report= $(PYTEST_ARGS)
	@$(BIN)/coverage report --fail-under 95 --format total >/dev/null || { $(BIN)/coverage report; exit 1; }
	@$(BIN)/coverage report --include 'backoffice/llm/*.py' --fail-under 100

eval: $(VENV)/.runtime ## how good the evidence desk's answers are, against the baseline in the repository
	@$(SERVE_PROVIDER) $(MANAGE) evaluate_evidence

lint: $(VENV)/.dev ## format, style, types, import contracts, migrations, OpenAPI
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@LLM_PROVIDER=scripted $(MANAGE) makemigrations --check --dry-run
	@LLM_PROVIDER=scripted $(MANAGE) spectacular --validate --fail-on-warn --file /dev/null
	@DJANGO_DEBUG=false DJANGO_SECRET_KEY=$$(head -c 48 /dev/urandom | base64) DJANGO_ALLOWED_HOSTS=example.org LLM_PROVIDER=scripted $(MANAGE) check --deploy --fail-level WARNING

bench: $(VENV)/.runtime $(PEERS:%=$(PEERS_VENVS)/%/.installed) ## what it costs beside what people use instead (half an hour)
	@$(BIN)/python -m benchmarks

lock: $(VENV)/.runtime ## compile requirements*.txt anew from pyproject.toml
	$(COMPILE) pyproject.toml -o requirements.txt
	$(COMPILE) --extra dev -c requirements.txt pyproject.toml -o requirements-dev.txt
	echo uv | $(COMPILE) - -o requirements-uv.txt

clean: ## remove what the other targets made
	rm -rf $(VENV) var staticfiles .coverage* .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.runtime: requirements.txt requirements-uv.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed, for example: make $(MAKECMDGOALS) PYTHON=python3.11"; exit 1; }
	@echo "Installing into $(VENV) …"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) -r requirements-uv.txt || echo "Without uv, then."
	@$(call install,requirements.txt)
	@touch $@

$(PEERS_VENVS)/%/.installed: benchmarks/peers/%.txt | $(VENV)/.runtime
	@echo "Installing $* into $(PEERS_VENVS)/$* …"
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@$(UV) install --quiet --python $(@D)/bin/python -r $< || $(@D)/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.runtime
	@echo "Installing what tests and lint need …"
	@$(call install,requirements-dev.txt)
	@touch $@
