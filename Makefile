# make demo   set up, start a server on an embedded store, commit a sample conversation, compose a context, print it
# make test   set up, run all tests
# make fuzz   run the property tests with random examples, ten times as many, for a quarter of an hour
# make check  lint, formats, types, stubs, proto lint

PYTHON ?= python3
BIN := .venv/bin
KERNELS := $(wildcard brain_core/kernels/*.pyx)
# Constraints hold for the builds' own environments too.
INSTALL := PIP_CONSTRAINT=$(CURDIR)/requirements.lock PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/pip install --quiet
# Prints what an extra asks for: installing it by its name would build the kernels again.
EXTRA := import sys, tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"][sys.argv[1]], sep="\n")
LOCK_HEAD := \# What CI installs: pip install -c requirements.lock. What .venv has, written down by: make lock
BUF := npx --yes @bufbuild/buf@1.75.0

# Tests start these sources some hundred times: what is compiled once is read by all.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test fuzz check stubs lock clean

demo: .venv/run
	$(BIN)/brain demo

test: .venv/dev
	$(BIN)/pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder

fuzz: .venv/dev
	$(BIN)/pytest -m hypothesis --hypothesis-profile nightly --timeout 3600 --numprocesses 3

check: .venv/dev
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python protos/generate.py --check
	$(BUF) lint protos

stubs: .venv/dev
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python protos/generate.py

lock: .venv/dev
	(echo '$(LOCK_HEAD)'; $(BIN)/pip freeze --exclude-editable --all | grep -vE '^(pip|wheel)==') > requirements.new
	mv requirements.new requirements.lock
	@touch .venv/run .venv/dev  # what is written down is installed

clean:
	rm -rf .venv build dist brain_core/kernels/*.so

.venv/run: pyproject.toml clients/python/pyproject.toml setup.py requirements.lock $(KERNELS)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing, and building the kernels: about two minutes the first time"
	$(INSTALL) --editable clients/python --editable .
	@touch $@

.venv/dev: .venv/run
	$(BIN)/python -c '$(EXTRA)' dev | $(INSTALL) --requirement /dev/stdin
	@touch $@
