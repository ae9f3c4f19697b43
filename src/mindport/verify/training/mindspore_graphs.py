"""What differentiates and what compiles in MindSpore, under the watch.

In the recorded run all runs operator by operator (``MS_JIT=0``): what would be compiled is told, and what stands in it. In the run
as users run it (the job's ``as_run``) it is compiled, and nothing of the watch may stand in it: MindSpore's parser reads it.
"""

from __future__ import annotations

import functools
import os
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import mindspore as ms
from mindspore import nn, ops
from mindspore.graph.api import _JitExecutor

from mindport.verify.training import mindspore_draws
from mindport.verify.training.callers import users_line
from mindport.verify.training.watch import Watch

#: MindSpore's own optimizers compile their updates as they are imported.
_OPTIMIZERS = "mindspore.experimental.optim."
#: The cells of the program, and which of its class each is, in the order of their making.
_MADE: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()


def install(watch: Watch) -> None:
    """Watch `ms.value_and_grad` and `ms.jit`."""
    _differentiation(watch)
    _counting()
    if "as_run" in watch.job:
        _compiled_calls(watch)
    else:
        for name, module in list(sys.modules.items()):
            if name.startswith(_OPTIMIZERS):
                for key, value in list(vars(module).items()):
                    if callable(value) and hasattr(value, "__wrapped_by_jit__"):
                        setattr(module, key, _told(watch, value, _name(value)))


def made(cell: Any) -> str:
    """Which cell of its program this is: the same in every run of it."""
    return _MADE.get(cell, "")


class _Differentiating:
    """What `value_and_grad` gives, with a look at the value. `ms.jit` gets the function inside."""

    def __init__(self, watch: Watch, function: Any) -> None:
        self.watch, self.function = watch, function
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        watch = self.watch
        before, began = watch.seconds["forward"], time.perf_counter()
        result = self.function(*args, **kwargs)
        value = result[0]
        while isinstance(value, list | tuple) and value:
            value = value[0]
        if watch.depth == 0 and isinstance(value, ms.Tensor) and value.size == 1:
            watch.loss(value)
        forward = watch.seconds["forward"] - before
        watch.seconds["backward"] += time.perf_counter() - began - forward
        return result


def _differentiation(watch: Watch) -> None:
    plain = ms.value_and_grad

    @functools.wraps(plain)
    def value_and_grad(*args: Any, **kwargs: Any) -> Any:
        return _Differentiating(watch, plain(*args, **kwargs))

    for home in (ms, ops):
        if hasattr(home, "value_and_grad"):
            home.value_and_grad = value_and_grad
    compiling = ms.jit

    @functools.wraps(compiling)
    def jit(*args: Any, **kwargs: Any) -> Any:
        if not args:
            return functools.partial(jit, **kwargs)
        if isinstance(args[0], _Differentiating):
            return _Differentiating(watch, jit(args[0].function, *args[1:], **kwargs))
        result = compiling(*args, **kwargs)
        if "as_run" in watch.job:
            return result
        if isinstance(result, type):
            inside = vars(result)["construct"]
            setattr(result, "construct", _told(watch, inside, _name(inside)))  # noqa: B010
            return result
        return _told(watch, result, _name(args[0]))

    ms.jit = jit


def _told(watch: Watch, plain: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A function that would be compiled, which tells when it is called."""

    @functools.wraps(plain)
    def function(*args: Any, **kwargs: Any) -> Any:
        if not watch.compiling:
            watch.tell("compiled", line=users_line())
        watch.compiling.append(name)
        assign, ops.assign = ops.assign, _into_views(ops.assign)
        try:
            return plain(*args, **kwargs)
        finally:
            ops.assign = assign
            watch.compiling.pop()

    return function


def _into_views(assign: Callable[..., Any]) -> Callable[..., Any]:
    """`ops.assign` for what a graph would do: there it writes into a parameter that is a view of its whole memory, operator by operator it raises."""

    def assigned(variable: Any, value: Any) -> Any:
        try:
            return assign(variable, value)
        except RuntimeError:
            variable.copy_(value)
            return variable

    return assigned


def _name(function: Any) -> str:
    """A compiled function in both runs: the beginning of its text."""
    function = function.construct if isinstance(function, nn.Cell) else function
    code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
    return f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}" if code is not None else ""


def _counting() -> None:
    """Cells are numbered as they are made, copies with them."""
    plain = nn.Cell.__new__
    counts: dict[str, int] = {}

    def new(cls: Any, *args: Any, **kwargs: Any) -> Any:
        this = plain(cls, *args, **kwargs)
        name = f"{cls.__module__}.{cls.__qualname__}"
        counts[name] = counts.get(name, 0) + 1
        _MADE[this] = f"{name} {counts[name]}"
        return this

    nn.Cell.__new__ = new


def _compiled_calls(watch: Watch) -> None:
    """What is compiled runs without the watch, and the models that are first called in it get their values before."""
    plain = _JitExecutor.__call__

    @functools.wraps(plain)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if watch.compiling:
            return plain(self, *args, **kwargs)
        watch.tell("compiled", line=users_line())
        _place(watch, _name(self.fn))
        with _away(watch, _name(self.fn)):
            return plain(self, *args, **kwargs)

    _JitExecutor.__call__ = call


def _place(watch: Watch, name: str) -> None:
    for number, which, compiled in watch.job["as_run"]:
        if compiled == name and number == len(watch.roots):
            for cell, own in list(_MADE.items()):
                if own == which and watch.active():
                    watch.opened(cell)
                    break


@contextmanager
def _away(watch: Watch, name: str) -> Iterator[None]:
    """While a graph is compiled and runs."""
    names = mindspore_draws.bound() if watch.job.get("drawn") else []
    for namespace, key, own, _ in names:
        namespace[key] = own
    watch.compiling.append(name)
    watch.depth += 1
    try:
        yield
    finally:
        watch.depth -= 1
        watch.compiling.pop()
        for namespace, key, _, shared in names:
            namespace[key] = shared
