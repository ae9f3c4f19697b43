"""``def d(y): return grad(y.sum(), x, create_graph=True)[0]`` inside of a function that has `x`: a helper is handed what it differentiates by: ``def d(x, y)``, ``d(x, u)``."""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.derivative_forms.placed import SCOPES, scope_of
from mindport.convert.training.callers import parents_in
from mindport.convert.training.names import names, parameters
from mindport.convert.training.second_order import given_to_gradient, inputs_of, is_gradient_call, keeps_graph
from mindport.inference.facts import Facts
from mindport.source import edits
from mindport.source.edits import Edit
from mindport.source.file import SourceFile, parse
from mindport.source.walking import walk


def closures(file: SourceFile, facts: Facts) -> SourceFile:
    """The file with such helpers, and their calls, handed the names; itself where there are none, or a use is no call."""
    wanted: dict[ast.FunctionDef, dict[str, None]] = {}
    for call in (n for n in file.nodes if isinstance(n, ast.Call) and is_gradient_call(facts, n) and keeps_graph(n)):
        helper = scope_of(file, call)
        if isinstance(helper, ast.FunctionDef) and _differentiates_its_own(helper, call) and isinstance(scope_of(file, helper), ast.FunctionDef):
            for name in _sources(call):
                if name not in _bound(helper) and name in _bound(scope_of(file, helper)):
                    wanted.setdefault(helper, {})[name] = None
    changes = [edit for helper, found in wanted.items() for edit in _handed(file, helper, list(found))]
    if not changes:
        return file
    text = edits.apply(file.text, changes)
    return replace(file, text=text, tree=parse(text))


def _sources(call: ast.Call) -> list[str]:
    return [source.id for source in inputs_of(call) if isinstance(source, ast.Name)]


def _differentiates_its_own(helper: ast.FunctionDef, call: ast.Call) -> bool:
    """Whether the helper is handed what it takes the gradient of."""
    output = given_to_gradient(call).get("outputs")
    return output is not None and any(isinstance(n, ast.Name) and n.id in parameters(helper) for n in walk(output))


def _bound(scope: ast.AST | None) -> set[str]:
    return {*parameters(scope), *names(scope.body).stores} if isinstance(scope, ast.FunctionDef) else set()


def _handed(file: SourceFile, helper: ast.FunctionDef, sources: list[str]) -> list[Edit]:
    """The helper's first parameters and its calls' first arguments; nothing where another use, or another thing of these names, stands there."""
    around = scope_of(file, helper)
    parents = parents_in(file)
    assert isinstance(around, ast.FunctionDef)
    uses = [n for n in walk(around) if isinstance(n, ast.Name) and n.id == helper.name]
    calls = [parents[id(use)] for use in uses]
    for use, call in zip(uses, calls, strict=True):
        if not isinstance(call, ast.Call) or call.func is not use or not _sees(parents, call, around, helper, set(sources)):
            return []
    if helper.decorator_list or any(isinstance(n, ast.FunctionDef) and n.name == helper.name and n is not helper for n in walk(around)):
        return []
    text = ", ".join(sources)
    found = [_first(file, helper, f"{text}, " if parameters(helper) else text)]
    for call in calls:
        assert isinstance(call, ast.Call)
        start = file.offsets(call.func)[1]
        opening = file.text.index("(", start) + 1
        found.append(Edit(opening, opening, "", f"{text}, " if call.args or call.keywords else text))
    return found


def _sees(parents: dict[int, ast.AST], node: ast.AST, around: ast.AST, helper: ast.AST, sources: set[str]) -> bool:
    """Whether the names mean at a call what they mean in the function around the helper."""
    while node is not around:
        node = parents[id(node)]
        if node is around or node is helper:
            continue
        if isinstance(node, (*SCOPES, ast.Lambda, ast.ClassDef)):
            body = node.body if isinstance(node.body, list) else [node.body]
            own = {*(parameters(node) if not isinstance(node, (ast.ClassDef, ast.Module)) else ()), *names(body).stores}
            if own & sources:
                return False
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.DictComp | ast.SetComp) and sources & {n.id for g in node.generators for n in walk(g.target) if isinstance(n, ast.Name)}:
            return False
    return True


def _first(file: SourceFile, helper: ast.FunctionDef, text: str) -> Edit:
    start = file.offset(helper.lineno, helper.col_offset)
    opening = file.text.index("(", start) + 1
    return Edit(opening, opening, "", text)
