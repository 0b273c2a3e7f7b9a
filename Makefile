# make lab     a copy of the course in JupyterLab   make author     the checkout in JupyterLab
# make test    everything that must hold            make notebooks  build and execute all notebooks
# make bench   the speed table                      make format     format and sort imports
# make bench-guard  six ratios that must not worsen, in five minutes
# make site    the course as a web site, in build/site  make lock   newer dependencies, pinned
# make browser only the tests in a real browser     make binder-check  binder/, without Docker
# make index   minutes and titles in course.py      make clean      remove environments and caches
# make guide   the tables of the teaching guide, the plans, and a deck for each unit, build/slides
# make test-hard  other machines    make test-oldest, make test-newest  the versions that are allowed
# make lint-js  types of the panels' scripts (needs npm)
# make teach   nbgrader, and the exercises for it in ukrlearn-grading (make teach EXAM=--exam)
# Another Python: make PYTHON=python3.13 ...

PYTHON ?= python3
# Options for JupyterLab, e.g. make lab LABFLAGS=--no-browser
LABFLAGS ?=
# The learner's folder. git ignores the default one.
COURSE ?= ukrlearn-course
# Where `make teach` writes the exercises, and --exam for those without hints and solutions
GRADING ?= ukrlearn-grading
EXAM ?=
# Options for pytest, e.g. make test TESTFLAGS="-k spiral"
TESTFLAGS ?=
# What is tested, e.g. make test TESTS=tests/test_cli.py
TESTS ?= tests ukrlearn $(NOTEBOOKS)
# Conditions for `make test-hard`, e.g. HARD="locale umask+busy"; all if there are none
HARD ?=

# Small matrices: a second BLAS thread costs more than it brings (measured at N = 300), and on a
# shared machine it makes times meaningless.
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
# Containers often forbid Python to keep bytecode. Then each of the hundred Pythons that the tests
# start would compile NumPy, SciPy and scikit-learn again, which takes seconds.
unexport PYTHONDONTWRITEBYTECODE

NOTEBOOKS = $(wildcard notebooks/*.ipynb exercises/solutions/*.ipynb)
TEST = .venv-test/bin/python
PYTEST = -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(TESTFLAGS) $(TESTS) \
    --nbval --nbval-cell-timeout 1800 --nbval-kernel-startup-timeout 1800 \
    --nbval-sanitize-with tests/nbval.cfg
# The Pythons between which everything must hold, as they are declared
OLDEST = $(shell sed -n 's/^requires-python = ">=\(.*\)"/\1/p' pyproject.toml)
NEWEST = $(shell sed 's/^python-//' binder/runtime.txt)

.PHONY: lab author teach index test test-hard test-oldest test-newest browser lint lint-js check-notebooks chromium bench bench-guard notebooks site guide binder-check format lock clean

# In a container one is root, which JupyterLab refuses without being told.
ALLOW_ROOT = $(if $(filter 0,$(shell id -u)),--allow-root)

# Learners edit a copy, never what git tracks, so that `git pull` finds no conflict.
lab: .venv/ready
	.venv/bin/python -m ukrlearn lab $(COURSE) -- $(LABFLAGS)

author: .venv/ready
	.venv/bin/python -m jupyterlab $(ALLOW_ROOT) \
	    --LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb $(LABFLAGS)

teach: .venv-teach/ready
	.venv-teach/bin/ukrlearn lab --instructor $(EXAM) $(GRADING)
	PATH="$(CURDIR)/.venv-teach/bin:$$PATH" .venv-teach/bin/ukrlearn doctor --teach
	@echo 'Next: source .venv-teach/bin/activate; cd $(GRADING); nbgrader generate_assignment ...'

test: lint check-notebooks chromium
	$(TEST) $(PYTEST)

# Under hard conditions: another order, machine or language. Three runs have them all.
test-hard: .venv-test/ready
	$(TEST) tools/hard.py $(HARD)

# With the oldest versions that pyproject.toml allows, and with the newest that there are.
test-oldest: VERSION = $(OLDEST)
test-oldest: RESOLUTION = --resolution lowest-direct
test-newest: VERSION = $(NEWEST)
test-newest: RESOLUTION = --prerelease disallow
test-oldest test-newest: test-%: .venv-test/ready
	mkdir -p build
	$(COMPILE) --python-version $(VERSION) $(RESOLUTION) $(EVERYTHING) -o build/$*.lock
	"$$($(TEST) tools/check_binder.py --python $(VERSION))" tools/environment.py .venv-$* build/$*.lock
	.venv-$*/bin/python $(PYTEST) --ignore tests/browser

browser: .venv-test/ready chromium
	$(TEST) -m pytest $(TESTFLAGS) tests/browser

lint: .venv-test/ready
	$(TEST) -m ruff check
	$(TEST) -m ruff format --check
	$(TEST) tools/weight.py

# The types that JSDoc states in the scripts of panels. Not a part of `make test`, because it needs npm.
lint-js:
	npx --yes --package=typescript@5.9 tsc --checkJs --noUnusedLocals --noEmit --target es2022 --module es2022 \
	    --moduleResolution bundler --lib es2022,dom,dom.iterable ukrlearn/panels/js/*.js

check-notebooks: .venv-test/ready
	$(TEST) tools/notebooks.py check

chromium:
	tools/chromium.sh

# All of it takes hours. BENCHFLAGS=--old measures only what is older than its code.
bench: .venv-bench/ready
	.venv-bench/bin/python tests/benchmarks/run.py $(BENCHFLAGS)

bench-guard: .venv-test/ready
	$(TEST) tests/benchmarks/run.py --guard

notebooks: .venv-test/ready
	$(TEST) tools/notebooks.py build

index: .venv-test/ready
	$(TEST) tools/index.py write

site: .venv-test/ready
	$(TEST) tools/site.py

guide: .venv-test/ready
	$(TEST) tools/guide.py
	$(TEST) tools/workshops.py

binder-check: .venv-test/ready
	$(TEST) tools/check_binder.py

format: .venv-test/ready
	$(TEST) -m ruff check --fix
	$(TEST) -m ruff format

# An environment is made anew when its lock or the package's metadata is newer than its mark.
INGREDIENTS = pyproject.toml tools/environment.py tools/uv-bootstrap.lock

.venv/ready: binder/lab.lock $(INGREDIENTS)
	$(PYTHON) tools/environment.py .venv $<
	touch $@

.venv-test/ready: tests/test.lock $(INGREDIENTS)
	$(PYTHON) tools/environment.py .venv-test $<
	touch $@

.venv-teach/ready: tests/test.lock $(INGREDIENTS)  # the lock that holds nbgrader
	$(PYTHON) tools/environment.py .venv-teach $<
	touch $@

# What is locked for tests, and the rivals beside it: they are no part of a lock, because one of them
# has to be compiled.
.venv-bench/ready: tests/test.lock $(INGREDIENTS) | .venv-test/ready
	mkdir -p build
	cp tests/test.lock build/bench.lock
	$(subst --upgrade,,$(COMPILE)) $(EVERYTHING) --extra peers -o build/bench.lock
	$(PYTHON) tools/environment.py .venv-bench build/bench.lock
	touch $@

# A lock names no address of a registry.
COMPILE = .venv-test/bin/uv pip compile --quiet --generate-hashes --no-header --no-annotate --upgrade
EVERYTHING = pyproject.toml --group build --extra lab --extra test --extra teach --extra dask
# One file serves every supported Python.
LOCK = $(COMPILE) --universal --python-version $(OLDEST)

lock: .venv-test/ready
	$(LOCK) pyproject.toml --group build --extra lab -o binder/lab.lock
	$(LOCK) $(EVERYTHING) -o tests/test.lock
	echo matplotlib | $(LOCK) pyproject.toml - --group build -c binder/lab.lock -o binder/requirements.txt
	# Binder's base has ipywidgets, on which anywidget builds.
	printf 'anywidget\npsygnal\n' | $(LOCK) --no-deps - -c binder/lab.lock >> binder/requirements.txt
	$(LOCK) tools/uv-bootstrap.in -o tools/uv-bootstrap.lock

clean:
	rm -rf .venv .venv-* build dist .pytest_cache .ruff_cache .hypothesis artefacts
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
