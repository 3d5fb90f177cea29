# demo   install everything and sweep a small axis            test   install everything and run every test
# check  ruff and pyright                                     build  wheel and sdist into dist/
# smoke  install both into fresh environments and try them    lock   make the lock files anew (needs uv)
# clean  remove .venv, dist/ and caches; installed worlds and runs/ stay

.DELETE_ON_ERROR:
.PHONY: demo test check build smoke lock clean world

PYTHON ?= $(shell python3.11 -c '' 2>/dev/null && echo python3.11 || echo python3)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet

demo: .venv/core world
	$(BIN)/evaluate-axis --policy replay --axis pick --tasks milk,butter,ketchup --rollouts 2 --workers 2 --out runs/demo

test: check world
	$(BIN)/pytest -n 2 --dist loadfile

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

# Returns at once where the world is installed.
world: .venv/core
	$(BIN)/indgen world install libero

build: .venv/dev
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist
	rm -rf indgen.egg-info

smoke: build
	PYTHON=$(BIN)/python .ci/smoke

lock:
	requirements/lock.sh

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Empty files inside .venv say how far it has got.
.venv/made:
	$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11), "indgen needs Python 3.11 or newer: make PYTHON=..."'
	$(PYTHON) -m venv .venv
	touch $@

# The egg-info folder is a by-product that would shadow the installed metadata wherever python runs from here;
# so it is after a build.
.venv/core: .venv/made requirements/core.lock sim/installs/_build.lock pyproject.toml
	$(PIP) --require-hashes -r sim/installs/_build.lock -r requirements/core.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	rm -rf indgen.egg-info
	touch $@

.venv/dev: .venv/core requirements/dev.lock
	$(PIP) --require-hashes -r requirements/dev.lock
	touch $@
