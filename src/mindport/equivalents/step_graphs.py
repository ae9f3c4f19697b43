"""Under `GRAPH_MODE`: loss and gradients of a training step as one compiled graph.

A step's first run is PyNative's: it shows which parameters the loss reaches, and whether the code computes the same as a
graph. From the second run on the step is compiled. A graph takes for constant what Python holds (`graph_constants`): that is
compared before each run, and where it changed the next run is PyNative's again.
"""

import warnings

import mindspore as ms
from mindspore import Tensor

from mindport.equivalents.graph_constants import PLAIN, Constants, standing
from mindport.equivalents.inherited_properties import follow_properties
from mindport.equivalents.optimizers.one_graph import settle
from mindport.equivalents.parameter_names import named_apart

#: Graphs of one step that are kept: for other shapes, other modules, training and evaluation.
MOST_GRAPHS = 8
#: How often one step is compiled before it is left to PyNative.
MOST_COMPILATIONS = 32


def has_only_tensors(value):
    """Whether a container holds tensors alone: such a one can change from run to run of a graph."""
    if isinstance(value, dict):
        value = list(value.values())
    return isinstance(value, Tensor) or isinstance(value, (tuple, list)) and len(value) > 0 and all(has_only_tensors(part) for part in value)


class StepGraph:
    """One compiled step: right for as long as what it was compiled with is equal."""

    def __init__(self, forward, constants, parameters, reached, has_aux):
        self.constants = constants
        self.wanted, self.reached = {id(p) for p in parameters}, reached
        self.forward, self.has_aux, self.run = forward, has_aux, None

    def __call__(self, args):
        if self.run is None:
            follow_properties()
            self.run = ms.jit(ms.value_and_grad(self.forward, None, named_apart(self.reached), has_aux=self.has_aux), fullgraph=True)
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
        wanted = {id(p) for p in parameters}
        found, _ = standing([graph for graph in self.graphs if graph.wanted == wanted], forward, args, self.places, self.names)
        if found is not None:
            self.graphs.remove(found)
            self.graphs.append(found)
        return found

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
        constants = Constants(forward, args, self.places.values(), self.names)
        if constants.hooked:
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
        for p in constants.parameters:
            settle(p)
        constants = Constants(forward, args, self.places.values(), self.names)
        graph = StepGraph(forward, constants, parameters, reached, has_aux)
        self.graphs = [*self.graphs[-MOST_GRAPHS + 1 :], graph]

    def refuse(self, forward, reason):
        """Leaves the step to PyNative from now on."""
        self.is_refused, self.graphs = True, []
        warnings.warn(f"{forward.__qualname__} (line {forward.__code__.co_firstlineno}) runs operator by operator: {reason}", stacklevel=4)
