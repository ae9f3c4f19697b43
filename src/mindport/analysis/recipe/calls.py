"""Calls of APIs of a kind, under whatever name, and the project's own definitions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.analysis.recipe.evaluation import evaluates, file_evaluates
from mindport.analysis.subject import Subject
from mindport.inference import values as v
from mindport.source.file import SourceFile

Found = tuple[SourceFile, str, ast.Call]


def calls(subject: Subject, prefixes: tuple[str, ...], without: tuple[str, ...] = ()) -> Iterator[Found]:
    """(file, name, call) of the calls of such APIs, of names that stand for them, and of project classes that derive from them."""
    aside = {file for file in subject.files if subject.aside(file.relative)}
    seen: set[int] = set()
    for file, use in subject.uses(*prefixes):
        if use.kind == "call" and isinstance(use.node, ast.Call) and file not in aside and not subject.in_self_test(file, use.node):
            seen.add(id(use.node))
            yield file, use.name, use.node
    derived = {
        id(node): next(a for a in ancestors if a.startswith(prefixes))
        for known in subject.facts.values() for node, ancestors in known.ancestors.items()
        if any(a.startswith(prefixes) for a in ancestors) and not any(without and a.startswith(without) for a in ancestors)
    }  # fmt: skip
    for file, known in subject.facts.items():
        for inner in file.nodes if file not in aside else ():
            if not isinstance(inner, ast.Call) or id(inner) in seen or not derived and not isinstance(inner.func, ast.Name) or subject.in_self_test(file, inner):
                continue
            for option in v.options(known.value(inner.func)):
                if isinstance(option, v.ProjectClass) and id(option.scope.node) in derived:
                    yield file, option.scope.name, inner
                elif isinstance(option, v.Api) and isinstance(inner.func, ast.Name) and option.name.startswith(prefixes) and not (without and option.name.startswith(without)):
                    yield file, option.name, inner  # Kind = torch.optim.AdamW; Kind(groups)


def running(subject: Subject, found: list[Found]) -> list[Found]:
    """Those that do not stand in a function nobody names, nor in a function or a program of evaluation; all where none is left."""
    chosen = in_use(subject, found) or found
    chosen = [each for each in chosen if (around := subject.function_around(each[0], each[2])) is None or not evaluates(around.name)] or chosen  # poses that a test view is fitted to
    return [each for each in chosen if not file_evaluates(str(each[0].relative)) and not subject.programs.apart(each[0]) and not subject.programs.only_shown(each[0])] or chosen


def in_use(subject: Subject, found: list[Found]) -> list[Found]:
    """Those that do not stand in a function nobody names."""
    written = subject.written_names

    def named(file: SourceFile, call: ast.Call) -> bool:
        around = subject.function_around(file, call)
        return written is None or around is None or around not in file.tree.body or bool(around.decorator_list) or around.name in written

    return [each for each in found if named(each[0], each[2])]


def takes_part(subject: Subject, file: SourceFile, node: ast.AST) -> bool:
    """Whether a place stands in no class or function of a module that nobody names."""
    written = subject.written_names
    line = getattr(node, "lineno", 0)
    around = next((d for d in file.tree.body if isinstance(d, (ast.ClassDef, ast.FunctionDef)) and d.lineno <= line <= (d.end_lineno or 0)), None)
    return written is None or around is None or bool(around.decorator_list) or around.name in written


def definitions(subject: Subject) -> Iterator[tuple[SourceFile, ast.ClassDef | ast.FunctionDef]]:
    """Every class and function of the project, but for what stands inside of a function that nobody names."""
    written = subject.written_names
    for file in subject.files:
        yield from ((file, node) for node in _defined(file.tree, written))


def _defined(node: ast.AST, written: frozenset[str] | None) -> Iterator[ast.ClassDef | ast.FunctionDef]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.ClassDef, ast.FunctionDef)):
            yield child
            if isinstance(child, ast.FunctionDef) and isinstance(node, ast.Module) and written is not None and child.name not in written and not child.decorator_list:
                continue
        yield from _defined(child, written)
