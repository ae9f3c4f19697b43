"""Optimizers that a converted project defines itself are followed like the vendored ones."""

from __future__ import annotations

import types
from typing import Any

import pytest

pytestmark = pytest.mark.frameworks
ms = pytest.importorskip("mindspore", reason="the watch of MindSpore's side needs it")

from mindport.verify.training import mindspore_vendored  # noqa: E402


def test_a_step_of_the_projects_own_is_seen_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Optimizer:
        def __init__(self, params: list[Any]) -> None:
            self.param_groups = [{"params": params}]

    vendored = types.ModuleType("vendored")
    Optimizer.__module__ = vendored.__name__
    vendored.Optimizer = Optimizer  # type: ignore[attr-defined]
    seen: list[str] = []

    def step(watch: Any, optimizer: Any, call: Any, gradients: Any) -> Any:
        watch.stepping_now = True
        seen.append(type(optimizer).__name__)
        result = call()
        watch.stepping_now = False
        return result

    monkeypatch.setattr(mindspore_vendored, "step", step)
    watch = types.SimpleNamespace(job={}, stepping_now=False, built=False)
    mindspore_vendored._building(watch, Optimizer)  # type: ignore[arg-type]

    class Base(Optimizer):
        def step(self) -> str:
            return "done"

    class Lars(Base):
        def step(self) -> str:
            return super().step()

    for _ in range(2):
        assert Lars([1]).step() == "done"
    assert Base([1]).step() == "done"
    assert seen == ["Lars", "Lars", "Base"]
