"""Methods of schedulers: the classes here have them under torch's names, so that a converted text keeps its calls."""

from mindport.declare import attribute, equivalent


@equivalent("torch.optim.lr_scheduler.LRScheduler.step", "torch.optim.lr_scheduler.CosineAnnealingWarmRestarts.step")
def step(self, epoch=None):
    """One epoch on, or to the given one."""
    if epoch is None:
        return self.step()
    return self.step(epoch)


@equivalent("torch.optim.lr_scheduler.SequentialLR.step", "torch.optim.lr_scheduler.ChainedScheduler.step")
def step_all(self):
    """One epoch on."""
    return self.step()


@equivalent("torch.optim.lr_scheduler.ReduceLROnPlateau.step")
def step_by_metric(self, metrics, epoch=None):
    """One epoch on, with what the plateau is looked for in."""
    if epoch is None:
        return self.step(metrics)
    return self.step(metrics, epoch)


@equivalent("torch.optim.lr_scheduler.LRScheduler.get_last_lr")
def get_last_lr(self):
    """The learning rates that the last step has set, one a group."""
    return self.get_last_lr()


@equivalent(
    "torch.optim.lr_scheduler.LRScheduler.get_lr", "torch.optim.lr_scheduler.LambdaLR.get_lr",
    "torch.optim.lr_scheduler.MultiplicativeLR.get_lr", "torch.optim.lr_scheduler.StepLR.get_lr",
    "torch.optim.lr_scheduler.MultiStepLR.get_lr", "torch.optim.lr_scheduler.ConstantLR.get_lr",
    "torch.optim.lr_scheduler.LinearLR.get_lr", "torch.optim.lr_scheduler.ExponentialLR.get_lr",
    "torch.optim.lr_scheduler.PolynomialLR.get_lr", "torch.optim.lr_scheduler.CosineAnnealingLR.get_lr",
    "torch.optim.lr_scheduler.CosineAnnealingWarmRestarts.get_lr", "torch.optim.lr_scheduler.CyclicLR.get_lr",
    "torch.optim.lr_scheduler.OneCycleLR.get_lr", "torch.optim.swa_utils.SWALR.get_lr",
)  # fmt: skip
def get_lr(self):
    """The learning rates of the epoch, as a step computes them."""
    return self.get_lr()


@equivalent(
    "torch.optim.lr_scheduler.LRScheduler.state_dict", "torch.optim.lr_scheduler.LambdaLR.state_dict",
    "torch.optim.lr_scheduler.MultiplicativeLR.state_dict", "torch.optim.lr_scheduler.CyclicLR.state_dict",
    "torch.optim.lr_scheduler.SequentialLR.state_dict", "torch.optim.lr_scheduler.ChainedScheduler.state_dict",
    "torch.optim.swa_utils.SWALR.state_dict",
)  # fmt: skip
def state_dict(self):
    """All attributes but the optimizer and plain functions."""
    return self.state_dict()


@equivalent(
    "torch.optim.lr_scheduler.LRScheduler.load_state_dict", "torch.optim.lr_scheduler.LambdaLR.load_state_dict",
    "torch.optim.lr_scheduler.MultiplicativeLR.load_state_dict", "torch.optim.lr_scheduler.CyclicLR.load_state_dict",
    "torch.optim.lr_scheduler.SequentialLR.load_state_dict", "torch.optim.lr_scheduler.ChainedScheduler.load_state_dict",
    "torch.optim.lr_scheduler.ReduceLROnPlateau.load_state_dict", "torch.optim.swa_utils.SWALR.load_state_dict",
)  # fmt: skip
def load_state_dict(self, state_dict):
    """Takes over what `state_dict` gave, here or in torch."""
    return self.load_state_dict(state_dict)


@attribute("torch.optim.lr_scheduler.LRScheduler.base_lrs")
def base_lrs(self):
    """The learning rates that the schedule starts from."""
    return self.base_lrs


@attribute(
    "torch.optim.lr_scheduler.LRScheduler.last_epoch", "torch.optim.lr_scheduler.ReduceLROnPlateau.last_epoch",
    "torch.optim.lr_scheduler.SequentialLR.last_epoch",
)  # fmt: skip
def last_epoch(self):
    """How many epochs the schedule has gone."""
    return self.last_epoch


@attribute(
    "torch.optim.lr_scheduler.LRScheduler.optimizer", "torch.optim.lr_scheduler.LambdaLR.optimizer",
    "torch.optim.lr_scheduler.MultiplicativeLR.optimizer", "torch.optim.lr_scheduler.CyclicLR.optimizer",
    "torch.optim.lr_scheduler.OneCycleLR.optimizer", "torch.optim.lr_scheduler.ReduceLROnPlateau.optimizer",
    "torch.optim.lr_scheduler.SequentialLR.optimizer", "torch.optim.lr_scheduler.ChainedScheduler.optimizer",
)  # fmt: skip
def scheduled_optimizer(self):
    """The optimizer whose rates are set."""
    return self.optimizer
