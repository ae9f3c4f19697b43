"""Runs a program under torch with several seeds, and says on which of its lines the results' shapes differ."""

from __future__ import annotations

import random
import sys
import types
from typing import Any

from tests.analysis.dynamic_shape.reading import ONLY_FILE, Program

SEEDS = range(6)


def _shapes(value: Any) -> tuple[tuple[int, ...], ...]:
    import torch

    if isinstance(value, torch.Tensor):
        return (tuple(value.shape),)
    if isinstance(value, torch.nn.utils.rnn.PackedSequence):
        return (tuple(value.data.shape),)
    return tuple(shape for part in value for shape in _shapes(part)) if isinstance(value, (tuple, list)) else ()


def _run(program: Program, seed: int) -> dict[int, set[tuple[tuple[int, ...], ...]]]:
    """The shapes of the results on each line, in one run of the program's driver."""
    import numpy as np
    import torch
    from torch.overrides import TorchFunctionMode

    name, seen = f"<{program.name}>", {}  # type: ignore[var-annotated]

    class Watch(TorchFunctionMode):
        def __torch_function__(self, function: Any, types_: Any, args: Any = (), kwargs: Any = None) -> Any:
            out = function(*args, **(kwargs or {}))
            frame = sys._getframe(1)
            while frame is not None and frame.f_code.co_filename != name:
                frame = frame.f_back  # type: ignore[assignment]
            if frame is not None and (found := _shapes(out)):
                seen.setdefault(frame.f_lineno, set()).add(found)
            return out

    torch.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed)
    module = types.ModuleType("observed")
    sys.modules[module.__name__] = module  # dataclasses look there
    try:
        exec(compile(program.files[ONLY_FILE], name, "exec"), module.__dict__)
        held: dict[str, Any] = {"m": module, "torch": torch, "np": np, "random": random, "seed": seed}
        exec(program.driver, held)
        with Watch():
            held["drive"]()
    finally:
        del sys.modules[module.__name__]
    return seen


def changing_lines(program: Program) -> set[int]:
    """The lines whose results have other shapes with another seed."""
    runs = [_run(program, seed) for seed in SEEDS]
    lines = set().union(*runs)
    return {line for line in lines if len({frozenset(run[line]) for run in runs if line in run}) > 1}
