"""What is found hangs on the project's text alone: not on addresses, which order sets of objects, nor on the seed of texts' hashes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mindport.analysis.dynamic_shape.engine import Engine
from mindport.inference.project import Project
from tests.analysis.dynamic_shape.running import project_of

TEXT = """
import torch
class Base:
    def __init__(self, sizes):
        self.sizes = sizes
    def pick(self, x):
        return x[: self.sizes]
class Late(Base):
    def set(self, mask):
        self.sizes = int(mask.sum())
class Early(Base):
    def set(self, mask):
        self.sizes = 4
def step(late, early, x: torch.Tensor, mask: torch.Tensor):
    late.set(mask)
    early.set(mask)
    return late.pick(x), early.pick(x)
step(Late(3), Early(4), torch.ones(4), torch.ones(4) > 0)
"""


def test_readers_are_visited_in_the_order_in_which_they_read() -> None:
    subject = project_of({"module.py": TEXT})
    engine = Engine(subject)
    engine.run()
    assert isinstance(subject.inference, Project)
    kept = [*subject.inference._readers.values(), *engine._readers.values(), *engine._global_readers.values(), *(routine.callers for routine in engine.routines.values())]
    stores = [methods for module in subject.inference.modules.modules.values() for cls in module.classes for methods in cls.stores.values()]
    assert kept and stores and all(isinstance(each, dict) for each in [*kept, *stores])


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_seed_of_hashes_changes_nothing(seed: str, tmp_path: Path) -> None:
    script = "import sys\nfrom tests.analysis.dynamic_shape.reading import programs\nfrom tests.analysis.dynamic_shape.running import found_in\nprint([sorted(found_in(p.files)) for p in programs('files', 'between')])\n"
    root = Path(__file__).parents[3]
    runs = [subprocess.run([sys.executable, "-c", script], cwd=root, env=os.environ | {"PYTHONHASHSEED": each}, capture_output=True, text=True, check=True).stdout for each in ("0", seed)]
    assert runs[0] == runs[1] and runs[0].startswith("[[")
