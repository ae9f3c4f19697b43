"""Compares a torch constant with the value that replaces it."""

from __future__ import annotations

from typing import Any

import mindspore as ms
import numpy as np
import torch
from torch.distributions import constraints

from mindport.declare import Declaration
from mindport.evidence import compare
from mindport.evidence.bridge import to_mindspore
from mindport.evidence.run_sample import Result, judged
from mindport.evidence.samples import Sample, resolve
from mindport.forms import public

_DTYPES = (
    torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64,
)  # fmt: skip


def compare_constant(name: str, declared: Declaration) -> Result | None:
    """Numbers (and tuples of them), dtypes and text must be equal; types have the same instances, regions of distributions hold the same values; of other objects only the presence can be told: None.

    So it is of names in a module that this torch has no more (``torch._six``), and of torchvision's former names (``models.resnet.model_urls``). A version's local label ("+cpu") belongs to the build, not to the API; that it compares as torch's is tested in tests/.
    """
    if _is_gone(public(name).rpartition(".")[0]) or not name.startswith("torch.") and _is_gone(public(name)):
        return None
    value, target = resolve(public(name)), declared.target
    if isinstance(value, torch.torch_version.TorchVersion) and isinstance(target, str):
        value, target = str(value).partition("+")[0], str(target)
    if value is target:
        return Result("pass", name)
    if isinstance(value, (torch.dtype, int, float, str, bool, type(None))) or isinstance(value, tuple) and all(isinstance(one, (int, float)) for one in value):
        return judged(declared, Sample(), name, lambda: compare.difference(value, target))
    if isinstance(value, type) and isinstance(target, (type, tuple)):
        return judged(declared, Sample(), name, lambda: _of_types(value, target))
    if isinstance(value, constraints.Constraint) and value is not constraints.dependent:
        return judged(declared, Sample(), name, lambda: _of_regions(value, target))
    return None


def _is_gone(name: str) -> bool:
    try:
        resolve(name)
    except AttributeError:
        return True
    return False


def _of_types(theirs: type, ours: type | tuple[type, ...]) -> str:
    """A sentence where something is an instance of the one type and not of the other."""
    for what, one, other in _objects():
        expected, found = isinstance(one, theirs), isinstance(other, ours)
        if expected != found:
            return f"{what} is {'an' if expected else 'no'} instance in torch, {'one' if found else 'none'} in MindSpore"
    return ""


def _of_regions(theirs: constraints.Constraint, ours: Any) -> str:
    """A sentence where a region of distributions' arguments holds a value on one side alone, or says something else of itself."""
    facts = [(side.is_discrete, side.event_dim) for side in (theirs, ours)]
    if facts[0] != facts[1]:
        return f"is_discrete and event_dim are {facts[0]} in torch, {facts[1]} in MindSpore"
    for value in _members():
        try:
            expected = theirs.check(value)
        except (RuntimeError, IndexError, TypeError, ValueError):  # a vector where a matrix is asked about, whole numbers
            continue
        if found := compare.difference(expected, ours.check(to_mindspore(value))):
            return f"check of {value.tolist()}: {found}"
    return ""


def _members() -> list[torch.Tensor]:
    """Numbers around the borders of regions, vectors that add up to 1 or nearly, matrices of every kind."""
    vectors = [[0.25, 0.75, 0.0], [0.5, 0.6, -0.1], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.2, 0.3, 0.5000001], [float("nan"), 0.5, 0.5], [float("inf"), 0.0, 1.0]]
    lower = torch.tensor([[1.0, 0.0], [0.6, 0.8]])
    matrices = [torch.eye(2), lower, lower.T, lower @ lower.T, -torch.eye(2), torch.tensor([[1.0, 2.0], [2.0, 1.0]]), torch.tensor([[1.0, 1.0], [1.0, 1.0]]), torch.tensor([[2.0, 0.0], [1.0, -1.0]])]
    plain = torch.tensor([-1.5, -1.0, -1e-6, 0.0, 1e-6, 0.5, 1.0, 1.000001, 2.0, 2.5])
    return [plain, plain.double(), plain.long(), torch.tensor(vectors), torch.stack(matrices), *matrices, torch.ones(2, 3), torch.tensor(0.5)]


def _objects() -> list[tuple[str, Any, Any]]:
    """What programs ask types of, on both sides."""
    tensors = [(f"a tensor of {dtype}", torch.ones(2).to(dtype)) for dtype in _DTYPES]
    carried = [
        *tensors, ("a tensor without axes", torch.tensor(1.0)), ("a parameter", torch.nn.Parameter(torch.ones(2))), ("a shape", torch.ones(2, 3).shape),
        ("a dtype", torch.float32), ("a device", torch.device("cpu")),
        ("text", "cpu"), ("a tuple", (2, 3)), ("a list", [2, 3]), ("a whole number", 1), ("a number", 1.5), ("None", None), ("an array", np.ones(2)), ("a dict", {}),
    ]  # fmt: skip
    pairs = [(what, value, to_mindspore(value)) for what, value in carried]
    return [*pairs, ("a module", torch.nn.ReLU(), ms.nn.ReLU()), ("an error", RuntimeError(), RuntimeError())]
