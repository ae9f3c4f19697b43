"""What real projects pass where documentation shows a number or a fresh float32 tensor: NumPy's numbers, tensors as numbers, truth values,
``torch.Size``, arrays and empty lists as lists of numbers, negative axes, other dtypes, tensors without axes, and tensors whose memory is not in the
order of their axes. For call_forms.py.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import torch

from mindport.evidence.samples import Sample, mapped

Given = TypeVar("Given", bound=Sample)

#: How often a program's numbers, the memory of its tensors, and its dtype are such.
NUMBERS, MEMORY, DTYPES = 0.4, 0.35, 0.35
OTHERS = (torch.float64, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.bool, torch.uint8)
AXES = frozenset({"dim", "dim0", "dim1", "dim2", "axis", "axis0", "axis1", "start_dim", "end_dim", "dims", "source", "destination"})


@dataclass(frozen=True)
class Written:
    """A value that stands in a program as `text`."""

    text: str


def changed(sample: Given, parameters: list[str], draw: random.Random) -> tuple[Given, str]:
    """(the sample with some of its numbers in another form, what was done in a word or two)."""
    done: list[str] = []
    tensors = [a for a in (*sample.args, *sample.kwargs.values()) if isinstance(a, torch.Tensor)]
    rank = tensors[0].dim() if tensors else 0

    def of(value: Any, name: str) -> Any:
        if draw.random() < 0.6 and not isinstance(value, torch.Tensor):
            made, word = _number(value, name in AXES, rank, draw)
            done.extend([word] if word else [])
            return made
        return value

    args = tuple(of(a, parameters[n] if n < len(parameters) else "") for n, a in enumerate(sample.args))
    kwargs = {k: of(v, k) for k, v in sample.kwargs.items()}
    if tensors and draw.random() < 0.15:
        way = draw.choice(("without axes", "of float64"))
        picked = draw.choice(tensors)
        if way == "without axes" and picked.numel():
            args, kwargs = (_instead(v, picked, lambda t: t.reshape(-1)[0].clone()) for v in (args, kwargs))
            done.append(way)
        elif way == "of float64" and picked.is_floating_point():
            args, kwargs = (_instead(v, picked, lambda t: t.double()) for v in (args, kwargs))
            done.append(way)
    return replace(sample, args=args, kwargs=kwargs), ", ".join(done)


def _instead(given: Any, picked: torch.Tensor, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    return mapped(given, lambda t: change(t) if t is picked else t)


def _number(value: Any, is_axis: bool, rank: int, draw: random.Random) -> tuple[Any, str]:
    match value:
        case bool():
            way = draw.choice(("np.bool_", "int", "torch.tensor"))
            return Written(f"int({value})" if way == "int" else f"{way}({value})"), f"{way} as bool"
        case int():
            ways = ["np.int64", "np.int32", "torch.tensor", *(["negative", "negative"] if is_axis and rank else []), *(["bool"] if value in (0, 1) else [])]
            way = draw.choice(ways)
            if way == "negative":
                return (value - rank if value >= 0 else value + rank), "axis from the other end"
            return Written(f"{way}({value})"), f"{way} as int"
        case float() if math.isfinite(value):
            way = draw.choice(("np.float64", "np.float32", "torch.tensor"))
            return Written(f"{way}({value!r})"), f"{way} as float"
        case tuple() | list() if all(isinstance(v, int) and not isinstance(v, bool) for v in value) and not hasattr(value, "_fields"):
            ways = ["torch.Size", "np.array", "list of np.int64", "tuple of tensors", "shape", "empty", *(["negative"] if is_axis and rank else [])]
            way = draw.choice(ways)
            inner = ", ".join(map(str, value))
            comma = "," if len(value) == 1 else ""
            texts = {
                "torch.Size": f"torch.Size([{inner}])", "np.array": f"np.array([{inner}])", "list of np.int64": f"list(np.array([{inner}], dtype=np.int64))",
                "tuple of tensors": f"({', '.join(f'torch.tensor({v})' for v in value)}{comma})", "empty": draw.choice(("[]", "()")),
                "shape": f"torch.zeros({inner or '()'}).shape" if all(v >= 0 for v in value) and math.prod(value) < 10_000 else f"({inner}{comma})",
                "negative": f"({', '.join(str(v - rank if v >= 0 else v + rank) for v in value)}{comma})",
            }  # fmt: skip
            return Written(texts[way]), f"{way} as list"
    return value, ""


def remade(tensor: torch.Tensor, draw: random.Random) -> tuple[torch.Tensor, str]:
    """(the tensor whose text is written, what follows its text): together the same values in memory that is laid out otherwise."""
    ways = ["strided", "part"] if tensor.dim() else []
    if tensor.dim() > 1:
        ways += ["transposed", "transposed", "reversed", "expanded"]
    if not ways or not tensor.numel():
        return tensor, ""
    match draw.choice(ways):
        case "strided":
            return tensor.repeat_interleave(2, -1), "[..., ::2]"
        case "part":
            return torch.cat([tensor[:1], tensor, tensor[-1:]]), "[1:-1]"
        case "transposed":
            return tensor.transpose(-1, -2).contiguous(), draw.choice([".transpose(-1, -2)", ".mT", *([".t()", ".T"] if tensor.dim() == 2 else [])])
        case "reversed":
            order = tuple(range(tensor.dim()))[::-1]
            return tensor.permute(order).contiguous(), f".permute{order}"
        case "expanded":
            return tensor[:1].clone(), f".expand({tensor.shape[0]}, {', '.join(['-1'] * (tensor.dim() - 1))})"
    return tensor, ""
