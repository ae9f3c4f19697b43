# make demo and make test set everything up from nothing in .venv; a second call finds the stamps and is quick.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help demo test fuzz lint versions evidence benchmarks atlas clean

# The first that really runs: a name on the path may be a stub of a version manager.
PYTHON ?= $(shell for p in python3.11 python3; do $$p -c 'import venv' 2>/dev/null && echo $$p && break; done)
# Where `make versions` looks for other Pythons.
PYTHONS ?= $(shell for p in python3.10 python3.12 python3.13 $(HOME)/.pyenv/versions/3.1[023].*/bin/python3; do $$p -c 'import venv' 2>/dev/null && echo $$p; done)
VENV := .venv
BIN := $(VENV)/bin
# Nothing is compiled beforehand: what is imported is compiled then, and of 12,000 files few are (45 seconds of a test run).
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile

# Two cores are enough for every target, and MindSpore's warnings would bury the results (3: errors only).
export GLOG_v ?= 3
export OMP_NUM_THREADS ?= 2

help:
	@echo "make demo        convert two examples, run both sides, print how closely they agree"
	@echo "make test        ruff, mypy and all tests"
	@echo "make fuzz        the tests with programs made by chance, drawn anew"
	@echo "make lint        ruff and mypy"
	@echo "make versions    the static part's tests on every other Python 3.10 to 3.13 that is found"
	@echo "make evidence    run the knowledge against torch (what changed only)"
	@echo "make atlas       a page for every API, as a site in build/site (no network needed to read it)"
	@echo "make benchmarks  cost and accuracy figures"

# --- what the targets need -------------------------------------------------------------------------
$(VENV)/made:
	$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 10), "Python 3.10 or later is needed; 3.11 is what the frameworks are tested with"'
	$(PYTHON) -m venv $(VENV)
	touch $@

# Ruff and mypy, and mindport itself, whose static part needs no framework.
$(VENV)/static: $(VENV)/made pyproject.toml
	$(PIP) --editable '.[test]'
	touch $@

# torch==2.13.0, mindspore==2.10.0 and numpy<2 are the extra `verify`; said here too, so that nothing else can be resolved.
$(VENV)/frameworks: $(VENV)/static
	$(PIP) --editable '.[verify,test]' 'torch==2.13.0' 'mindspore==2.10.0' 'numpy<2'
	touch $@

# The real project that demo, tests and benchmarks read. Only its source: its binary part is made for another torch.
build/torchvision/installed: $(VENV)/made
	$(PIP) --no-deps --upgrade --target build/torchvision 'torchvision==0.28.0'
	touch $@

# The source that knowledge of timm's names is compared with.
build/timm/installed: $(VENV)/made
	$(PIP) --no-deps --upgrade --target build/timm 'timm==1.0.31'
	touch $@

# --- what people call ------------------------------------------------------------------------------
demo: $(VENV)/frameworks build/torchvision/installed
	$(BIN)/python examples/demo.py

lint: $(VENV)/static
	$(BIN)/ruff check .
	$(BIN)/mypy

# Two processes, one thread each; a file stays in one process, which has what its first test set up. The order of files is tests/conftest.py's.
test: $(VENV)/frameworks build/torchvision/installed build/timm/installed lint
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

fuzz: $(VENV)/frameworks build/torchvision/installed
	$(BIN)/python -m pytest --hypothesis-profile=fuzz $$(grep -rl 'import.*given' tests --include='test_*.py')

versions:
	for python in $(PYTHONS); do \
	  name=$$($$python -c 'import sys; print("build/python%d.%d" % sys.version_info[:2])'); \
	  [ -d $$name ] || $$python -m venv $$name; \
	  $$name/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'; \
	  echo "== $$name"; \
	  $$name/bin/python -m pytest -v -m 'not frameworks'; \
	done

evidence: $(VENV)/frameworks build/torchvision/installed build/timm/installed
	$(BIN)/mindport evidence

benchmarks: $(VENV)/frameworks build/torchvision/installed
	set -e; for file in benchmarks/*.py; do $(BIN)/python "$$file"; done

$(VENV)/atlas: $(VENV)/static
	$(PIP) --editable '.[atlas]'
	touch $@

atlas: $(VENV)/atlas
	$(BIN)/mindport atlas --output build/site

clean:
	rm -rf $(VENV) build
