"""What all optimizers share: parameter groups, gradients in `parameter.grad`, state that is saved and restored.

Updates run outside of `ms.jit`: compile the function that gives the gradients, and call the optimizer with them.
"""

import itertools
from collections import defaultdict
from copy import deepcopy
from functools import wraps

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, ops

from mindport.declare import Refused, layer
from mindport.equivalents.kept_gradients import set_gradient
from mindport.equivalents.optimizers.complex_parameters import (
    is_complex,
    new_parts,
    restored_parts,
    saved_whole,
    state_form,
    update_parts,
)
from mindport.equivalents.optimizers.repeated_parameters import update_in_turn

PLACING = {
    "foreach": "chooses among torch's ways to compute the same", "fused": "chooses among torch's ways to compute the same",
    "capturable": "is about CUDA graphs", "differentiable": "MindSpore updates parameters outside of differentiation",
}

#: State tensors get names of their own: a graph holds no two parameters of one name.
STATE_NUMBERS = itertools.count()


def check_range(least=0.0, below=None, **values):
    """Raises ValueError for the first value that is smaller than `least`, or not smaller than `below`."""
    for name, value in values.items():
        if not least <= value or below is not None and not value < below:
            raise ValueError(f"Invalid {name}: {value}")


class HookHandle:
    """Takes a hook away again."""

    def __init__(self, hooks, hook):
        self.hooks, self.hook = hooks, hook

    def remove(self):
        """The hook is not called any more."""
        if self.hook in self.hooks:
            self.hooks.remove(self.hook)


def with_hooks(step):
    """A class's step method that counts itself and calls the hooks, once where a step calls its base class's."""

    @wraps(step)
    def hooked(self, *args, **kwargs):
        if self.is_stepping:
            return step(self, *args, **kwargs)
        self.is_stepping = True
        try:
            self.steps_taken += 1
            # torch's hooks see the optimizer as the first of the arguments.
            args = (self, *args)
            for hook in list(self.before_step):
                given = hook(self, args, kwargs)
                if given is not None:
                    if not isinstance(given, tuple) or len(given) != 2:
                        raise RuntimeError(f"{hook} must return None or a tuple of (new_args, new_kwargs), but got {given}.")
                    args, kwargs = given
            result = step(*args, **kwargs)
            for hook in list(self.after_step):
                hook(self, args, kwargs)
            return result
        finally:
            self.is_stepping = False

    return hooked


@layer("torch.optim.Optimizer")
class Optimizer:
    """Parameters in groups with options of their own. https://docs.pytorch.org/docs/2.13/optim.html

    `params` is an iterable of parameters, of (name, parameter) pairs, or of group dicts. `parameters` is the flat
    tuple of all of them; ``optimizer(gradients)`` takes one step with gradients in that order (None: left alone).
    ``state[p]`` holds numbers such as step as Python floats; `state_dict` gives them as tensors, as torch does.
    """

    #: State entries that are numbers here and tensors of one element in `state_dict()`.
    numbers = ("step",)
    #: Whether `update` may change the two parts of complex parameters as numbers of their own.
    by_parts = True
    #: Whether a step asks for the state of all parameters before it changes the first: one that is listed twice has none, then, both times.
    looks_before = False
    #: An optimizer that wraps another one may never call `__init__`.
    is_stepping, steps_taken, before_step, after_step = False, 0, (), ()

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if "step" in cls.__dict__:
            cls.step = with_hooks(cls.step)

    def __init__(self, params, defaults):
        if isinstance(params, Tensor):
            raise TypeError(f"params should be an iterable of parameters or dicts, but is a {type(params).__name__}")
        self.defaults = defaults
        self.state = defaultdict(dict)
        self.param_groups = []
        self.steps_taken = 0
        self.is_stepping = False
        self.before_step = []
        self.after_step = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def __getattr__(self, name):
        """`parameters`: those of the groups as they are now, which a program may change, or have from an optimizer that it wraps."""
        if name == "parameters":
            return tuple(p for group in self.param_groups for p in group["params"])
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def add_param_group(self, param_group):
        """One more group; options that it does not give are the defaults."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but is a {type(param_group).__name__}")
        given = param_group["params"]
        if isinstance(given, set):
            raise TypeError("parameters need an order: give a list instead of a set")
        given = [given] if isinstance(given, Tensor) else list(given)
        named = [p[0] for p in given if isinstance(p, tuple)]
        if named and len(named) < len(given):
            raise ValueError("all parameters of a group have names, or none")
        members = [p[1] if isinstance(p, tuple) else p for p in given]
        for p in members:
            # On the tape, plain tensors that want their gradient are leaves as parameters are.
            if not (isinstance(p, Parameter) or isinstance(p, Tensor) and getattr(p, "_requires_grad", False) and p._is_leaf):
                if isinstance(p, Tensor) and not getattr(p, "_is_leaf", True):
                    raise ValueError("can't optimize a non-leaf Tensor")
                raise TypeError(f"optimizers change Parameters, not a {type(p).__name__}")
            if is_complex(p) and not self.by_parts:
                raise Refused(f"{type(self).__name__} changes real parameters: keep the real and the imaginary part apart")
            # A step of a user's own may ask for gradients that never were.
            p.grad = getattr(p, "grad", None)
        seen = {id(p) for p in self.parameters}
        if any(id(p) in seen for p in members):
            raise ValueError("some parameters appear in more than one parameter group")
        param_group["params"] = members
        if named:
            param_group["param_names"] = named
        for name, value in self.defaults.items():
            param_group.setdefault(name, value)
        for name, value in param_group.items():
            if isinstance(value, Tensor):
                param_group[name] = float(value)
        self.param_groups.append(param_group)

    @with_hooks
    def step(self, closure=None):
        """One update by `parameter.grad`; a closure computes them first, and its loss is the result."""
        loss = None if closure is None else closure()
        for group in self.param_groups:
            members = [p for p in group["params"] if getattr(p, "grad", None) is not None]
            if any(is_complex(p) for p in members):
                update_parts(self, group, members, [p.grad for p in members])
            elif members:
                update_in_turn(self, group, members, [p.grad for p in members])
        return loss

    def update(self, group, params, grads):
        """Changes the parameters of one group that have gradients."""
        raise NotImplementedError(f"{type(self).__name__} defines no update")

    def __call__(self, grads):
        """One step with these gradients, in the order of `parameters`; `parameter.grad` stays what it was.

        A frozen parameter is left alone, as torch gives it no gradient: neither decay nor momentum moves it.
        """
        if len(grads) != len(self.parameters):
            raise ValueError(f"{len(grads)} gradients for {len(self.parameters)} parameters")
        kept = [getattr(p, "grad", None) for p in self.parameters]
        for p, grad in zip(self.parameters, grads):
            p.grad = grad if p.requires_grad else None
        try:
            return self.step()
        finally:
            for p, grad in zip(self.parameters, kept):
                p.grad = grad

    def zero_grad(self, set_to_none=True):
        """Forgets the gradients, or sets those that are there to zero."""
        for p in self.parameters:
            if getattr(p, "grad", None) is not None:
                if set_to_none:
                    p.grad = None
                else:
                    set_gradient(p, ops.zeros_like(p.grad))

    def slot(self, p, name, value=0.0, shape=None):
        """A state tensor of a parameter, made at its first use with `value` in it and the parameter's shape, or another; of a complex one it holds the parts."""
        state = self.state[p]
        if name not in state:
            shape, dtype = state_form(p, p.shape if shape is None else shape)
            content = ops.full(shape, value, dtype=dtype)
            state[name] = Parameter(content, name=f"{name}.{next(STATE_NUMBERS)}", requires_grad=False)
        return state[name]

    def parts_of(self, p):
        """The parameter that stands for the real and imaginary parts of a complex one, always the same."""
        kept = self.__dict__.setdefault("_parts", {})
        if p not in kept:
            kept[p] = new_parts(p, next(STATE_NUMBERS))
        return kept[p]

    def advance(self, p):
        """Counts a parameter's steps."""
        state = self.state[p]
        state["step"] = state.get("step", 0.0) + 1
        return state["step"]

    def state_dict(self):
        """Groups with parameters as numbers, and the state by these numbers, as torch saves them."""
        number = {id(p): i for i, p in enumerate(self.parameters)}
        groups = []
        for group in self.param_groups:
            kept = {name: value for name, value in group.items() if name != "params"}
            groups.append({**kept, "params": [number[id(p)] for p in group["params"]]})
        return {"state": {number[id(p)]: self.saved(p) for p in self.state}, "param_groups": groups}

    def saved(self, p):
        """One parameter's state with numbers as tensors."""
        return {
            name: Tensor(value, ms.float32) if name in self.numbers and isinstance(value, float)
            else saved_whole(p, value.copy()) if isinstance(value, Tensor) else value
            for name, value in self.state[p].items()
        }  # fmt: skip

    def load_state_dict(self, state_dict):
        """Takes over groups and state; both sides must have the same groups."""
        given = state_dict["param_groups"]
        if len(given) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(given, self.param_groups)):
            raise ValueError("loaded state dict contains a parameter group of another size")
        members = {}
        groups = []
        for saved, group in zip(given, self.param_groups):
            members.update(zip(saved["params"], group["params"]))
            options = {name: deepcopy(value) for name, value in saved.items() if name != "params"}
            if "param_names" in group:
                options.setdefault("param_names", group["param_names"])
            groups.append({**options, "params": group["params"]})
        self.param_groups = groups
        self.state = defaultdict(dict)
        for key, entries in state_dict["state"].items():
            p = members[key]
            self.state[p] = {name: self.restored(p, name, value) for name, value in entries.items()}

    def restored(self, p, name, value):
        """A saved state entry as it is held here."""
        if name in self.numbers and isinstance(value, (Tensor, np.ndarray)):
            return float(value)
        if isinstance(value, (Tensor, np.ndarray)):
            value, dtype = restored_parts(p, value if isinstance(value, Tensor) else Tensor(value))
            return Parameter(value.astype(dtype).copy(), name=f"{name}.{next(STATE_NUMBERS)}", requires_grad=False)
        return deepcopy(value)

    def register_step_pre_hook(self, hook):
        """Calls hook(optimizer, args, kwargs) before each step."""
        self.before_step.append(hook)
        return HookHandle(self.before_step, hook)

    def register_step_post_hook(self, hook):
        """Calls hook(optimizer, args, kwargs) after each step."""
        self.after_step.append(hook)
        return HookHandle(self.after_step, hook)

    def __repr__(self):
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {number}")
            lines.extend(f"    {name}: {group[name]}" for name in sorted(group) if name != "params")
            lines.append("")
        return "\n".join([*lines[:-1], ")"])


def effective_gradient(group, p, grad, decay=True):
    """The gradient with its sign turned for maximisation, and weight decay as a part of it."""
    if group.get("maximize"):
        grad = -grad
    if decay and group["weight_decay"] != 0:
        grad = grad + p * group["weight_decay"]
    return grad


def shrink(group, p):
    """Decoupled weight decay: the parameter becomes smaller by lr times the decay."""
    if group["weight_decay"] != 0:
        p.copy_(p * whole(1 - float(group["lr"]) * group["weight_decay"], p))


def whole(factor, value):
    """A factor for the value: beside MindSpore's float64 a number of Python's passes through float32."""
    return Tensor(factor, ms.float64) if value.dtype == ms.float64 else factor


def follow(average, value, rate):
    """The average goes a part of the way to the value."""
    average.copy_(average + (value - average) * rate)
    return average


def follow_square(average, value, beta):
    """The average of squares keeps a part beta of itself."""
    average.copy_(average * beta + value * value * (1 - beta))
    return average


def single(number):
    """The float32 next to a number."""
    return float(np.float32(number))
