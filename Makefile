# The five commands of the workshop. Each runs in the environment that is active;
# `python -m pip install -e '.[test]'` prepares one.

.PHONY: quick test long check bench

quick: ## the tests that take under half a minute
	python -m pytest tests/unit tests/cli/test_command.py

test: ## the usual run
	python -m pytest

long: ## with the tests that take minutes
	python -m pytest --long

check: ## style and types
	python -m ruff check .
	python -m ruff format --check .
	python -m mypy

bench: ## speed beside other parsers: make bench PAGES=DIR
	python -m benchmarks $(if $(PAGES),--pages $(PAGES))
