"""Finding one's way in code: what a name means, who uses it, what is called what."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal

from scenewright.core.calls.call import Call
from scenewright.core.faults import NotFound, Unsupported
from scenewright.core.operations.declaration import Example, Safety, operation
from scenewright.core.operations.model import Inputs, Outputs, Record, about
from scenewright.core.operations.paging import NextOffset, Page
from scenewright.core.text.counts import count_noun
from scenewright.godot.language.operations.scripts import ScriptPath, SymbolKind

if TYPE_CHECKING:
    from scenewright.godot.language.outline import Symbol as OutlineSymbol
    from scenewright.godot.language.symbols.symbol_lookup import OpenSearch
    from scenewright.godot.language.symbols.symbol_search import Declaration, SymbolSearch, Target
    from scenewright.godot.language.symbols.tokens import Place

__all__ = ["OPERATIONS", "Line", "SymbolName", "SymbolQuery"]

SymbolName = Annotated[str, about("Name in the script; Inner.name for one in a class.", min_length=1, max_length=200)]
Line = Annotated[int, about("Line it stands on, from 1; else where the script declares it.", ge=1)]
_LONGEST_DOCUMENTATION = 1500
_DEFINED_IN = re.compile(r"\n*Defined in \[[^\]]*\]\([^)]*\)\s*$")
_CLASS_NAME = re.compile(rb"^[^#\n]*\bclass_name\s", re.MULTILINE)
_SECONDS = 90.0


class SymbolQuery(Inputs, frozen=True, kw_only=True):
    script_path: ScriptPath
    symbol: SymbolName
    line: Line | None = None


class CodePlace(Record, frozen=True, kw_only=True):
    path: Annotated[str, about("res:// path.")]
    line: Annotated[int, about("Line, from 1.")]
    column: Annotated[int, about("Column, from 1.")]
    text: Annotated[str, about("The line.")]


class Defined(Outputs, frozen=True, kw_only=True):
    symbol: Annotated[str, about("The name.")]
    definition: Annotated[CodePlace, about("Where the project declares it.")] | None = None
    kind: Annotated[str, about("function, variable, signal, constant, class, local…")] | None = None
    native: Annotated[str, about("The engine's own declaration, where it is not the project's.")] | None = None
    overrides: Annotated[CodePlace, about("What the function overrides.")] | None = None


_HERO = {"path": "res://actor.gd", "line": 17, "column": 6, "text": "func take_damage(amount: int) -> int:"}


@operation(
    id="godot.code.definition",
    category="script",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="find_definition",
    manager="godot_code_manager",
    action="definition",
    timeout=_SECONDS,
    executes="sometimes",
    notes="Asks Godot's own language server; without Godot, what the syntax alone tells.",
    asked_for="go to definition declaration of a symbol",
    examples=(
        Example(
            "A call",
            {"scriptPath": "hero.gd", "symbol": "take_damage", "line": 23},
            {"symbol": "take_damage", "kind": "function", "definition": _HERO},
        ),
    ),
)
def find_definition(call: Call, inputs: SymbolQuery) -> Defined:
    """Finds where a name in a script is declared, by its type and not by its spelling."""
    from scenewright.godot.language.symbols.symbol_lookup import open_search

    with open_search(call) as opened:
        target = opened.search.find(opened.script(inputs.script_path), inputs.symbol, inputs.line)
        name = target.token.name
        place, kind = _declared_at(opened.search, target)
        if place is None:
            native = _native(opened, target)
            call.summary = f"{name} is the engine's." if native else f"Nobody can tell what {name} is here."
            return Defined(symbol=name, native=native)
        above = opened.search.original(target.declared) if target.declared is not None else None
        overridden = above is not None and target.declared is not None and above.place != target.declared.place
        call.summary = f"res://{place.path}:{place.line + 1}"
        return Defined(
            symbol=name,
            definition=_code_place(opened.search, place),
            kind=kind,
            overrides=_code_place(opened.search, above.place) if above is not None and overridden else None,
        )


class ReferenceQuery(SymbolQuery, frozen=True, kw_only=True):
    limit: Annotated[int, about("Places per page.", ge=1, le=1000)] = 200
    offset: Annotated[int, about("Places to skip, from nextOffset.", ge=0)] = 0


class References(Outputs, frozen=True, kw_only=True):
    symbol: Annotated[str, about("The name.")]
    references: Annotated[list[CodePlace], about("Where it stands, its declaration and overrides included.")]
    total: Annotated[int, about("How many there are in all.")]
    uncertain: Annotated[list[CodePlace], about("Members of that name on values of unknown type.")] | None = None
    next_offset: NextOffset = None


@operation(
    id="godot.code.references",
    category="script",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="find_references",
    manager="godot_code_manager",
    action="references",
    timeout=_SECONDS,
    executes="sometimes",
    notes="In scripts; asset.find_usages tells of scenes and files. Needs Godot to tell members of one name apart.",
    asked_for="find all usages callers of a function variable signal",
    examples=(
        Example(
            "Who is hit",
            {"scriptPath": "actor.gd", "symbol": "take_damage"},
            {"symbol": "take_damage", "references": [_HERO], "total": 1},
        ),
    ),
)
def find_references(call: Call, inputs: ReferenceQuery) -> References:
    """Finds every place in the scripts that means the same as a name, not only those spelled like it."""
    from scenewright.godot.language.symbols.symbol_lookup import open_search

    with open_search(call) as opened:
        target = opened.search.find(opened.script(inputs.script_path), inputs.symbol, inputs.line)
        uses = opened.search.uses(target)
        certain = [_code_place(opened.search, use.place) for use in uses.certain]
        doubtful = [_code_place(opened.search, use.place) for use in uses.uncertain]
        if target.local is None and target.declared is None:
            call.warnings.append(f"'{target.token.name}' is not declared in this project; its uses are not told apart.")
    page = Page.cut(certain, inputs.offset, inputs.limit)
    doubt = f", {len(doubtful)} uncertain" if doubtful else ""
    call.summary = f"{target.token.name}: {count_noun(len(certain), 'place')}{doubt}."
    return References(
        symbol=target.token.name,
        references=page.items,
        total=len(certain),
        uncertain=doubtful[: inputs.limit] or None,
        next_offset=page.next_offset,
    )


class Described(Outputs, frozen=True, kw_only=True):
    symbol: Annotated[str, about("The name.")]
    signature: Annotated[str, about("As it would be declared, with the type that the engine infers.")]
    documentation: Annotated[str, about("Its documentation, or a class's.")] | None = None
    definition: Annotated[CodePlace, about("Where the project declares it.")] | None = None


@operation(
    id="godot.code.hover",
    name="Describe Symbol",
    category="script",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="describe_symbol",
    manager="godot_code_manager",
    action="hover",
    timeout=_SECONDS,
    executes="sometimes",
    asked_for="inferred type of a variable, signature of a function",
    examples=(
        Example(
            "A type that is not written",
            {"scriptPath": "king.gd", "symbol": "crown"},
            {"symbol": "crown", "signature": "var crown: GoldenCrown"},
        ),
    ),
)
def describe_symbol(call: Call, inputs: SymbolQuery) -> Described:
    """Tells what a name in a script is: signature, inferred type, documentation."""
    from scenewright.godot.language.symbols.symbol_lookup import open_search

    with open_search(call) as opened:
        target = opened.search.find(opened.script(inputs.script_path), inputs.symbol, inputs.line)
        said = opened.view.hovers([target.place])[0] if opened.view is not None else None
        place, _ = _declared_at(opened.search, target)
        signature, documentation = _split_hover(said)
        if not signature and place is not None:
            signature = opened.search.source(place.path).line_text(place.line).strip().removesuffix(":")
        declared = target.declared.decl if target.declared is not None else None
        documentation = documentation or (declared.description if declared is not None else "")
        if not signature:
            raise NotFound(
                f"Nobody can tell what '{target.token.name}' is here.",
                hint="The value before the dot has no type; give it one, such as `var hero: Hero`.",
            )
        call.summary = signature
        return Described(
            symbol=target.token.name,
            signature=signature,
            documentation=documentation[:_LONGEST_DOCUMENTATION] or None,
            definition=_code_place(opened.search, place) if place is not None else None,
        )


class SymbolsQuery(Inputs, frozen=True, kw_only=True):
    name: Annotated[str, about("Part of a name, or its letters in order: 'tkdmg' finds take_damage.")] = ""
    kinds: Annotated[list[SymbolKind], about("Only symbols of these kinds.", min_length=1)] | None = None
    folder: Annotated[str, about("Only scripts below this folder.")] | None = None
    limit: Annotated[int, about("Symbols per page.", ge=1, le=1000)] = 100
    offset: Annotated[int, about("Symbols to skip, from nextOffset.", ge=0)] = 0


class SymbolRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("Name; Inner.name inside a class.")]
    kind: Annotated[str, about("class, signal, enum, constant, export, variable or function.")]
    path: Annotated[str, about("res:// path.")]
    line: Annotated[int, about("Line, from 1.")]
    detail: Annotated[str, about("As declared.")] = ""


class SymbolsFound(Outputs, frozen=True, kw_only=True):
    symbols: Annotated[list[SymbolRow], about("Best first.")]
    total: Annotated[int, about("How many fit.")]
    next_offset: NextOffset = None


@operation(
    id="godot.code.symbols",
    category="script",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="find_symbols",
    manager="godot_code_manager",
    action="symbols",
    asked_for="search functions classes signals variables of the whole project by fuzzy name",
    examples=(
        Example(
            "By its letters",
            {"name": "tkdmg"},
            {
                "symbols": [{"name": "take_damage", "kind": "function", "path": "res://actor.gd", "line": 17}],
                "total": 1,
            },
        ),
    ),
)
def find_symbols(call: Call, inputs: SymbolsQuery) -> SymbolsFound:
    """Finds what the project's scripts declare by a part of its name or its letters in order."""
    from scenewright.godot.language.outline import outline
    from scenewright.godot.project.openers import class_index, open_workspace

    workspace = open_workspace(call)
    scripts = workspace.scripts(class_index(call))
    rows: list[tuple[tuple[int, int, str, str, int], SymbolRow]] = []
    for place in workspace.listing_in(inputs.folder, ".gd", recursive=True):
        script = scripts.script_at(f"res://{place}")
        if script is None:
            continue
        if script.class_name and (inputs.kinds is None or "class" in inputs.kinds):
            line = _class_name_line(workspace.files.read(place))
            _add_row(rows, inputs.name, SymbolRow(name=script.class_name, kind="class", path=script.path, line=line))
        _add_rows(rows, inputs, script.path, outline(script), "")
    rows.sort(key=lambda row: row[0])
    page = Page.cut([row for _, row in rows], inputs.offset, inputs.limit)
    call.summary = f"{count_noun(len(rows), 'symbol')}."
    return SymbolsFound(symbols=page.items, total=len(rows), next_offset=page.next_offset)


class CompletionQuery(Inputs, frozen=True, kw_only=True):
    script_path: ScriptPath
    expression: Annotated[str, about("What is to be completed, such as 'hero.he'.", min_length=1, max_length=500)]
    line: Annotated[int, about("Line in a function at whose end it would stand, from 1; its names are known.", ge=1)]
    limit: Annotated[int, about("Most to return.", ge=1, le=200)] = 50


class CompletionRow(Record, frozen=True, kw_only=True):
    name: Annotated[str, about("What would be written.")]
    kind: Annotated[str, about("function, variable, signal, constant, class…")]


class Completed(Outputs, frozen=True, kw_only=True):
    completions: Annotated[list[CompletionRow], about("What could stand there.")]
    total: Annotated[int, about("How many there are in all.")]


_KINDS = {3: "function", 2: "function", 5: "variable", 6: "variable", 7: "class", 10: "property", 13: "enum"} | {
    20: "enum value",
    21: "constant",
    23: "signal",
    17: "file",
    14: "keyword",
}


@operation(
    id="godot.code.complete",
    category="script",
    safety=Safety.READ_ONLY,
    needs_project=True,
    tool="complete_code",
    manager="godot_code_manager",
    action="complete",
    timeout=_SECONDS,
    executes="always",
    asked_for="autocomplete members of a value, what a method is called",
    examples=(
        Example(
            "Members of a value",
            {"scriptPath": "hero.gd", "expression": "weapon.da", "line": 23},
            {"completions": [{"name": "damage", "kind": "variable"}], "total": 1},
        ),
    ),
)
def complete_code(call: Call, inputs: CompletionQuery) -> Completed:
    """Lists what could be written next in a function, such as the members of a value."""
    from scenewright.godot.language.symbols.completions import complete
    from scenewright.godot.language.symbols.symbol_lookup import open_search

    with open_search(call) as opened:
        if opened.view is None:
            raise Unsupported("Completion needs Godot's language server.", hint="Set GODOT_PATH to a Godot editor.")
        place = opened.script(inputs.script_path)
        completions = complete(opened.view, opened.search.source(place), inputs.line, inputs.expression)
    rows = [CompletionRow(name=name, kind=_KINDS.get(kind, "other")) for name, kind in completions]
    call.summary = f"{count_noun(len(rows), 'completion')}."
    return Completed(completions=rows[: inputs.limit], total=len(rows))


OPERATIONS = (find_definition, find_references, describe_symbol, find_symbols, complete_code)


def _declared_at(search: SymbolSearch, target: Target) -> tuple[Place | None, str | None]:
    if target.local is not None:
        source = search.source(target.path)
        named = source.named(target.token.name)
        token = next((each for each in named if source.bytes_before(each.start) == target.local.declared), None)
        return (source.place(token), "local") if token is not None else (None, None)
    declared: Declaration | None = target.declared
    return (declared.place, declared.kind) if declared is not None else (None, None)


def _native(opened: OpenSearch, target: Target) -> str | None:
    said = opened.view.hovers([target.place])[0] if opened.view is not None else None
    return _split_hover(said)[0] or None


def _split_hover(said: str | None) -> tuple[str, str]:
    """The declaration, and what is written about it."""
    text = _DEFINED_IN.sub("", said or "")
    signature, _, documentation = text.partition("\n\n")
    return signature.strip().removeprefix("<Native> "), documentation.strip()


def _code_place(search: SymbolSearch, place: Place) -> CodePlace:
    text = search.source(place.path).line_text(place.line).strip()
    return CodePlace(path=f"res://{place.path}", line=place.line + 1, column=place.character + 1, text=text[:200])


def _add_rows(
    rows: list[tuple[tuple[int, int, str, str, int], SymbolRow]],
    inputs: SymbolsQuery,
    path: str,
    symbols: list[OutlineSymbol] | tuple[OutlineSymbol, ...],
    around: str,
) -> None:
    for symbol in symbols:
        name = f"{around}{symbol.name}"
        if symbol.name and (inputs.kinds is None or symbol.kind in inputs.kinds):
            row = SymbolRow(name=name, kind=symbol.kind, path=path, line=symbol.line, detail=symbol.detail)
            _add_row(rows, inputs.name, row)
        _add_rows(rows, inputs, path, symbol.children, f"{name}.")


def _add_row(rows: list[tuple[tuple[int, int, str, str, int], SymbolRow]], wanted: str, row: SymbolRow) -> None:
    rank = _rank(wanted.casefold(), row.name.casefold())
    if rank is not None:
        rows.append(((rank, len(row.name), row.name, row.path, row.line), row))


def _class_name_line(content: bytes) -> int:
    match = _CLASS_NAME.search(content)
    return content.count(b"\n", 0, match.end()) + 1 if match is not None else 1


def _rank(wanted: str, name: str) -> Literal[0, 1, 2, 3] | None:
    """How well a name fits, the least best: the same, its beginning, a part of it, its letters in order."""
    if name == wanted:
        return 0
    if name.startswith(wanted):
        return 1
    if wanted in name:
        return 2
    letters = iter(name)
    return 3 if all(letter in letters for letter in wanted) else None
