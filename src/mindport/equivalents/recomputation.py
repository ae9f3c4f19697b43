"""Activation checkpointing trades time for memory and changes no number: the plain call computes the same.

`mindspore.recompute` and `Cell.recompute` do the same trade, where memory is short.
"""

from mindspore import nn

from mindport.declare import difference, equivalent

KEPT = difference(
    "activations are kept, not computed again: the same numbers with more memory; Cell.recompute() saves it in graph mode",
    risk="style", zh="保留激活值，不重新计算",
)
#: torch computes the function again for the gradient, in training mode: each batch counts twice in running statistics.
ONCE = difference(
    "running statistics of a batch normalisation inside of it move once a step, in torch twice: its evaluation mode gives other numbers",
    when="'BatchNorm' in str(function)", risk="silent", zh="其中 BatchNorm 的滑动统计量每步只更新一次（torch 更新两次）",
)
ONCE_IN_SEQUENCE = difference(
    "running statistics of a batch normalisation inside of it move once a step, in torch twice: its evaluation mode gives other numbers",
    when="'BatchNorm' in str(functions)", risk="silent", zh="其中 BatchNorm 的滑动统计量每步只更新一次（torch 更新两次）",
)


@equivalent(
    "torch.utils.checkpoint.checkpoint", differs=[KEPT, ONCE],
    drops={
        "use_reentrant": "nothing is computed again", "context_fn": "nothing is computed again",
        "determinism_check": "nothing is computed again", "debug": "nothing is computed again",
        "preserve_rng_state": "nothing is computed again", "early_stop": "nothing is computed again",
    },
)
def checkpoint(
    function, *args, use_reentrant=None, context_fn=None, determinism_check="default", debug=False, preserve_rng_state=True,
    early_stop=True, **kwargs,
):
    """function(*args, **kwargs). https://docs.pytorch.org/docs/2.13/checkpoint.html"""
    return function(*args, **kwargs)


@equivalent(
    "torch.utils.checkpoint.checkpoint_sequential", differs=[KEPT, ONCE_IN_SEQUENCE],
    drops={
        "segments": "nothing is computed again", "use_reentrant": "nothing is computed again",
        "preserve_rng_state": "nothing is computed again",
    },
)
def checkpoint_sequential(functions, segments, input, use_reentrant=None, *, preserve_rng_state=True):
    """The functions or the modules of a Sequential, one after the other."""
    for function in functions._cells.values() if isinstance(functions, nn.Cell) else functions:
        input = function(input)
    return input
