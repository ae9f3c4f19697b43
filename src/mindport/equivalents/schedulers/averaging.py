"""Averaging weights over training: the learning rate for it, and the averages' rules."""

import math

from mindport.declare import equivalent, layer
from mindport.equivalents.schedulers.scheduler import LRScheduler, for_each_group


@layer("torch.optim.swa_utils.SWALR")
class SWALR(LRScheduler):
    """From the present rate to swa_lr in anneal_epochs epochs, then constant."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        for group, rate in zip(optimizer.param_groups, for_each_group(optimizer, "swa_lr", swa_lr)):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self._anneal_strategy = anneal_strategy
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def part(self, step):
        """How much of the way is done after a step."""
        done = max(0, min(1, step / max(1, self.anneal_epochs)))
        return (1 - math.cos(math.pi * done)) / 2 if self._anneal_strategy == "cos" else done

    def get_lr(self):
        """The learning rates of this step, from the ones before."""
        step = max(1, self._step_count - 1) if self.anneal_epochs == 0 else self._step_count - 1
        before, now = self.part(step - 1), self.part(step)
        found = []
        for group in self.optimizer.param_groups:
            goal, rate = group["swa_lr"], group["lr"]
            start = goal if before == 1 else (rate - before * goal) / (1 - before)
            found.append(goal * now + start * (1 - now))
        return found


@equivalent("torch.optim.swa_utils.get_ema_avg_fn")
def get_ema_avg_fn(decay=0.999):
    """A function of (average, current, number) that gives the exponential moving average."""
    if not 0.0 <= decay <= 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")

    def moving(average, current, number):
        return average * decay + current * (1 - decay)

    return moving


@equivalent("torch.optim.swa_utils.get_ema_multi_avg_fn")
def get_ema_multi_avg_fn(decay=0.999):
    """A function of (averages, parameters, number) that moves the averages."""
    if not 0.0 <= decay <= 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")

    def move(averages, parameters, number):
        for average, current in zip(averages, parameters):
            average.copy_(average + (current - average) * (1 - decay))

    return move


@equivalent("torch.optim.swa_utils.get_swa_avg_fn")
def get_swa_avg_fn():
    """A function of (average, current, number) that gives the plain average."""

    def plain(average, current, number):
        return average + (current - average) / (number + 1)

    return plain


@equivalent("torch.optim.swa_utils.get_swa_multi_avg_fn")
def get_swa_multi_avg_fn():
    """A function of (averages, parameters, number) that moves the averages to the plain ones."""

    def move(averages, parameters, number):
        for average, current in zip(averages, parameters):
            average.copy_(average + (current - average) / (number + 1))

    return move
