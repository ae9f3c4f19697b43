"""Attributes that torch's sources annotate as tensors and register as parameters, not as buffers.

``weight: Tensor`` in `torch.nn.Linear` is followed by ``self.weight = Parameter(…)``. Running statistics
and other buffers are tensors only.
"""

from __future__ import annotations

import re

_PARAMETER = re.compile(r"(?:weight|bias|in_proj_weight|in_proj_bias|[qkv]_proj_weight|bias_[kv]|weight_[ih]h(?:_l\d+)?|bias_[ih]h(?:_l\d+)?)$")


def is_parameter(name: str) -> bool:
    """Whether the documented tensor attribute ``torch.nn.Linear.weight`` is a parameter."""
    owner, _, attribute = name.rpartition(".")
    return owner.startswith("torch.nn.") and _PARAMETER.match(attribute) is not None
