"""Schedules that multiply: steps, milestones, exponentials, functions of the epoch."""

from bisect import bisect_right
from collections import Counter
from types import FunctionType

from mindport.declare import layer
from mindport.equivalents.schedulers.scheduler import (
    LRScheduler,
    rates,
    without_functions,
)


@layer("torch.optim.lr_scheduler.LambdaLR")
class LambdaLR(LRScheduler):
    """The initial rate times ``lr_lambda(epoch)``."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        groups = len(optimizer.param_groups)
        self.lr_lambdas = list(lr_lambda) if isinstance(lr_lambda, (list, tuple)) else [lr_lambda] * groups
        if len(self.lr_lambdas) != groups:
            raise ValueError(f"Expected {groups} lr_lambdas, but got {len(self.lr_lambdas)}")
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The learning rates of `last_epoch`."""
        return [base * function(self.last_epoch) for function, base in zip(self.lr_lambdas, self.base_lrs)]

    def state_dict(self):
        """Attributes; functions are not saved, callable objects by their attributes."""
        state = without_functions(self, "lr_lambdas")
        state["lr_lambdas"] = [None if isinstance(f, FunctionType) else f.__dict__.copy() for f in self.lr_lambdas]
        return state

    def load_state_dict(self, state_dict):
        """Takes over the attributes, also those of callable objects."""
        self.__dict__.update({name: value for name, value in state_dict.items() if name != "lr_lambdas"})
        for function, saved in zip(self.lr_lambdas, state_dict["lr_lambdas"]):
            if saved is not None:
                function.__dict__.update(saved)


@layer("torch.optim.lr_scheduler.MultiplicativeLR")
class MultiplicativeLR(LambdaLR):
    """The present rate times ``lr_lambda(epoch)``."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        for function in lr_lambda if isinstance(lr_lambda, (list, tuple)) else [lr_lambda]:
            if not callable(function):
                raise TypeError(f"lr_lambda should be a function, but is a {type(function).__name__}")
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self):
        """The learning rates of `last_epoch`."""
        if self._is_initial:
            return rates(self.optimizer)
        return [rate * function(self.last_epoch) for function, rate in zip(self.lr_lambdas, rates(self.optimizer))]


@layer("torch.optim.lr_scheduler.StepLR")
class StepLR(LRScheduler):
    """The rate times gamma every step_size epochs."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The learning rates of `last_epoch`."""
        due = self.last_epoch != 0 and self.last_epoch % self.step_size == 0
        return [rate * self.gamma if due else rate for rate in rates(self.optimizer)]

    def _get_closed_form_lr(self):
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


@layer("torch.optim.lr_scheduler.MultiStepLR")
class MultiStepLR(LRScheduler):
    """The rate times gamma at each milestone."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The learning rates of `last_epoch`."""
        if self.last_epoch not in self.milestones:
            return rates(self.optimizer)
        return [rate * self.gamma ** self.milestones[self.last_epoch] for rate in rates(self.optimizer)]

    def _get_closed_form_lr(self):
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma**passed for base in self.base_lrs]


@layer("torch.optim.lr_scheduler.ExponentialLR")
class ExponentialLR(LRScheduler):
    """The rate times gamma at every epoch."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The learning rates of `last_epoch`."""
        return rates(self.optimizer) if self._is_initial else [rate * self.gamma for rate in rates(self.optimizer)]

    def _get_closed_form_lr(self):
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


@layer("torch.optim.lr_scheduler.ConstantLR")
class ConstantLR(LRScheduler):
    """The rate times factor until total_iters epochs are over."""

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if not 0 <= factor <= 1:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The learning rates of `last_epoch`."""
        if self.last_epoch == 0:
            return [rate * self.factor for rate in rates(self.optimizer)]
        if self.last_epoch == self.total_iters:
            return [rate * (1.0 / self.factor) for rate in rates(self.optimizer)]
        return rates(self.optimizer)

    def _get_closed_form_lr(self):
        over = self.last_epoch >= self.total_iters
        return [base * (self.factor + over * (1 - self.factor)) for base in self.base_lrs]


@layer("torch.optim.lr_scheduler.LinearLR")
class LinearLR(LRScheduler):
    """The factor goes straight from start_factor to end_factor in total_iters epochs."""

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        if not 0 < start_factor <= 1:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and at most 1.")
        if not 0 <= end_factor <= 1:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The learning rates of `last_epoch`."""
        if self.last_epoch == 0:
            return [rate * self.start_factor for rate in rates(self.optimizer)]
        if self._is_initial or self.last_epoch > self.total_iters:
            return rates(self.optimizer)
        rise = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (self.last_epoch - 1) * rise
        return [rate * (1.0 + rise / before) for rate in rates(self.optimizer)]

    def _get_closed_form_lr(self):
        rise = self.end_factor - self.start_factor
        return [
            base * (self.start_factor + rise * min(self.total_iters, self.last_epoch) / self.total_iters) for base in self.base_lrs
        ]


@layer("torch.optim.lr_scheduler.PolynomialLR")
class PolynomialLR(LRScheduler):
    """The rate falls to zero in total_iters epochs, as a power of what is left."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The learning rates of `last_epoch`."""
        if self._is_initial or self.last_epoch > self.total_iters:
            return rates(self.optimizer)
        left = 1.0 - self.last_epoch / self.total_iters
        left_before = 1.0 - (self.last_epoch - 1) / self.total_iters
        return [rate * (left / left_before) ** self.power for rate in rates(self.optimizer)]

    def _get_closed_form_lr(self):
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * left**self.power for base in self.base_lrs]
