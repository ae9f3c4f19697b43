"""Loops that data end."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Level, Source
from mindport.analysis.dynamic_shape.expressions import evaluate
from mindport.analysis.dynamic_shape.handed_in import is_parameter
from mindport.analysis.dynamic_shape.subscripts import of_torch_alone, trains
from mindport.inference import values as v
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame

#: Last words in the names of what gives batches.
_ITERATORS = frozenset(("iter", "iterator", "loader", "dataloader"))


def data_loop(frame: Frame, node: ast.AST) -> None:
    """A loop whose number of turns hangs on data, if it computes with tensors and is no training loop."""
    frame.ended[node] = Level.DATA
    if frame.routine.prepares_data or not hasattr(node, "end_lineno") or isinstance(node, ast.For) and _over_an_iterator(frame, node.iter):
        return
    first, last = node.lineno, node.end_lineno or 0  # type: ignore[attr-defined]
    names = {use.name for use in frame.routine.facts.uses if first <= use.node.lineno <= last}
    if names & apis.STEPS or any(name.endswith((".step", ".backward")) for name in names) or trains(node):
        return
    asked = [node.test] if isinstance(node, ast.While) else []
    inside = [n for statement in [*node.body, *asked] for n in walk(statement) if isinstance(n, ast.expr)]  # type: ignore[attr-defined]
    reads = of_torch_alone(frame) and any(isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "item" for n in inside)
    if not (reads or of_torch_alone(frame) and any(_asks_network(frame, n) for n in inside)) and not any(v.is_tensor(frame.fact(n)) or evaluate(frame, n).tensor for n in inside if isinstance(n, (ast.Call, ast.BinOp))):
        return
    source: Source = frame.engine.source(
        "MP205", "loop", frame.routine, node, "how often this loop runs is decided by the values of tensors", "control flow"
    )
    source.used = True


def _over_an_iterator(frame: Frame, node: ast.expr) -> bool:
    """``for batch in valid_iter`` of what a function was given: a loop over all of the data, by the name of what gives them."""
    return isinstance(node, ast.Name) and is_parameter(frame, node) and node.id.lower().rpartition("_")[2] in _ITERATORS


def _asks_network(frame: Frame, node: ast.expr) -> bool:
    """``x - self.net(x, t)``, ``model(x)`` of what was handed in: in code of tensors alone, what is called so computes with them."""
    if not isinstance(node, ast.Call) or not node.args or not isinstance(frame.fact(node.func), v.Unknown):
        return False
    stored = isinstance(node.func, ast.Attribute) and any(isinstance(o, v.ProjectInstance) for o in v.options(frame.fact(node.func.value)))
    return stored or is_parameter(frame, node.func)
