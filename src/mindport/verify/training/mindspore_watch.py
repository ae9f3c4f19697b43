"""Puts the watch into MindSpore: cells' calls, differentiation, and optimizers that are cells."""

from __future__ import annotations

import atexit
import gc
import os
import time
from collections.abc import Callable
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import nn
from mindspore.experimental.optim.optimizer import Optimizer

from mindport.verify.recording.mindspore_side import _apply, _array, _is_tensor
from mindport.verify.training import mindspore_draws, mindspore_graphs, mindspore_operators, seeding
from mindport.verify.training.band import SHARE
from mindport.verify.training.callers import is_vendored, users_line
from mindport.verify.training.names import Names
from mindport.verify.training.watch import Watch
from mindport.weights.walk_mindspore import walk


class MindSpore:
    """MindSpore, as the watch sees it."""

    name = "mindspore"

    def __init__(self) -> None:
        self.empty: dict[int, bool] = {}
        #: Cells that held a root's first values when the other side's came in: they got them, too.
        self.copies: list[Any] = []
        #: By cell: its parameters with the names that they had first. A cell that takes up part of it gives that part names of its own.
        self.named: dict[int, Names] = {}

    def is_tensor(self, value: Any) -> bool:
        return _is_tensor(value)

    def array(self, value: Any) -> tuple[np.ndarray, str]:
        return _array(value)

    def wide(self, value: Any) -> np.ndarray:
        if not isinstance(value, ms.Tensor):
            return np.asarray(value)
        return (value.astype(ms.float32) if value.dtype in (ms.bfloat16, ms.float16) else value).asnumpy()

    def norm(self, gradients: list[Any]) -> float:
        return float(np.sqrt(sum(float(np.square(np.abs(self.wide(g)).astype(np.float64)).sum()) for g in gradients)))

    def children(self, root: Any) -> list[tuple[str, Any]]:
        return [(path, cell) for path, cell in root.cells_and_names() if path]

    def hook(self, module: Any, note: Callable[[Any], None]) -> Any:
        return module.register_forward_hook(lambda cell, inputs, output: note(output))

    def traced(self, module: Any, done: Callable[[list[dict[str, Any]]], None]) -> None:
        mindspore_operators.traced(module, done)

    def named_parameters(self, root: Any) -> list[tuple[str, Any]]:
        return [(p.name, p) for p in root.get_parameters()]

    def state(self, root: Any) -> list[tuple[str, Any]]:
        if isinstance(root, Optimizer | nn.Optimizer) or _is_loss(root) or is_vendored(root, "ParametrizationList"):
            return []
        if any(getattr(cell, "has_uninitialized_params", bool)() for _, cell in root.cells_and_names()):
            return []  # the call that gives them their shapes shows no model yet
        if id(root) not in self.named:
            _name_apart(root)  # what parameters are called from here on
        known = self.named.setdefault(id(root), Names())
        found = {known.put(p, p.name): p for p in root.get_parameters()}
        transient: set[str] = set()
        for path, cell in root.cells_and_names():
            transient |= {f"{path}.{name}" if path else name for name in getattr(cell, "_non_persistent_buffers_set", ())}
        found |= {name: buffer for name, buffer in root.named_buffers() if name not in transient}
        return list(found.items())

    def opened(self, watch: Watch, number: int, root: Any) -> None:
        job = watch.job
        if not job.get("handshake"):
            return
        watch.journal.write("cell", number=number, made=mindspore_graphs.made(root), compiled=watch.compiling[0] if watch.compiling else "")
        if ms.get_context("mode") == ms.GRAPH_MODE:
            watch.tell("compiled", line=users_line())
        folder = os.path.join(job.get("placed", job["out"]), "roots", str(number))
        _name_apart(root)
        if "placed" not in job:
            watch.journal.json(f"roots/{number}/tree", walk(root))
        if any(root is copy for copy in self.copies):
            return
        before = [self.wide(p).copy() for p in root.get_parameters()]
        _wait(os.path.join(folder, "placement.json"))
        _apply(root, {"out": folder})
        if watch.total:
            _keep_trained(root, before, watch.roots, self.wide)
        _remembered(root, before, self.wide)
        for copy in _alike(root, before, self.wide):
            if any(copy is called for called in watch.roots):
                continue  # has its values, and a graph that is still to be gone back through may hold them
            for mine, theirs in zip(copy.get_parameters(), root.get_parameters(), strict=True):
                mine.set_data(theirs.clone())
            self.copies.append(copy)

    def environment(self) -> dict[str, Any]:
        return {"version": ms.__version__, "numpy": np.__version__, "device": ms.get_context("device_target"), "seed": ms.get_seed()}


def _is_loss(root: Any) -> bool:
    """Whether it is a loss of MindSpore's, or of the module that the project carries along: its weights of classes are arguments, as the other side has it."""
    return (is_vendored(root, "LossWithState") or type(root).__module__.startswith(nn.LossBase.__module__)) and not any(True for _ in root.trainable_params())


def _name_apart(root: Any) -> None:
    """Parameters of one name that are not one parameter (layers put in place of others by ``setattr``) get their paths as names."""
    found: dict[str, list[tuple[str, Any]]] = {}
    for path, cell in root.cells_and_names():
        for name, parameter in cell._params.items():
            if parameter is not None:
                found.setdefault(parameter.name, []).append((f"{path}.{name}" if path else name, parameter))
    for members in found.values():
        if len({id(parameter) for _, parameter in members}) > 1:
            for path, parameter in members:
                parameter.name = path


def _wait(path: str) -> None:
    """Until mindport has put the file there; ends where mindport is gone."""
    parent = os.getppid()
    while not os.path.exists(path):
        if os.getppid() != parent:
            raise SystemExit("mindport, which compares this run, has ended")
        time.sleep(0.02)


def _keep_trained(root: Any, before: list[np.ndarray], called: list[Any], wide: Callable[[Any], np.ndarray]) -> None:
    """A model that first comes after steps keeps what it has of a model that is trained already, where that is torch's but for what the first rung allows.

    A copy, or what a saved state was loaded into, is compared with the model that it comes of: `torch.equal` of both is to stay true.
    """
    trained: dict[tuple[int, ...], list[np.ndarray]] = {}
    for parameter in (p for other in called if other is not root and isinstance(other, nn.Cell) for p in other.get_parameters()):
        trained.setdefault(tuple(parameter.shape), []).append(wide(parameter))
    for value, parameter in zip(before, root.get_parameters(), strict=True):
        given = wide(parameter)
        is_near = value.size and value.shape == given.shape and np.abs(value - given).max() <= SHARE * np.abs(given).max()
        if is_near and any(np.array_equal(value, other) for other in trained.get(value.shape, ())):
            parameter.set_data(ms.Tensor(value).astype(parameter.dtype))


def _alike(root: Any, before: list[np.ndarray], wide: Callable[[Any], np.ndarray]) -> list[Any]:
    """Cells of the root's class with the values it had: copies made before its first call (a moving average)."""
    found = []
    for other in gc.get_objects():
        if type(other) is type(root) and other is not root:
            values = list(other.get_parameters())
            if len(values) == len(before) and all(
                v.shape == b.shape and np.array_equal(wide(v), b) for v, b in zip(values, before, strict=True)
            ):
                found.append(other)
    return found


def _remembered(root: Any, before: list[np.ndarray], wide: Callable[[Any], np.ndarray]) -> None:
    """Tensors that hold a value which one of the root's parameters had get its new one: a saved state, a moving average's shadows."""
    parameters = list(root.get_parameters())
    changed: dict[tuple[int, ...], list[tuple[np.ndarray, Any]]] = {}
    for value, parameter in zip(before, parameters, strict=True):
        # Zeros and ones are equal by chance.
        if value.size and (np.ptp(value) > 0 or value.flat[0] not in (0, 1)) and not np.array_equal(value, wide(parameter)):
            changed.setdefault(value.shape, []).append((value, parameter))
    own = {id(p) for p in parameters}
    for other in gc.get_objects() if changed else ():
        if issubclass(type(other), ms.Tensor) and id(other) not in own and tuple(other.shape) in changed:
            for value, parameter in changed[tuple(other.shape)]:
                if other.dtype == parameter.dtype and np.array_equal(wide(other), value):
                    other.assign_value(ms.ops.stop_gradient(parameter).copy())


def install(job: dict[str, Any]) -> Watch:
    """Patch MindSpore for the job; the watch starts with the first event."""
    watch = Watch(job, MindSpore())
    atexit.register(watch.finish)
    if job.get("handshake") and "as_run" not in job:
        # An operator's error is otherwise reported by a later one.
        ms.runtime.launch_blocking()
    if "seed" in job:
        ms.set_seed(job["seed"])
        seeding.shared(job["seed"])
    if job.get("share"):
        mindspore_draws.share(watch)
    if job.get("dropout") is False:
        mindspore_draws.without_dropout()
    _cells(watch)
    mindspore_graphs.install(watch)
    return watch


def groups(optimizer: Any, gradients: Any = None) -> list[tuple[float, list[Any], list[Any]]]:
    """An optimizer's groups: (learning rate, parameters, gradients), the gradients given or at the parameters."""
    if not hasattr(optimizer, "param_groups"):
        rate = optimizer.get_lr()
        rate = rate[0] if isinstance(rate, tuple) else rate
        parameters = list(optimizer.parameters)
        return [(float(np.asarray(MindSpore().wide(rate)).reshape(-1)[0]), parameters, list(gradients or [None] * len(parameters)))]
    made = []
    rest = None if gradients is None else list(gradients)
    for group in optimizer.param_groups:
        rate = group["lr"]
        parameters = list(group["params"])
        own = [getattr(p, "grad", None) for p in parameters] if rest is None else [rest.pop(0) for _ in parameters]
        if rest is not None:  # such an optimizer leaves a frozen parameter alone, whatever it is given
            own = [gradient if p.requires_grad else None for p, gradient in zip(parameters, own, strict=True)]
        made.append((float(rate.asnumpy()) if isinstance(rate, ms.Tensor) else float(rate), parameters, own))
    return made


def _cells(watch: Watch) -> None:
    plain = nn.Cell.__call__

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if watch.depth or watch.stepping_now:
            if watch.classes is None or watch.stepping_now:
                return plain(self, *args, **kwargs)
            return watch.within(self, lambda: plain(self, *args, **kwargs))
        if isinstance(self, Optimizer | nn.Optimizer):
            return step(watch, self, lambda: plain(self, *args, **kwargs), args[0] if args else None)
        return watch.called(self, lambda: plain(self, *args, **kwargs), (args, kwargs) if kwargs else args)

    nn.Cell.__call__ = call


def step(watch: Watch, optimizer: Any, call: Callable[[], Any], gradients: Any) -> Any:
    """An optimizer's step under the watch."""
    watch.stepping(optimizer, groups(optimizer, gradients))
    watch.stepping_now = True
    try:
        result = call()
    finally:
        watch.stepping_now = False
    watch.stepped(optimizer, groups(optimizer, gradients))
    return result
