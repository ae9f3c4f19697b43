"""Values go to MindSpore and come back the same."""

from __future__ import annotations

import mindspore as ms
import pytest
import torch

from mindport.evidence import bridge, compare

pytestmark = pytest.mark.frameworks

DTYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.int32, torch.int64, torch.uint8, torch.bool, torch.complex64)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (2, 0), (3,), (2, 3, 4)])
def test_tensors_come_back(dtype: torch.dtype, shape: tuple[int, ...]) -> None:
    tensor = torch.testing.make_tensor(shape, dtype=dtype, device="cpu")
    there = bridge.to_mindspore(tensor)
    assert isinstance(there, ms.Tensor)
    back = bridge.tensor_to_torch(there)
    assert back.dtype == dtype and back.shape == tensor.shape
    assert torch.equal(back, tensor)
    assert compare.difference(tensor, there) == ""


def test_a_copy_is_carried() -> None:
    tensor = torch.zeros(3)
    there = bridge.to_mindspore(tensor)
    tensor.fill_(1)
    assert there.asnumpy().tolist() == [0, 0, 0]


def test_strided_and_special_tensors() -> None:
    tensor = torch.tensor([[float("nan"), float("inf")], [-float("inf"), -0.0]]).T
    assert compare.difference(tensor, bridge.to_mindspore(tensor)) == ""
    for layout in ("strided", "stepped", "narrowed"):
        assert compare.difference(tensor, bridge.to_mindspore(tensor, layout=layout)) == ""


def test_containers_dtypes_and_devices() -> None:
    given = ([torch.ones(2), (1, "a")], {"k": torch.float16}, torch.Size((2, 3)), slice(torch.tensor(1), None), torch.device("cpu"))
    items, named, size, cut, device = bridge.to_mindspore(given)
    assert isinstance(items, list) and isinstance(items[0], ms.Tensor) and items[1] == (1, "a")
    assert named == {"k": ms.float16} and size == (2, 3) and device == "cpu"
    assert isinstance(cut.start, ms.Tensor)


@pytest.mark.parametrize("value", [torch.eye(3).to_sparse(), torch.Generator(), torch.nn.ReLU()])
def test_what_has_no_counterpart_is_said_so(value: object) -> None:
    with pytest.raises(bridge.NoCounterpart):
        bridge.to_mindspore(value)


def test_dtypes_by_name() -> None:
    for dtype in DTYPES:
        assert bridge.dtype_to_torch(bridge.dtype_to_mindspore(dtype)) == dtype
