# `make run` and `make test` each do all set-up themselves. Needed beforehand: python3 (3.11 or newer, with venv) and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
PORT ?= 8501
# As many tests at once as there are processors; of those in a browser two files at once, for each has a server beside.
WORKERS ?= auto
BROWSERS ?= 2
# Programs that the tests start by the hundred need not compile Moot each time.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest

.PHONY: run setup test check bench screenshots clean local-llm

run: $(VENV)/.run-ready
	@$(BIN)/python cli.py serve --sample --port $(PORT)

setup: $(VENV)/.test-ready

test: $(VENV)/.test-ready check
	@$(PYTEST) -m "not browser" -n $(WORKERS) --dist worksteal
	@$(PYTEST) -m browser -n $(BROWSERS) --dist loadscope

check: $(VENV)/.test-ready
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy .

bench: $(VENV)/.test-ready
	@$(BIN)/python -m bench

screenshots: $(VENV)/.test-ready
	@$(BIN)/python -m tests.browser.screenshots docs/screenshots

$(VENV)/.venv-made:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Moot needs Python 3.11 or newer; $(PYTHON) is " + sys.version.split()[0] + ". Choose another with: make PYTHON=python3.12 ...")'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "Python has no venv module; on Debian install it with: apt-get install python3-venv"; exit 1; }
	@echo "Setting up $(VENV) (once; about a minute)"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.run-ready: requirements.txt constraints.txt $(VENV)/.venv-made
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/.test-ready: requirements.txt requirements-dev.txt constraints.txt $(VENV)/.venv-made
	@$(PIP) -r requirements-dev.txt
	@touch $(VENV)/.run-ready $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis test-results

# A small language model on this machine, to try LLM judging without a key; nothing else needs it. MODEL=1.5b is better.
MODEL ?= 0.5b
LLM_PORT ?= 8411
local-llm:
	@$(PYTHON) scripts/local_llm.py --model $(MODEL) --port $(LLM_PORT)
