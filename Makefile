# DATA=DIR is the folder of the corpora, each as NAME/raw and NAME/gold
PYTHON ?= $(firstword $(wildcard .venv-test/bin/python .venv/bin/python) python3)

export PYTHONPATH := $(CURDIR)

.PHONY: check test fuzz bench models

check:
	$(PYTHON) -m ruff check .
	$(PYTHON) -m mypy
	$(PYTHON) -m pytest -q

test:
	$(PYTHON) -m pytest -q

# SECONDS (60) of hostile inputs; SEED repeats a run
fuzz:
	$(PYTHON) tests/fuzz/search.py $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED))

bench:
	@test -d "$(DATA)" || { echo "make bench needs DATA=DIR, the folder of the corpora" >&2; exit 2; }
	@failed=0; \
	for name in render clean formats score literature crawl; do $(PYTHON) benchmarks/$$name.py "$(DATA)" || failed=1; done; \
	for name in startup growth; do $(PYTHON) benchmarks/$$name.py || failed=1; done; \
	exit $$failed

models:
	@test -d "$(DATA)" || { echo "make models needs DATA=DIR, the folder of the corpora" >&2; exit 2; }
	$(PYTHON) training/make_models.py "$(DATA)" models
	$(PYTHON) -m stupidos train --fiasco "$(DATA)/cleaneval/gold" "$(DATA)/cleaneval/raw" -o models/fiasco.npz
	$(PYTHON) training/text.py "$(DATA)" models
	$(PYTHON) training/web.py "$(DATA)" models $(if $(wildcard $(DATA)/suspect.json),--suspect "$(DATA)/suspect.json")
