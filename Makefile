# The five commands of the workshop. Each runs in the environment that is active;
# `python -m pip install -e '.[test]'` prepares one.

.PHONY: quick test long check bench

quick: ## what most changes break first, in under half a minute
	python -m pytest tests/test_tokenizer.py tests/test_tree_construction.py tests/test_elements.py \
		tests/test_findings.py tests/test_stack.py tests/test_writer.py tests/test_command.py

test: ## the usual run
	python -m pytest

long: ## with the tests that take minutes
	python -m pytest --long

check: ## style and types
	python -m ruff check .
	python -m ruff format --check .
	python -m mypy --strict xmlfix

bench: ## speed beside other parsers: make bench PAGES=DIR
	python -m benchmarks $(if $(PAGES),--pages $(PAGES))
