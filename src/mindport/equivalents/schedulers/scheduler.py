"""What all learning-rate schedulers share: the count of steps, and the learning rates that they write into groups."""

import warnings

from mindspore import Tensor

from mindport.declare import layer
from mindport.equivalents.optimizers.optimizer import Optimizer

ORDER = (
    "lr_scheduler.step() came before optimizer.step(): the first value of the schedule is skipped. "
    "Call optimizer.step() first."
)


def rates(optimizer, name="lr"):
    """The groups' learning rates, or another option of them."""
    return [group[name] for group in optimizer.param_groups]


def for_each_group(optimizer, name, value):
    """A value for each group: itself, or the items of a sequence of that length."""
    if not isinstance(value, (list, tuple)):
        return [value] * len(optimizer.param_groups)
    if len(value) != len(optimizer.param_groups):
        raise ValueError(f"{name} must have the same length as optimizer.param_groups: {len(value)} for {len(optimizer.param_groups)}")
    return list(value)


def check_optimizer(optimizer):
    """Raises TypeError for what is no optimizer."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def without_functions(scheduler, *left_out):
    """A scheduler's attributes that are saved."""
    return {name: value for name, value in scheduler.__dict__.items() if name not in ("optimizer", *left_out)}


@layer("torch.optim.lr_scheduler.LRScheduler")
class LRScheduler:
    """Sets ``group["lr"]`` at each step to what `get_lr` of the class gives. https://docs.pytorch.org/docs/2.13/optim.html"""

    def __init__(self, optimizer, last_epoch=-1):
        check_optimizer(optimizer)
        self.optimizer = optimizer
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(f"param 'initial_lr' is not specified in param_groups[{number}] when resuming an optimizer")
        self.base_lrs = rates(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        self._get_lr_called_within_step = False
        self._is_initial = False
        self._initial_step()

    def _initial_step(self):
        self._step_count = 0
        self._is_initial = True
        self.step()
        self._is_initial = False

    def get_lr(self):
        """The learning rates of `last_epoch`."""
        raise NotImplementedError(f"{type(self).__name__} defines no get_lr")

    def get_last_lr(self):
        """The learning rates that the last step has set."""
        return self._last_lr

    def step(self, epoch=None):
        """One epoch on, or to the given one."""
        if self._step_count == 1 and self.optimizer.steps_taken == 0:
            warnings.warn(ORDER, UserWarning, stacklevel=2)
        self._step_count += 1
        self._update_lr(epoch)

    def _update_lr(self, epoch=None):
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self._get_lr_called_within_step = True
        closed = getattr(self, "_get_closed_form_lr", None)
        values = self.get_lr() if epoch is None or closed is None else closed()
        self._get_lr_called_within_step = False
        for group, value in zip(self.optimizer.param_groups, values):
            group["lr"] = float(value) if isinstance(value, Tensor) else value
        self._last_lr = rates(self.optimizer)

    def state_dict(self):
        """All attributes but the optimizer."""
        return without_functions(self)

    def load_state_dict(self, state_dict):
        """Takes over the attributes."""
        self.__dict__.update(state_dict)
