"""Collects the equivalents that a converted project carries along, in one small module.

The copied source is the source that the evidence run tested; decorators of declaration are
left out, nothing else changes. The module imports MindSpore and NumPy, never mindport.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from functools import cache

from mindport.catalog import Catalog, Entry, KnowledgeModule, declares
from mindport.evidence.layer_attributes import is_kept
from mindport.source.walking import walk

#: The vendored module's name in a converted project.
MODULE = "torch_equivalents"
#: The name in it that stands for what was not converted.
LEFTOVER = "unconverted"
#: The decorator under which a layer's class keeps what it is made with.
KEEPING = ("mindport.layers.kept_arguments", "keeping")


_HEADER = '''"""PyTorch functions and layers that this project uses, written in MindSpore.

Made by mindport from its tested equivalents. Each is plain MindSpore code: yours to edit, to
inline, or to delete when the last use is gone.
"""
'''

#: Refusals raise it by its own name: MindSpore's compiler reads every ``raise`` of a function, and stops at classes
#: that are not Python's.
_REFUSAL = "NotImplementedError"

_UNCONVERTED = '''class NotConverted(NotImplementedError, ImportError):
    """What was used is a part of PyTorch that is not here: code that can do without it catches ImportError."""


class unconverted:
    """A PyTorch name that was not converted. Using it raises an error that names it."""

    def __init__(self, name):
        self._name = name

    def _refuse(self, *args, **kwargs):
        raise NotConverted(f"{self._name} was not converted to MindSpore; see the conversion report")

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return unconverted(f"{self._name}.{attribute}")

    def __mro_entries__(self, bases):
        return (type(self._name.rpartition(".")[2], (), {"__init__": self._refuse}),)

    def __getitem__(self, item):
        return self  # in annotations

    def __or__(self, other):
        return self  # in annotations

    __ror__ = __or__
    __call__ = __bool__ = __iter__ = __len__ = __enter__ = __eq__ = __ne__ = __lt__ = __gt__ = _refuse
    __hash__ = object.__hash__
'''


class Vendored:
    """What the vendored module holds; asked for while files are converted."""

    def __init__(self, catalog: Catalog, kept: Mapping[str, Mapping[str, str]] | None = None) -> None:
        """`kept`: layer → attribute → how its class keeps it for those who read it (`evidence.layer_attributes`)."""
        self._catalog = catalog
        self._kept = {
            (entry.module.name, entry.node.name): rules
            for name, outcomes in (kept or {}).items()
            for entry in catalog.find(name)
            if entry.node is not None and (rules := {a: o for a, o in sorted(outcomes.items()) if is_kept(o)})
        }
        self._local: dict[tuple[str, str], str] = {}
        self._order: list[tuple[KnowledgeModule, str]] = []
        self._imports: dict[tuple[str, str | None], str] = {}
        self._aliases: dict[str, str] = {}
        self._special: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._order or self._special)

    def need(self, entry: Entry) -> str:
        """The name under which the vendored module offers `entry`."""
        assert entry.node is not None
        return self._definition(entry.module, entry.node.name)

    def need_definition(self, module: KnowledgeModule, name: str) -> str:
        """The name under which the vendored module offers a definition that no torch name stands for."""
        return self._definition(module, name)

    def leftover(self) -> str:
        """The name of the stand-in for what was not converted."""
        self._special.add(LEFTOVER)
        return LEFTOVER

    def names(self) -> list[str]:
        """The names that the module defines, in order."""
        return [self._local[(m.name, n)] for m, n in self._order]

    def _definition(self, module: KnowledgeModule, name: str) -> str:
        key = (module.name, name)
        if key in self._local:
            return self._local[key]
        local = self._local[key] = self._free(name)
        if key in self._kept:
            self._definition(self._catalog.modules[KEEPING[0]], KEEPING[1])
        for needed in _free_names(module.definitions[name]):
            if needed != name:
                self._dependency(module, needed)
        self._order.append((module, name))
        return local

    def _free(self, name: str) -> str:
        """The name, or with a number where the module has it already."""
        taken = {*self._local.values(), *self._imports.values(), *self._aliases.values(), LEFTOVER, _REFUSAL}
        local, number = name, 2
        while local in taken:
            local, number = f"{name}_{number}", number + 1
        return local

    def _dependency(self, module: KnowledgeModule, name: str) -> None:
        if name in module.definitions:
            self._definition(module, name)
        elif name in module.imports:
            source, original = module.imports[name]
            if source == "mindport.declare":
                return
            if source.startswith("mindport."):
                if original is None or source not in self._catalog.modules:
                    raise ValueError(f"{module.name} imports {source}, which cannot be vendored")
                self._definition(self._catalog.modules[source], original)
            elif (source, original) not in self._imports:
                self._imports[(source, original)] = self._free(name)

    def text(self) -> str:
        """The module's source."""
        blocks = [_HEADER, *([self._import_lines()] if self._imports else [])]
        if LEFTOVER in self._special:
            blocks.append("\n" + _UNCONVERTED)
        for module, name in self._in_order():
            node = module.definitions[name]
            source = self._source(module, node)
            blocks.append(source if isinstance(node, (ast.Assign, ast.AnnAssign)) else "\n" + source)
        return "\n".join(blocks)

    def _in_order(self) -> list[tuple[KnowledgeModule, str]]:
        """The definitions; what one needs when it is *defined* (a base class) stands before it even where the two name each other."""
        placed: dict[tuple[str, str], tuple[KnowledgeModule, str]] = {}

        def place(module: KnowledgeModule, name: str) -> None:
            if (module.name, name) in placed:
                return
            if (module.name, name) in self._kept:
                place(self._catalog.modules[KEEPING[0]], KEEPING[1])
            for needed in _needed_at_once(module.definitions[name]):
                source, original = module.imports.get(needed, ("", None))
                if needed in module.definitions:
                    place(module, needed)
                elif source in self._catalog.modules and original is not None:
                    place(self._catalog.modules[source], original)
            placed[module.name, name] = (module, name)

        for module, name in self._order:
            place(module, name)
        return list(placed.values())

    def _import_lines(self) -> str:
        lines = []
        for (module, name), local in sorted(self._imports.items(), key=lambda i: (i[0][0], i[0][1] or "")):
            bare = module if name is None else name
            alias = "" if bare == local else f" as {local}"
            lines.append(f"import {module}{alias}" if name is None else f"from {module} import {name}{alias}")
        standard = [line for line in lines if not re.match(r"(import|from) (mindspore|numpy)", line)]
        others = [line for line in lines if line not in standard]
        return "\n".join([*standard, *([""] if standard and others else []), *others]) + "\n"

    def _source(self, module: KnowledgeModule, node: ast.stmt) -> str:
        """The definition's text without its declaring decorators, names as the vendored module has them."""
        changed = self._changed(module)
        lines = module.text.splitlines()
        head = ["@" + module.segment(d) for d in getattr(node, "decorator_list", []) if not declares(d)]
        rules = self._kept.get((module.name, getattr(node, "name", "")))
        if rules:
            head.insert(0, f"@{self._local[KEEPING]}({_kept_arguments(rules)})")
        shadowed = _bound_inside(node)
        for name in sorted({part.id for part in _names_inside(node)} - shadowed):
            if changed.get(name) in shadowed:  # imported under another name, because a parameter has its own
                alias = self._aliases.setdefault(changed[name], self._free(name))
                head.insert(0, f"{alias} = {changed[name]}\n\n")
                changed[name] = alias
        spots: list[tuple[int, int, str, str]] = []
        own = getattr(node, "name", None)
        if own in changed:
            line = lines[node.lineno - 1]
            spots.append((node.lineno, line.index(f" {own}") + 1, own, changed[own]))
        for part in _names_inside(node):
            if part.id in changed and part.id not in shadowed:
                spots.append((part.lineno, part.col_offset, part.id, changed[part.id]))
        for line_number, column, old, new in sorted(spots, reverse=True):
            encoded = lines[line_number - 1].encode()  # the tree's columns count bytes
            lines[line_number - 1] = (encoded[:column] + new.encode() + encoded[column + len(old) :]).decode()
        return "\n".join([*head, *lines[node.lineno - 1 : node.end_lineno]]) + "\n"

    def _changed(self, module: KnowledgeModule) -> dict[str, str]:
        """Names of `module` that the vendored module calls otherwise."""
        changed = {name: local for (owner, name), local in self._local.items() if owner == module.name and local != name}
        for name, (owner, original) in module.imports.items():
            refusal = _REFUSAL if (owner, original) == ("mindport.declare", "Refused") else None
            local = self._local.get((owner, original or "")) or self._imports.get((owner, original)) or refusal
            if local is not None and local != name:
                changed[name] = local
        return changed


def _kept_arguments(rules: Mapping[str, str]) -> str:
    """What `layers.kept_arguments.keeping` is called with."""
    given = [repr(name) for name, rule in rules.items() if rule == "given"]
    follows = tuple(name.removesuffix(" =") for name, rule in rules.items() if rule == "follows")
    axes = [f'"{name}": {rule.removeprefix("axes ")}' for name, rule in rules.items() if rule.startswith("axes ")]
    constants = [f"{name}={rule.removeprefix('constant ')}" for name, rule in rules.items() if rule.startswith("constant ")]
    mappings = [f"axes={{{', '.join(axes)}}}"] if axes else []
    return ", ".join([*given, *mappings, *([f"follows={follows!r}"] if follows else []), *constants]).replace("'", '"')


def _needed_at_once(node: ast.stmt) -> Sequence[str]:
    """The names that are read when a definition runs: an assignment's, a class's bases."""
    if isinstance(node, ast.ClassDef):
        return [name for base in node.bases for name in _free_names(base)]
    return [] if isinstance(node, ast.FunctionDef) else _free_names(node)


# The trees of the knowledge stay as they are for as long as the process lives: each is walked once.


@cache
def _names_inside(node: ast.AST) -> tuple[ast.Name, ...]:
    return tuple(part for part in walk(node) if isinstance(part, ast.Name))


@cache
def _bound_inside(node: ast.AST) -> frozenset[str]:
    """Parameters and locals of a function or class body: they hide names of the module."""
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        return frozenset()
    inside = walk(node)
    bound = {part.arg for part in inside if isinstance(part, ast.arg)}
    bound |= {part.id for part in inside if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return frozenset(bound - {name for part in inside if isinstance(part, ast.Global) for name in part.names})


@cache
def _free_names(node: ast.AST) -> tuple[str, ...]:
    """The names a definition reads, declaration decorators left out, in order of appearance."""
    found: dict[str, None] = {}
    skipped = {id(d) for d in getattr(node, "decorator_list", []) if declares(d)}

    def visit(part: ast.AST) -> None:
        if id(part) in skipped:
            return
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            found.setdefault(part.id)
        for child in ast.iter_child_nodes(part):
            visit(child)

    visit(node)
    bound = _bound_inside(node)
    return tuple(name for name in found if name not in bound)
