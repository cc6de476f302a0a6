# make demo   train a small network in PyTorch and in JAX with a generated op
# make test   the tests that a commit needs
# make test-all  all tests: sanitizers, emulated CUDA, programs of the documentation, projects built from nothing too
# make nightly  everything: all tests, all placements, faults, mutants, kills, Pythons, the site; writes docs/nightly.md.
#   `make nightly STAGES="trust docs"` runs only these, CUT=1 a small part of each
# make bench  ratios of generated to native, and of ops to their peers; build/bench.json, build/bench.png
# make accuracy  errors of ops beside native ones on hard inputs; writes bench/hard_inputs.json, docs/hard_inputs.md
# make figures  times of ops beside what they replace, into bench/figures.json; hours, and a run that was cut goes on
# make devices  bytes that a 70B Llama moves between 1,024 and 4,096 devices, on none of them; writes docs/devices.md
# make gpu-check  on a machine with a GPU: its tests, sanitizers and benchmarks in 12 minutes; with the Python that is there
# make cuda-stand-in  the adapters on a stand-in for CUDA, where there is no GPU; PyTorch for CUDA, 0.5 GB, from an index
# make sanitize  the kernels on awkward sizes, built with sanitizers for memory, undefined behaviour and races
# make trust  plants faults in a kernel and in rendered packages, and makes wrong calls of every op: how many of each
#   kind are missed, or not refused in words
# make mutants  plants small mistakes in shape inference, expressions and resolving: which of them no test finds
# make coverage  which lines and branches of opgen/ no test runs
# make matrix  the tests on Python 3.11, 3.12 and 3.13, each that is there; 5 GB of packages for each
# make matrix TORCHES="2.14.1 2.15.0" JAXES=0.12.0  the rendered tests of a few ops with these, and the package built here
# make docs   the site, into build/docs; a warning fails it
# make lint   formatting, types, the specs, and whether generated/ is what they say
# make OPGEN_WERROR=0 ...  where a newer compiler warns of more: warnings are errors otherwise
# make setup  what all of these do first: .venv, packages, rendering, building
#
# Needed: Linux, Python 3.11 or newer with venv, a C++20 compiler, make, and a package index.

PYTHON ?= python3
VENV   ?= .venv
DATA   ?=
# In how many processes the tests run: each takes a core and 3 GB.
JOBS   ?= 2
# Whether a compiler's warning fails the build.
export OPGEN_WERROR ?= 1
# What `make matrix` tests: families of specs/ (their rendered tests; none: the whole suite) on which Pythons.
OPS     ?=
PYTHONS ?= 3.11 3.12 3.13
# With them, which versions of PyTorch and JAX; OPS is then of ops.
TORCHES ?=
JAXES   ?=
BIN    := $(VENV)/bin
# Compilers go through ccache, which is one of the packages.
export CMAKE_PROGRAM_PATH := $(abspath $(BIN))
DEMO_EXTRAS := build torch jax demo
# C++ and CUDA that is not rendered.
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

# One op, for this processor; what make setup has built is more, and stays.
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
	$(BIN)/opgen bench --json build/bench.json --plot build/bench.png

accuracy: setup
	$(BIN)/python -m bench.hard_inputs --json bench/hard_inputs.json
	$(BIN)/python -m bench.hard_inputs_page

devices: setup
	$(BIN)/python -m bench.devices

# OPS="relu rms_norm" measures these again; without it those that the file lacks.
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

# All tests but those of most ops: a few run all that rendered tests call.
COVERED ?= tests $(patsubst %,generated/tests/test_ops.py::%,relu rms_norm embedding_bag varlen_attention)

coverage: setup
	rm -rf build/coverage
	$(BIN)/python -m coverage run -m pytest --numprocesses $(JOBS) --no-loadscope-reorder $(COVERED)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

# Each by itself, for `make -j`.
lint: lint-python lint-types lint-cpp lint-specs lint-prose

# black leaves out folders that are called build, but not what is named.
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

# Packages are kept in the user's cache: a checkout gets links to them.
$(VENV)/.installed: pyproject.toml constraints.txt scripts/environment.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "opgen needs Python 3.11 or newer, and $(PYTHON) is not: make PYTHON=python3.12, say." >&2; \
	    exit 1; }
	$(PYTHON) scripts/environment.py $(VENV)
	@touch $@
