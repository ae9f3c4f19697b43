"""Lazy layers learn their input's size before their weights are compared. Imports torch."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn.modules.lazy import LazyModuleMixin

from mindport.evidence.bridge import to_mindspore
from mindport.evidence.run_sample import TorchRefuses
from mindport.evidence.samples import Sample, copied


def sized(layer: torch.nn.Module, call: Sample) -> None:
    """Let torch's lazy layer learn its input's size, without a step of its running statistics. Raises TorchRefuses."""
    if isinstance(layer, LazyModuleMixin):
        given = copied(call)
        try:
            layer.eval()(*given.args, **given.kwargs)
        except Exception as error:
            raise TorchRefuses(str(error)) from error
        layer.train()


def sized_here(layer: Any, call: Sample) -> Any:
    """Ours, after it learned the size, where it is one that does."""
    if hasattr(layer, "initialize_parameters"):
        layer.initialize_parameters(*to_mindspore(call.args), **to_mindspore(call.kwargs))
    return layer
