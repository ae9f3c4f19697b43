"""Puts the watch into the module that a converted project carries along: its optimizers and its data loader."""

from __future__ import annotations

import functools
import os
import struct
import time
from typing import Any

import mindspore as ms
import numpy as np

from mindport.verify.training import mindspore_draws
from mindport.verify.training.journal import SAMPLERS
from mindport.verify.training.mindspore_watch import step
from mindport.verify.training.watch import Watch


def install(watch: Watch, module: Any) -> None:
    """Patch the module's own classes, found by the interface that they share with torch's."""
    for value in list(vars(module).values()):
        if not isinstance(value, type) or value.__module__ != module.__name__:
            continue
        names = {c.__name__ for c in value.__mro__}
        if "Optimizer" in names:
            _optimizer(watch, value)
    if hasattr(module, "Optimizer"):
        _building(watch, module.Optimizer)
    if hasattr(module, "DataLoader"):
        _loader(watch, module)
    _samplers(watch, module)
    if hasattr(module, "backward") and hasattr(module, "start_recording"):
        _tape(watch, module)
    if watch.job.get("share"):
        mindspore_draws.share_vendored(watch, module)
    if watch.job.get("dropout") is False:
        mindspore_draws.without_vendored_dropout(module)


def _optimizer(watch: Watch, cls: Any) -> None:
    if "step" in vars(cls):
        plain = cls.step

        @functools.wraps(plain)
        def stepping(self: Any, *args: Any, **kwargs: Any) -> Any:
            if watch.stepping_now:
                return plain(self, *args, **kwargs)
            args = tuple(_watched(watch, part) if callable(part) else part for part in args)
            kwargs = {name: _watched(watch, part) if callable(part) else part for name, part in kwargs.items()}
            return step(watch, self, lambda: plain(self, *args, **kwargs), None)

        cls.step = stepping
    if "__call__" in vars(cls):
        applied = cls.__call__

        @functools.wraps(applied)
        def applying(self: Any, *args: Any, **kwargs: Any) -> Any:
            if watch.stepping_now:
                return applied(self, *args, **kwargs)
            return step(watch, self, lambda: applied(self, *args, **kwargs), args[0] if args else None)

        cls.__call__ = applying


def _watched(watch: Watch, closure: Any) -> Any:
    """A step's closure, whose calls of models count as torch's do."""

    def call() -> Any:
        watch.stepping_now = False
        try:
            return closure()
        finally:
            watch.stepping_now = True

    return call


def _tape(watch: Watch, module: Any) -> None:
    """Where gradients come from MindSpore's tape: what is gone back from is a loss."""
    plain = module.backward

    @functools.wraps(plain)
    def backward(loss: Any, *args: Any, **kwargs: Any) -> Any:
        before, began = watch.seconds["recording"], time.perf_counter()
        if watch.depth == 0 and isinstance(loss, ms.Tensor) and loss.size == 1:
            watch.loss(loss)
        watch.depth += 1  # a checkpointed module that is called again is no model of the program's
        try:
            result = plain(loss, *args, **kwargs)
        finally:
            watch.depth -= 1
        watch.seconds["backward"] += time.perf_counter() - began - (watch.seconds["recording"] - before)
        return result

    module.backward = backward


def _building(watch: Watch, cls: Any) -> None:
    """A new optimizer's parameters that no model's call shows get torch's first values, as its recording has them."""
    plain = cls.__init__
    built = {"optimizers": 0}
    watched: set[type] = set()

    @functools.wraps(plain)
    def build(self: Any, *args: Any, **kwargs: Any) -> None:
        # The project's own optimizers are known when they are made, as torch's hooks know them: no base's `__init__`, no hook.
        for own in type(self).__mro__:
            if own.__module__ != cls.__module__ and issubclass(own, cls) and own not in watched:
                watched.add(own)
                _optimizer(watch, own)
        plain(self, *args, **kwargs)
        built["optimizers"] += 1
        watch.built = True
        path = os.path.join(watch.job.get("torch", ""), f"free-{built['optimizers']}.npz")
        if not watch.job.get("torch") or not os.path.exists(path):
            return
        with np.load(path) as archive:
            for place in archive.files:
                group, _, index = place.partition(".")
                parameter = self.param_groups[int(group)]["params"][int(index)]
                value = archive[place]
                if [n for n in parameter.shape if n != 1] == [n for n in value.shape if n != 1]:  # MindSpore's one-dimensional layers have an axis more
                    _put(parameter, ms.Tensor(value.reshape(tuple(parameter.shape))).astype(parameter.dtype))

    cls.__init__ = build


def _put(leaf: Any, value: ms.Tensor) -> None:
    """Gives a parameter, or a leaf of the tape, a value."""
    if isinstance(leaf, ms.Parameter):
        leaf.set_data(value)
    else:
        with ms._no_grad():
            leaf.copy_(value)


def _loader(watch: Watch, module: Any) -> None:
    loader = module.DataLoader
    plain = loader.__iter__
    counts = {"iterations": 0}

    def iterate(self: Any) -> Any:
        counts["iterations"] += 1
        if watch.active():
            with watch.aside():
                _place_generator(watch, module, f"generator-{counts['iterations']}")
        return _batches(watch, plain(self))

    loader.__iter__ = iterate


def _samplers(watch: Watch, module: Any) -> None:
    counts = {"iterations": 0}

    def watched(plain: Any) -> Any:
        @functools.wraps(plain)
        def iterate(*args: Any, **kwargs: Any) -> Any:
            counts["iterations"] += 1
            if watch.active():
                with watch.aside():
                    _place_generator(watch, module, f"sampler-{counts['iterations']}")
            return plain(*args, **kwargs)

        return iterate

    for name in SAMPLERS:
        cls = getattr(module, name, None)
        if isinstance(cls, type) and "__iter__" in vars(cls):
            cls.__iter__ = watched(vars(cls)["__iter__"])  # type: ignore[attr-defined]
    if hasattr(module, "random_split"):
        module.random_split = watched(module.random_split)


def _batches(watch: Watch, inner: Any) -> Any:
    while True:
        began = time.perf_counter()
        try:
            batch = next(inner)
        except StopIteration:
            return
        watch.batch(batch, time.perf_counter() - began)
        yield batch


def _place_generator(watch: Watch, module: Any, name: str) -> None:
    """torch's generator at the beginning of this pass over the data, as its recording has it."""
    folder = watch.job.get("torch")
    path = os.path.join(folder, f"{name}.npz") if folder else ""
    generator = getattr(module, "default_generator", None)
    if not path or generator is None or not os.path.exists(path):
        return
    with np.load(path) as archive:
        state = archive["state"].tobytes()
    # at::mt19937 in torch's legacy form: seed, left, seeded, next, 624 words of 64 bits that hold 32.
    _, left, _, following = struct.unpack_from("<QiiQ", state)
    words = np.frombuffer(state, "<u8", 624, 24).astype(np.uint32)
    generator._numbers.set_state(("MT19937", words, 624 if left == 1 else following))
