"""Tensors of all samples at once: ``x = torch.tensor(rows)`` that a data set of tensors is made of. How many rows it has reaches no step: what a step gets, the loader says."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape.abstract import Source
from mindport.inference import values as v
from mindport.source.called import last_name
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.engine import Engine, Routine

#: Causes that are numbers of rows.
_OF_ROWS = ("list", "size")


def of_steps(engine: Engine, found: list[Source]) -> list[Source]:
    """Without what only makes a data set of tensors."""
    if not any(source.cause in _OF_ROWS for source in found):
        return found
    files = {source.file for source in found if source.cause in _OF_ROWS}
    made = {id(inner) for routine in [*engine.routines.values(), *engine.modules] if routine.file in files for whole in _kept(routine) for inner in walk(whole)}
    return [source for source in found if source.cause not in _OF_ROWS or id(source.node) not in made]


def _kept(routine: Routine) -> list[ast.expr]:
    """What the data sets that a function makes are made of, as it is written or as the names are bound, once or more."""
    calls = [n for n in routine.nodes if isinstance(n, ast.Call) and _makes_a_data_set(routine, n)]
    names = {ast.unparse(argument) for call in calls for argument in call.args if isinstance(argument, (ast.Name, ast.Attribute))}
    bound = [s.value for s in routine.nodes if names and isinstance(s, ast.Assign) and any(ast.unparse(target) in names for target in s.targets)]
    return [*bound, *(argument for call in calls for argument in call.args if isinstance(argument, ast.Call))]


def _makes_a_data_set(routine: Routine, node: ast.Call) -> bool:
    name = last_name(node.func)
    return torch_names.TENSOR_DATASET.endswith("." + name) and bool(name) and v.Api(torch_names.TENSOR_DATASET) in v.options(routine.facts.value(node.func))
