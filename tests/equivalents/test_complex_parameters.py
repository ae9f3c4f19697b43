"""Complex parameters: every optimizer that torch lets change them goes the same way, also from a state that was saved halfway; gradients of a spectral convolution reach them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.convert.both_sides import printed_by_both

pytestmark = pytest.mark.frameworks

STEPS = 12
OPTIMIZERS: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"lr": 0.05, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01}), ("Adam", {"lr": 0.02, "weight_decay": 0.1}), ("Adam", {"lr": 0.02, "amsgrad": True}),
    ("AdamW", {"lr": 0.02}), ("RMSprop", {"lr": 0.02, "centered": True, "momentum": 0.5}), ("Adagrad", {"lr": 0.1}), ("Adadelta", {"lr": 1.0}), ("Adamax", {"lr": 0.02}),
    ("NAdam", {"lr": 0.02}), ("RAdam", {"lr": 0.02}), ("ASGD", {"lr": 0.05}), ("Rprop", {"lr": 0.02}),
]  # fmt: skip


def class_of(name: str) -> Any:
    from mindport.equivalents.optimizers import adagrad, adam, adam_variants, asgd, rmsprop, rprop, sgd

    return next(getattr(module, name) for module in (adagrad, adam, adam_variants, asgd, rmsprop, rprop, sgd) if hasattr(module, name))


@pytest.mark.parametrize(("name", "options"), OPTIMIZERS, ids=[f"{name} {sorted(options)[-1]}" for name, options in OPTIMIZERS])
def test_the_same_way(name: str, options: dict[str, Any]) -> None:
    import torch
    from mindspore import Parameter, Tensor

    random = np.random.default_rng(3)

    def numbers(*shape: int) -> np.ndarray:
        return (random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(np.complex64)

    begin = [numbers(2, 3), random.standard_normal((4,)).astype(np.float32), numbers(5)]
    theirs = [torch.nn.Parameter(torch.tensor(value)) for value in begin]
    ours = [Parameter(Tensor(value), name=f"p{number}") for number, value in enumerate(begin)]
    one, two = getattr(torch.optim, name)(theirs, **options), class_of(name)(ours, **options)
    for step in range(STEPS):
        gradients = [numbers(*value.shape) if np.iscomplexobj(value) else random.standard_normal(value.shape).astype(np.float32) for value in begin]
        for p, q, gradient in zip(theirs, ours, gradients, strict=True):
            p.grad, q.grad = torch.tensor(gradient), Tensor(gradient)
        one.step()
        two.step()
        if step == STEPS // 2:
            saved = two.state_dict()
            for key, entries in one.state_dict()["state"].items():
                for entry, value in entries.items():
                    mine = saved["state"][key][entry]
                    if isinstance(value, torch.Tensor) and value.ndim:
                        assert mine.asnumpy().dtype == value.numpy().dtype, entry
                        np.testing.assert_allclose(mine.asnumpy(), value.numpy(), rtol=2e-5, atol=1e-6, err_msg=entry)
            two = class_of(name)(ours, **options)
            two.load_state_dict(saved)
    for p, q in zip(theirs, ours, strict=True):
        assert np.abs(p.detach().numpy() - q.asnumpy()).max() <= 2e-6 * np.abs(p.detach().numpy()).max()


def test_what_torch_does_not_do_is_refused() -> None:
    from mindspore import Parameter, Tensor

    from mindport.equivalents.optimizers.factored import Adafactor, Muon

    for cls in (Adafactor, Muon):
        with pytest.raises(NotImplementedError, match="real and the imaginary part"):
            cls([Parameter(Tensor(np.ones((2, 2), np.complex64)), name="p")])


def test_a_users_own_may_change_them() -> None:
    """Its step computes with complex numbers as it is written (beside torch: tests/convert/test_complex_product.py)."""
    from mindspore import Parameter, Tensor

    from mindport.equivalents.optimizers.optimizer import Optimizer

    class Own(Optimizer):
        def step(self, closure: Any = None) -> None:
            for group in self.param_groups:
                for p in group["params"]:
                    p.set_data(p - p.grad * group["lr"])

    parameter = Parameter(Tensor(np.array([1 + 2j, 3j], np.complex64)), name="p")
    optimizer = Own([parameter], {"lr": 0.5})
    parameter.grad = Tensor(np.array([2j, 4], np.complex64))
    optimizer.step()
    assert parameter.asnumpy().tolist() == [1 + 1j, -2 + 3j]


PROGRAM = """import torch
from torch import nn


class Spectral(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.Parameter(torch.rand(2, 2, 3, dtype=torch.cfloat))
        angle = torch.arange(12).float().view(2, 2, 3)
        with torch.no_grad():
            self.weights.copy_(torch.complex(torch.sin(angle), torch.cos(angle)) / 4)

    def forward(self, x):
        spectrum = torch.fft.rfft(x)
        out = torch.zeros(x.shape[0], 2, x.size(-1) // 2 + 1, dtype=torch.cfloat)
        out[:, :, :3] = torch.einsum("bix,iox->box", spectrum[:, :, :3], self.weights)
        return torch.fft.irfft(out, n=x.size(-1))


net = Spectral()
optimizer = torch.optim.Adam(net.parameters(), lr=0.05, weight_decay=1e-3)
x = torch.sin(torch.arange(32).float()).view(2, 2, 8)
for step in range(5):
    optimizer.zero_grad()
    loss = ((net(x) - x.flip(-1)) ** 2).mean()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 0.1)
    optimizer.step()
    print(f"{loss.item():.5f}", f"{net.weights.abs().sum().item():.4f}")
"""


def test_a_spectral_convolution_trains_alike(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs
