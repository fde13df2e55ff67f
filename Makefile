# `make test` and `make demo` are all there is to type on a fresh machine.
SHELL := bash
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# Where scripts/get-tools.sh puts what it gets.
TOOLS := $(or $(SCENEWRIGHT_TOOLS),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/scenewright/tools)

.PHONY: demo test test-wine quick format check bench compare fuzz compatibility soak docs site operation tools lock release clean

$(VENV)/.installed: pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --editable .
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
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32 src & windows=$$!; \
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin src && wait $$windows
	$(BIN)/lint-imports
	$(BIN)/python scripts/reference.py --check
	$(BIN)/python scripts/client_entries.py --check
	$(BIN)/python -m release check
	$(BIN)/python scripts/build_site.py

format: $(VENV)/.installed
	$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format .

test: check tools
	$(BIN)/pytest -n 2 --dist loadgroup

# What a Python for Windows does with the wheel, under Wine; of SCENEWRIGHT_WINDOWS_PYTHON, or of one that is fetched.
test-wine: export SCENEWRIGHT_WINDOWS_PYTHON := $(or $(SCENEWRIGHT_WINDOWS_PYTHON),$(TOOLS)/wine/python/python.exe)
test-wine: $(VENV)/.installed
	PYTHON=$(BIN)/python bash scripts/get-tools.sh wine
	$(BIN)/pytest -n0 tests/e2e/test_wine.py

# What the rooms' own tests say, with nothing fetched and no other program started.
SLOW := bench chaos compatibility conformance dashboard e2e evals fuzz pixel release security setup workflow godot/engine roblox/luau roblox/relay roblox/studio \
	roblox/test_crashes.py roblox/test_random_batches.py roblox/test_transactions.py roblox/place/test_corpus.py \
	roblox/place/rojo/test_random_edits.py cli/test_workflow.py cli/test_encodings.py cli/test_init.py contract/test_gox_workflows.py \
	godot/documents/test_corpus.py server/start server/test_relisting.py house/test_new_operation.py unity/live unity/yaml/test_corpus.py \
	unity/operations/test_random_edits.py unity/operations/test_menu_objects.py godot/pixel_art contract/test_promises.py \
	contract/test_policy_packs.py contract/test_omni_contract.py contract/test_editormcp_definitions.py \
	contract/test_gox_contract.py contract/test_unified_reference.py roblox/test_gox_contract.py unity/operations/test_writing.py \
	godot/catalogue/test_every_write_in_the_engine.py
quick: $(VENV)/.installed
	SCENEWRIGHT_TOOLS=none $(BIN)/pytest -n 2 --dist loadgroup -m 'not godot and not node' $(SLOW:%=--ignore=tests/%)

# unityparser pins a PyYAML of its own, which others cannot use, so it comes without what it asks for.
bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --no-deps 'unityparser>=4,<5'
	$(BIN)/python -m bench

# Ours beside the peers, which it installs into the cache of tools; `make compare COMPARE="edit look"` for two parts.
compare: $(VENV)/.installed
	bash scripts/get-tools.sh npm godot screen
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/python -m bench.compare $(COMPARE)

# Inputs that break a reader or a line, a minute for each of some fifty targets; `make fuzz SECONDS=10
# TARGETS="roblox godot.scene"` for less. Guided by coverage where there is an atheris for the system.
SECONDS ?= 60
fuzz: $(VENV)/.installed
	-$(BIN)/python -m pip install --quiet --only-binary :all: 'atheris>=3,<4'
	$(BIN)/python -m tests.fuzz.search --seconds $(SECONDS) $(TARGETS)

# Other Pythons, dependencies, clients, revisions of MCP and Godots; writes docs/compatibility.md. Half an hour.
compatibility: $(VENV)/.installed
	bash scripts/get-tools.sh npm godot python
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/python -m compatibility $(GROUPS_TRIED)

# Half an hour; `make soak SOAK="--minutes 5"` for less.
soak: tools
	$(BIN)/python -m bench.soak $(SOAK)

docs: $(VENV)/.installed
	$(BIN)/python scripts/reference.py
	$(BIN)/python scripts/client_entries.py

site: $(VENV)/.installed
	$(BIN)/python scripts/build_site.py

# `make operation ROOM=godot/ui NAME=align_controls`, with MODULE=alignment for the module it goes to.
operation: $(VENV)/.installed
	@$(BIN)/python scripts/new_operation.py $(ROOM) $(NAME) $(if $(MODULE),--module $(MODULE))

# Exact versions of all that developers need, on every system, with what their files must be.
lock:
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--extra dev --output-file requirements.lock pyproject.toml

# Everything that is published, made and checked; what is left to press is in docs/releasing.md.
release: $(VENV)/.installed
	bash scripts/get-tools.sh npm
	$(BIN)/python -m release build

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist
