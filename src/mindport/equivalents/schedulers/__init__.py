"""torch.optim.lr_scheduler: learning rates written into an optimizer's `param_groups`."""
