"""Conversions, copies, sizes and data: what OpInfo has no samples for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.frameworks
np = pytest.importorskip("numpy", reason="this file compares the frameworks")
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from mindport.declare import Refused  # noqa: E402
from mindport.equivalents import creation, indexing, legacy_constructors, linalg, matrix  # noqa: E402
from mindport.equivalents import data_conversion as d  # noqa: E402
from mindport.equivalents import tensor_attributes as a  # noqa: E402

ARRAY = np.arange(6, dtype=np.float32).reshape(2, 3)
NAMES = {torch.float32: "Float32", torch.float64: "Float64", torch.float16: "Float16", torch.int64: "Int64", torch.int32: "Int32",
         torch.int16: "Int16", torch.int8: "Int8", torch.uint8: "UInt8", torch.bool: "Bool"}  # fmt: skip


def same(actual: Any, expected: Any) -> None:
    """Equal type, dtype, shape and elements."""
    if isinstance(expected, torch.Tensor):
        assert isinstance(actual, ms.Tensor)
        assert str(actual.dtype) == NAMES[expected.dtype]
        assert tuple(actual.shape) == tuple(expected.shape)
        np.testing.assert_allclose(actual.asnumpy(), expected.detach().numpy(), rtol=1e-6)
    elif isinstance(expected, np.ndarray):
        np.testing.assert_array_equal(actual, expected)
        assert actual.dtype == expected.dtype
    elif isinstance(expected, torch.Size):
        assert tuple(actual) == tuple(expected)
    else:
        assert actual == expected and type(actual) is type(expected)


PAIRS: dict[str, tuple[Callable, Callable]] = {
    "to dtype": (lambda x: x.to(torch.float16), lambda x: d.to(x, ms.float16)),
    "to dtype=": (lambda x: x.to(dtype=torch.int64), lambda x: d.to(x, dtype=ms.int64)),
    "to device": (lambda x: x.to("cpu"), lambda x: d.to(x, "cpu")),
    "to device, dtype": (lambda x: x.to("cpu", torch.int32), lambda x: d.to(x, "cpu", ms.int32)),
    "to other": (lambda x: x.to(torch.zeros(1, dtype=torch.bool)), lambda x: d.to(x, ms.ops.zeros(1).bool())),
    "float": (lambda x: x.float(), d.tensor_float),
    "double": (lambda x: x.double(), d.tensor_double),
    "half": (lambda x: x.half(), d.tensor_half),
    "long": (lambda x: x.long(), d.tensor_long),
    "int": (lambda x: x.int(), d.tensor_int),
    "short": (lambda x: x.short(), d.tensor_short),
    "char": (lambda x: x.char(), d.tensor_char),
    "byte": (lambda x: x.byte(), d.tensor_byte),
    "bool": (lambda x: x.bool(), d.tensor_bool),
    "type": (lambda x: x.type(torch.int32), lambda x: d.tensor_type(x, ms.int32)),
    "type_as": (lambda x: x.type_as(torch.zeros(1).long()), lambda x: d.type_as(x, ms.tensor([1]))),
    "cpu": (lambda x: x.cpu(), d.cpu),
    "clone": (lambda x: x.clone(), d.clone),
    "detach": (lambda x: x.detach(), d.detach),
    "contiguous": (lambda x: x.t().contiguous(), lambda x: d.contiguous(x.T)),
    "numpy": (lambda x: x.numpy(), d.numpy),
    "item": (lambda x: x.sum().item(), lambda x: d.item(x.sum())),
    "tolist": (lambda x: x.tolist(), d.tolist),
    "size": (lambda x: x.size(), d.size),
    "size(-1)": (lambda x: x.size(-1), lambda x: d.size(x, -1)),
    "numel": (lambda x: x.numel(), d.tensor_numel),
    "torch.numel": (torch.numel, d.numel),
    "dim": (lambda x: x.dim(), d.tensor_dim),
    "element_size": (lambda x: x.element_size(), d.element_size),
    "stride": (lambda x: x.stride(), d.stride),
    "stride(0)": (lambda x: x.stride(0), lambda x: d.stride(x, 0)),
    "is_tensor": (torch.is_tensor, d.is_tensor),
    "is_floating_point": (torch.is_floating_point, d.is_floating_point),
    "is_floating_point of ints": (lambda x: x.long().is_floating_point(), lambda x: d.tensor_is_floating_point(x.long())),
    "is_complex": (lambda x: x.is_complex(), d.tensor_is_complex),
    "is_signed": (lambda x: x.byte().is_signed(), lambda x: d.tensor_is_signed(x.byte())),
    "T": (lambda x: x.T, a.T),
    "mT": (lambda x: x.mT, a.mT),
    "shape": (lambda x: x.shape, a.shape),
    "ndim": (lambda x: x.ndim, a.ndim),
    "nbytes": (lambda x: x.nbytes, a.nbytes),
    "data": (lambda x: x.data, a.data),
    "is_cuda": (lambda x: x.is_cuda, a.is_cuda),
    "new_tensor": (lambda x: x.new_tensor([1, 2]), lambda x: creation.tensor_new_tensor(x, [1, 2])),
    "new_full": (lambda x: x.new_full((2,), 3), lambda x: creation.tensor_new_full(x, (2,), 3)),
    "new_zeros": (lambda x: x.new_zeros(2, 3), lambda x: creation.tensor_new_zeros(x, 2, 3)),
    "chain_matmul": (lambda x: torch.linalg.multi_dot([x, x.T, x]), lambda x: linalg.chain_matmul(x, x.T, x)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_as_torch(name: str) -> None:
    expected, actual = PAIRS[name]
    same(actual(ms.Tensor(ARRAY)), expected(torch.tensor(ARRAY)))


DATA = {
    "float": 3.5, "int": 3, "bool": True, "floats": [1.0, 2], "ints": [[1, 2], [3, 4]], "bools": [True, False], "empty": [],
    "float64 array": np.arange(3.0), "int32 array": np.arange(3, dtype=np.int32), "numpy scalar": np.float32(2), "nested tuple": ((1, 2), (3, 4)),
}  # fmt: skip


@pytest.mark.parametrize("name", DATA)
def test_data(name: str) -> None:
    same(creation.tensor(DATA[name]), torch.tensor(DATA[name]))
    same(creation.as_tensor(DATA[name]), torch.as_tensor(DATA[name]))
    same(creation.tensor(DATA[name], dtype=ms.float32), torch.tensor(DATA[name], dtype=torch.float32))


@pytest.mark.parametrize("value", [3, 0.25, True, float("-inf")])
def test_the_value_decides_the_dtype_of_full(value: float) -> None:
    same(creation.full((2, 2), value), torch.full((2, 2), value))


def test_memory_is_shared_as_in_torch() -> None:
    array = np.zeros(3, np.float32)
    tensor = creation.from_numpy(array)
    array[0] = 5
    assert tensor.tolist() == [5, 0, 0]
    d.numpy(tensor)[1] = 6
    assert tensor.tolist() == [5, 6, 0]
    copy = creation.tensor(array)
    array[0] = 9
    assert copy.tolist() == [5, 6, 0]
    kept = d.clone(tensor)
    tensor[2] = 1
    assert kept.tolist() == [9, 6, 0]


def test_no_gradient_after_detach_and_one_after_clone() -> None:
    x = ms.Tensor(ARRAY)
    assert ms.grad(lambda x: (d.detach(x) * x).sum())(x).asnumpy().tolist() == ARRAY.tolist()
    assert ms.grad(lambda x: (a.data(x) * x).sum())(x).asnumpy().tolist() == ARRAY.tolist()
    assert ms.grad(lambda x: (d.clone(x) * x).sum())(x).asnumpy().tolist() == (2 * ARRAY).tolist()


def test_the_norm_of_zero_has_a_gradient() -> None:
    assert ms.grad(matrix.vector_norm)(ms.ops.zeros(3)).asnumpy().tolist() == [0, 0, 0]
    assert matrix.vector_norm(ms.ops.zeros((0, 3))).item() == 0


def test_index_add_leaves_its_input_alone() -> None:
    x = ms.Tensor(ARRAY)
    indexing.index_add(x, 1, ms.tensor([0]), ms.tensor([[1.0], [2.0]]))
    np.testing.assert_array_equal(x.asnumpy(), ARRAY)


def test_a_copy_has_memory_of_its_own() -> None:
    given = ms.Tensor(ARRAY)
    copy = d.to(given, copy=True)
    copy[()] = copy * 0 + 7
    assert given.asnumpy().tolist() == ARRAY.tolist() and (copy.asnumpy() == 7).all()


@pytest.mark.parametrize("kind", ["Float", "Double", "Half", "Long", "Int", "Short", "Char", "Byte", "Bool"])
def test_constructors_named_after_a_dtype(kind: str) -> None:
    """Data is cast as torch casts it; integers are sizes; what could be either is refused."""
    theirs, ours = getattr(torch, f"{kind}Tensor"), getattr(legacy_constructors, f"{kind.lower()}_tensor")
    for given in ([1, 0], np.array([[1.0, 0.0]]), []):
        same(ours(given), theirs(given))
    assert ours(2, 3).shape == tuple(theirs(2, 3).shape)
    assert ours(2, 3).dtype == ours([1]).dtype
    assert ours(2, ms.Tensor([5, 3]).min()).shape == tuple(theirs(2, torch.tensor([5, 3]).min()).shape)
    with pytest.raises(Refused):
        ours(2, ms.Tensor(3.0))
    with pytest.raises(Refused):
        ours((2, 3))
