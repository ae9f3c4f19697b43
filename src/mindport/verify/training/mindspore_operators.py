"""Keeps the result of every primitive that MindSpore runs in one cell's construct."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindspore as ms

from mindport.verify.recording import values
from mindport.verify.training.digest import digest


class _Trace(ms.MsDispatchMode):
    def __init__(self, found: list[dict[str, Any]]) -> None:
        super().__init__()
        self.found = found
        self.busy = False

    def __ms_dispatch__(self, func: Any, args: Any, kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if not self.busy:
            # Reading a value out may itself run a primitive.
            self.busy = True
            try:
                outputs = [v for _, v in values.leaves(result, lambda v: isinstance(v, ms.Tensor)) if isinstance(v, ms.Tensor)]
                digests = [digest(o.asnumpy()) for o in outputs if o.dtype is not ms.bfloat16]
            finally:
                self.busy = False
            self.found.append({"name": getattr(func, "name", str(func)), "digests": digests})
        return result


def traced(module: Any, done: Callable[[list[dict[str, Any]]], None]) -> None:
    """The cell's next call is kept; `done` gets what was."""
    plain = module.construct

    def construct(*args: Any, **kwargs: Any) -> Any:
        module.construct = plain
        trace = _Trace([])
        with trace:
            result = plain(*args, **kwargs)
        done(trace.found)
        return result

    module.construct = construct
