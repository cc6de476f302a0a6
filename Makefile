# Common commands
#   make demo         train a small network in PyTorch and in JAX, with an op that opgen generates
#   make test         run the tests that every commit must pass
#   make lint         check formatting, types, the specs, and that generated/ matches the specs
#   make docs         build the documentation in build/docs; a warning is an error
#
# More tests
#   make test-all     run all tests, also the slow ones (sanitizers, emulated CUDA, programs in the documentation)
#   make nightly      run every check there is (hours) and write docs/nightly.md
#                     STAGES="trust docs" runs only these stages; CUT=1 runs a small part of each stage
#   make gpu-check    run the GPU tests, sanitizers and benchmarks: 12 minutes on a machine with a GPU
#                     (uses the Python environment that is active)
#   make cuda-stand-in  test the CUDA adapters without a GPU, on a stand-in for the CUDA runtime
#                     (downloads PyTorch and XLA for CUDA, 0.7 GB)
#   make sanitize     test the kernels with the address, undefined-behaviour and thread sanitizers
#   make trust        insert faults in a kernel and in packages, and call every op with invalid arguments;
#                     report how many faults the tests miss, and which errors do not name the problem
#   make mutants      insert small mistakes in opgen's code, and report those that no test finds
#   make coverage     report the lines and branches of opgen/ that no test runs
#   make matrix       run the tests on Python 3.11, 3.12 and 3.13, if installed (5 GB of packages for each)
#                     TORCHES="2.14.1 2.15.0" JAXES=0.12.0 tests the built package with these versions instead
#
# Benchmarks
#   make bench        compare the time of generated and native ops: build/bench.json, build/bench.svg
#   make accuracy     compare the errors of generated and native ops on hard inputs: docs/hard_inputs.md
#   make devices      trace a 70B Llama for up to 4,096 devices on this machine, and write docs/devices.md
#   make figures      measure the times in bench/figures.json (hours; run it again to continue after a stop)
#
# Commands install their packages in .venv first. If they need kernels, they also run `make setup`,
# which renders and builds.
# A compiler's warning is an error. If your newer compiler has more warnings, add OPGEN_WERROR=0.
# You need Linux, Python 3.11 or newer with venv, a C++20 compiler, make, and a package index.

PYTHON ?= python3
VENV   ?= .venv
DATA   ?=
# The number of processes that run tests. Each needs one core and 3 GB.
JOBS   ?= 2
# 1: a compiler's warning is an error.
export OPGEN_WERROR ?= 1
# Hundreds of processes import PyTorch and JAX. Without bytecode each would compile them again.
unexport PYTHONDONTWRITEBYTECODE
# For `make matrix`: the families of specs/ whose rendered tests run (default: the whole suite), and the Pythons.
OPS     ?=
PYTHONS ?= 3.11 3.12 3.13
# For `make matrix`: versions of PyTorch and JAX. With these, OPS contains names of ops.
TORCHES ?=
JAXES   ?=
BIN    := $(VENV)/bin
# Compilers run through ccache, which .venv contains.
export CMAKE_PROGRAM_PATH := $(abspath $(BIN))
DEMO_EXTRAS := build torch jax demo
# C++ and CUDA sources that opgen did not render.
HAND_WRITTEN := '*.cpp' '*.h' '*.cu' ':!generated' ':!tests/cases/*/expected/*'

.DEFAULT_GOAL := help
.PHONY: help about setup build demo test test-all nightly bench accuracy figures devices sanitize gpu-check cuda-stand-in matrix docs clean trust mutants coverage \
    lint lint-python lint-types lint-cpp lint-specs lint-prose

help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' Makefile

setup: $(VENV)/.installed
	$(BIN)/opgen render specs/
	$(BIN)/opgen build

build: $(VENV)/.installed
	$(BIN)/opgen build

# Build one op for this processor, unless `make setup` has already built all.
demo: $(if $(wildcard $(VENV)/.installed),,$(VENV)/.demo)
	@echo 'demo: building the op relu: about 50 s of processor time at first'
	$(BIN)/opgen build $(if $(wildcard generated/lib/BUILD.json),,--only relu --no-gpus)
	@echo 'demo: training the same network four times: about 15 s'
	$(BIN)/python -m examples.digits $(if $(DATA),--data '$(DATA)')

PYTEST = $(BIN)/python -m pytest --numprocesses $(JOBS) --no-loadscope-reorder

test: about setup
	$(PYTEST) -m 'not slow'

about:
	@echo 'test: about 8 minutes on two cores, after a first setup and build of about 10'

test-all: setup
	$(PYTEST)

nightly: setup
	$(BIN)/python scripts/nightly.py $(if $(CUT),--cut) $(STAGES)

bench: setup
	$(BIN)/python -m bench
	$(BIN)/opgen bench --json build/bench.json --plot build/bench.svg

accuracy: setup
	$(BIN)/python -m bench.hard_inputs --json bench/hard_inputs.json
	$(BIN)/python -m bench.hard_inputs_page

devices: setup
	$(BIN)/python -m bench.devices

# OPS="relu rms_norm" measures these ops again. Without OPS: the ops that the file lacks.
figures: setup
	$(BIN)/python -m bench.figures $(OPS)

gpu-check:
	$(PYTHON) scripts/gpu_check.py

cuda-stand-in: setup
	$(BIN)/python -m tests.cuda_stand_in --jobs $(JOBS)

ifeq ($(TORCHES)$(JAXES),)
matrix:
	$(PYTHON) scripts/matrix.py --python $(PYTHONS) $(if $(OPS),--ops $(OPS))
else
matrix: setup
	$(PYTHON) scripts/frameworks.py --python $(PYTHONS) $(if $(TORCHES),--torch $(TORCHES)) \
	    $(if $(JAXES),--jax $(JAXES)) $(if $(OPS),--ops $(OPS))
endif

sanitize: $(VENV)/.installed
	OPGEN_SANITIZE=1 $(BIN)/python -m pytest tests/runtime/test_kernels.py

# From nothing: Sphinx writes the sidebar of a page again only where the page changed.
docs: $(VENV)/.installed
	rm -rf build/docs
	$(BIN)/python -m sphinx -b html -W --keep-going -n -q -E -d build/docs-cache docs build/docs
	@echo 'opgen: the site is in build/docs/index.html'

trust: setup
	OPGEN_TRUST=all $(BIN)/python -m pytest tests/trust

mutants: $(VENV)/.installed
	$(BIN)/python -m tests.mutation.run --jobs $(JOBS)

# All tests, with a few ops only: these run everything that rendered tests call.
COVERED ?= tests $(patsubst %,generated/tests/test_ops.py::%,relu rms_norm embedding_bag varlen_attention)

coverage: setup
	rm -rf build/coverage
	$(BIN)/python -m coverage run -m pytest --numprocesses $(JOBS) --no-loadscope-reorder $(COVERED)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

# Separate targets, for `make -j`.
lint: lint-python lint-types lint-cpp lint-specs lint-prose

# black skips folders named build, unless they are named on the command line.
lint-python: $(VENV)/.installed
	$(BIN)/ruff check opgen tests conftest.py examples bench scripts docs specs generated
	$(BIN)/black --check opgen opgen/build/*.py tests conftest.py examples bench scripts docs specs
	$(BIN)/ruff format --isolated --check --quiet --line-length 100 generated

lint-types: $(VENV)/.installed
	$(BIN)/mypy

lint-cpp: $(VENV)/.installed
	git ls-files -z $(HAND_WRITTEN) | xargs -0 $(BIN)/clang-format --dry-run -Werror

lint-specs: $(VENV)/.installed
	$(BIN)/opgen lint specs/
	$(BIN)/opgen render specs/ --check

lint-prose: $(VENV)/.installed
	$(BIN)/python -m scripts.prose

clean:
	rm -rf $(VENV) build generated/lib

$(VENV)/.demo: pyproject.toml constraints.txt scripts/environment.py
	@echo 'demo: installing PyTorch, JAX, scikit-learn and CMake into $(VENV): 1.6 GB, 1 to 5 minutes'
	$(PYTHON) scripts/environment.py $(VENV) $(DEMO_EXTRAS)
	@touch $@

# Packages are stored in the cache of the user. A checkout contains links to them.
$(VENV)/.installed: pyproject.toml constraints.txt scripts/environment.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "opgen needs Python 3.11 or newer, and $(PYTHON) is not: make PYTHON=python3.12, say." >&2; \
	    exit 1; }
	$(PYTHON) scripts/environment.py $(VENV)
	@touch $@
