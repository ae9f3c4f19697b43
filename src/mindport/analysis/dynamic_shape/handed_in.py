"""What is handed in without a type: networks by being called with tensors, tensors by the methods that only they have."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Abstract, Level, Origin
from mindport.analysis.dynamic_shape.polynomials import earlier
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.source.called import last_name
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.calls import Given
    from mindport.analysis.dynamic_shape.statements import Frame


def calls_network(frame: Frame, node: ast.Call, given: Given) -> bool:
    """Whether ``decoder(tokens)`` calls a parameter, or ``self.model(x)`` what was stored, with a tensor: its result is data."""
    if frame.routine.prepares_data or not any(value.tensor or value.opaque for value in given.all):
        return False
    func = node.func
    if isinstance(func, ast.Name):
        own = func.id in frame.env and not is_parameter(frame, func)
        return not own and isinstance(frame.fact(func), v.Unknown)
    known = frame.fact(node)
    if isinstance(func, ast.Attribute) and isinstance(known, v.Unknown) and known.of_tensors and _is_imported(frame, func.value):
        return True  # an operator of a module that is not there: compiled.nms(boxes, scores)
    if not isinstance(func, ast.Attribute) or not isinstance(func.value, ast.Name):
        return False
    holders = [o for o in v.options(frame.fact(func.value)) if isinstance(o, v.ProjectInstance)]
    stored = any(frame.engine.read(o.cls.scope, func.attr, frame.routine) is not None for o in holders)
    return stored and isinstance(frame.fact(func), v.Unknown)


def suppresses(frame: Frame, node: ast.Call, callee: v.Value) -> bool:
    """``ops.nms(boxes, scores)``, ``nms_cpu(dets, 0.5)`` of a package that is not there: how many boxes it keeps depends on their overlaps."""
    name = last_name(node.func)
    own = is_parameter(frame, node.func)  # which may be a function of the project
    return bool(apis.SUPPRESSION & set(name.lower().split("_"))) and bool(node.args) and not own and not any(isinstance(o, (v.ProjectFunction, v.Bound, v.ProjectClass, v.ProjectInstance, v.Instance)) for o in v.options(callee))


def kept_boxes(frame: Frame, node: ast.Call, given: Given) -> Abstract:
    """The boxes that a suppression keeps: of arrays an array, of tensors a tensor, or their places."""
    origin = Origin(frame.routine.file, node)
    if not any(value.tensor for value in given.all):
        return Abstract(Level.DATA, array=True, length=Level.DATA, origin=origin)
    for value in given.all:
        frame.use(value)
    source = frame.engine.source("MP202", "values", frame.routine, node, f"{ast.unparse(node.func)}: how many boxes stay depends on their overlaps", "NonZero")
    return Abstract(Level.DATA, True, shape=frozenset({source}), origin=origin)


def _is_imported(frame: Frame, node: ast.expr) -> bool:
    """Whether a name is bound by an import alone: an environment's `step` gives other things than tensors."""
    return isinstance(node, ast.Name) and not any(node.id in held for held in (frame.env, frame.routine.around, frame.engine.globals[frame.routine.file]))


def takes_a_tensor(name: str) -> bool:
    """Whether a function's first argument is a tensor: an elementwise function, a reduction, one of the functional ones."""
    functional = name.startswith(torch_names.FUNCTIONAL) and name[len(torch_names.FUNCTIONAL) :].isidentifier() and name[len(torch_names.FUNCTIONAL)] != "_"
    return functional or name in apis.REDUCING | apis.PRESERVING


def of_a_tensor(node: ast.Call) -> bool:
    """``x.logsumexp(-1)``, ``x.exp()``: a method that nothing but a tensor has."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return name in apis.OF_TENSORS_ALONE or name in apis.OF_TENSORS_UNARY and not node.args and not node.keywords


def with_words_of_tensors(node: ast.Call) -> bool:
    """``scores.sort(0, descending=True)``: a method that tensors have, with a keyword that no list's or array's has."""
    named = isinstance(node.func, ast.Attribute) and node.func.attr in torchfacts.members(torch_names.TENSOR)
    return named and any(k.arg in apis.KEYWORDS_OF_TENSORS for k in node.keywords)


def tests_along(node: ast.Call, receiver: Abstract) -> bool:
    """``boxes.any(1)``: a mask, whatever of arrays and tensors it is."""
    known = receiver.items is not None or receiver.element is not None or receiver.array or receiver.sample
    return not known and isinstance(node.func, ast.Attribute) and node.func.attr in ("any", "all") and len(node.args) + len(node.keywords) > 0


def _item(part: ast.comprehension) -> tuple[ast.expr, str]:
    """What a comprehension goes over, and how one of it is written: ``for x in xs``, ``for i in range(len(xs))`` with ``xs[i]``."""
    over = part.iter
    if isinstance(over, ast.Call) and ast.unparse(over.func) == "range" and len(over.args) == 1 and isinstance(over.args[0], ast.Call) and ast.unparse(over.args[0].func) == "len" and over.args[0].args:
        whole = over.args[0].args[0]
        return whole, f"{ast.unparse(whole)}[{ast.unparse(part.target)}]"
    return over, ast.unparse(part.target)


def _items(part: ast.comprehension) -> list[tuple[ast.expr, str]]:
    """As `_item`, of each of the lists that are gone through together: ``for t, (_, i) in zip(targets, indices)``."""
    over, target = part.iter, part.target
    together = isinstance(over, ast.Call) and ast.unparse(over.func) == "zip" and isinstance(target, ast.Tuple) and len(target.elts) == len(over.args)
    return [(each, ast.unparse(name)) for each, name in zip(over.args, target.elts, strict=True)] if together else [_item(part)]  # type: ignore[attr-defined]


def as_long(frame: Frame, node: ast.expr) -> ast.expr | None:
    """What a cast, or a tensor that is made of a list, is as long as; None for all else."""
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in apis.CASTING:
            return inner
        case ast.Call(args=[inner]) if isinstance(made := frame.fact(node.func), v.Api) and made.name in apis.FROM_LISTS - apis.JOINING:
            return inner
    return None


def _made_of(frame: Frame, node: ast.expr) -> ast.expr:
    """What a tensor is made of, one as long as the other: ``x`` for ``torch.tensor(x).float() + 1``."""
    while True:
        if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant):
            node = node.left
        elif (inner := as_long(frame, node)) is not None:
            node = inner
        else:
            return node


def truths_of_images(frame: Frame, node: ast.expr) -> bool:
    """``[t["boxes"] for t in targets]``: as many in all as the images of this batch have."""
    if isinstance(node, ast.Name):
        node = earlier(frame.routine.node, node) or node
    if not isinstance(node, (ast.ListComp, ast.GeneratorExp)) or len(node.generators) != 1:
        return False
    return any(_truths(frame, node, source, item) for source, item in _items(node.generators[0]))


def _truths(frame: Frame, node: ast.ListComp | ast.GeneratorExp, source: ast.expr, item: str) -> bool:
    element = _made_of(frame, node.elt)
    if isinstance(element, ast.Attribute) and ast.unparse(element.value) == item:
        of_network = frame.routine.region == "network" and not frame.routine.name.endswith("__init__")
        return of_network and is_parameter(frame, source)  # [graph.x for graph in batch]: what can be stacked is not joined
    fields = [n for n in walk(element) if isinstance(n, ast.Subscript) and ast.unparse(n.value) == item and isinstance(n.slice, ast.Constant) and isinstance(n.slice.value, str)]
    named = isinstance(source, ast.Name) and source.id.lower().rpartition("_")[2] in apis.TRUTHS
    return bool(fields) and named and is_parameter(frame, source) and not frame.routine.prepares_data


def places_of(frame: Frame, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> bool:
    """``[i for i, flag in enumerate(flags) if flag]`` of a parameter of unknown items: as many places as pass the test."""
    if not isinstance(node, ast.ListComp) or len(node.generators) != 1 or not node.generators[0].ifs or frame.routine.name.endswith("__init__"):
        return False
    part = node.generators[0]
    over = part.iter
    if not (isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "enumerate" and over.args and isinstance(part.target, ast.Tuple)):
        return False
    if ast.unparse(node.elt) != ast.unparse(part.target.elts[0]) or not is_parameter(frame, over.args[0]) or not isinstance(frame.fact(over.args[0]), v.Unknown):
        return False
    tests = [inner for test in part.ifs for inner in walk(test)]
    kinds = any(isinstance(n, (ast.In, ast.NotIn, ast.Is, ast.IsNot)) or isinstance(n, ast.Constant) and isinstance(n.value, str) or isinstance(n, ast.Name) and n.id in ("isinstance", "hasattr", "callable") for n in tests)
    return not kinds and ast.unparse(part.target.elts[1]) in {ast.unparse(n) for n in tests if isinstance(n, ast.Name)}


def is_parameter(frame: Frame, node: ast.expr) -> bool:
    """Whether a name is a parameter of the function around it."""
    arguments = getattr(frame.routine.node, "args", None)
    return arguments is not None and isinstance(node, ast.Name) and any(a.arg == node.id for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs])


def of_unknown(frame: Frame, node: ast.Call, plain: str, given: Given) -> bool:
    """A function of tensors that is given something unknown: it can only have been a tensor, whose values are data."""
    if not given.positional or not (takes_a_tensor(plain) or plain in apis.OF_SORTED):
        return False
    first = given.positional[0]
    known = first.tensor or first.items is not None or first.element is not None or first.level != Level.CONFIGURATION and not first.opaque
    return not known and bool(node.args) and frame.untyped(node.args[0])


def meets_network(frame: Frame, value: Abstract) -> None:
    """A network gets a tensor outside of what prepares data: files that it has the size of are inputs."""
    for source in value.shape if value.tensor and not frame.routine.prepares_data else ():
        source.used = source.used or source.of_file


def result(frame: Frame, node: ast.Call, given: Given) -> Abstract:
    """What a network gives: a tensor of data, whose shape changes where its arguments' do."""
    for value in given.all:
        frame.use(value)
        meets_network(frame, value)
    rows = given.positional[0].rows if len(given.positional) == 1 and given.positional[0].tensor else frozenset()
    return Abstract(Level.DATA, True, shape=frozenset(s for value in given.all for s in value.shape), origin=Origin(frame.routine.file, node), rows=rows)
