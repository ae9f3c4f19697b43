"""Optimizers update all parameters in one compiled graph: it reaches them whatever was done to them before."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks

ms = pytest.importorskip("mindspore", reason="this file runs the framework")
torch = pytest.importorskip("torch", reason="this file compares with the framework")

from mindspore import Parameter, Tensor  # noqa: E402

from mindport.equivalents.optimizers.adagrad import Adadelta, Adagrad  # noqa: E402
from mindport.equivalents.optimizers.adam import Adam, AdamW  # noqa: E402
from mindport.equivalents.optimizers.adam_variants import Adamax, NAdam, RAdam  # noqa: E402
from mindport.equivalents.optimizers.asgd import ASGD  # noqa: E402
from mindport.equivalents.optimizers.one_graph import MOST_SETS, OF_OPTIMIZERS, compiled_sets  # noqa: E402
from mindport.equivalents.optimizers.rmsprop import RMSprop  # noqa: E402
from mindport.equivalents.optimizers.rprop import Rprop  # noqa: E402
from mindport.equivalents.optimizers.sgd import SGD  # noqa: E402

OPTIMIZERS: list[tuple[Any, Any, dict[str, Any]]] = [
    (SGD, torch.optim.SGD, {"lr": 0.1}),
    (SGD, torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.1}),
    (SGD, torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "dampening": 0.5, "maximize": True}),
    (Adam, torch.optim.Adam, {"lr": 0.1, "weight_decay": 0.1}),
    (AdamW, torch.optim.AdamW, {"lr": 0.1, "maximize": True}),
    (Adam, torch.optim.Adam, {"lr": 0.1, "amsgrad": True}),
    (RMSprop, torch.optim.RMSprop, {"lr": 0.1, "centered": True, "momentum": 0.9, "weight_decay": 0.1}),
    (Adagrad, torch.optim.Adagrad, {"lr": 0.1, "lr_decay": 0.1}),
    (Adadelta, torch.optim.Adadelta, {"lr": 0.1}),
    (Adamax, torch.optim.Adamax, {"lr": 0.1}),
    (NAdam, torch.optim.NAdam, {"lr": 0.1, "weight_decay": 0.1, "decoupled_weight_decay": True}),
    (RAdam, torch.optim.RAdam, {"lr": 0.1, "weight_decay": 0.1}),
    (ASGD, torch.optim.ASGD, {"lr": 0.1, "t0": 3.0}),
    (Rprop, torch.optim.Rprop, {"lr": 0.1}),
]
PART = np.arange(24, dtype=np.float32)
WRITES: dict[str, Callable[[Any], object]] = {
    "nothing": lambda p: None,
    "every row": lambda p: p.__setitem__(slice(None), Tensor(5.0)),
    "all by a number": lambda p: p.__setitem__(..., Tensor(5.0)),
    "one row": lambda p: p.__setitem__(0, Tensor(5.0)),
    "transposed data": lambda p: p.set_data(Tensor(PART[:6].reshape(3, 2)).T),
    "part of a tensor": lambda p: p.set_data(Tensor(PART)[6:12].view(2, 3)),
    "other data": lambda p: p.set_data(Tensor(PART[:6].reshape(2, 3).copy())),
}


def gradient(random: np.random.Generator, shape: tuple[int, ...], transposed: bool) -> tuple[Any, Any]:
    """The same gradient for both, for MindSpore perhaps with another layout in memory."""
    value = random.standard_normal(shape).astype(np.float32)
    return Tensor(np.ascontiguousarray(value.T)).T if transposed else Tensor(value), torch.tensor(value)


def follow(ours: Any, torchs: Any, options: dict[str, Any], names: list[str], steps: int, writes: dict[int, str], without: tuple[int, ...]) -> Any:
    """Steps of both, writes before some of them; the second parameter has no gradient in the steps `without`. The optimizer here."""
    random = np.random.default_rng(0)
    values = [np.arange(6, dtype=np.float32).reshape(2, 3), np.arange(4, dtype=np.float32)]
    parameters = [Parameter(Tensor(value.copy()), name=name) for name, value in zip(names, values, strict=True)]
    expected = [torch.nn.Parameter(torch.tensor(value)) for value in values]
    optimizer, reference = ours(parameters, **options), torchs(expected, **options)
    for step in range(steps):
        if step in writes:
            WRITES[writes[step]](parameters[0])
            expected[0].data.copy_(torch.tensor(parameters[0].asnumpy().copy()))
        for number, (p, q) in enumerate(zip(parameters, expected, strict=True)):
            p.grad, q.grad = gradient(random, values[number].shape, step % 2 == 0)
            if number == 1 and step in without:
                p.grad = q.grad = None
        optimizer.step()
        reference.step()
    for p, q in zip(parameters, expected, strict=True):
        np.testing.assert_allclose(p.asnumpy(), q.detach().numpy(), rtol=4e-6, atol=4e-6)
    return optimizer


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("ours, torchs, options", OPTIMIZERS[:5])
def test_written_parameters_follow_torch(ours: Any, torchs: Any, options: dict[str, Any], write: str) -> None:
    """Six steps, a write after two of them; one parameter has no gradient twice; both have one name."""
    follow(ours, torchs, options, ["same", "same"], 6, {2: write}, (0, 3))


@pytest.mark.parametrize("ours, torchs, options", OPTIMIZERS)
def test_graphs_that_hold_the_parameters_follow_torch(ours: Any, torchs: Any, options: dict[str, Any]) -> None:
    """Such a graph is made after some steps; what is written afterwards reaches the next step."""
    optimizer = follow(ours, torchs, options, ["one", "two"], 28, {8: "other data", 16: "every row", 20: "all by a number"}, (24,))
    assert OF_OPTIMIZERS[optimizer].made >= 2


def test_loaded_state_reaches_the_next_step() -> None:
    """`load_state_dict` makes new state tensors: a graph that holds those of before is not used."""
    values, random = np.arange(4, dtype=np.float32), np.random.default_rng(0)
    p, q = Parameter(Tensor(values.copy()), name="p"), torch.nn.Parameter(torch.tensor(values))
    ours, theirs = Adam([p], lr=0.1), torch.optim.Adam([q], lr=0.1)
    early: list[Any] = []
    for step in range(16):
        if step == 10:
            ours.load_state_dict(early[0])
            theirs.load_state_dict(early[1])
        p.grad, q.grad = gradient(random, (4,), False)
        ours.step()
        theirs.step()
        if step == 1:
            early = [ours.state_dict(), copy.deepcopy(theirs.state_dict())]
    np.testing.assert_allclose(p.asnumpy(), q.detach().numpy(), rtol=4e-6, atol=4e-6)


@pytest.mark.parametrize("ours, torchs, names", [(Adam, torch.optim.Adam, ("exp_avg", "exp_avg_sq")), (SGD, torch.optim.SGD, ("momentum_buffer",))])
def test_state_that_a_project_puts_in_itself(ours: Any, torchs: Any, names: tuple[str, ...]) -> None:
    """Gaussian splatting's densification: parameters and their state grow by rows, and the state holds tensors that no optimizer made."""
    random, options = np.random.default_rng(2), {"lr": 0.1} | ({"momentum": 0.9} if ours is SGD else {})
    p, q = Parameter(Tensor(np.ones((2, 3), np.float32)), name="p"), torch.nn.Parameter(torch.ones(2, 3))
    mine, theirs = ours([p], **options), torchs([q], **options)
    for step in range(9):
        if step == 2:
            for optimizer, join, zeros, grown in ((mine, ms.ops.cat, ms.ops.zeros, lambda v: Parameter(v, name="p")), (theirs, torch.cat, torch.zeros, torch.nn.Parameter)):
                old = optimizer.param_groups[0]["params"][0]
                state = optimizer.state.pop(old)
                state |= {name: join([state[name], zeros((1, 3))]) for name in names}
                optimizer.param_groups[0]["params"][0] = new = grown(join([old.detach() if optimizer is theirs else old, zeros((1, 3))]))
                optimizer.state[new] = state
            p, q = mine.param_groups[0]["params"][0], theirs.param_groups[0]["params"][0]
        p.grad, q.grad = gradient(random, tuple(p.shape), False)
        mine.step()
        theirs.step()
    np.testing.assert_allclose(p.asnumpy(), q.detach().numpy(), rtol=4e-6, atol=4e-6)


def test_few_sets_are_compiled_where_they_differ_from_step_to_step() -> None:
    """Parameters without a gradient are other ones at each step, the learning rate, too."""
    random = np.random.default_rng(1)
    values = [random.standard_normal((3, i % 2 + 1)).astype(np.float32) for i in range(6)]
    parameters = [Parameter(Tensor(value.copy()), name=f"p{i}") for i, value in enumerate(values)]
    expected = [torch.nn.Parameter(torch.tensor(value)) for value in values]
    optimizer, reference = SGD(parameters, lr=0.1, momentum=0.9), torch.optim.SGD(expected, lr=0.1, momentum=0.9)
    for step in range(20):
        for p, q in zip(parameters, expected, strict=True):
            p.grad, q.grad = gradient(random, tuple(p.shape), False) if random.random() < 0.6 else (None, None)
        optimizer.param_groups[0]["lr"] = reference.param_groups[0]["lr"] = 0.1 / (step + 1)
        optimizer.step()
        reference.step()
    assert len(compiled_sets(optimizer, optimizer.param_groups[0])) == MOST_SETS
    for p, q in zip(parameters, expected, strict=True):
        np.testing.assert_allclose(p.asnumpy(), q.detach().numpy(), rtol=2e-6, atol=2e-6)
