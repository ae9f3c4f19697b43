"""L-BFGS over more than a hundred closure calls, hooks around steps, and optimizers that users write."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks

torch = pytest.importorskip("torch", reason="compares with torch")
ms = pytest.importorskip("mindspore", reason="runs MindSpore")

from mindport.declare import Refused  # noqa: E402
from mindport.equivalents.optimizers.lbfgs import LBFGS  # noqa: E402
from mindport.equivalents.optimizers.optimizer import Optimizer  # noqa: E402
from mindport.equivalents.optimizers.sgd import SGD  # noqa: E402


def bowl(x: Any, turn: int) -> tuple[Any, Any]:
    """A convex function whose minimum moves from step to step, and its gradient: rounding does not grow in it."""
    away = x - np.sin(np.arange(x.size, dtype=x.dtype) * (turn + 1)).astype(x.dtype)
    stiff = np.linspace(1, 30, x.size, dtype=x.dtype)
    return (stiff * away**2 / 2 + away**4).sum(), stiff * away + 4 * away**3


class Descent:
    """One side's L-BFGS on the bowl."""

    def __init__(self, make: Any, parameter: Any, tensor: Any, read: Any, **options: Any) -> None:
        self.losses: list[float] = []
        self.turn = 0
        self.parameter, self.tensor, self.read = parameter, tensor, read
        self.optimizer = make([parameter], **options)

    def closure(self) -> Any:
        loss, gradient = bowl(self.read(self.parameter).copy(), self.turn)
        self.parameter.grad = self.tensor(gradient)
        self.losses.append(float(loss))
        return self.tensor(np.array(loss))

    def step(self) -> None:
        self.optimizer.step(self.closure)
        self.turn += 1

    def values(self) -> Any:
        return self.read(self.parameter)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    "options",
    [{"lr": 0.02}, {"line_search_fn": "strong_wolfe", "max_iter": 8}, {"line_search_fn": "strong_wolfe", "history_size": 3, "lr": 0.5, "max_iter": 6}, {"history_size": 4, "max_iter": 5, "lr": 0.3}],
)
def test_lbfgs_is_torch_s_call_by_call(options: dict[str, Any], dtype: Any) -> None:
    start = np.random.default_rng(1).standard_normal(30).astype(dtype)
    theirs = Descent(torch.optim.LBFGS, torch.nn.Parameter(torch.tensor(start)), torch.tensor, lambda p: p.detach().numpy(), **options)
    ours = Descent(LBFGS, ms.Parameter(ms.Tensor(start), name="x"), ms.Tensor, lambda p: p.asnumpy(), **options)
    # In float32 the rounding of inner products, summed in another order, grows from step to step.
    calls, tolerance = (110, 1e-6) if dtype is np.float64 else (15, 1e-5)
    while len(theirs.losses) < calls:
        theirs.step()
        ours.step()
    assert len(theirs.losses) == len(ours.losses)
    assert np.allclose(theirs.losses, ours.losses, rtol=0, atol=tolerance * max(theirs.losses))
    assert np.allclose(theirs.values(), ours.values(), rtol=0, atol=10 * tolerance)
    saved, expected = ours.optimizer.state_dict(), theirs.optimizer.state_dict()
    assert set(saved["state"][0]) == set(expected["state"][0])
    assert saved["param_groups"] == expected["param_groups"]


def test_lbfgs_goes_on_from_what_it_saved() -> None:
    start = np.random.default_rng(2).standard_normal(8)

    def one() -> Descent:
        return Descent(LBFGS, ms.Parameter(ms.Tensor(start), name="x"), ms.Tensor, lambda p: p.asnumpy(), line_search_fn="strong_wolfe", max_iter=4)

    straight, broken = one(), one()
    for number in range(4):
        straight.step()
        broken.step()
        if number == 1:
            saved = broken.optimizer.state_dict()
            broken.optimizer = LBFGS([broken.parameter])
            broken.optimizer.load_state_dict(saved)
    assert straight.losses == broken.losses


def test_lbfgs_refuses_what_it_does_not_compute() -> None:
    parameter = ms.Parameter(ms.Tensor(np.ones(2, np.float16)), name="x")
    with pytest.raises(Refused, match="float32"):
        LBFGS([parameter])
    parameter = ms.Parameter(ms.Tensor(np.ones(2, np.float32)), name="x")
    with pytest.raises(Refused, match="closure"):
        LBFGS([parameter])((ms.Tensor(np.ones(2, np.float32)),))
    with pytest.raises(ValueError, match="per-parameter"):
        LBFGS([{"params": [parameter]}, {"params": [ms.Parameter(parameter.copy(), name="y")]}])


def own(base: Any, assign: Any) -> Any:
    """An optimizer as users write them, with a step and state of its own."""

    class Own(base):  # type: ignore[misc]
        def __init__(self, params: Any, lr: float = 0.1) -> None:
            super().__init__(params, {"lr": lr})

        def step(self, closure: Any = None) -> Any:
            for group in self.param_groups:
                for p in group["params"]:
                    state = self.state[p]
                    if len(state) == 0:
                        state["seen"] = 0
                    state["seen"] += 1
                    assign(p, p - group["lr"] * p.grad * state["seen"])
            return "stepped"

    return Own


def test_hooks_fire_around_the_steps_of_a_user_s_class() -> None:
    def told(make: Any, p: Any) -> list[Any]:
        optimizer, seen = make([p]), []
        before = optimizer.register_step_pre_hook(lambda o, args, kwargs: seen.append(("before", o is args[0], len(args), kwargs)))
        optimizer.register_step_post_hook(lambda o, args, kwargs: seen.append(("after", o is args[0], len(args), kwargs)))
        seen.append(optimizer.step())
        before.remove()
        seen.append(optimizer.step(closure=None))
        seen.append([optimizer.state[p]["seen"], optimizer.state_dict()["state"]])
        return seen

    theirs = torch.nn.Parameter(torch.ones(2))
    theirs.grad = torch.ones(2)
    ours = ms.Parameter(ms.Tensor(np.ones(2, np.float32)), name="p")
    ours.grad = ms.Tensor(np.ones(2, np.float32))

    def torch_assign(p: Any, value: Any) -> None:
        p.data.copy_(value)

    assert told(own(torch.optim.Optimizer, torch_assign), theirs) == told(own(Optimizer, ms.ops.assign), ours)
    assert np.allclose(theirs.detach().numpy(), ours.asnumpy())


def test_a_hook_may_change_the_arguments_and_fires_once_where_a_step_calls_its_base() -> None:
    class Louder(SGD):  # type: ignore[misc]
        def step(self, closure: Any = None) -> Any:
            return super().step(closure)

    p = ms.Parameter(ms.Tensor(np.ones(2, np.float32)), name="p")
    p.grad = ms.Tensor(np.ones(2, np.float32))
    optimizer, seen = Louder([p], lr=0.5), []
    optimizer.register_step_pre_hook(lambda o, args, kwargs: (seen.append(1), ((o, lambda: "loss"), {}))[1])
    assert optimizer.step() == "loss"
    assert seen == [1]
    optimizer.register_step_pre_hook(lambda o, args, kwargs: 3)
    with pytest.raises(RuntimeError, match="None or a tuple"):
        optimizer.step()
