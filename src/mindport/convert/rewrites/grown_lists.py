"""Two lists of modules that grow after they were assigned: the model names its parameters anew when both have grown.

MindSpore names the parameters of a module when it joins a list, and the list's own when the list becomes an attribute.
Modules that are appended later are called ``0.weight`` in either list; parameters of equal names overwrite each other
in checkpoints, MindSpore's optimizers refuse them, and so does a module that takes lists of them
(``self.decayed = list(self.blocks.parameters())``), for which the names come right behind what grows last.
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.inference import values as v
from mindport.inference.facts import Use

LIST = f"{MODULE}List"
GROWING = ("append", "insert", "extend")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the naming for every class whose ``__init__`` lets two lists grow."""
    for node in context.file.nodes:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__" and node.args.args:
            own = node.args.args[0].arg
            grown = [(statement, found) for statement in node.body if (found := _grown(context, statement, own))]
            if len({name for _, names in grown for name in names}) > 1:
                context.plan(grown[-1][0], lambda last=grown[-1][0], me=own: _write(context, last, me), last=True)  # type: ignore[misc]


def _grown(context: Context, statement: ast.stmt, own: str) -> set[str]:
    """Attributes of self that hold lists of modules and grow where they stand."""
    found = set()
    for node in ast.walk(statement):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(value=ast.Name(id=owner), attr=name) as holder, attr=method)) if method in GROWING:
                pass
            case ast.AugAssign(op=ast.Add(), target=ast.Attribute(value=ast.Name(id=owner), attr=name) as holder):
                pass
            case _:
                continue
        if owner == own and any(isinstance(kind, v.Instance) and kind.cls == LIST for kind in v.options(context.facts.value(holder))):
            found.add(name)
    return found


def _write(context: Context, last: ast.stmt, own: str) -> None:
    start, end = context.editing.span(last)
    context.editing.insert(end, f"\n{context.editing.indent(start)}{own}.update_parameters_name()")
