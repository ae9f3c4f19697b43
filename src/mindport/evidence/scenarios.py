"""Small programs about modules, run on both sides: what has an effect on an object instead of a result.

A scenario is written once, as a function of a `Side`, and returns plain values that must be equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import mindspore as ms
import torch

from mindport import catalog
from mindport.declare import Declaration
from mindport.evidence import compare
from mindport.evidence.bridge import dtype_to_torch, to_mindspore
from mindport.evidence.knowledge import declaration
from mindport.evidence.run_sample import Result, judged
from mindport.evidence.samples import Sample, resolve
from mindport.forms import public


@dataclass(frozen=True)
class Side:
    """One framework as a scenario sees it.

    `call(*args)` calls (or reads) the API that is tested, `make(name, *args)` builds what another torch name
    stands for, `value(tensor)` gives a torch tensor's counterpart, `dtype(tensor)` a dtype's name.
    """

    name: str
    declared: Declaration | None

    @property
    def torchs(self) -> Side:
        """torch's side of the same API."""
        return Side(self.name, None)

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """The API under test."""
        if self.declared is not None:
            return self.declared.target(*args, **kwargs)
        owner, _, last = public(self.name).rpartition(".")
        if isinstance(resolve(owner), type) and args and isinstance(args[0], resolve(owner)) and not callable(getattr(args[0], last)):
            return getattr(args[0], last)
        return resolve(public(self.name))(*args, **kwargs)

    def named(self, name: str) -> Any:
        """The class or function that another name of torch's stands for on this side."""
        return resolve(name) if self.declared is None else declaration(catalog.load().find(name)[-1]).target

    def make(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Another layer or function of this side."""
        return self.named(name)(*args, **kwargs)

    def net(self) -> Any:
        """Two linear layers with a nonlinearity between them, and a batch normalisation without weights of its own."""
        inner = self.make("torch.nn.Sequential", self.make("torch.nn.Linear", 4, 3), self.make("torch.nn.ReLU"))
        return self.make("torch.nn.Sequential", inner, self.make("torch.nn.Linear", 3, 2))

    def value(self, value: Any) -> Any:
        """A torch value on this side."""
        return value if self.declared is None else to_mindspore(value)

    def layer(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """A layer with the same weights on both sides."""
        torch.manual_seed(5)
        theirs = resolve(name)(*args, **kwargs)
        if self.declared is None:
            return theirs
        return self.with_weights(self.make(name, *args, **kwargs), theirs)

    def with_weights(self, made: Any, theirs: Any) -> Any:
        """This side's module with the weights of torch's, which torch's side itself is."""
        if self.declared is None:
            return theirs
        self.make("torch.nn.Module.load_state_dict", made, {key: self.value(value.detach()) for key, value in theirs.state_dict().items()})
        return made

    def trains(self, module: Any, mode: bool = True) -> Any:
        """The module in training mode, or in evaluation mode."""
        return module.train(mode) if self.declared is None else module.set_train(mode)

    def state(self, module: Any) -> dict[str, Any]:
        """A module's state under torch's names."""
        return dict(module.state_dict() if self.declared is None else self.make("torch.nn.Module.state_dict", module))

    def parameters(self, module: Any) -> dict[str, Any]:
        """A module's parameters by torch's names."""
        return dict(module.named_parameters() if self.declared is None else self.make("torch.nn.Module.named_parameters", module))

    def gradients(self, function: Callable[..., Any], *values: torch.Tensor, weights: Sequence[Any] = ()) -> Any:
        """The gradients of the sum of what a function gives, for tensors that are its arguments and for parameters of modules."""
        if self.declared is None:
            given = [value.clone().requires_grad_() for value in values]
            return list(torch.autograd.grad(function(*given).sum(), [*given, *weights]))
        places = tuple(range(len(values))) or None
        found = ms.grad(lambda *given: function(*given).sum(), places, list(weights) or None)(*map(self.value, values))
        both = found if values and weights else (found, ()) if values else ((), found)
        return [gradient for part in both for gradient in (part if isinstance(part, (tuple, list)) else (part,))]

    def dtype(self, tensor: Any) -> str:
        """The dtype's name."""
        return str(tensor.dtype if self.declared is None else dtype_to_torch(tensor.dtype))


Scenario = Callable[[Side], Any]

#: Scenarios by the torch name that they are about.
SCENARIOS: dict[str, list[Scenario]] = {}
#: How many seconds a scenario may take that takes longer than others: whole networks.
SECONDS: dict[Scenario, float] = {}


def scenario(*names: str, seconds: float | None = None) -> Callable[[Scenario], Scenario]:
    """The decorated function is a scenario of `names`, which may take `seconds`."""

    def register(function: Scenario) -> Scenario:
        for name in names:
            SCENARIOS.setdefault(name, []).append(function)
        if seconds is not None:
            SECONDS[function] = seconds
        return function

    return register


def run_scenario(name: str, declared: Declaration, told: Scenario) -> Result:
    """Run both sides and compare what they return."""
    expected = told(Side(name, None))

    def ours() -> str:
        ms.set_seed(1)
        return compare.difference(expected, told(Side(name, declared)), sequences_alike=True)

    torch.manual_seed(1)
    return judged(declared, Sample(), f"{name}: {(told.__doc__ or told.__name__).strip()}", ours)
