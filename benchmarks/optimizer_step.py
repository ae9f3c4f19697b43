"""The time of one optimizer step, beside mindspore.experimental.optim and torch, on a model of 60 parameters.

    GLOG_v=3 python benchmarks/optimizer_step.py [--parameters 60] [--rounds 40]

Steps of the three alternate, and each one's least processor time counts: the wall's time says little where other
programs run. A step counts until the last parameter can be read. The table is also written to benchmarks/results/speed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import torch
from mindspore import Parameter, Tensor
from mindspore.experimental import optim

from mindport.equivalents.optimizers.adagrad import Adadelta, Adagrad
from mindport.equivalents.optimizers.adam import Adam, AdamW
from mindport.equivalents.optimizers.adam_variants import Adamax, NAdam, RAdam
from mindport.equivalents.optimizers.asgd import ASGD
from mindport.equivalents.optimizers.rmsprop import RMSprop
from mindport.equivalents.optimizers.rprop import Rprop
from mindport.equivalents.optimizers.sgd import SGD

CASES: list[tuple[str, Any, Any, Any, dict[str, Any]]] = [
    ("SGD, momentum", SGD, optim.SGD, torch.optim.SGD, {"lr": 0.01, "momentum": 0.9}),
    ("Adam", Adam, optim.Adam, torch.optim.Adam, {"lr": 0.001}),
    ("AdamW", AdamW, optim.AdamW, torch.optim.AdamW, {"lr": 0.001, "weight_decay": 0.01}),
    ("RMSprop", RMSprop, optim.RMSprop, torch.optim.RMSprop, {"lr": 0.001}),
    ("Adagrad", Adagrad, optim.Adagrad, torch.optim.Adagrad, {"lr": 0.001}),
    ("Adadelta", Adadelta, optim.Adadelta, torch.optim.Adadelta, {"lr": 0.001}),
    ("Adamax", Adamax, optim.Adamax, torch.optim.Adamax, {"lr": 0.001}),
    ("NAdam", NAdam, optim.NAdam, torch.optim.NAdam, {"lr": 0.001}),
    ("RAdam", RAdam, optim.RAdam, torch.optim.RAdam, {"lr": 0.001}),
    ("ASGD", ASGD, optim.ASGD, torch.optim.ASGD, {"lr": 0.001}),
    ("Rprop", Rprop, optim.Rprop, torch.optim.Rprop, {"lr": 0.001}),
]
#: Steps that do not count: the fourth of mindport's compiles a graph of its own.
WARMING = 6


def arrays(count: int) -> list[np.ndarray]:
    """Weights of 64 x 64 and biases of 64 in turn."""
    random = np.random.default_rng(0)
    return [random.standard_normal((64, 64) if i % 2 == 0 else 64).astype(np.float32) for i in range(count)]


def of_mindspore(make: Any, options: dict[str, Any], values: list[np.ndarray]) -> Callable[[], object]:
    """One step of a MindSpore optimizer with explicit gradients."""
    parameters = [Parameter(Tensor(value), name=f"p{i}") for i, value in enumerate(values)]
    gradients = tuple(Tensor(value * 0.1) for value in values)
    optimizer = make(parameters, **options)

    def step() -> object:
        optimizer(gradients)
        return parameters[-1].asnumpy()

    return step


def of_torch(make: Any, options: dict[str, Any], values: list[np.ndarray]) -> Callable[[], object]:
    """One step of a torch optimizer."""
    parameters = [torch.nn.Parameter(torch.tensor(value)) for value in values]
    for p, value in zip(parameters, values, strict=True):
        p.grad = torch.tensor(value * 0.1)
    optimizer = make(parameters, **options)
    return lambda: optimizer.step()


def least(steps: list[Callable[[], object]], rounds: int) -> list[float]:
    """Milliseconds of the processor that each step takes at least, run in turn."""
    taken: list[list[float]] = [[] for _ in steps]
    for number in range(rounds + WARMING):
        for times, step in zip(taken, steps, strict=True):
            begin = time.process_time()
            step()
            if number >= WARMING:
                times.append((time.process_time() - begin) * 1e3)
    return [min(times) for times in taken]


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--parameters", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    torch.set_num_threads(1)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    values = arrays(options.parameters)
    lines = ["| | mindport, ms | MindSpore, ms | torch, ms | ratio to MindSpore |", "|---|---|---|---|---|"]
    for name, ours, theirs, torchs, given in CASES:
        steps = [of_mindspore(ours, given, values), of_mindspore(theirs, given, values), of_torch(torchs, given, values)]
        one, two, three = least(steps, options.rounds)
        lines.append(f"| {name} | {one:.2f} | {two:.2f} | {three:.2f} | {one / two:.2f} |")
        print(lines[-1], flush=True)
        (Path(__file__).parent / "results" / "speed" / "optimizers.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
