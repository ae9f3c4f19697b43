"""What an optimizer's documented attributes hold beyond their annotations: ``group["params"]`` is a list of parameters.

Options that all of torch's optimizers take as numbers are numbers: the equivalents keep them so where a tensor was given.
"""

from __future__ import annotations

from mindport.inference.values import Builtin, Mapping, Sequence, TensorValue, Unknown, Value

_NUMBERS = ("lr", "initial_lr", "weight_decay", "momentum", "dampening", "eps", "alpha", "rho")
_SWITCHES = ("nesterov", "maximize", "amsgrad", "centered")
_GROUP = Mapping(
    None,
    Unknown("an option of an optimizer"),
    (
        ("params", Sequence("list", None, TensorValue(parameter=True))),
        ("betas", Sequence("tuple", (Builtin("float"), Builtin("float")))),
        *((name, Builtin("float")) for name in _NUMBERS),
        *((name, Builtin("bool")) for name in _SWITCHES),
    ),
)

#: Documented attribute → what it holds.
HELD: dict[str, Value] = {"torch.optim.Optimizer.param_groups": Sequence("list", None, _GROUP)}
