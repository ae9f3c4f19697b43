"""Schedulers one after the other, and schedulers that multiply."""

from bisect import bisect_right

from mindport.declare import layer
from mindport.equivalents.schedulers.plateau import ReduceLROnPlateau
from mindport.equivalents.schedulers.scheduler import (
    LRScheduler,
    rates,
    without_functions,
)


def check_members(name, schedulers, optimizer):
    """Raises where schedulers cannot be composed."""
    if len(schedulers) < 1:
        raise ValueError(f"{name} expects at least one scheduler, but got none.")
    for number, scheduler in enumerate(schedulers):
        if not hasattr(scheduler, "optimizer"):
            raise TypeError(f"{name} at index {number} should have `optimizer` as its attribute.")
        if isinstance(scheduler, ReduceLROnPlateau):
            raise ValueError(f"{name} does not support ReduceLROnPlateau, whose step takes a metric: index {number}")
        if scheduler.optimizer is not (optimizer or schedulers[0].optimizer):
            raise ValueError(f"{name} expects all schedulers to belong to the same optimizer: index {number} does not")


class Composed(LRScheduler):
    """What both share: the members are saved with their own states."""

    def state_dict(self):
        """Attributes, and the members' states under `_schedulers`."""
        return {**without_functions(self, "_schedulers"), "_schedulers": [s.state_dict() for s in self._schedulers]}

    def load_state_dict(self, state_dict):
        """Takes over the attributes, and the members' states."""
        self.__dict__.update({name: value for name, value in state_dict.items() if name != "_schedulers"})
        for scheduler, saved in zip(self._schedulers, state_dict["_schedulers"]):
            scheduler.load_state_dict(saved)


@layer("torch.optim.lr_scheduler.SequentialLR")
class SequentialLR(Composed):
    """Each scheduler from its milestone on."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        check_members("SequentialLR", schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(f"{len(schedulers)} schedulers need {len(schedulers) - 1} milestones, not {len(milestones)}")
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        # Each member took its first step when it was made: start again from the initial rates.
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        self.recursive_undo()
        first = schedulers[bisect_right(milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def recursive_undo(self, sched=None):
        """Takes the members' first step back."""
        of = self if sched is None else sched
        if hasattr(of, "_schedulers"):
            for member in of._schedulers:
                self.recursive_undo(member)
        elif hasattr(of, "last_epoch"):
            of.last_epoch -= 1

    def step(self):
        """One epoch on; at its milestone a scheduler begins with epoch 0."""
        self.last_epoch += 1
        number = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[number]
        if number > 0 and self._milestones[number - 1] == self.last_epoch:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


@layer("torch.optim.lr_scheduler.ChainedScheduler")
class ChainedScheduler(Composed):
    """All schedulers step together, each on what the ones before have set."""

    def __init__(self, schedulers, optimizer=None):
        check_members("ChainedScheduler", schedulers, optimizer)
        self._schedulers = schedulers
        self.optimizer = optimizer or schedulers[0].optimizer
        self._last_lr = rates(self.optimizer)

    def step(self):
        """One epoch on."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = rates(self.optimizer)
