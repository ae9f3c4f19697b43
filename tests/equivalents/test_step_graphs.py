"""Under GRAPH_MODE training steps are compiled, and compute what operators one by one compute, whatever changes between them."""

from __future__ import annotations

import gc
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks

ms = pytest.importorskip("mindspore", reason="this file runs the framework")

from mindspore import Parameter, Tensor, nn, ops  # noqa: E402

from mindport.equivalents import gradients  # noqa: E402
from mindport.equivalents.gradients import accumulate, value_and_gradients  # noqa: E402
from mindport.equivalents.optimizers.sgd import SGD  # noqa: E402

RANDOM = np.random.default_rng(0)
X = RANDOM.standard_normal((8, 3)).astype(np.float32)
Y = RANDOM.integers(0, 2, 8)
SEEN: list[Any] = []


class Net(nn.Cell):
    """A head that the loss does not reach, a buffer, a tensor and a number in attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Dense(3, 4)
        self.norm = nn.BatchNorm1d(4)
        self.head = nn.Dense(4, 2)
        self.unused = nn.Dense(4, 2)
        self.register_buffer("center", Tensor(np.zeros(2, np.float32)))
        self.plain = Tensor(np.ones(2, np.float32))
        self.factor = 1.0
        self.counter = 0

    def construct(self, x: Any) -> Any:
        return (self.head(self.norm(self.inner(x))) - self.center) * self.plain * self.factor


class Trainer:
    """Holds what changes at each step beside what the step reads."""

    def __init__(self) -> None:
        random = np.random.default_rng(1)
        self.net, self.history = Net().set_train(), []
        for p in self.net.get_parameters():
            if p.requires_grad:
                p.set_data(Tensor(random.standard_normal(p.shape).astype(np.float32)))
        self.optimizer = SGD(self.net.trainable_params(), lr=0.1, momentum=0.9)

    def step(self, x: Any, y: Any) -> float:
        self.optimizer.zero_grad()

        def forward(x, y):
            return ops.cross_entropy(self.net(x), y)

        loss, grads = value_and_gradients(forward, self.optimizer.parameters)(x, y)
        accumulate(grads)
        self.optimizer.step()
        self.history.append(loss)
        return loss.item()


@pytest.fixture
def graph_mode() -> Iterator[None]:
    """GRAPH_MODE for one test."""
    gradients.STEPS.clear()
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


def both(run: Callable[[], Any]) -> tuple[Any, Any]:
    """What a run gives operator by operator, and in graph mode."""
    one = run()
    ms.set_context(mode=ms.GRAPH_MODE)
    return one, run()


def compilations() -> int:
    return sum(graphs.compilations for graphs in gradients.STEPS.values())


def fill(p: Any, number: float) -> Any:
    return Tensor(np.full(p.shape, number, np.float32))


CHANGES: dict[str, Callable[[Trainer], object]] = {
    "nothing": lambda t: None,
    "other data": lambda t: t.net.head.weight.set_data(fill(t.net.head.weight, 0.5)),
    "loaded": lambda t: ms.load_param_into_net(t.net, {"head.weight": Parameter(fill(t.net.head.weight, 0.25), name="head.weight")}),
    "a view": lambda t: t.net.head.weight.set_data(Tensor(np.arange(8, dtype=np.float32).reshape(4, 2)).T),
    "filled with a number": lambda t: t.net.head.weight.__setitem__(..., Tensor(0.5)),
    "written in place": lambda t: t.net.head.weight.copy_(fill(t.net.head.weight, 0.75)),
    "other statistics": lambda t: t.net.norm.moving_mean.set_data(fill(t.net.norm.moving_mean, 0.5)),
    "a buffer in place": lambda t: t.net.center.copy_(fill(t.net.center, 0.5)),
    "another tensor": lambda t: setattr(t.net, "plain", fill(t.net.plain, 0.5)),
    "a number": lambda t: setattr(t.net, "factor", 0.5),
    "evaluation": lambda t: t.net.set_train(False),
    "frozen": lambda t: setattr(t.net.head.weight, "requires_grad", False),
    "another cell": lambda t: setattr(t.net, "head", t.net.unused),
    "a hook": lambda t: t.net.inner.register_forward_hook(lambda cell, inputs, output: output * 0.5),
    "another network": lambda t: vars(t).update(vars(Trainer())),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_between_steps_is_followed(change: str, graph_mode: None) -> None:
    """Four steps, the change, three steps: losses, parameters, statistics and which gradients there are."""

    def run() -> Any:
        trainer = Trainer()
        losses = [trainer.step(Tensor(X), Tensor(Y)) for _ in range(4)]
        CHANGES[change](trainer)
        losses += [trainer.step(Tensor(X), Tensor(Y)) for _ in range(3)]
        values = [p.asnumpy().copy() for p in trainer.net.get_parameters()]
        return losses, values, [getattr(p, "grad", None) is None for p in trainer.net.get_parameters()]

    (losses, values, without), (losses_too, values_too, without_too) = both(run)
    np.testing.assert_allclose(losses_too, losses, rtol=1e-5, atol=1e-6)
    for one, two in zip(values, values_too, strict=True):
        np.testing.assert_allclose(two, one, rtol=1e-4, atol=1e-6)
    assert without_too == without and any(without) and not all(without)
    assert 1 <= compilations() <= 3


def test_one_graph_serves_all_calls_and_each_shape_has_one(graph_mode: None) -> None:
    ms.set_context(mode=ms.GRAPH_MODE)
    trainer = Trainer()
    for rows in (8, 8, 8, 5, 8, 5, 5, 8):
        trainer.net.counter += 1  # no code of the step reads it
        trainer.step(Tensor(X[:rows]), Tensor(Y[:rows]))
    assert compilations() == 2


def branching(net: Any, x: Any, y: Any) -> Any:
    out = net(x)
    if out.sum() > 0:
        return ops.cross_entropy(out, y)
    return ops.cross_entropy(net.unused(net.inner(x)), y)


def remembering(net: Any, x: Any, y: Any) -> Any:
    out = net(x)
    SEEN.append(out)
    return ops.cross_entropy(out, y)


def drawing(net: Any, x: Any, y: Any) -> Any:
    return ops.cross_entropy(net(x) * (1.0 + float(np.random.random())), y)


STREAMS: dict[str, Any] = {}


def drawing_by_its_own(net: Any, x: Any, y: Any) -> Any:
    return ops.cross_entropy(net(x) * (1.0 + float(STREAMS["numpy"].uniform())), y)


def drawing_by_pythons_own(net: Any, x: Any, y: Any) -> Any:
    return ops.cross_entropy(net(x) * (1.0 + STREAMS["python"].gauss(0, 1)), y)


def going_on(net: Any, x: Any, y: Any) -> Any:
    return ops.cross_entropy(net(x) * next(STREAMS["numbers"]), y)


def writing(net: Any, x: Any, y: Any) -> Any:
    out = net(x)
    out[0] = 0.0
    return ops.cross_entropy(out, y)


@pytest.mark.parametrize("loss_of, reason", [
    (branching, "value is read"), (remembering, "for its effect"), (drawing, "drawn in Python"), (writing, "writes"),
    (drawing_by_its_own, "drawn in Python"), (drawing_by_pythons_own, "drawn in Python"), (going_on, "something else each time"),
])  # fmt: skip
def test_what_a_graph_would_compute_otherwise_is_not_compiled(loss_of: Any, reason: str, graph_mode: None) -> None:
    def run() -> Any:
        np.random.seed(0)
        STREAMS.update(numpy=np.random.RandomState(0), python=random.Random(0), numbers=iter([1.0, 2.0, 3.0, 4.0]))
        SEEN.clear()
        trainer, found = Trainer(), []
        for number in range(4):
            def forward(x, y):
                return loss_of(trainer.net, x, y)

            trainer.optimizer.zero_grad()
            loss, grads = value_and_gradients(forward, trainer.optimizer.parameters)(Tensor(X - number), Tensor(Y))
            accumulate(grads)
            trainer.optimizer.step()
            found.append((loss.item(), [p.grad is None for p in trainer.optimizer.parameters]))
        return found, len(SEEN)

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        one, two = both(run)
    assert two == one
    assert [reason in str(w.message) for w in said if "operator by operator" in str(w.message)] == [True]
    assert compilations() == 0


def test_what_the_garbage_collector_calls_is_no_part_of_the_step(graph_mode: None) -> None:
    def called(phase: str, info: dict[str, int]) -> None:
        SEEN[:] = [phase]

    def run() -> Any:
        trainer = Trainer()
        return [trainer.step(Tensor(X), Tensor(Y)) for _ in range(3)]

    threshold = gc.get_threshold()
    gc.callbacks.append(called)
    gc.set_threshold(1, 1, 1)
    try:
        one, two = both(run)
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(called)
    np.testing.assert_allclose(two, one, rtol=1e-5, atol=1e-6)
    assert SEEN and gc.isenabled() and compilations() == 1


def test_what_comes_beside_the_loss_and_tensors_in_containers(graph_mode: None) -> None:
    def run() -> Any:
        trainer = Trainer()

        def forward(batch):
            out = trainer.net(batch["x"])
            return ops.cross_entropy(out, batch["y"]), out, out.shape[0]

        grad_fn = value_and_gradients(forward, trainer.optimizer.parameters)
        found = []
        for _ in range(4):
            (loss, out, rows), grads = grad_fn({"x": Tensor(X), "y": Tensor(Y)})
            trainer.optimizer.zero_grad()
            accumulate(grads)
            trainer.optimizer.step()
            found.append((loss.item(), out.asnumpy().sum().item(), rows))
        return found

    one, two = both(run)
    np.testing.assert_allclose(two, one, rtol=1e-5)
    assert type(two[-1][2]) is type(one[-1][2])
