"""What the programs of `rows` may use: the frameworks, equal inputs, and a few steps that are no expression.

Imports both frameworks: inside the process that runs rows only.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
import tempfile
from typing import Any

import mindspore as ms
import mindspore.dataset as ds
import mindspore.experimental.optim as eo
import numpy as np
import torch
import torch.nn.functional as F
from mindspore import nn, ops
from mindspore.communication import comm_func

_made = np.random.RandomState(0)
_x = _made.randn(2, 3, 8, 8).astype(np.float32)
_m = _made.randn(4, 6).astype(np.float32)
_v = _made.randn(6).astype(np.float32)
_i = _made.randint(0, 4, (2, 6)).astype(np.int64)
STEPS = 3
#: Of cosine schedules: their length, and how long they are followed.
DECAY, FOLLOWED = 10, 14


def after(layer: Any, *args: Any) -> Any:
    """The layer, after it was called."""
    layer(*args)
    return layer


def graded(layer: Any, *args: Any) -> Any:
    """The layer, after a gradient of it was taken."""
    ms.grad(lambda a: layer(a).sum())(*args)
    return layer


def changed(tensor: Any, method: str) -> Any:
    """The tensor after its in-place method was called with 1."""
    getattr(tensor, method)(1)
    return tensor


def takes(called: Any, name: str) -> bool:
    """Whether something takes a parameter of this name."""
    return name in inspect.signature(called).parameters


def default(called: Any, name: str) -> Any:
    """A parameter's default."""
    return inspect.signature(called).parameters[name].default


def seeded() -> float:
    """The first draw after the seed is set."""
    ms.set_seed(1)
    return float(ops.rand(1)[0])


def stepped(kind: Any, **options: Any) -> Any:
    """A parameter after some steps of torch's optimizer down its squares."""
    parameter = torch.nn.Parameter(torch.tensor(_v))
    optimizer = kind([parameter], **options)
    for _ in range(STEPS):
        optimizer.zero_grad()
        (parameter**2).sum().backward()
        optimizer.step()
    return parameter.detach()


def stepped_ms(kind: Any, name: str = "weight", **options: Any) -> Any:
    """The same with MindSpore's optimizer."""
    parameter = ms.Parameter(ms.Tensor(_v), name=name)
    optimizer = kind([parameter], **options)
    for _ in range(STEPS):
        optimizer((2 * parameter.value(),))
    return parameter.value()


def cosine() -> list[float]:
    """torch's learning rates of a cosine schedule that is followed beyond its length."""
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], 1.0)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, DECAY)
    rates = []
    for _ in range(FOLLOWED):
        rates.append(float(schedule.get_last_lr()[0]))
        optimizer.step()
        schedule.step()
    return rates


def decayed() -> list[float]:
    """MindSpore's."""
    rates: list[Any] = nn.cosine_decay_lr(0.0, 1.0, FOLLOWED, 1, DECAY)
    return [float(rate) for rate in rates]


def clipped() -> Any:
    """The gradient after clip_grad_norm_."""
    parameter = torch.nn.Parameter(torch.zeros(6))
    parameter.grad = torch.tensor(_v)
    torch.nn.utils.clip_grad_norm_([parameter], 1.0)
    return parameter.grad


def two_results(a: Any) -> Any:
    """A square, and three times the argument."""
    return a * a, 3 * a


def through_numpy(a: Any) -> Any:
    """Twice the argument, which goes through NumPy."""
    return ms.Tensor(a.asnumpy()) * 2


def twice(batches: Any) -> bool:
    """Whether going through the data twice gives one order."""
    first, second = ([int(b[0]) if isinstance(b, (list, tuple)) else int(b) for b in batches] for _ in range(2))
    return first == second


def clears(x: Any) -> Any:
    """Uses a list that was cleared."""
    values = [x, x]
    values.clear()
    values.append(x * 2)
    return values[0]


def listed(compiled: Any) -> Any:
    """The function with a list, as it is or compiled."""
    return compiled(clears)(ms.Tensor(_v)) if compiled is ms.jit else compiled(clears)(torch.tensor(_v))


def sums(x: Any) -> Any:
    """Uses NumPy."""
    return x * float(np.sum(np.ones(3)))


def numbered(compiled: Any) -> Any:
    """The function with NumPy, as it is or compiled."""
    return compiled(sums)(ms.Tensor(_v)) if compiled is ms.jit else compiled(sums)(torch.tensor(_v))


class TooLong:
    """Three rows, said to be six."""

    def __getitem__(self, index: int) -> Any:
        if index >= 3:
            raise IndexError("there are three rows")
        return np.float32(index)

    def __len__(self) -> int:
        return 6


def ended(batches: Any) -> str:
    """How going through the data ends."""
    try:
        for _ in batches:
            pass
    except Exception as error:
        return type(error).__name__
    return "after the last row"


def data_parallel() -> float:
    """The gradient of w * (rank + 1) in rank 0 of two processes: torch averages it without being told."""
    program = (
        "import sys, torch, torch.distributed as dist\n"
        "rank = int(sys.argv[1])\n"
        "dist.init_process_group('gloo', init_method='file://' + sys.argv[2], world_size=2, rank=rank)\n"
        "net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(1, 1, bias=False))\n"
        "net(torch.full((1, 1), rank + 1.0)).sum().backward()\n"
        "print(float(net.module.weight.grad))\n"
        "dist.destroy_process_group()\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        ranks = [subprocess.Popen([sys.executable, "-c", program, str(rank), f"{folder}/meet"], stdout=subprocess.PIPE, text=True) for rank in range(2)]
        told = [rank.communicate(timeout=120)[0] for rank in ranks]
    return float(told[0])


def mixed(level: str) -> Any:
    """The weights' dtype after a training step of a Model with an amp_level over a cell that casts itself."""
    net = nn.Dense(6, 1).to_float(ms.float16)
    data = ds.NumpySlicesDataset((_m, _m[:, :1]), ["data", "label"], shuffle=False).batch(2)
    model = ms.train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), amp_level=level, loss_scale_manager=None)
    model.train(1, data, dataset_sink_mode=False)
    return str(net.weight.dtype)


def autocast() -> str:
    """The weights' dtype after a training step under autocast, of a layer that casts itself."""
    net = torch.nn.Linear(6, 1)
    net.register_forward_pre_hook(lambda layer, args: (args[0].to(torch.bfloat16),))
    with torch.autocast("cpu", torch.bfloat16):
        loss = net(torch.tensor(_m)).float().square().mean()
    loss.backward()
    return str(net.weight.dtype).rpartition(".")[2].capitalize()


def callbacks(sink: bool) -> int:
    """How often a callback hears of a step in an epoch of four."""

    class Heard(ms.train.Callback):  # type: ignore[misc]
        steps = 0

        def on_train_step_end(self, run_context: Any) -> None:
            self.steps += 1

    net, heard = nn.Dense(6, 1), Heard()
    data = ds.NumpySlicesDataset((_m, _m[:, :1]), ["data", "label"], shuffle=False).batch(1)
    ms.train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1)).train(1, data, callbacks=heard, dataset_sink_mode=sink)
    return heard.steps


def error_comes(call: Any, read: Any) -> str:
    """Where a call that fails raises."""
    try:
        result = call()
    except Exception:
        return "at the call"
    try:
        read(result)
    except Exception:
        return "when the value is read"
    return "nowhere"


def vision() -> Any:
    """torchvision."""
    from mindport.evidence.torchvision_source import torchvision

    return torchvision()


def names() -> dict[str, Any]:
    """Everything a program may name."""
    made = {"tx": torch.tensor(_x), "tm": torch.tensor(_m), "tv": torch.tensor(_v), "ti": torch.tensor(_i)}
    made |= {"sx": ms.Tensor(_x), "sm": ms.Tensor(_m), "sv": ms.Tensor(_v), "si": ms.Tensor(_i)}
    steps = (after, graded, changed, seeded, stepped, stepped_ms, cosine, decayed, clipped, two_results, through_numpy, takes, default, twice, listed, numbered, TooLong, ended, data_parallel, mixed, autocast, callbacks, error_comes, vision)
    return {**made, **{f.__name__: f for f in steps}, "torch": torch, "F": F, "ms": ms, "nn": nn, "ops": ops, "np": np, "ds": ds, "eo": eo, "comm_func": comm_func}
