"""timm's cosine schedule: with warm-up, restarts and k-decay, told the epoch or the number of updates at each step."""

import math

from mindport.declare import Refused, layer


@layer("timm.scheduler.CosineLRScheduler")
class CosineLRScheduler:
    """Half a cosine wave from each group's rate to lr_min in t_initial epochs; cycles grow by cycle_mul and shrink by cycle_decay, `cycle_limit` of them.

    With the arguments of timm 1.0; those of before 0.5 (t_mul, decay_rate) are an error. Nothing is kept between steps: the rate follows from the number alone.
    """

    def __init__(
        self, optimizer, t_initial, lr_min=0.0, cycle_mul=1.0, cycle_decay=1.0, cycle_limit=1, warmup_t=0, warmup_lr_init=0.0, warmup_prefix=False, t_in_epochs=True,
        noise_range_t=None, noise_pct=0.67, noise_std=1.0, noise_seed=42, k_decay=1.0, initialize=True,
    ):  # fmt: skip
        if noise_range_t is not None:
            raise Refused("noise_range_t is not supported: the schedule has no noise")
        if t_initial <= 0 or lr_min < 0:
            raise AssertionError("t_initial has to be more than 0, lr_min not less")
        self.optimizer = optimizer
        self.param_group_field, self._initial_param_group_field = "lr", "initial_lr"
        for number, group in enumerate(optimizer.param_groups):
            if initialize:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(f"initial_lr missing from param_groups[{number}]")
        self.base_values = [group["initial_lr"] for group in optimizer.param_groups]
        self.metric = None
        self.t_in_epochs = t_in_epochs
        self.noise_range_t = noise_range_t
        self.noise_pct, self.noise_type, self.noise_std, self.noise_seed = noise_pct, "normal", noise_std, 42 if noise_seed is None else noise_seed
        self.t_initial = t_initial
        self.lr_min = lr_min
        self.cycle_mul = cycle_mul
        self.cycle_decay = cycle_decay
        self.cycle_limit = cycle_limit
        self.warmup_t = warmup_t
        self.warmup_lr_init = warmup_lr_init
        self.warmup_prefix = warmup_prefix
        self.k_decay = k_decay
        self.update_groups(self.base_values)
        self.warmup_steps = [(value - warmup_lr_init) / warmup_t if warmup_t else 1 for value in self.base_values]
        if warmup_t:
            self.update_groups(warmup_lr_init)

    def _get_lr(self, t):
        """The rates of the groups at the number t."""
        if t < self.warmup_t:
            return [self.warmup_lr_init + t * rise for rise in self.warmup_steps]
        if self.warmup_prefix:
            t = t - self.warmup_t
        if self.cycle_mul != 1:
            cycle = math.floor(math.log(1 - t / self.t_initial * (1 - self.cycle_mul), self.cycle_mul))
            length = self.cycle_mul**cycle * self.t_initial
            place = t - (1 - self.cycle_mul**cycle) / (1 - self.cycle_mul) * self.t_initial
        else:
            cycle, length = t // self.t_initial, self.t_initial
            place = t - length * cycle
        if cycle >= self.cycle_limit:
            return [self.lr_min for _ in self.base_values]
        height = 1 + math.cos(math.pi * place**self.k_decay / length**self.k_decay)
        return [self.lr_min + 0.5 * (value * self.cycle_decay**cycle - self.lr_min) * height for value in self.base_values]

    def step(self, epoch, metric=None):
        """At the end of an epoch: the rates of the next, which `epoch` is."""
        self.metric = metric
        if self.t_in_epochs:
            self.update_groups(self._get_lr(epoch))

    def step_update(self, num_updates, metric=None):
        """After an update: the rates after so many of them, where the schedule counts updates."""
        self.metric = metric
        if not self.t_in_epochs:
            self.update_groups(self._get_lr(num_updates))

    def update_groups(self, values):
        """Put rates, or one for all, into the groups, each times the group's `lr_scale`."""
        values = values if isinstance(values, (list, tuple)) else [values] * len(self.optimizer.param_groups)
        for group, value in zip(self.optimizer.param_groups, values):
            group["lr"] = value * group["lr_scale"] if "lr_scale" in group else value

    def get_cycle_length(self, cycles=0):
        """How many epochs (or updates) so many cycles take; all of them where 0."""
        cycles = max(1, cycles or self.cycle_limit)
        if self.cycle_mul == 1.0:
            length = self.t_initial * cycles
        else:
            length = int(math.floor(-self.t_initial * (self.cycle_mul**cycles - 1) / (1 - self.cycle_mul)))
        return length + self.warmup_t if self.warmup_prefix else length

    def state_dict(self):
        """What it holds, but for the optimizer."""
        return {name: value for name, value in self.__dict__.items() if name != "optimizer"}

    def load_state_dict(self, state_dict):
        """Take what another one held."""
        self.__dict__.update(state_dict)
