"""Scenarios of what is written to a file and read again."""

from __future__ import annotations

import io
import tempfile
from collections import OrderedDict
from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario


def things(side: Side) -> Any:
    """Tensors of several dtypes in containers, numbers, text."""
    dtypes = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.bool, torch.uint8)
    tensors = {str(dtype): side.value((torch.arange(6).reshape(2, 3) % 2).to(dtype)) for dtype in dtypes}
    return {"tensors": tensors, "order": OrderedDict(b=1, a=2.5), "list": [1, (2, "three"), None, True], "scalar": side.value(torch.tensor(2.5)), "empty": side.value(torch.zeros(0, 3))}


@scenario("torch.save", "torch.load")
def there_and_back(side: Side) -> Any:
    """Through memory: what was written, in its order and with its dtypes."""
    into = io.BytesIO()
    writes = side.name == "torch.save"
    (side.call if writes else lambda *args: side.make("torch.save", *args))(things(side), into)
    into.seek(0)
    return side.make("torch.load", into) if writes else side.call(into)


def written_by_torch() -> dict[str, Any]:
    """Weights of a layer, a view, a number."""
    net = torch.nn.Linear(3, 2)
    torch.nn.init.constant_(net.weight, 0.5)
    torch.nn.init.zeros_(net.bias)
    return {"model": net.state_dict(), "view": torch.arange(12.0).reshape(3, 4).T[1:], "step": 7}


@scenario("torch.load")
def from_torch(side: Side) -> Any:
    """What PyTorch wrote is read by both."""
    into = io.BytesIO()
    torch.save(written_by_torch(), into)
    into.seek(0)
    return side.call(into, map_location="cpu")


@scenario("torch.load")
def from_former_torch(side: Side) -> Any:
    """What PyTorch wrote before 1.6 is read by both, out of memory and out of a file."""
    into = io.BytesIO()
    dtypes = {str(dtype): (torch.arange(6).reshape(2, 3) % 2).to(dtype) for dtype in (torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.bool, torch.uint8)}
    torch.save({**written_by_torch(), **dtypes}, into, _use_new_zipfile_serialization=False)
    into.seek(0)
    found = [side.call(into, map_location="cpu")]
    with tempfile.NamedTemporaryFile(suffix=".pth") as file:
        file.write(into.getvalue())
        file.flush()
        found.append(side.call(file.name))
    return found
