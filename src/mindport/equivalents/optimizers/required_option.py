"""What stands for an option that every group of parameters has to name: ``def __init__(self, params, lr=required)``, as optimizers were written up to PyTorch 1.12."""

from mindport.declare import constant, difference

constant(
    "torch.optim.optimizer.required", ...,
    differs=[difference("a group that leaves the option out raises where it is computed with, not where the optimizer is made", risk="loud", zh="缺少该选项的参数组在计算时才报错，而不是在构造优化器时")],
)
