"""torch.optim: one family of optimizers a file, over gradients kept in `parameter.grad`."""
