# Every task of a maintainer. `make build` and `make test` need only Python 3.11 or later, make and git.

PYTHON ?= python3
BIN := .venv/bin
REGION ?= india
TABLES_DIR ?=
FUZZ ?= 400
READY := .venv/ready

.DEFAULT_GOAL := help
.PHONY: help build test ui check format lock bench fuzz clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "make %-8s %s\n", $$1, $$2}'

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Python 3.11 or later is needed, this is " + sys.version.split()[0] + "; try: make PYTHON=python3.11")'
	rm -rf .venv
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

build: $(READY) ## publish india from open data (or TABLES_DIR=folder of files), and sample from a constructed world
	$(BIN)/utp build --region $(REGION) --profile replay $(if $(TABLES_DIR),--tables-dir $(TABLES_DIR))
	$(BIN)/utp build --region sample --profile sandbox

test: $(READY) ## all tests but the long benchmarks
	$(BIN)/python -m pytest -m "not scale"

ui: $(READY) ## Dagster's page: graph, metadata, checks, runs
	$(BIN)/utp ui --region $(REGION) $(if $(TABLES_DIR),--tables-dir $(TABLES_DIR))

check: $(READY) ## lint, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY) ## put the code into the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY) ## the long benchmarks, which print what they measure
	$(BIN)/python -m pytest -m scale -s tests/scale

fuzz: $(READY) ## mutated answers for every parser, FUZZ times as many as in the tests (400: some 200,000 a provider, hours)
	UTP_FUZZ=$(FUZZ) $(BIN)/python -m pytest -q tests/sources/*/test_parse_fuzz.py

lock: $(READY) ## pin all dependencies anew
	$(BIN)/uv pip compile --quiet --python-version 3.11 --universal --generate-hashes --no-strip-extras \
		--no-emit-index-url --no-emit-find-links --no-header --no-annotate --group dev pyproject.toml -o requirements.lock

clean: ## remove the environment and all caches; data/ stays
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis *.egg-info
