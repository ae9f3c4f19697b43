"""Lower rates when a metric does not get better."""

import math

from mindport.declare import layer
from mindport.equivalents.schedulers.scheduler import (
    LRScheduler,
    check_optimizer,
    rates,
)


@layer("torch.optim.lr_scheduler.ReduceLROnPlateau")
class ReduceLROnPlateau(LRScheduler):
    """The rate times factor after more than `patience` epochs without a better metric."""

    def __init__(
        self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0, min_lr=0, eps=1e-8,
    ):  # fmt: skip
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        check_optimizer(optimizer)
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown!")
        several = isinstance(min_lr, (list, tuple))
        if several and len(min_lr) != len(optimizer.param_groups):
            raise ValueError(f"expected {len(optimizer.param_groups)} min_lrs, got {len(min_lr)}")
        self.factor = factor
        self.optimizer = optimizer
        self.default_min_lr = None if several else min_lr
        self.min_lrs = list(min_lr) if several else [min_lr] * len(optimizer.param_groups)
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = rates(optimizer)
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self._reset()

    def _reset(self):
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    def is_better(self, value, best):
        """Whether a metric is better by more than the threshold."""
        if self.threshold_mode == "rel":
            return value < best * (1.0 - self.threshold) if self.mode == "min" else value > best * (self.threshold + 1.0)
        return value < best - self.threshold if self.mode == "min" else value > best + self.threshold

    def step(self, metrics, epoch=None):
        """Takes the metric of one more epoch."""
        current = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self.is_better(current, self.best):
            self.best = current
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce_lr()
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = rates(self.optimizer)

    def _reduce_lr(self):
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError(f"the optimizer has {len(groups)} groups now, and {len(self.min_lrs)} min_lrs were given")
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, least in zip(groups, self.min_lrs):
            old = float(group["lr"])
            new = max(old * self.factor, least)
            if old - new > self.eps:
                group["lr"] = new

    def load_state_dict(self, state_dict):
        """Takes over the attributes."""
        self.__dict__.update(state_dict)
        self.mode_worse = math.inf if self.mode == "min" else -math.inf
