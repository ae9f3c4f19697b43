"""Under `GRAPH_MODE`: loss and gradients of a training step as one compiled graph.

A step's first run is PyNative's: it shows which parameters the loss reaches, and whether the code computes the same as a
graph. From the second run on the step is compiled. A graph takes for constant what Python holds: numbers and tensors in
attributes, and where its parameters stand in memory (measured on MindSpore 2.10: after `set_data` it goes on with the old
data, without an error). All of that is compared before each run; where it changed the next run is PyNative's again.
"""

import ast
import inspect
import os
import random
import sys
import textwrap
import warnings
from functools import cache
from types import FunctionType, MethodType, ModuleType

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn

from mindport.equivalents.optimizers.one_graph import settle

#: Graphs of one step that are kept: for other shapes, other modules, training and evaluation.
MOST_GRAPHS = 8
#: How often one step is compiled before it is left to PyNative.
MOST_COMPILATIONS = 32
#: What MindSpore keeps in every cell about its own work.
INTERNAL = frozenset(vars(nn.Cell())) - {"training", "_params", "_cells", "_buffers"}
PLAIN = frozenset((bool, int, float, complex, str, bytes, type(None), slice, type(...)))
READS = ("__bool__", "__int__", "__float__", "__index__", "item", "asnumpy", "tolist")
#: Longer containers count by identity.
LARGEST = 200
FRAMEWORKS = tuple(os.path.dirname(module.__file__) for module in (ms, np))
PYTHON = os.path.dirname(os.__file__)


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
        earlier = sys.getprofile()
        sys.setprofile(self.note)
        try:
            return self.forward(*args)
        finally:
            sys.setprofile(earlier)
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


def is_library(names):
    """Whether a module's namespace belongs to MindSpore, NumPy or Python."""
    path = names.get("__file__") or ""
    return path.startswith(FRAMEWORKS) or path.startswith(PYTHON) and "-packages" not in path


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


@cache
def category(kind):
    """How values of a type count: asked for hundreds of values at each step."""
    if issubclass(kind, Parameter):
        return "parameter"
    if issubclass(kind, (Tensor, np.ndarray)):
        return "content"
    if kind in (tuple, list, dict):
        return "container"
    if issubclass(kind, nn.Cell):
        return "cell"
    if issubclass(kind, FunctionType):
        return "function"
    is_opaque = issubclass(kind, (type, ModuleType)) or is_library(vars(sys.modules.get(kind.__module__, ast)))
    return "identity" if is_opaque else "object"


class Fixed:
    """What a graph takes for constant, as far as names in the code lead to it: two of them are equal where all of it is.

    Numbers and text count by value, parameters by their place in memory, other tensors and arrays by content, the rest
    by identity.
    """

    def __init__(self, forward, args, places, names):
        self.names, self.seen = names, set()
        self.state, self.contents, self.parameters, self.objects = [], [], [], []
        self.hooked = False
        for argument in args:
            self.state.append(signature(argument))
        self.note(forward)
        for namespace, name in places:
            self.note(namespace.get(name))

    def note(self, value):
        """Adds one value and what hangs on it."""
        kind = type(value)
        if kind in PLAIN:
            self.state.append((kind, value))
            return
        if kind is MethodType:
            self.note(value.__func__)
            value = value.__self__
        # A function that is defined anew in each call is the same where its code and what it holds are.
        self.state.append(id(value.__code__ if kind is FunctionType else value))
        if id(value) in self.seen:
            return
        self.seen.add(id(value))
        self.objects.append(value)  # as long as it lives no other has its id
        what = category(kind)
        if what == "parameter":
            self.parameters.append(value)
            self.state.append((value.requires_grad, value.data_ptr()))
        elif what == "content":
            self.contents.append(value)
        elif what == "container":
            self.state.append(len(value))
            for part in () if len(value) > LARGEST else value.values() if kind is dict else value:
                self.note(part)
        elif what == "cell":
            self.note_cell(value)
        elif what == "function":
            if not is_library(value.__globals__):
                for held in value.__closure__ or ():
                    self.note(held.cell_contents)
                for part in value.__defaults__ or ():
                    self.note(part)
        elif what == "object":
            for name, part in getattr(value, "__dict__", {}).items():
                if name in self.names:
                    self.note(part)

    def note_cell(self, cell):
        """A cell's parameters, buffers and cells, and its attributes that the code mentions."""
        values = vars(cell)
        for name in HOOKS:
            if values.get(name):
                self.hooked = True
        for name, value in values.items():
            if name in self.names and name not in INTERNAL:
                self.note(value)
        self.state.append(values["training"])
        for kind in ("_params", "_cells", "_buffers"):
            for part in (values.get(kind) or {}).values():
                self.note(part)

    def copies(self):
        """The contents of tensors and arrays as they are now."""
        return [np.array(value.asnumpy() if isinstance(value, Tensor) else value) for value in self.contents]


HOOKS = [name for name in vars(nn.Cell()) if "hook" in name and "state_dict" not in name and name != "_is_recursion_hook"]


def signature(value):
    """What a graph is compiled for: shapes and dtypes of tensors, other values as they are."""
    if isinstance(value, Tensor):
        return tuple(value.shape), str(value.dtype)
    if isinstance(value, (tuple, list)):
        return type(value), *(signature(part) for part in value)
    if isinstance(value, dict):
        return dict, *((key, signature(part)) for key, part in value.items())
    return (type(value), value) if type(value) in PLAIN else id(value)


def has_only_tensors(value):
    """Whether a container holds tensors alone: such a one can change from run to run of a graph."""
    if isinstance(value, dict):
        value = list(value.values())
    return isinstance(value, Tensor) or isinstance(value, (tuple, list)) and len(value) > 0 and all(has_only_tensors(part) for part in value)


class StepGraph:
    """One compiled step: right for as long as what it was compiled with is equal."""

    def __init__(self, forward, fixed, parameters, reached, has_aux):
        self.fixed, self.copies = fixed, fixed.copies()
        self.wanted, self.reached = {id(p) for p in parameters}, reached
        self.forward, self.has_aux, self.run = forward, has_aux, None

    def fits(self, fixed, parameters):
        """Whether nothing has changed, and gradients of the same parameters are asked for."""
        return self.wanted == {id(p) for p in parameters} and self.fixed.state == fixed.state and all(
            np.array_equal(value.asnumpy() if isinstance(value, Tensor) else value, copy) for value, copy in zip(fixed.contents, self.copies)
        )

    def __call__(self, args):
        if self.run is None:
            self.run = ms.jit(ms.value_and_grad(self.forward, None, ms.ParameterTuple(self.reached), has_aux=self.has_aux))
        return self.run(*(ms.mutable(value) if isinstance(value, (tuple, list, dict)) else value for value in args))


class StepGraphs:
    """The graphs of one step of a program."""

    def __init__(self):
        self.places, self.names, self.graphs, self.compilations = {}, set(), [], 0
        self.is_refused = False

    def find(self, forward, parameters, args):
        """The graph that computes this step as it stands, or None."""
        if self.is_refused or not self.graphs:
            return None
        fixed = Fixed(forward, args, self.places.values(), self.names)
        for graph in self.graphs:
            if graph.fits(fixed, parameters):
                self.graphs.remove(graph)
                self.graphs.append(graph)
                return graph
        return None

    def attempt(self, graph, forward, args):
        """Result and gradients of a graph; None where it cannot be compiled: from then on the step is PyNative's."""
        if graph.run is not None:
            return graph(args)
        self.compilations += 1
        try:
            return graph(args)
        except Exception as problem:
            self.refuse(forward, f"it does not compile: {str(problem).strip().partition(chr(10))[0]}")
            return None

    def add(self, forward, parameters, reached, args, has_aux, watch):
        """A graph for later runs, after a run that was watched."""
        if self.is_refused:
            return
        reason = watch.obstacle()
        places, names = watch.roots()
        self.names |= names
        self.places.update({(id(namespace), name): (namespace, name) for namespace, name in places})
        fixed = Fixed(forward, args, self.places.values(), self.names)
        if fixed.hooked:
            reason = reason or "a cell has hooks"
        if not all(isinstance(value, Tensor) or type(value) in PLAIN or has_only_tensors(value) for value in args):
            reason = reason or "an argument is neither a tensor nor a number"
        if not reached:
            reason = reason or "the loss reaches no parameter"
        if self.compilations >= MOST_COMPILATIONS:
            reason = reason or f"it was compiled {self.compilations} times"
        if reason is not None:
            self.refuse(forward, reason)
            return
        for p in fixed.parameters:
            settle(p)
        fixed = Fixed(forward, args, self.places.values(), self.names)
        graph = StepGraph(forward, fixed, parameters, reached, has_aux)
        self.graphs = [*self.graphs[-MOST_GRAPHS + 1 :], graph]

    def refuse(self, forward, reason):
        """Leaves the step to PyNative from now on."""
        self.is_refused, self.graphs = True, []
        warnings.warn(f"{forward.__qualname__} (line {forward.__code__.co_firstlineno}) runs operator by operator: {reason}", stacklevel=4)
