"""Methods of GradScaler: the class in `loss_scaling` has them under torch's names, so that a converted text keeps its calls."""

from mindport.declare import equivalent


@equivalent("torch.amp.GradScaler.scale")
def scale(self, outputs):
    """A loss, or a sequence of losses, times the factor."""
    return self.scale(outputs)


@equivalent("torch.amp.GradScaler.unscale_")
def unscale_(self, optimizer):
    """Divides the optimizer's gradients by the factor."""
    return self.unscale_(optimizer)


@equivalent("torch.amp.GradScaler.step")
def step(self, optimizer, *args, **kwargs):
    """The optimizer's step, where all gradients are finite."""
    return self.step(optimizer, *args, **kwargs)


@equivalent("torch.amp.GradScaler.update")
def update(self, new_scale=None):
    """Adapts the factor."""
    if new_scale is None:
        return self.update()
    return self.update(new_scale)


@equivalent("torch.amp.GradScaler.state_dict")
def state_dict(self):
    """The factor and its rules."""
    return self.state_dict()


@equivalent("torch.amp.GradScaler.load_state_dict")
def load_state_dict(self, state_dict):
    """Takes over what state_dict gave."""
    return self.load_state_dict(state_dict)


@equivalent("torch.amp.GradScaler.get_scale")
def get_scale(self):
    """The factor; 1.0 where scaling is off."""
    return self.get_scale()


@equivalent("torch.amp.GradScaler.is_enabled")
def is_enabled(self):
    """Whether losses are scaled."""
    return self.is_enabled()


@equivalent("torch.amp.GradScaler.get_growth_factor")
def get_growth_factor(self):
    """What the factor is multiplied by to grow."""
    return self.get_growth_factor()


@equivalent("torch.amp.GradScaler.set_growth_factor")
def set_growth_factor(self, new_factor):
    """Changes it."""
    return self.set_growth_factor(new_factor)


@equivalent("torch.amp.GradScaler.get_backoff_factor")
def get_backoff_factor(self):
    """What the factor is multiplied by after infinite gradients."""
    return self.get_backoff_factor()


@equivalent("torch.amp.GradScaler.set_backoff_factor")
def set_backoff_factor(self, new_factor):
    """Changes it."""
    return self.set_backoff_factor(new_factor)


@equivalent("torch.amp.GradScaler.get_growth_interval")
def get_growth_interval(self):
    """After how many good steps the factor grows."""
    return self.get_growth_interval()


@equivalent("torch.amp.GradScaler.set_growth_interval")
def set_growth_interval(self, new_interval):
    """Changes it."""
    return self.set_growth_interval(new_interval)
