# `make test` and `make demo` are all there is to type on a fresh machine.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# Where scripts/get-tools.sh puts what it gets.
TOOLS := $(or $(SCENEWRIGHT_TOOLS),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/scenewright/tools)

.PHONY: demo test quick format check bench soak docs operation tools clean

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

demo: $(VENV)/.installed
	bash scripts/get-tools.sh godot screen
	PATH="$$PATH:$(TOOLS)/godot" $(BIN)/scenewright demo

tools: $(VENV)/.installed
	bash scripts/get-tools.sh

check: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/reference.py --check

format: $(VENV)/.installed
	$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format .

test: check tools
	$(BIN)/pytest -n 2 --dist loadgroup

# What the rooms' own tests say, with nothing fetched and no other program started.
SLOW := bench chaos e2e fuzz security workflow godot/engine roblox/studio roblox/test_crashes.py \
	house/test_new_operation.py unity/yaml/test_corpus.py
quick: $(VENV)/.installed
	SCENEWRIGHT_TOOLS=none $(BIN)/pytest -n 2 --dist loadgroup -m 'not godot and not node' $(SLOW:%=--ignore=tests/%)

# unityparser pins a PyYAML of its own, which others cannot use, so it comes without what it asks for.
bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --no-deps 'unityparser>=4,<5'
	$(BIN)/python -m bench

# Half an hour; `make soak SOAK="--minutes 5"` for less.
soak: tools
	$(BIN)/python -m bench.soak $(SOAK)

docs: $(VENV)/.installed
	$(BIN)/python scripts/reference.py

# `make operation ROOM=godot/ui NAME=align_controls`, with MODULE=alignment for the module it goes to.
operation: $(VENV)/.installed
	@$(BIN)/python scripts/new_operation.py $(ROOM) $(NAME) $(if $(MODULE),--module $(MODULE))

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist
