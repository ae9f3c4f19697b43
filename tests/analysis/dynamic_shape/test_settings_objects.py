"""Dictionaries whose entries are read as attributes hold a configuration, where they are not called after data."""

from __future__ import annotations

import pytest

from mindport.analysis.dynamic_shape.own_containers import container_classes
from tests.analysis.dynamic_shape.running import project_of

CLASS = "class {name}({base}):\n    def __getattr__(self, key):\n        return self[key]\n"


class _Engine:
    def __init__(self, text: str) -> None:
        self.subject = project_of({"module.py": text})


@pytest.mark.parametrize(("name", "base", "counts"), [("Box", "dict", False), ("Batch", "dict", True), ("Bank", "list", True)])
def test_what_is_read_as_attributes_is_a_configuration(name: str, base: str, counts: bool) -> None:
    assert bool(container_classes(_Engine(CLASS.format(name=name, base=base)))) is counts  # type: ignore[arg-type]
