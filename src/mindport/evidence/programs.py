"""Writes a sample's call as a small Python program, for graph mode (which reads source) and for people.

``target(a0, (1, 2), dim=-1)``: tensors that are differentiated are parameters, the other values stand as
literals or, where they have none, as names of constants.
"""

from __future__ import annotations

import importlib.util
import itertools
import math
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import mindspore as ms
import torch

from mindport.evidence.bridge import dtype_to_mindspore, to_mindspore

_NUMBERS = itertools.count()
_FOLDER = Path(tempfile.mkdtemp(prefix="mindport-evidence-"))


@dataclass
class CallText:
    """A call under construction. `parameters`: values by parameter name; `constants`: values by constant name."""

    is_parameter: Callable[[torch.Tensor], bool]
    parameters: dict[str, torch.Tensor] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)

    def call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        """The text of the call."""
        parts = [self.value(a) for a in args] + [f"{key}={self.value(item)}" for key, item in kwargs.items()]
        return f"{name}({', '.join(parts)})"

    def value(self, value: Any) -> str:
        """The text of one argument."""
        match value:
            case torch.Tensor() if self.is_parameter(value):
                name = f"a{len(self.parameters)}"
                self.parameters[name] = value
                return name
            case None | bool() | int() | str():
                return repr(value)
            case float() if math.isfinite(value):
                return repr(value)
            case torch.dtype():
                return f"ms.{str(dtype_to_mindspore(value)).lower().replace('bool', 'bool_')}"
            case tuple():
                items = [self.value(item) for item in value]
                return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
            case list():
                return f"[{', '.join(self.value(item) for item in value)}]"
            case slice():
                return f"slice({self.value(value.start)}, {self.value(value.stop)}, {self.value(value.step)})"
        name = f"C{len(self.constants)}"
        self.constants[name] = to_mindspore(value)
        return name


def module(text: str, names: dict[str, Any]) -> ModuleType:
    """Import a program from a file, so that MindSpore finds its source; `names` are put into it first."""
    path = _FOLDER / f"sample_{next(_NUMBERS)}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    made.__dict__.update(names, ms=ms)
    sys.modules[path.stem] = made
    spec.loader.exec_module(made)
    return made


def reproduction(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], edge: str = "") -> str:
    """The torch call as a line of Python; large tensors are drawn anew."""
    parts = [_told(a) for a in args] + [f"{key}={_told(item)}" for key, item in kwargs.items()]
    if name.startswith("torch.Tensor.") and args:
        text = f"{parts[0]}.{name.rpartition('.')[2]}({', '.join(parts[1:])})"
    else:
        text = f"{name}({', '.join(parts)})"
    return text + (f"  # {edge}" if edge else "")


def _told(value: Any) -> str:
    match value:
        case torch.Tensor() if value.layout != torch.strided:
            return f"<{value.layout}>"
        case torch.Tensor():
            dtype = "" if value.dtype in (torch.float32, torch.int64, torch.bool) else f", dtype={value.dtype}"
            if value.numel() <= 12:
                digits = repr(value.detach().tolist()) if not value.is_floating_point() else _rounded(value.detach().tolist())
                return f"torch.tensor({digits}{dtype})".replace("nan", "math.nan").replace("inf", "math.inf")
            shape = ", ".join(map(str, value.shape))
            if value.is_floating_point() or value.is_complex():
                return f"torch.randn({shape}{dtype})"
            return f"torch.randint({int(value.min())}, {int(value.max()) + 1}, ({shape},){dtype or ', dtype=' + str(value.dtype)})"
        case tuple() if not hasattr(value, "_fields"):
            items = [_told(item) for item in value]
            return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        case list():
            return f"[{', '.join(map(_told, value))}]"
    return repr(value)[:80]


def _rounded(values: Any) -> str:
    if isinstance(values, list):
        return f"[{', '.join(map(_rounded, values))}]"
    return f"{values:.5g}" if math.isfinite(values) and not float(values).is_integer() else repr(values)
