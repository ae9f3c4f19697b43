"""All sources of a project: those of its code, and those of how it loads its data."""

from __future__ import annotations

from mindport.analysis.dynamic_shape.abstract import Source
from mindport.analysis.dynamic_shape.engine import Engine
from mindport.analysis.dynamic_shape.inputs import mark_collations, of_loading
from mindport.analysis.subject import Subject


def sources_of(subject: Subject) -> list[Source]:
    """Every place where a shape stops being fixed, by file and line."""
    engine = Engine(subject)
    mark_collations(engine)
    found = [*engine.run(), *of_loading(engine)]
    order = {id(file): place for place, file in enumerate(subject.files)}
    return sorted(found, key=lambda s: (order[id(s.file)], getattr(s.node, "lineno", 0), getattr(s.node, "col_offset", 0)))
