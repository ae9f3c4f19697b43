"""Cosine annealing, with and without restarts."""

import math

from mindport.declare import layer
from mindport.equivalents.schedulers.scheduler import LRScheduler, rates


@layer("torch.optim.lr_scheduler.CosineAnnealingLR")
class CosineAnnealingLR(LRScheduler):
    """Half a cosine wave from the initial rate to eta_min in T_max epochs, and back."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The learning rates of `last_epoch`, each from the one before, as torch computes them."""
        low, epoch, period = self.eta_min, self.last_epoch, self.T_max
        if self._is_initial:
            return rates(self.optimizer)
        if self._step_count == 1 and epoch > 0:
            return [low + (base - low) * (1 + math.cos(epoch * math.pi / period)) / 2 for base in self.base_lrs]
        if (epoch - 1 - period) % (2 * period) == 0:
            rise = 1 - math.cos(math.pi / period)
            return [rate + (base - low) * rise / 2 for base, rate in zip(self.base_lrs, rates(self.optimizer))]
        change = (1 + math.cos(math.pi * epoch / period)) / (1 + math.cos(math.pi * (epoch - 1) / period))
        return [change * (rate - low) + low for rate in rates(self.optimizer)]

    def _get_closed_form_lr(self):
        low, height = self.eta_min, 1 + math.cos(math.pi * self.last_epoch / self.T_max)
        return [low + (base - low) * height / 2 for base in self.base_lrs]


@layer("torch.optim.lr_scheduler.CosineAnnealingWarmRestarts")
class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a cosine wave in T_0 epochs, then again, each T_mult times as long as the one before."""

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        if not isinstance(T_0, int) or T_0 <= 0:
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if not isinstance(T_mult, int) or T_mult < 1:
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The learning rates of `T_cur` epochs after the last restart."""
        height = 1 + math.cos(math.pi * self.T_cur / self.T_i)
        return [self.eta_min + (base - self.eta_min) * height / 2 for base in self.base_lrs]

    def step(self, epoch=None):
        """One epoch on, or to the given one, which may be a fraction."""
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur = self.T_cur + 1
            if self.T_cur >= self.T_i:
                self.T_cur = self.T_cur % self.T_i
                self.T_i = self.T_i * self.T_mult
        elif epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        elif epoch < self.T_0:
            self.T_i, self.T_cur = self.T_0, epoch
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            restarts = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**restarts - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult**restarts
        self.last_epoch = math.floor(epoch)
        for group, value in zip(self.optimizer.param_groups, self.get_lr()):
            group["lr"] = value
        self._last_lr = rates(self.optimizer)
