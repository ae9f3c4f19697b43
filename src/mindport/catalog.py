"""Reads the knowledge as source: what is known about each torch name, without either framework.

Requirements this file meets: loading needs only the standard library; a declaration that
cannot be read, names nothing or repeats another raises `CatalogError` with its place (the
knowledge is ours, so it is an error here, not a finding); loading happens once per process.
"""

from __future__ import annotations

import ast
import copy
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

from mindport.declare import Difference, Layout, difference, insert_axis

ROOMS = ("equivalents", "layers")
#: torch classes whose methods stand in the knowledge as functions of ``self``, and their MindSpore counterparts.
RECEIVERS = {"torch.Tensor": "mindspore.Tensor", "torch.nn.Module": "mindspore.nn.Cell"}
Kind = Literal["function", "attribute", "constant", "layer", "absent"]


#: The decorators that declare (`declare.py`).
DECLARING = ("equivalent", "attribute", "layer")


class CatalogError(ValueError):
    """A declaration in our own knowledge that cannot be read."""


@dataclass(frozen=True, eq=False)
class KnowledgeModule:
    """One file of knowledge, parsed: what an entry's free names stand for.

    `imports` maps a local name to (module, name or None, local name); `definitions` holds
    the top-level functions, classes and assignments by name, `body` all statements in order.
    """

    name: str  # "mindport.equivalents.activation"
    path: Path
    text: str
    imports: dict[str, tuple[str, str | None]]
    definitions: dict[str, ast.stmt]
    body: list[ast.stmt]

    def segment(self, node: ast.AST) -> str:
        """The source text of a node of this file."""
        return ast.get_source_segment(self.text, node) or ""


@dataclass(frozen=True, eq=False)
class Entry:
    """One declaration in `equivalents/` or `layers/`, as parsed.

    `name` is the first torch name; `names` all of them. `node` is the function or class
    statement (None for constants and absent names); `expression` a constant's replacement.
    """

    names: tuple[str, ...]
    kind: Kind
    module: KnowledgeModule
    line: int
    node: ast.FunctionDef | ast.ClassDef | None = None
    expression: ast.expr | None = None
    drops: dict[str, str] = field(default_factory=dict)
    differs: tuple[Difference, ...] = ()
    view: bool = False
    random: bool = False
    opinfo: str | None = None
    state: dict[str, str | Layout | None] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    why: str = ""
    rung: str | None = None
    base_suffices: bool = False

    @property
    def name(self) -> str:
        """The first torch name."""
        return self.names[0]

    @property
    def key(self) -> str:
        """Names the entry in evidence data: torch name # name of the function that holds it."""
        return f"{self.name}#{self.node.name}" if self.node else self.name

    @property
    def place(self) -> str:
        """Where the entry stands, for people: ``equivalents/activation.py:12``."""
        return f"{'/'.join(self.module.name.split('.')[1:])}.py:{self.line}"

    @property
    def receiver(self) -> str | None:
        """The MindSpore class whose method the entry is; None for functions and layers."""
        owners = {name.rpartition(".")[0] for name in self.names}
        return next((cls for owner, cls in RECEIVERS.items() if owner in owners), None)

    @property
    def hands_back(self) -> bool:
        """Whether the entry gives one of its arguments as it is: nothing of MindSpore computes that a run could confirm."""
        if not isinstance(self.node, ast.FunctionDef):
            return False
        arguments = self.node.args
        names = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        *before, last = self.node.body
        plain = all(isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant) for s in before)  # the docstring
        return plain and isinstance(last, ast.Return) and isinstance(last.value, ast.Name) and last.value.id in names

    @property
    def does_nothing(self) -> bool:
        """Whether a call is nothing but its value: texts, numbers, what it got and attributes of that. It may be left out, and stand where it does not run."""
        if self.kind == "constant":
            return True
        given = (ast.FunctionDef, ast.arguments, ast.arg, ast.Expr, ast.Return, ast.If, ast.Compare, ast.cmpop, ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.JoinedStr, ast.FormattedValue, ast.expr_context)
        body = [] if self.node is None or self.random else self.node.body
        return bool(body) and all(isinstance(part, given) for statement in body for part in ast.walk(statement))

    @property
    def callable(self) -> ast.FunctionDef | None:
        """The function whose signature is torch's: the entry itself, or a layer's ``__init__``, its own or of a base in the same file."""
        node: ast.stmt | None = self.node
        while isinstance(node, ast.ClassDef):
            made = next((s for s in node.body if isinstance(s, ast.FunctionDef) and s.name == "__init__"), None)
            if made is not None:
                return made
            bases = [self.module.definitions.get(base.id) for base in node.bases if isinstance(base, ast.Name)]
            node = next((base for base in bases if isinstance(base, ast.ClassDef)), None)
        return node if isinstance(node, ast.FunctionDef) else None

    @property
    def arguments(self) -> ast.arguments | None:
        """The signature, ``self`` of a layer's ``__init__`` left out."""
        function = self.callable
        if function is None:
            return None
        if self.kind != "layer":
            return function.args
        a = function.args
        return ast.arguments(a.posonlyargs, a.args[1:], a.vararg, a.kwonlyargs, a.kw_defaults, a.kwarg, a.defaults)


class Catalog:
    """All entries, found by torch name."""

    def __init__(self, modules: dict[str, KnowledgeModule], entries: list[Entry]) -> None:
        self.modules = modules
        self.entries = entries
        self._by_name: dict[str, list[Entry]] = {}
        self._within: dict[str, dict[str, list[Entry]]] = {}
        # That a name is absent gives way to anything that somebody has written for it since.
        written = {name for entry in entries if entry.kind != "absent" for name in entry.names}
        for entry in entries:
            for name in entry.names:
                if entry.kind != "absent" or name not in written:
                    self._by_name.setdefault(name, []).append(entry)

    def find(self, name: str) -> list[Entry]:
        """The entries of a canonical torch name; several where torch has overloads; [] where none is known."""
        return self._by_name.get(name, [])

    def showing(self, name: str, entry: Entry) -> Catalog:
        """The catalog in which a name has this one of its overloads alone."""
        shown = copy.copy(self)
        shown._by_name, shown._within = {**self._by_name, name: [entry]}, {}
        return shown

    def within(self, module: str) -> dict[str, list[Entry]]:
        """What some entry speaks about in a module, by its name there, in the order of names."""
        if not self._within:
            for name in self.names():
                owner, _, last = name.rpartition(".")
                self._within.setdefault(owner, {})[last] = self._by_name[name]
        return self._within.get(module, {})

    def names(self) -> list[str]:
        """Every torch name that some entry speaks about, sorted."""
        return sorted(self._by_name)

    def layer_attribute(self, name: str) -> tuple[Entry, str] | None:
        """For ``torch.nn.Conv2d.weight``: the layer's entry and ``weight``; None where no layer is meant."""
        owner, _, attribute = name.rpartition(".")
        for entry in self.find(owner):
            if entry.kind == "layer":
                return entry, attribute
        return None


@lru_cache(maxsize=1)
def load() -> Catalog:
    """The catalog of this installation's `equivalents/` and `layers/`."""
    package = Path(__file__).parent
    modules: dict[str, KnowledgeModule] = {}
    entries: list[Entry] = []
    with _kept_for_good():
        for room in ROOMS:
            for path in sorted((package / room).rglob("*.py")):
                if path.name == "__init__.py":
                    continue
                module = read_module(path, ".".join(("mindport", *path.relative_to(package).with_suffix("").parts)))
                modules[module.name] = module
                entries.extend(read_entries(module))
        return Catalog(modules, entries)


@contextmanager
def _kept_for_good() -> Iterator[None]:
    """Python's collector leaves alone what is made here: it would walk a million nodes of trees again and again, half of a scan's time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collecting:
            gc.enable()


@cache
def read_module(path: Path, name: str) -> KnowledgeModule:
    """Parse one file of knowledge."""
    text = path.read_text(encoding="utf-8")
    imports: dict[str, tuple[str, str | None]] = {}
    definitions: dict[str, ast.stmt] = {}
    body = ast.parse(text, str(path)).body
    for statement in body:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                imports[alias.asname or alias.name] = (alias.name, None)
        elif isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                imports[alias.asname or alias.name] = (statement.module or "", alias.name)
        elif isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            # Overloads may share a Python name only if the names differ; keep the place unique.
            definitions[statement.name] = statement
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            definitions[statement.targets[0].id] = statement
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            definitions[statement.target.id] = statement
    return KnowledgeModule(name, path, text, imports, definitions, body)


def read_entries(module: KnowledgeModule) -> Iterator[Entry]:
    """The declarations of one file, in order."""
    for statement in module.body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            for decorator in statement.decorator_list if module.definitions[statement.name] is statement else ():
                if (word := _word(decorator)) in DECLARING:
                    kind: Kind = "function" if word == "equivalent" else word  # type: ignore[assignment]
                    yield _entry(module, decorator, kind, statement)
        elif isinstance(statement, ast.Expr) and (word := _word(statement.value)) in ("constant", "absent"):
            yield _entry(module, statement.value, word, None)  # type: ignore[arg-type]


def declares(decorator: ast.expr) -> bool:
    """Whether a decorator is a declaration of the knowledge's, which converted projects do not have."""
    return _word(decorator) in DECLARING


def _word(node: ast.expr) -> str | None:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None


def _entry(
    module: KnowledgeModule, call: ast.expr, kind: Kind, node: ast.FunctionDef | ast.ClassDef | None
) -> Entry:
    assert isinstance(call, ast.Call)
    positional = list(call.args)
    expression = positional.pop() if kind == "constant" and len(positional) > 1 else None
    names: list[str] = []
    for argument in positional:
        value = literal(module, argument.value if isinstance(argument, ast.Starred) else argument)
        names.extend(value if isinstance(argument, ast.Starred) else [value])
    if not names or not all(isinstance(name, str) for name in names):
        raise CatalogError(f"{module.path}:{call.lineno}: a declaration names the torch APIs it is for")
    options: dict[str, Any] = {k.arg: literal(module, k.value) for k in call.keywords if k.arg}
    options["differs"] = tuple(options.get("differs") or ())
    for key in ("drops", "state", "attributes"):
        options[key] = dict(options.get(key) or {})
    return Entry(tuple(names), kind, module, node.lineno if node else call.lineno, node, expression, **options)


def literal(module: KnowledgeModule, node: ast.expr) -> Any:
    """The value of a literal; names of the file's constants and the two value words are allowed."""
    match node:
        case ast.Name(id=name) if isinstance(module.definitions.get(name), (ast.Assign, ast.AnnAssign)):
            return literal(module, module.definitions[name].value)  # type: ignore[attr-defined]
        case ast.Name(id=name) if module.imports.get(name, ("", None))[0].startswith("mindport."):
            owner, original = module.imports[name]
            path = Path(__file__).parent.joinpath(*owner.split(".")[1:]).with_suffix(".py")
            return literal(read_module(path, owner), ast.Name(original or name, ast.Load()))
        case ast.Tuple(elts=items) | ast.List(elts=items):
            values: list[Any] = []
            for item in items:
                if isinstance(item, ast.Starred):
                    values.extend(literal(module, item.value))
                else:
                    values.append(literal(module, item))
            return tuple(values) if isinstance(node, ast.Tuple) else values
        case ast.Dict(keys=keys, values=items):
            merged: dict[Any, Any] = {}
            for key, item in zip(keys, items, strict=True):
                if key is None:
                    merged.update(literal(module, item))
                else:
                    merged[literal(module, key)] = literal(module, item)
            return merged
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return literal(module, left) + literal(module, right)
        case ast.Call(func=ast.Name(id="difference" | "insert_axis" as word), args=args, keywords=keywords):
            make = difference if word == "difference" else insert_axis
            given: dict[str, Any] = {k.arg: literal(module, k.value) for k in keywords if k.arg}
            return make(*(literal(module, a) for a in args), **given)  # type: ignore[operator]
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise CatalogError(
            f"{module.path}:{node.lineno}: {ast.unparse(node)!r} is not a literal; declarations are read without running them"
        ) from None
