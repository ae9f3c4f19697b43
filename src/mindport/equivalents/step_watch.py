"""One run of a step that is watched: what its code reads, and why a graph might compute something else."""

import ast
import gc
import inspect
import random
import sys
import textwrap

import numpy as np
from mindspore import Tensor

from mindport.equivalents.graph_constants import is_library

#: What draws numbers by itself, beside the global streams.
STREAMS = (np.random.RandomState, np.random.Generator, random.Random)
READS = ("__bool__", "__int__", "__float__", "__index__", "item", "asnumpy", "tolist")


class Watch:
    """Calls a function and notes what its code reads, and why a graph might compute something else."""

    def __init__(self, forward):
        self.forward = forward
        self.functions = {}
        self.reason = None

    def __call__(self, *args):
        numbers, own = self.draws(), {name: vars(Tensor).get(name) for name in READS}
        for name in READS:
            setattr(Tensor, name, self.noting(name, getattr(Tensor, name)))
        earlier, collecting = sys.getprofile(), gc.isenabled()
        gc.disable()  # what the collector calls is no part of the step
        sys.setprofile(self.note)
        try:
            return self.forward(*args)
        finally:
            sys.setprofile(earlier)
            if collecting:
                gc.enable()
            for name, method in own.items():
                if method is None:
                    delattr(Tensor, name)
                else:
                    setattr(Tensor, name, method)
            if numbers != self.draws():
                self.reason = "numbers are drawn in Python"

    def draws(self):
        """Where Python's and NumPy's generators stand."""
        return random.getstate(), np.random.get_state()[1].tobytes(), np.random.get_state()[2]

    def noting(self, name, method):
        """A method that reads a tensor's value into Python: what follows may depend on the data."""

        def noted(tensor, *args, **kwargs):
            if not is_library(sys._getframe(1).f_globals):
                self.reason = f"a tensor's value is read ({name})"
            return method(tensor, *args, **kwargs)

        return noted

    def note(self, frame, event, argument):
        if event == "call" and frame.f_code not in self.functions:
            self.functions[frame.f_code] = frame.f_globals
        elif event == "c_call" and not frame.f_globals.get("__name__", "").startswith("mindspore"):
            if isinstance(getattr(argument, "__self__", None), STREAMS):
                self.reason = f"numbers are drawn in Python ({argument.__name__})"
            elif (argument is next or getattr(argument, "__module__", "") == "time") and not is_library(frame.f_globals):
                self.reason = f"{argument.__name__} gives something else each time"

    def obstacle(self):
        """Why the step is not compiled, or None."""
        for code, names in self.functions.items():
            # MindSpore sets attributes of its own at a cell's first call; what other code sets shows in that code.
            if self.reason is None and not is_library(names) and not code.co_name.startswith("<") and code.co_name != "__setattr__":
                self.reason = effect(code)
        return self.reason

    def roots(self):
        """The global names that the code mentions, each with its namespace, and all names of attributes in it."""
        places = [(names, name) for code, names in self.functions.items() if not is_library(names) for name in code.co_names if name in names]
        return places, {name for code in self.functions for name in code.co_names}


def effect(code):
    """What a function does besides computing its result, as far as its text shows it: a graph leaves it out, or does it once."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(code)))
    except (OSError, SyntaxError):
        return f"the source of {code.co_name} is not at hand"
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for node in ast.walk(tree):
        stored = isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load)
        if stored or isinstance(node, (ast.With, ast.Global, ast.Nonlocal, ast.Try, ast.Yield, ast.Await)):
            return f"{code.co_name} writes, or enters a context ({type(node).__name__}, line {code.co_firstlineno + node.lineno - 1})"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_") and not node.func.attr.endswith("__"):
            return f"{code.co_name} changes a tensor in place ({node.func.attr})"
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = node.value.func
            is_local = isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id in bound
            if not (is_local and called.attr in ("append", "extend")):
                return f"{code.co_name} calls `{ast.unparse(called)}` for its effect"
    return None
