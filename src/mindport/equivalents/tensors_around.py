"""Tensors that a function reads from around it, where what is compiled takes them for constants: a gradient by them would be 0, or none, without an error."""

import functools
import inspect
from types import FunctionType

import mindspore as ms
from mindspore.nn.cell import _pynative_executor

from mindport.equivalents.nested_structures import tree_flatten

CONSTANT = "a derivative that is compiled takes the tensor `{}`, which its function reads from around it, for a constant, and gradients go through it here: give it to the function as an argument"


def refuse_wanting(func):
    """Raises NotImplementedError where operators are recorded for a gradient, and a function, or one that it reads, reads a tensor that has one. Parameters are followed by MindSpore's compiler."""
    if not _pynative_executor._executor.requires_grad():
        return
    waiting, seen = [func], set()
    while waiting:
        one = waiting.pop()
        if isinstance(one, functools.partial):
            waiting += [one.func, *one.args, *one.keywords.values()]
        one = getattr(one, "__func__", one)
        if not isinstance(one, FunctionType) or one in seen or one.__module__.startswith("mindspore"):
            continue
        seen.add(one)
        around = inspect.getclosurevars(one)
        for name, value in (*around.nonlocals.items(), *around.globals.items()):
            waiting.append(value)
            if any(isinstance(leaf, ms.Tensor) and not isinstance(leaf, ms.Parameter) and leaf._requires_grad for leaf in tree_flatten(value)[0]):
                raise NotImplementedError(CONSTANT.format(name))
