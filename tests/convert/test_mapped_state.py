"""Functions over a batch that read what changes between two calls: a compiled one would go on with what it found first."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, seen_by_graphs

PROGRAM = """
import numpy as np
import torch
from torch.func import grad, vmap


class Settings:
    scale = 1.0


class Field:
    def __init__(self):
        self.power = 2

    def energy(self, x):
        return (x.pow(self.power) * settings.scale).sum()


settings, field, offsets, rows = Settings(), Field(), [0.5], torch.arange(6.0).view(3, 2) / 4
stream = np.random.RandomState(3)
factor = 1.0


def shifted(x):
    return (x + offsets[0]).sum()


def scaled(x):
    return (x * factor).sum()


def noisy(x):
    return (x * float(stream.rand())).sum()


def plain(x):
    return x.square().sum()


over_rows = [vmap(shifted), vmap(scaled), vmap(lambda x: x * settings.scale), vmap(field.energy), vmap(grad(field.energy)), vmap(noisy), vmap(plain)]


def run():
    global factor
    found = []
    for turn in range(3):
        found += [mapped(rows) for mapped in over_rows]
        settings.scale, offsets[0], factor, field.power = 2.0 + turn, 1.5 * turn, factor * 2, 3
    return found
"""


@pytest.mark.frameworks
def test_both_sides_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    seen_by_graphs(ours, monkeypatch)
    for one, other in zip(theirs.run(), ours.run(), strict=True):
        np.testing.assert_allclose(other.asnumpy(), one.numpy(), rtol=2e-5, atol=1e-6)


def test_what_reads_nothing_that_changes_is_compiled_once(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["program.py"]
    assert text.count("vmap_of_state(") + text.count("vmap_of_closures(") == 6 and "ms.vmap(plain)" in text
