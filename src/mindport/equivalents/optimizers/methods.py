"""Methods of optimizers: the classes here have them under torch's names, so that a converted text keeps its calls."""

from mindport.declare import attribute, difference, equivalent


@equivalent(
    "torch.optim.Optimizer.step", "torch.optim.SGD.step", "torch.optim.Adam.step", "torch.optim.Adagrad.step",
    "torch.optim.Adadelta.step", "torch.optim.Adamax.step", "torch.optim.NAdam.step", "torch.optim.RAdam.step",
    "torch.optim.RMSprop.step", "torch.optim.Rprop.step", "torch.optim.ASGD.step", "torch.optim.Adafactor.step",
    "torch.optim.Muon.step", "torch.optim.SparseAdam.step",
)  # fmt: skip
def step(self, closure=None):
    """One update by `parameter.grad`; a closure computes the gradients first, and its loss is the result."""
    if closure is None:
        return self.step()
    return self.step(closure)


@equivalent("torch.optim.LBFGS.step")
def step_by_closure(self, closure):
    """Several iterations; the closure computes loss and gradients, and is called several times."""
    return self.step(closure)


@equivalent("torch.optim.Optimizer.zero_grad")
def zero_grad(self, set_to_none=True):
    """Forgets the gradients, or sets those that are there to zero."""
    if set_to_none:
        return self.zero_grad()
    return self.zero_grad(set_to_none)


@equivalent(
    "torch.optim.Optimizer.state_dict",
    differs=[difference(
        "the tensors are copies; torch's are the optimizer's own, which later steps change in the dict, too", risk="style",
        zh="返回的张量是副本；torch 返回优化器自身的张量，之后的更新也会改变它们",
    )],
)  # fmt: skip
def state_dict(self):
    """Groups and state, with torch's keys and numbers."""
    return self.state_dict()


@equivalent("torch.optim.Optimizer.load_state_dict")
def load_state_dict(self, state_dict):
    """Takes over what `state_dict` gave here or, as arrays or tensors, in torch."""
    return self.load_state_dict(state_dict)


@equivalent("torch.optim.Optimizer.add_param_group")
def add_param_group(self, param_group):
    """One more group of parameters."""
    return self.add_param_group(param_group)


@equivalent("torch.optim.Optimizer.register_step_pre_hook")
def register_step_pre_hook(self, hook):
    """Calls hook(optimizer, args, kwargs) before each step."""
    return self.register_step_pre_hook(hook)


@equivalent("torch.optim.Optimizer.register_step_post_hook")
def register_step_post_hook(self, hook):
    """Calls hook(optimizer, args, kwargs) after each step."""
    return self.register_step_post_hook(hook)


@attribute("torch.optim.Optimizer.param_groups")
def param_groups(self):
    """The list of groups, dicts that schedulers and users may change."""
    return self.param_groups


@attribute("torch.optim.Optimizer.defaults")
def defaults(self):
    """Options of groups that give none of their own."""
    return self.defaults
