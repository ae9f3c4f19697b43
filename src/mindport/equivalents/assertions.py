"""torch.testing.assert_close: values within a tolerance that follows from the dtype, structure by structure."""

from collections.abc import Mapping, Sequence

import mindspore as ms
import numpy as np
from mindspore import Tensor

from mindport.declare import equivalent

#: (relative, absolute) by dtype; what is not listed is exact. https://docs.pytorch.org/docs/2.13/testing.html
CLOSE = {
    ms.float16: (1e-3, 1e-5), ms.bfloat16: (1.6e-2, 1e-5), ms.float32: (1.3e-6, 1e-5), ms.float64: (1e-7, 1e-7),
    ms.complex64: (1.3e-6, 1e-5), ms.complex128: (1e-7, 1e-7),
}  # fmt: skip
SAME = "MindSpore's tensors have one layout, one device and no subclasses"


@equivalent(
    "torch.testing.assert_close",
    drops={"allow_subclasses": SAME, "check_device": SAME, "check_layout": SAME, "check_stride": SAME},
)
def assert_close(
    actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True, check_dtype=True,
    check_layout=True, check_stride=False, msg=None,
):  # fmt: skip
    """Raise AssertionError where the two differ: by structure, shape, dtype or by more than the tolerance."""
    if (rtol is None) != (atol is None):
        raise ValueError("rtol and atol must both be specified or both be unspecified")
    problem = _difference(actual, expected, rtol, atol, equal_nan, check_dtype)
    if problem:
        raise AssertionError(problem if msg is None else msg(problem) if callable(msg) else msg)


def _difference(actual, expected, rtol, atol, equal_nan, check_dtype):
    """A sentence on the first difference, "" where there is none."""
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        if set(actual) != set(expected):
            return f"The keys of the mappings do not match: {sorted(map(str, set(actual) ^ set(expected)))}"
        pairs = [(f"[{key!r}]", actual[key], expected[key]) for key in actual]
    elif isinstance(actual, Sequence) and isinstance(expected, Sequence) and not isinstance(actual, str):
        if len(actual) != len(expected):
            return f"The length of the sequences mismatch: {len(actual)} != {len(expected)}"
        pairs = [(f"[{place}]", one, other) for place, (one, other) in enumerate(zip(actual, expected))]
    else:
        return _values_differ(actual, expected, rtol, atol, equal_nan, check_dtype)
    for place, one, other in pairs:
        found = _difference(one, other, rtol, atol, equal_nan, check_dtype)
        if found:
            return f"{found} (at {place})"
    return ""


def _values_differ(actual, expected, rtol, atol, equal_nan, check_dtype):
    tensors = isinstance(actual, Tensor), isinstance(expected, Tensor)
    if tensors[0] != tensors[1]:
        return f"None of the pairs can compare {type(actual).__name__} with {type(expected).__name__}"
    if not tensors[0]:
        limits = (1e-7, 1e-7) if isinstance(actual, (float, complex)) or isinstance(expected, (float, complex)) else (0.0, 0.0)
        if not isinstance(actual, (int, float, complex)) or not isinstance(expected, (int, float, complex)):
            return "" if actual == expected else f"Not equal: {actual!r} and {expected!r}"
        return _beyond(np.asarray(actual), np.asarray(expected), limits, rtol, atol, equal_nan, "Scalars")
    if tuple(actual.shape) != tuple(expected.shape):
        return f"The values for attribute 'shape' do not match: {tuple(actual.shape)} != {tuple(expected.shape)}."
    if check_dtype and actual.dtype != expected.dtype:
        return f"The values for attribute 'dtype' do not match: {actual.dtype} != {expected.dtype}."
    each = [CLOSE.get(tensor.dtype, (0.0, 0.0)) for tensor in (actual, expected)]
    limits = tuple(max(numbers) for numbers in zip(*each))
    return _beyond(_host(actual), _host(expected), limits, rtol, atol, equal_nan, "Tensor-likes")


def _host(tensor):
    return (tensor.astype(ms.float32) if tensor.dtype == ms.bfloat16 else tensor).asnumpy()


def _beyond(actual, expected, limits, rtol, atol, equal_nan, what):
    relative, absolute = limits if rtol is None else (rtol, atol)
    close = np.isclose(actual, expected, rtol=relative, atol=absolute, equal_nan=equal_nan)
    if close.all():
        return ""
    word = "equal" if relative == absolute == 0 else "close"
    return f"{what} are not {word}!\n\nMismatched elements: {int((~close).sum())} / {close.size}"
