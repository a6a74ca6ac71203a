# PYVERSIONS: the Python that torch is tested on; `make test PY=3.12` tests everything but torch on another one.
TORCH_PYTHON = 3.11
TORCH = 2.13.0
PY ?= $(TORCH_PYTHON)
K ?=
PROCESSES ?= 2

VENV = $(if $(filter $(TORCH_PYTHON),$(PY)),.venv,.venv-$(PY))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test lint types golden corpus corpus314 fuzz py314 regression library bench speed overhead seams package docs peers swap dynamo models clean

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: .venv/.ready ## torch.compile's README example, and where to read what happened to it
	.venv/bin/python examples/toy_example.py
	@ls depyf_debug_dir
	@echo
	@echo "These files are in depyf_debug_dir/. Open full_code_for_toy_example_0.py first."

test: $(VENV)/.ready ## all tests; K=while_else: some of them; PY=3.12: on another Python, without torch
	$(VENV)/bin/python -m pytest $(if $(K),-k '$(K)')

# PYVERSIONS: there is no CPython 3.14 to test on everywhere, but where node is, there is one in WebAssembly.
py314: ## all cases and the op table on CPython 3.14, which npm installs for node; says so where it cannot
	@if ! command -v node >/dev/null || ! command -v npm >/dev/null; then \
	    echo "node or npm is not here: nothing was tested on Python 3.14"; \
	elif ! npm install --silent --no-package-lock --no-audit --no-fund --prefix tools/py314; then \
	    echo "npm could not install pyodide: nothing was tested on Python 3.14"; \
	else \
	    node tools/py314/run.mjs tools/py314/check_cases.py && \
	    node tools/py314/run.mjs tools/op_table.py --count 500; \
	fi

lint: .venv/.ready ## style: ruff's checks and format
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .

types: .venv/.ready ## types: mypy, strict
	.venv/bin/mypy

golden: $(VENV)/.ready ## write what is printed into the # expect parts of tests/cases; K=while_else: some of them; then read git diff
	$(VENV)/bin/python tools/golden.py '$(K)'

CORPUS_OPTIONS = --fidelity --sample $(or $(SAMPLE),1) $(if $(UPDATE),--update)

corpus: $(if $(filter 3.14,$(PY)),corpus314,$(VENV)/.ready) ## decompile the standard library and compare with the committed counts; SAMPLE=40: one file in 40; UPDATE=1: commit new ones
	$(if $(filter 3.14,$(PY)),,$(VENV)/bin/python tools/corpus.py $(CORPUS_OPTIONS))

# The library that pyodide has, and the tests of 3.13, which it has not. No processes there: a part of the files in each.
corpus314:
	@npm install --silent --no-package-lock --no-audit --no-fund --prefix tools/py314
	@mkdir -p build/corpus
	@python=$$(tools/find_python.sh 3.13) && \
	export CORPUS=$$($$python -c "import sysconfig; print(sysconfig.get_paths()['stdlib'])")/test && \
	run="node tools/py314/run.mjs tools/corpus.py $(CORPUS_OPTIONS)" && \
	seq 0 $$(($(PROCESSES) - 1)) | xargs -P $(PROCESSES) -I{} \
	    $$run --library /lib/python_stdlib.zip /corpus --part {} $(PROCESSES) /repo/build/corpus/3.14-{}.json && \
	$$run --parts $$(seq -f /repo/build/corpus/3.14-%g.json 0 $$(($(PROCESSES) - 1)))

fuzz: $(VENV)/.ready ## decompile random programs of every construct; COUNT=1000, SEED=7, PY=3.12
	$(VENV)/bin/python tools/fuzz.py --jobs 2 --count $(or $(COUNT),200) --seed $(or $(SEED),0)

regression: $(VENV)/.ready ## CPython's own tests on decompiled modules; K=json: some of them; PY=3.12
	$(VENV)/bin/python tools/regression.py $(K)

library: ## print every file of the standard library from its syntax tree and compare, with each Python
	@for version in 3.8 3.9 3.10 3.11 3.12 3.13; do \
	    ! python=$$(tools/find_python.sh $$version 2>/dev/null) || $$python tools/print_library.py || exit 1; \
	done

overhead: .venv/.ready ## what prepare_debug costs: PAIRS=30 whole runs with and without; BACKEND=inductor; writes docs/evidence
	.venv/bin/python tools/overhead.py --pairs $(or $(PAIRS),30) $(if $(BACKEND),--backend $(BACKEND))

seams: .venv/.ready ## the private names of torch against the installed one: what is there, and what is lost without the rest
	.venv/bin/python tools/seams.py

bench: .venv/.ready ## the evidence of the documentation, all of it in one run (an hour or more): docs/evidence
	.venv/bin/python tools/bench.py --growth --json docs/evidence/growth.json
	$(MAKE) overhead
	.venv/bin/python tools/torch_dumps.py
	$(MAKE) peers

speed: ## growth with the length of a program, and seconds by stage on the standard library; PY=3.12
	@python=$$(tools/find_python.sh $(PY)) && $$python tools/bench.py

package: .venv/.ready ## build sdist and wheel into dist/, and check what users install on every Python that is here
	.venv/bin/python tools/check_package.py dist
	@[ ! -d tools/py314/node_modules ] || CORPUS=dist node tools/py314/run.mjs tools/py314/check_wheel.py

swap: .venv-models/.ready ## torch's sample databases with decompiled code in the place of Dynamo's; goes on where it was
	.venv-models/bin/python tools/swap_in.py

dynamo: .venv-models/.ready ## PyTorch's own tests, likewise: TESTS=path/to/pytorch/test/dynamo/test_misc.py; goes on where it was
	.venv-models/bin/python tools/dynamo_tests.py $(TESTS)

models: .venv-models/.ready ## about 330 architectures, likewise; writes docs/models.md, build/models/index.md; FRESH=1: all again; PROCESSES=8: at once
	@mkdir -p build && { [ -e build/models.jsonl ] || cp docs/evidence/models.jsonl build/; }
	$(if $(FRESH),true > build/models.jsonl)
	seq 0 $$(($(PROCESSES) - 1)) | xargs -P $(PROCESSES) -I{} .venv-models/bin/python tools/models.py --part {} --parts $(PROCESSES)
	.venv-models/bin/python tools/models.py --table docs/models.md
	.venv-models/bin/python tools/models.py --artifacts build/models

docs: .venv-docs/.ready ## the documentation, in build/html; its listings and numbers come from programs that run now
	.venv-docs/bin/python -m sphinx -W --keep-going -q -b html docs build/html
	@echo "build/html/index.html"

peers: .venv/.ready ## compare with released decompilers, installed from the package index, and write docs/evidence
	.venv/bin/python tools/compare_decompilers.py
	.venv/bin/python tools/plots.py
	.venv/bin/python tools/readme_table.py

clean: ## remove what the other commands made
	rm -rf .venv .venv-* build dist depyf_debug_dir .mypy_cache .pytest_cache .ruff_cache
	find src tests tools -name __pycache__ -prune -exec rm -rf {} +

# What an environment holds follows from pyproject.toml and from here: it is completed when either changes.
.venv/.ready: VERSION = $(TORCH_PYTHON)
.venv/.ready: WANTED = torch==$(TORCH) numpy --editable '.[test,dev]'
.venv-$(PY)/.ready: VERSION = $(PY)
.venv-$(PY)/.ready: WANTED = --editable '.[test]'

.venv-docs/.ready: VERSION = $(TORCH_PYTHON)
.venv-docs/.ready: WANTED = torch==$(TORCH) numpy --editable '.[docs]'

.venv/.ready .venv-$(PY)/.ready .venv-docs/.ready: pyproject.toml Makefile
	@[ -x $(@D)/bin/python ] || { python=$$(tools/find_python.sh $(VERSION)) && $$python -m venv $(@D); }
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check $(WANTED)
	@touch $@

# timm and torchvision would bring another torch along.
.venv-models/.ready: Makefile
	@[ -x $(@D)/bin/python ] || { python=$$(tools/find_python.sh $(TORCH_PYTHON)) && $$python -m venv $(@D); }
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check torch==$(TORCH) numpy expecttest hypothesis pytest setuptools transformers pillow --editable .
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps timm torchvision==0.28.0
	@touch $@
