"""Proves that a PyTorch callable or model and its MindSpore counterpart compute the same.

`run(spec, workdir)` records each side in a process of its own and compares the files. Names are
loaded on first use, because the recorders import this package in environments that have only a
framework, numpy and the standard library.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mindport.verify.layouts import layout_of
    from mindport.verify.result import CaseResult, Comparison, TensorResult
    from mindport.verify.runner import run
    from mindport.verify.spec import Case, Side, Spec, SpecError, load_spec

_HOME = {
    "Case": "spec", "CaseResult": "result", "Comparison": "result", "Side": "spec", "Spec": "spec",
    "SpecError": "spec", "layout_of": "layouts", "TensorResult": "result", "load_spec": "spec", "run": "runner",
}

__all__ = [
    "Case", "CaseResult", "Comparison", "Side", "Spec", "SpecError", "TensorResult", "layout_of",
    "load_spec", "run",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f"mindport.verify.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
