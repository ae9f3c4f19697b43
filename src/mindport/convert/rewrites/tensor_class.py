"""``make = torch.Tensor`` and then ``make(2, 3)``: the class under another name, which a call elsewhere makes tensors with.

A call of MindSpore's own class means something else (``Tensor(2)`` is the number 2, ``Tensor([1, 2])`` has whole numbers), or raises (``Tensor()``). What
is handed on to be called is the vendored `TorchTensor`, of which every tensor is an instance: by its name, or, where inference follows it to a call, out of tables,
lists, arguments and results (``KINDS[name](x)``). Where types are compared, it stays MindSpore's class, and such a call is reported.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from mindport.convert.context import Context, Files
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.source.defaults import defaults_of
from mindport.source.walking import walk

KNOWLEDGE, CLASS = "mindport.equivalents.legacy_constructors", "TorchTensor"
TENSOR = "torch.Tensor"
#: Functions that call their first argument.
CALLING = frozenset(("defaultdict", "map", "partial"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the vendored class wherever the class itself is a value that something calls."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    nodes = [same_place[0].node for same_place in uses.values() if same_place[0].name == TENSOR and same_place[0].kind == "value"]
    called, compared = _called(context), compared_in(context.file.tree)
    if context.once(_asked):
        for use in context.facts.indirect:
            text = ast.unparse(use.node.func) if isinstance(use.node, ast.Call) else ""
            if use.name == TENSOR and use.kind == "call" and (text not in called or text in compared):
                context.report(
                    "MP103", "the class Tensor, called through what holds it, makes whole numbers of whole numbers and a number of a size in MindSpore; as types are compared here, it stays MindSpore's",
                    use.node, api=TENSOR, risk="silent", certainty="likely", mark=True, advice="call torch.Tensor where it is named",
                )  # fmt: skip
    if not nodes:
        return
    followed = context.once(_reached) and not context.once(_asked)
    for node in nodes:
        if _is_called(context, node, called, compared) or (followed and _is_handed_on(context, node, compared)):
            context.claimed.add(id(node))
            context.plan(node, lambda n=node: context.editing.replace(*context.editing.span(n), context.definition(KNOWLEDGE, CLASS)))  # type: ignore[misc]


def _reached(project: Files) -> bool:
    """Whether some call, followed through what holds it, calls the class."""
    return any(use.name == TENSOR and use.kind == "call" for _, facts in project for use in facts.indirect)


def _asked(project: Files) -> bool:
    """Whether a file that names the class looks at types as values (``type(x) in KINDS``, ``x.__class__``, ``KINDS[type(x)]``)."""
    return any(
        isinstance(node, ast.Attribute) and node.attr == "__class__" or isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type" and len(node.args) == 1
        for file, facts in project
        if any(use.name == TENSOR and use.kind == "value" for use in facts.uses)
        for node in file.nodes
    )


def _is_handed_on(context: Context, node: ast.AST, compared: set[str]) -> bool:
    """Whether the class stands where it is kept for later: in a container, among a project function's arguments, as a result, under a name."""
    above = context.parents.get(id(node))
    while isinstance(above, ast.Tuple | ast.List | ast.Dict | ast.IfExp | ast.keyword):
        if isinstance(above, ast.Dict) and node in above.keys:
            return False
        node, above = above, context.parents.get(id(above))
    match above:
        case ast.Assign(targets=targets):
            return not {ast.unparse(target) for target in targets} & compared
        case ast.Call(func=function):
            return node is not function and any(isinstance(kind, v.ProjectFunction | v.ProjectClass) for kind in v.options(context.facts.value(function)))
        case ast.Return() | ast.Lambda() | ast.comprehension() | ast.For():
            return True
        case ast.Subscript(value=held):
            return node is held
        case _:
            return False


def _called(context: Context) -> frozenset[str]:
    """The texts that this file calls, or hands to a function that calls them, and the names that others import and call."""
    return _called_in(context.file.tree) | context.once(_imported_and_called)


def _imported_and_called(project: Files) -> set[str]:
    found: set[str] = set()
    for file, _ in project:
        imported = {alias.asname or alias.name for node in file.nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
        if imported:
            found |= _called_in(file.tree) & imported
    return found


@lru_cache(maxsize=4096)
def _called_in(tree: ast.AST) -> frozenset[str]:
    found: set[str] = set()
    for node in walk(tree):
        if isinstance(node, ast.Call):
            found |= {ast.unparse(held) for held in (node.func, *_handed(node)) if isinstance(held, ast.Name | ast.Attribute)}
    return frozenset(found)


def _handed(call: ast.Call) -> list[ast.expr]:
    """The argument that a call calls in its turn."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return call.args[:1] if name in CALLING else []


def compared_in(tree: ast.AST) -> set[str]:
    """The texts that are compared with something: ``type(x) is make``."""
    return {
        ast.unparse(side) for node in walk(tree) if isinstance(node, ast.Compare) for side in (node.left, *node.comparators) if isinstance(side, ast.Name | ast.Attribute)
    }


def _is_called(context: Context, node: ast.AST, called: frozenset[str], compared: set[str]) -> bool:
    """Whether what stands at a node is called: by its name, by a parameter's, or by a function that calls what it gets."""
    above = context.parents.get(id(node))
    while isinstance(above, ast.IfExp) and above.test is not node:
        node, above = above, context.parents.get(id(above))
    match above:
        case ast.Assign(targets=targets):
            texts = {ast.unparse(target) for target in targets}
        case ast.AnnAssign(target=target, value=value) if value is node:
            texts = {ast.unparse(target)}
        case ast.arguments():
            texts = {_parameter(above, node)}
        case ast.Call():
            return node in _handed(above) or (node is above.func and isinstance(node, ast.IfExp))
        case _:
            return False
    return bool(texts & called) and not texts & compared


def _parameter(parameters: ast.arguments, default: ast.AST) -> str:
    """The parameter that a default value belongs to."""
    return next((name for name, value in defaults_of(parameters).items() if value is default), "")
