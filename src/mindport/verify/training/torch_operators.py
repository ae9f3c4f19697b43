"""Keeps the result of every function of torch that is called in one module's forward pass."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils._pytree import tree_leaves

from mindport.verify.recording.torch_side import dense
from mindport.verify.training.digest import digest

#: torch may stand elsewhere than what this interpreter installs (a folder that `site` adds).
_FOREIGN = (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), str(Path(torch.__file__).parents[1]), str(Path(__file__).parents[2]))
#: Questions about a tensor, which compute nothing.
_ASKING = (".__get__", ".size", ".dim", ".__len__", ".is_floating_point", ".numel", ".__set__", ".__format__", ".__repr__")


class _Trace(TorchFunctionMode):
    def __init__(self, found: list[dict[str, Any]]) -> None:
        super().__init__()
        self.found = found
        self.alive: list[Any] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        name = resolve_name(func) or getattr(func, "__name__", "")
        outputs = [t for t in tree_leaves(result) if isinstance(t, torch.Tensor)]
        if outputs and not name.endswith(_ASKING):
            inputs = [t for t in tree_leaves((args, kwargs or {})) if isinstance(t, torch.Tensor)]
            # Kept alive, so that a number means one tensor.
            self.alive += [*inputs, *outputs]
            self.found.append({
                "name": name, "line": _line(), "inputs": [id(t) for t in inputs], "outputs": [id(t) for t in outputs],
                "digests": [digest(dense(t).detach().cpu().numpy().copy()) for t in outputs],
            })
        return result


def _line() -> str:
    frame: Any = sys._getframe(2)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(("<", *_FOREIGN)):
            return f"{Path(name).name}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def traced(module: Any, done: Callable[[list[dict[str, Any]]], None]) -> None:
    """The module's next forward pass is kept; `done` gets what was."""
    plain = module.forward

    def forward(*args: Any, **kwargs: Any) -> Any:
        module.forward = plain
        trace = _Trace([])
        with trace:
            result = plain(*args, **kwargs)
        results = [id(t) for t in tree_leaves(result) if isinstance(t, torch.Tensor)]
        done([*trace.found, {"name": "", "line": "", "inputs": results, "outputs": [], "digests": []}])
        return result

    module.forward = forward
