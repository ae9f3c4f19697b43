"""Scenarios of fields of named results, and of what sets or asks a setting."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

R = "torch.return_types."
X = torch.tensor([[3.0, -1.0, 2.0], [0.5, 4.0, -2.0], [1.0, 1.5, 7.0]])


@scenario(R + "max.values", R + "max.indices")
def pairs(side: Side) -> Any:
    """Of max along an axis."""
    return side.call(side.make("torch.Tensor.max", side.value(X), 1))


@scenario(R + "aminmax.min", R + "aminmax.max")
def bounds(side: Side) -> Any:
    """Of aminmax, whole and along an axis."""
    return side.call(side.make("torch.aminmax", side.value(X))), side.call(side.make("torch.aminmax", side.value(X), dim=1))


@scenario(R + "svd.V")
def third(side: Side) -> Any:
    """Of svd, up to the vectors' signs."""
    return side.call(side.make("torch.svd", side.value(X))).abs()


@scenario(R + "linalg_lstsq.singular_values")
def fourth(side: Side) -> Any:
    """Of a least squares problem, by a driver that has them."""
    return side.call(side.make("torch.linalg.lstsq", side.value(X), side.value(X[:, :1]), driver="gelsd"))


@scenario("torch.nn.init._calculate_fan_in_and_fan_out")
def fans(side: Side) -> Any:
    """Matrices and kernels; a vector raises."""
    found: list[Any] = [tuple(side.call(side.value(torch.zeros(shape)))) for shape in ((4, 3), (8, 2, 3, 3), (5, 4, 7))]
    try:
        side.call(side.value(torch.zeros(3)))
    except ValueError:
        found.append("raises")
    return found


@scenario("torch.nn.init._calculate_correct_fan")
def one_fan(side: Side) -> Any:
    """Either, in any case; another word raises."""
    found: list[Any] = [side.call(side.value(torch.zeros(8, 2, 3, 3)), mode) for mode in ("fan_in", "fan_out", "FAN_IN")]
    try:
        side.call(side.value(torch.zeros(8, 2)), "both")
    except ValueError:
        found.append("raises")
    return found


@scenario("torch.nn.functional._Reduction.get_enum")
def numbers(side: Side) -> Any:
    """The three words; another raises."""
    found: list[Any] = [side.call(word) for word in ("none", "mean", "sum")]
    try:
        side.call("most")
    except ValueError:
        found.append("raises")
    return found


@scenario("torch._check")
def demanded(side: Side) -> Any:
    """What holds passes, what does not raises with its message."""
    found: list[Any] = [side.call(True), side.call(3 > 2, lambda: "never")]
    try:
        side.call(False, lambda: "told so")
    except RuntimeError as error:
        found.append(str(error))
    return found


@scenario("torch.set_num_threads")
def threads(side: Side) -> Any:
    """No result."""
    return side.call(1)


@scenario("torch.set_printoptions")
def printing(side: Side) -> Any:
    """No result."""
    return side.call(precision=4, threshold=1000, edgeitems=3, linewidth=80, sci_mode=None)


@scenario("torch.use_deterministic_algorithms")
def deterministic(side: Side) -> Any:
    """No result."""
    return side.call(False), side.call(False, warn_only=True)


@scenario("torch.set_deterministic_debug_mode", "torch.set_float32_matmul_precision")
def words(side: Side) -> Any:
    """No result."""
    return side.call("default" if side.name.endswith("mode") else "highest")


@scenario("torch.overrides.has_torch_function")
def overridden(side: Side) -> Any:
    """Plain tensors override nothing."""
    return side.call((side.value(X), side.value(X)))


@scenario("torch.Tensor.is_shared")
def places(side: Side) -> Any:
    """Of a tensor on the CPU."""
    return side.call(side.value(X))


@scenario("torch.Tensor.data_ptr")
def addresses(side: Side) -> Any:
    """The same of a view, another of a copy."""
    x = side.value(X.clone())
    y = x + 0
    return side.call(x) == side.call(x), side.call(x) == side.call(y), isinstance(side.call(x), int)


@scenario("torch.jit.annotate")
def annotated(side: Side) -> Any:
    """The value, whatever is said of it."""
    return side.call(list, [1, 2])


@scenario("torch._C._log_api_usage_once")
def counted(side: Side) -> Any:
    """No result."""
    return side.call("anything")
