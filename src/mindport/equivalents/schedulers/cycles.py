"""Cyclical learning rates, and the one-cycle policy, with the momentum going the other way."""

import math
from types import FunctionType

from mindport.declare import layer
from mindport.equivalents.schedulers.scheduler import (
    LRScheduler,
    check_optimizer,
    for_each_group,
)


def set_momentum(scheduler, group, value):
    """Momentum, or the first beta."""
    if scheduler.use_beta1:
        group["betas"] = (value, *group["betas"][1:])
    else:
        group["momentum"] = value


def begin_momentum(scheduler, optimizer, base_momentum, max_momentum, last_epoch):
    """Writes both ends of the momentum into the groups, and starts at the upper one; the ends by group are the result."""
    if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
        raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
    scheduler.use_beta1 = "betas" in optimizer.defaults
    low = for_each_group(optimizer, "base_momentum", base_momentum)
    high = for_each_group(optimizer, "max_momentum", max_momentum)
    if last_epoch == -1:
        for group, least, most in zip(optimizer.param_groups, low, high):
            set_momentum(scheduler, group, most)
            group["max_momentum"], group["base_momentum"] = most, least
    return low, high


@layer("torch.optim.lr_scheduler.CyclicLR")
class CyclicLR(LRScheduler):
    """Up from base_lr to max_lr in step_size_up steps, and down again; the height may shrink from cycle to cycle."""

    def __init__(
        self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode="triangular", gamma=1.0, scale_fn=None,
        scale_mode="cycle", cycle_momentum=True, base_momentum=0.8, max_momentum=0.9, last_epoch=-1,
    ):  # fmt: skip
        check_optimizer(optimizer)
        self.optimizer = optimizer
        bases = for_each_group(optimizer, "base_lr", base_lr)
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, bases):
                group["lr"] = rate
        self.max_lrs = for_each_group(optimizer, "max_lr", max_lr)
        up = float(step_size_up)
        self.total_size = up + (float(step_size_down) if step_size_down is not None else up)
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode if scale_fn is not None else "iterations" if mode == "exp_range" else "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.base_momentums, self.max_momentums = begin_momentum(self, optimizer, base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = bases

    def scale_fn(self, x):
        """The part of the height that cycle or iteration x has."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular":
            return 1.0
        return 1 / 2.0 ** (x - 1) if self.mode == "triangular2" else self.gamma**x

    def get_lr(self):
        """The learning rates of `last_epoch`; sets the momentum, too."""
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        place = 1.0 + self.last_epoch / self.total_size - cycle
        part = place / self.step_ratio if place <= self.step_ratio else (place - 1) / (self.step_ratio - 1)
        at = cycle if self.scale_mode == "cycle" else self.last_epoch
        if self.cycle_momentum:
            for group, low, high in zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums):
                set_momentum(self, group, high - (high - low) * part * self.scale_fn(at))
        return [low + (high - low) * part * self.scale_fn(at) for low, high in zip(self.base_lrs, self.max_lrs)]

    def state_dict(self):
        """Attributes; a function is not saved, a callable object by its attributes."""
        state = super().state_dict()
        custom = state["_scale_fn_custom"]
        state["_scale_fn_custom"] = None if custom is None or isinstance(custom, FunctionType) else custom.__dict__.copy()
        return state

    def load_state_dict(self, state_dict):
        """Takes over the attributes."""
        super().load_state_dict({name: value for name, value in state_dict.items() if name != "_scale_fn_custom"})
        if state_dict["_scale_fn_custom"] is not None:
            self._scale_fn_custom.__dict__.update(state_dict["_scale_fn_custom"])


@layer("torch.optim.lr_scheduler.OneCycleLR")
class OneCycleLR(LRScheduler):
    """Up from max_lr / div_factor to max_lr, then down to a small part of where it started, in total_steps steps."""

    def __init__(
        self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3, anneal_strategy="cos",
        cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0, final_div_factor=1e4, three_phase=False,
        last_epoch=-1,
    ):  # fmt: skip
        check_optimizer(optimizer)
        self.optimizer = optimizer
        if total_steps is None and (epochs is None or steps_per_epoch is None):
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        counts = {"total_steps": total_steps} if total_steps is not None else {"epochs": epochs, "steps_per_epoch": steps_per_epoch}
        self.total_steps = 1
        for name, count in counts.items():
            if not isinstance(count, int) or count <= 0:
                raise ValueError(f"Expected positive integer {name}, but got {count}")
            self.total_steps *= count
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_func_type = anneal_strategy
        self._schedule_phases = self.phases(pct_start, three_phase)
        highest = for_each_group(optimizer, "max_lr", max_lr)
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, highest):
                group["initial_lr"], group["max_lr"] = rate / div_factor, rate
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            begin_momentum(self, optimizer, base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def phases(self, pct_start, three_phase):
        """Where each phase ends, and between which options of the group it leads."""
        keys = ("end_step", "start_lr", "end_lr", "start_momentum", "end_momentum")
        top, last = float(pct_start * self.total_steps) - 1, self.total_steps - 1
        phases = [(top, "initial_lr", "max_lr", "max_momentum", "base_momentum")]
        if three_phase:
            phases.append((float(2 * pct_start * self.total_steps) - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum"))
            phases.append((last, "initial_lr", "min_lr", "max_momentum", "max_momentum"))
        else:
            phases.append((last, "max_lr", "min_lr", "base_momentum", "max_momentum"))
        return [dict(zip(keys, phase)) for phase in phases]

    def between(self, start, end, part):
        """The value after a part of the way, along half a cosine wave or straight."""
        if self._anneal_func_type == "cos":
            return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)
        return (end - start) * part + start

    def get_lr(self):
        """The learning rates of `last_epoch`; sets the momentum, too."""
        if self.last_epoch > self.total_steps:
            raise ValueError(f"Tried to step {self.last_epoch} times. The specified number of total steps is {self.total_steps}")
        begin = 0.0
        for phase in self._schedule_phases[:-1]:
            if self.last_epoch <= phase["end_step"]:
                break
            begin = phase["end_step"]
        else:
            phase = self._schedule_phases[-1]
        part = (self.last_epoch - begin) / (phase["end_step"] - begin)
        found = []
        for group in self.optimizer.param_groups:
            found.append(self.between(group[phase["start_lr"]], group[phase["end_lr"]], part))
            if self.cycle_momentum:
                set_momentum(self, group, self.between(group[phase["start_momentum"]], group[phase["end_momentum"]], part))
        return found
