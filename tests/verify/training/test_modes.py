"""The first rung looks at the mode of what has one: a bare convolution computes the same in either."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mindport.verify.training.result import Rung
from mindport.verify.training.rungs import initial_state


def _run(kind: str, training: bool) -> Any:
    return SimpleNamespace(roots=[SimpleNamespace(kind=kind, training=training, number=0)], optimizers=[], arrays=lambda name: {})


@pytest.mark.parametrize(("kind", "told"), [("Conv2d", False), ("Linear", False), ("Dropout", True), ("BatchNorm2d", True), ("Net", True)])
def test_a_mode_that_matters_is_compared(kind: str, told: bool) -> None:
    pair: Any = SimpleNamespace(torch=_run(kind, True), mindspore=_run(kind, False), others=[], matched=lambda *_: [])
    rung = Rung("initial state")
    initial_state(pair, rung)
    assert ("evaluation mode" in rung.message) is told


@pytest.mark.parametrize(("inside", "told"), [("Conv2d", False), ("ReLU", False), ("Dropout", True), ("Net", True)])
def test_a_container_has_the_mode_of_what_it_holds(inside: str, told: bool) -> None:
    runs = [_run("Sequential", training) for training in (True, False)]
    for run, training in zip(runs, (True, False), strict=True):
        run.roots[0].modes = {"0": (inside, training), "1": ("Dropout", True)}
    pair: Any = SimpleNamespace(torch=runs[0], mindspore=runs[1], others=[], matched=lambda *_: [])
    rung = Rung("initial state")
    initial_state(pair, rung)
    assert ("evaluation mode" in rung.message) is told
