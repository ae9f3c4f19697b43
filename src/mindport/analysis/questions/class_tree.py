"""A5: which module classes the project defines, what each derives from and consists of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.analysis import torch_names
from mindport.analysis.answers import Answer, Section, Table
from mindport.analysis.regions import class_region
from mindport.analysis.subject import Subject
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile

LETTER = "A"
#: What a network keeps beside its modules: numbers, arrays, Python's own containers.
_NO_MODULES = (torch_names.ARRAYS, "builtins.", "collections.", "random.", torch_names.TENSOR)


def section(subject: Subject) -> Section:
    """The inventory of module classes, with their children as constructed in ``__init__``."""
    rows, quotes = [], []
    for file, node, known in module_classes(subject):
        children = ", ".join(f"{name}: {kind}" for name, kind in dict.fromkeys(members(node, known)))
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        rows.append((node.name, bases, children, f"{file.relative}:{node.lineno}"))
        quotes.append(subject.quote(file, node))
    answer = Answer(
        "A5", "Module classes", "found" if rows else "not found",
        f"{len(rows)} classes derive from a network module" if rows else "no class derives from a network module",
        tuple(quotes), zh="网络模块类清单",
    )  # fmt: skip
    table = Table("Module classes", ("class", "derives from", "consists of", "place"), tuple(rows))
    return Section(LETTER, "Reference and structure", "参考实现与结构", (answer,), (table,) if rows else ())


def module_classes(subject: Subject) -> Iterator[tuple[SourceFile, ast.ClassDef, Facts]]:
    """Every class of the project that derives from a network module, in the order of files and lines."""
    for file, known in subject.facts.items():
        for node in sorted(known.ancestors, key=lambda node: node.lineno):
            if class_region(known.ancestors[node]) == "network" and torch_names.OWN_BACKWARD not in known.ancestors[node]:
                yield file, node, known


def members(node: ast.ClassDef, known: Facts) -> Iterator[tuple[str, str]]:
    """(attribute, class name) of the modules that methods assign to self."""
    for _, attribute, value in kept(node, known):
        for option in v.options(value):
            if isinstance(option, v.Instance) and not option.cls.startswith(_NO_MODULES):
                yield attribute, option.cls.rpartition(".")[2]
            elif isinstance(option, v.ProjectInstance):
                yield attribute, option.cls.scope.name


def kept(node: ast.ClassDef, known: Facts) -> Iterator[tuple[ast.Assign, str, v.Value]]:
    """(statement, attribute, what it holds) of what methods assign to self, also one by one: ``self.net, self.sizes = build(name)``."""
    for inner in ast.walk(node):
        if not isinstance(inner, ast.Assign):
            continue
        target, value = inner.targets[0], known.value(inner.value)
        if not isinstance(target, (ast.Tuple, ast.List)):
            parts = [(target, value)]
        else:
            given = [o.items for o in v.options(value) if isinstance(o, v.Sequence) and o.items is not None and len(o.items) == len(target.elts)]
            parts = [(each, one) for items in given for each, one in zip(target.elts, items, strict=True)]
        for place, one in parts:
            if isinstance(place, ast.Attribute) and isinstance(place.value, ast.Name) and place.value.id == "self":
                yield inner, place.attr, one
