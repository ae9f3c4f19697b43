"""One model in one mode: forward pass, gradients and whole training steps of the three sides, in turn.

    python -m speed.measure gpt pynative CONVERTED RESULT.json 15
"""

from __future__ import annotations

import importlib.util
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import mindspore as ms
import numpy as np
import torch
from mindspore import Tensor

HERE = Path(__file__).resolve().parent
#: file, class or function, input's shape (None: token ids), classes of the loss, shape of the labels
CASES: dict[str, tuple[str, str, tuple[int, ...], int, int, tuple[int, ...]]] = {
    "resnet18": ("resnet", "resnet18", (2, 3, 64, 64), 0, 10, (2,)),
    "resnet50": ("resnet", "resnet50", (2, 3, 64, 64), 0, 10, (2,)),
    "unet": ("unet", "UNet", (2, 3, 32, 32), 0, 2, (2, 32, 32)),
    "gpt": ("gpt", "GPT", (4, 64), 65, 65, (256,)),
    "vit": ("vit", "ViT", (4, 3, 32, 32), 0, 10, (4,)),
    "lstm": ("lstm", "Classifier", (8, 20), 100, 5, (8,)),
}
#: The same models with the batches that people train with: what a step costs beside its operators no longer shows.
USUAL: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "resnet18": ((32, 3, 64, 64), (32,)),
    "resnet50": ((16, 3, 64, 64), (16,)),
    "unet": ((8, 3, 64, 64), (8, 64, 64)),
    "gpt": ((24, 64), (1536,)),
    "vit": ((64, 3, 32, 32), (64,)),
    "lstm": ((128, 50), (128,)),
}
CASES |= {f"{case}-usual": (*CASES[case][:2], shape, *CASES[case][3:5], labels) for case, (shape, labels) in USUAL.items()}
OPTIMIZERS = ("sgd", "adamw")
TOLERANCE = 2e-3
#: Seconds for one row, where the rounds asked for would take longer.
PATIENCE = 25.0
#: Rounds that do not count.
WARMING = 5


def load(folder: Path, name: str, alias: str) -> ModuleType:
    """A module of a folder under a name of its own: three folders have the same file names."""
    spec = importlib.util.spec_from_file_location(alias, folder / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[alias] = module
    spec.loader.exec_module(module)
    return module


class Side:
    """One implementation: its model, and functions without arguments that do one thing and wait for the result."""

    def __init__(self, model: Any, runs: dict[str, Callable[[], Any]]) -> None:
        self.model = model
        self.runs = runs


def torch_side(case: str, inputs: np.ndarray, labels: np.ndarray) -> Side:
    """PyTorch, eager."""
    name, builder, *_ = CASES[case]
    module, training = load(HERE / "pytorch", name, "of_torch"), load(HERE / "pytorch", "training", "training_of_torch")
    torch.manual_seed(0)
    model = getattr(module, builder)()
    x, y = torch.tensor(inputs), torch.tensor(labels)

    def forward() -> Any:
        with torch.no_grad():
            return model(x).numpy()

    runs: dict[str, Callable[[], Any]] = {
        "forward": forward,
        "gradients": lambda: training.gradients(model, x, y).item(),
    }
    for kind in OPTIMIZERS:
        runs[f"step, {kind}"] = lambda optimizer=training.build(model, kind): training.train_step(model, optimizer, x, y).item()
    return Side(model, runs)


def converted_side(case: str, folder: Path, inputs: np.ndarray, labels: np.ndarray, mode: str) -> Side:
    """What `mindport convert` made of the same files; in graph mode one line more: ``ms.set_context(mode=ms.GRAPH_MODE)``."""
    sys.path.insert(0, str(folder))
    name, builder, *_ = CASES[case]
    module, training = load(folder, name, "converted"), load(folder, "training", "training_converted")
    model = getattr(module, builder)().set_train()
    x, y = Tensor(inputs), Tensor(labels)
    first = in_order(model)[0]  # asked for here: `trainable_params` waits, spinning, for all that is under way

    def gradients() -> Any:
        training.gradients(model, x, y)
        return first.grad.asnumpy()  # the backward pass comes to it last: nothing is left to do

    runs = {"forward": lambda: model(x).asnumpy(), "gradients": gradients}
    for kind in OPTIMIZERS:
        runs[f"step, {kind}"] = lambda optimizer=training.build(model, kind): training.train_step(model, optimizer, x, y).item()
    return Side(model, {label: in_graph_mode(run) for label, run in runs.items()} if mode == "graph" else runs)


def in_graph_mode(run: Callable[[], Any]) -> Callable[[], Any]:
    """The run in MindSpore's graph mode, and back: the other sides stay as they are. The two calls take about 0.02 ms."""

    def switched() -> Any:
        ms.set_context(mode=ms.GRAPH_MODE)
        try:
            return run()
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)

    return switched


def hand_side(case: str, inputs: np.ndarray, labels: np.ndarray, mode: str) -> Side:
    """Written for MindSpore; in graph mode the function that gives the gradients is compiled, or the whole step is."""
    name, builder, *_ = CASES[case]
    module, training = load(HERE / "mindspore_by_hand", name, "by_hand"), load(HERE / "mindspore_by_hand", "training", "training_by_hand")
    model = getattr(module, builder)().set_train()
    x, y = Tensor(inputs), Tensor(labels)
    forward, grad_fn = model, training.gradient_function(model)
    if mode == "graph":
        forward, grad_fn = ms.jit(model), ms.jit(grad_fn)
    runs = {
        "forward": lambda: forward(x).asnumpy(),
        "gradients": lambda: grad_fn(x, y)[1][0].asnumpy(),
    }
    for kind in OPTIMIZERS:
        for build in (training.build, training.build_cell):
            optimizer = build(model, kind)
            label = f"step, {kind}" if build is training.build else f"step, {kind}, mindspore.nn"
            runs[label] = lambda optimizer=optimizer: training.train_step(grad_fn, optimizer, x, y).item()
    return Side(model, runs)


def in_order(model: Any) -> list[Any]:
    """The trained parameters in the order of their definition."""
    return list(model.trainable_params())


def same_weights(of_torch: Any, cells: list[Any]) -> None:
    """Every side starts from torch's parameters. All have them in one order, up to the place of those without a cell."""
    given = [(name, p.detach().numpy()) for name, p in of_torch.named_parameters()]
    for cell in cells:
        for (name, value), parameter in zip(given, in_order(cell), strict=True):
            if tuple(parameter.shape) != value.shape:
                raise ValueError(f"{parameter.name} has the shape {parameter.shape}, {name} {value.shape}")
            parameter.set_data(Tensor(value.copy()))


#: Seconds of the processor and seconds on the wall, a run each.
Times = list[tuple[float, float]]


def measured(runs: list[Callable[[], Any]], rounds: int) -> list[Times]:
    """What each takes, one after the other, after rounds that do not count; three rounds at least, and `PATIENCE` at most.

    The first rounds compile: the functions by hand in the first, a converted step in the second, an optimizer's graph in the fourth.
    Each round has an order of its own: who comes after torch finds torch's data in the caches, which was up to 1.15 of a forward pass.
    """
    taken: list[Times] = [[] for _ in runs]
    turns, order = list(zip(taken, runs, strict=True)), random.Random(0)
    begin = time.perf_counter()
    for number in range(rounds + WARMING):
        if number == WARMING:
            begin = time.perf_counter()
        if number > WARMING + 2 and time.perf_counter() - begin > PATIENCE:
            break
        for times, run in order.sample(turns, len(turns)):
            wall, cpu = time.perf_counter(), time.process_time()
            run()
            ms.runtime.synchronize()  # a backward pass goes on after its loss can be read: it is not the next side's time
            if number >= WARMING:
                times.append((time.process_time() - cpu, time.perf_counter() - wall))
    return taken


def ratios(ours: Times, others: Times) -> dict[str, float]:
    """Of processor time, least by least; of the wall's, the median over the ratios of neighbours."""
    return {
        "cpu": round(min(ours)[0] / min(others)[0], 3),
        "wall": round(statistics.median(a[1] / b[1] for a, b in zip(ours, others, strict=True)), 3),
    }


def main() -> None:
    """Measures one case and writes the ratios."""
    case, mode, folder, target, rounds = sys.argv[1:]
    torch.set_num_threads(1)
    ms.set_device("CPU")
    ms.set_context(mode=ms.PYNATIVE_MODE, runtime_num_threads=1)
    _, _, shape, tokens, classes, labels_shape = CASES[case]
    numbers = np.random.default_rng(0)
    inputs = numbers.integers(0, tokens, shape) if tokens else numbers.standard_normal(shape).astype(np.float32)
    labels = numbers.integers(0, classes, labels_shape)
    one = torch_side(case, inputs, labels)
    two = converted_side(case, Path(folder), inputs, labels, mode)
    three = hand_side(case, inputs, labels.astype(np.int32), mode)
    same_weights(one.model, [two.model, three.model])
    expected = one.runs["forward"]()
    differences = [float(np.abs(side.runs["forward"]() - expected).max()) for side in (two, three)]
    if max(differences) > TOLERANCE * max(1.0, float(np.abs(expected).max())):
        raise ValueError(f"{case}: the sides do not compute the same: {differences}")
    found: dict[str, Any] = {"model": case, "mode": mode, "differences": differences, "runs": {}}
    for label in one.runs:
        others = [name for name in three.runs if name.startswith(label)]
        of_torch, ours, *by_hand = measured([one.runs[label], two.runs[label], *(three.runs[name] for name in others)], int(rounds))
        found["runs"][label] = {
            "torch": ratios(ours, of_torch),
            **{name.removeprefix(label).strip(", ") or "hand": ratios(ours, times) for name, times in zip(others, by_hand, strict=True)},
            "rounds": len(ours),
            "cpu milliseconds": [round(min(times)[0] * 1e3, 2) for times in (of_torch, ours, *by_hand)],
        }
        print(case, mode, label, found["runs"][label], flush=True)
        Path(target).write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
