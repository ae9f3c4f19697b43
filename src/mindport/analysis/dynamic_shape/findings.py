"""All sources of a project: those of its code, and those of how it loads its data."""

from __future__ import annotations

import ast

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Source
from mindport.analysis.dynamic_shape.engine import Engine
from mindport.analysis.dynamic_shape.inputs import mark_collations, of_loading
from mindport.analysis.dynamic_shape.whole_data_sets import of_steps
from mindport.analysis.subject import Subject


def sources_of(subject: Subject) -> list[Source]:
    """Every place where a shape stops being fixed, by file and line."""
    engine = Engine(subject)
    mark_collations(engine)
    found = of_steps(engine, _once_a_batch(engine, [*engine.run(), *of_loading(engine)]))
    order = {id(file): place for place, file in enumerate(subject.files)}
    return sorted(found, key=lambda s: (order[id(s.file)], getattr(s.node, "lineno", 0), getattr(s.node, "col_offset", 0)))


def _once_a_batch(engine: Engine, found: list[Source]) -> list[Source]:
    """Without the lists of single samples that a collation pads or joins: where it does is told."""
    collations = [routine for routine in engine.routines.values() if routine.collates]
    inside = {id(node) for routine in collations for node in routine.nodes}
    if not any(id(source.node) in inside and source.cause != "list" for source in found):
        return found
    single = inside | {id(node) for routine in engine.routines.values() if routine.callers and routine.prepares_data and not routine.yields_batches for node in routine.nodes}
    return [source for source in found if not (source.cause == "list" and source.in_data and id(source.node) in single and _of_numbers(source.node))]


def _of_numbers(node: ast.AST) -> bool:
    """``torch.tensor(ids)``, ``torch.LongTensor(ids)``, which joins no tensors."""
    return isinstance(node, ast.Call) and apis.FUNCTION + ast.unparse(node.func).rpartition(".")[2] in apis.OF_LISTS
