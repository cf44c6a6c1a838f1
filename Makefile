# Every target sets up what it needs on a fresh machine (Python >= 3.11 and a package index);
# a second run installs nothing. `make help` lists the targets.

# Nobody keeps bytecode where this is set: each of the processes that tests start would compile all
# that it imports.
unexport PYTHONDONTWRITEBYTECODE

# The first that can make environments. A distribution's is built with profiles: what computes for
# minutes takes a tenth less time than with one that pyenv has built.
PYTHON ?= $(shell for one in /usr/bin/python3.11 python3.11 python3.12 python3.13 python3.14 python3; do \
  $$one -c 'import ensurepip, venv' 2>/dev/null && command -v $$one && break; done)
BIN := .venv/bin

# An environment is up to date when it holds the stamp of this very pyproject.toml: its contents
# count, not its time, which a fresh checkout changes.
CHECKSUM := $(firstword $(shell cksum < pyproject.toml))
RUNTIME := .venv/.tensormill-runtime-$(CHECKSUM)
DEVELOPMENT := .venv/.tensormill-development-$(CHECKSUM)

# TensorFlow, with tensormill beside it: for comparisons only.
TENSORFLOW := .venv-tensorflow/.tensormill-$(CHECKSUM)
KERAS := .venv-keras/.tensormill-$(CHECKSUM)

# The demo needs less than the tests: whoever has the tests' environment has the demo's too.
DEMO := $(if $(wildcard $(DEVELOPMENT)),$(DEVELOPMENT),$(RUNTIME))

PROGRAMS ?= 2000

.PHONY: help demo test test-all test-wheel test-pythons fuzz attack mutants soak stubs lint style types types-strict format behaviours bench numerics distributed interop keras-tests libraries setup

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(DEMO) ## train on digits and, with Keras, on patients: unchanged TensorFlow 2 scripts
	$(BIN)/tensormill run examples/digits.py
	$(BIN)/tensormill run examples/regression.py

PYTEST := $(BIN)/python -m pytest -q -n auto --dist worksteal

test: $(DEVELOPMENT) ## run the tests, of the dearest a part of the cases, one process per core
	$(PYTEST) --cases=some

test-all: $(DEVELOPMENT) ## run the tests with all their cases
	$(PYTEST)

# These two make environments of their own, and so need none to start with.
test-wheel: ## install the wheel alone, and run every operation there
	$(PYTHON) -m tests.wheel $(VERSIONS)

test-pythons: $(if $(QUICK),,$(DEVELOPMENT)) ## run the tests with every Python found (QUICK=1: with one, a telling part)
	$(if $(QUICK),$(PYTHON),$(BIN)/python) -m tests.pythons $(if $(QUICK),--quick) $(VERSIONS)

fuzz: $(DEVELOPMENT) ## try PROGRAMS=2000 random programs: eager, evaluated and compiled agree
	TENSORMILL_FUZZ=$(PROGRAMS) $(BIN)/python -m pytest -q tests/fuzz tests/composition/test_random_expressions.py \
	  $(addprefix tests/compiler/,loops/test_passes.py loops/test_guards.py llvm/test_emit.py llvm/test_block_functions.py \
	  test_spelled_strings.py)

attack: $(DEVELOPMENT) ## try COUNT wrong files, kills, interrupts, threads, operands and programs each
	$(BIN)/python -m tests.attack $(ATTACKS) $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED))

mutants: $(DEVELOPMENT) ## change COUNT=300 random lines, one at a time: which does no test notice?
	$(BIN)/python -m tests.mutants --count $(or $(COUNT),300) $(if $(SKIP),--skip $(SKIP)) $(if $(SEED),--seed $(SEED))

soak: $(DEVELOPMENT) ## serve, train, save and load for SECONDS=3600: nothing may grow
	$(BIN)/python -m tests.robust.soak $(or $(SECONDS),3600)

stubs: $(DEVELOPMENT) ## write what editors and type checkers read of the public names
	$(BIN)/python -m tests.stubs

lint: style types ## check style, types and the order of layers
	$(BIN)/python -m pytest -q tests/test_layers.py

style: $(DEVELOPMENT)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEVELOPMENT)
	$(BIN)/pyrefly check --summary=none

types-strict: $(DEVELOPMENT) ## ask the second, slower type checker as well, before a release
	$(BIN)/basedpyright

format: $(DEVELOPMENT) ## put the code into the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

interop: $(DEVELOPMENT) $(TENSORFLOW) ## run programs on TensorFlow as well, and exchange files with it
	$(BIN)/python -m tests.interop .venv-tensorflow/bin/python

behaviours: $(TENSORFLOW) ## ask the claims of tests/behaviours of TensorFlow as well
	BEHAVIOURS_OF=tensorflow .venv-tensorflow/bin/python -m pytest -q \
		-c tests/behaviours/tensorflow.ini tests/behaviours

distributed: $(DEVELOPMENT) ## run programs of several processes over loopback: training, faults, restarts
	$(BIN)/python -m tests.distributed $(CLAIMS)

numerics: $(DEVELOPMENT) $(TENSORFLOW) ## measure functions against mpmath, beside TensorFlow: docs/numerics.md (NAMES=exp)
	$(BIN)/python -m tests.numerics --measure $(NAMES)

bench: $(DEVELOPMENT) ## time tensormill beside TensorFlow, JAX, numba and torch
	$(BIN)/python -m bench

keras-tests: $(KERAS) ## run Keras's own tests on tensormill (RESUME=1: go on where it stopped)
	.venv-keras/bin/python -m tests.keras.run $(if $(RESUME),--resume) $(FOLDERS)

libraries: $(DEVELOPMENT) ## try libraries made for TensorFlow on it and here (NAMES=shap), write docs/libraries.md
	$(BIN)/python -m tests.libraries $(NAMES)

setup: $(DEVELOPMENT) ## make the development environment

$(RUNTIME):
	$(call install,.venv,--editable '.[examples]')

$(DEVELOPMENT):
	$(call install,.venv,--editable '.[dev$(COMMA)examples]')

$(KERAS):
	$(call install,.venv-keras,--editable '.[keras-tests]')

$(TENSORFLOW):
	$(call install,.venv-tensorflow,--editable '.[examples]' 'tensorflow-cpu==2.21.*' \
	  'keras==3.15.*' 'tensorboard==2.21.*' 'pytest>=8.2')

COMMA := ,

define install
	@echo "installing what is needed into $(1)"
	@$(PYTHON) -m tests.installers $(1) $(2)
	@touch $@
endef
