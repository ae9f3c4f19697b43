"""F: where gradients of gradients are taken, everything on the way there, and whether each part has a second gradient."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from mindport.analysis.answers import Answer, Quote, Section, Status, Table
from mindport.analysis.axes import Axes
from mindport.analysis.constant_cotangent import constant, loses_terms, only_where_constant
from mindport.analysis.links import Links, Reached
from mindport.analysis.second_gradient import second_gradient
from mindport.analysis.sizes_twice import sized_by_values
from mindport.analysis.subject import Subject
from mindport.inference import values as v
from mindport.source.file import SourceFile

LETTER = "F"

#: API → (argument that makes its result differentiable, arguments whose way is differentiated twice).
TAKERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "torch.autograd.grad": ("create_graph", ("outputs",)),
    "torch.autograd.backward": ("create_graph", ("tensors",)),
    "torch.Tensor.backward": ("create_graph", ("self",)),
    "torch.autograd.functional.jacobian": ("create_graph", ("func",)),
    "torch.autograd.functional.vjp": ("create_graph", ("func",)),
    "torch.autograd.functional.jvp": ("create_graph", ("func",)),
    "torch.autograd.functional.hessian": ("", ("func",)),
    "torch.autograd.functional.hvp": ("", ("func",)),
    "torch.autograd.functional.vhp": ("", ("func",)),
    "torch.func.hessian": ("", ("func",)),
}
#: API → what the outputs' gradients begin with: the keyword and the position.
WEIGHTS: dict[str, tuple[str, int]] = {
    "torch.autograd.grad": ("grad_outputs", 2), "torch.autograd.backward": ("grad_tensors", 1), "torch.Tensor.backward": ("gradient", 0),
    "torch.autograd.functional.vjp": ("v", 2), "torch.autograd.functional.jvp": ("v", 2),
}  # fmt: skip
#: Measured on MindSpore 2.10: a product of two matrices is right in PyNative; with more axes it goes through `reshape` and `matmul`, whose terms are lost.
RIGHT_FOR_TWO_AXES = frozenset(("torch.nn.Linear", "torch.nn.functional.linear"))
#: They compute a layer's weight anew at each call.
REPARAMETRISING = ("torch.nn.utils.weight_norm", "torch.nn.utils.spectral_norm", "torch.nn.utils.parametrizations.", "torch.nn.utils.parametrize.")
#: Those of them that were run (docs/second-order.md, tests/layers/test_weight_norm.py).
RIGHT_COMPILED = frozenset(f"torch.nn.utils.{way}{name}_norm" for way in ("", "parametrizations.") for name in ("weight", "spectral"))
#: Transformations whose composition takes a derivative of a derivative.
NESTABLE = ("torch.func.grad", "torch.func.grad_and_value", "torch.func.jacrev", "torch.func.jacfwd", "torch.func.vjp", "torch.func.jvp")
#: The position of `create_graph` in each signature is looked up by name only where it is given by position.
_POSITIONS = {"torch.autograd.grad": 4, "torch.autograd.backward": 3, "torch.Tensor.backward": 2, "torch.autograd.functional.jacobian": 2}
#: Dtypes through which no gradient goes.
_WHOLE = frozenset(f"torch.{name}" for name in ("int8", "int16", "int32", "int64", "uint8", "bool"))
#: What needs no word in the verdict; "right here": wrong elsewhere, and where it stands the gradient that comes back is constant.
_RIGHT = ("right", "right here", "none in torch")


@dataclass(frozen=True)
class Taken:
    """A place where a second gradient is taken; `starts` are the expressions whose way is differentiated twice."""

    file: SourceFile
    call: ast.Call
    name: str
    starts: tuple[ast.expr, ...]
    certain: bool = True
    weights: ast.expr | None = None


def section(subject: Subject) -> Section:
    """F1: the places; F2: the link behind each; F3: each API's second gradient; F4: the verdict."""
    places = list(taken(subject))
    first = Answer(
        "F1", "Second-order gradients", "found" if places else "not found",
        f"{len(places)} places take a gradient of a gradient" if places else "no gradient of a gradient is taken",
        tuple(subject.quote(p.file, p.call) for p in places), zh="二阶梯度",
    )  # fmt: skip
    if not places:
        return Section(LETTER, "Second-order gradients", "二阶梯度", (first,))
    links = Links(subject)
    answers, tables = [first], []
    for place in places:
        reached = behind(links, place)
        _wrap(subject, reached)
        ends = constant(links, reached, place.file, place.call, place.starts, place.weights)
        rows = list(_rows(subject, reached, ends, Axes(links, reached)))
        tables.append(Table(f"Everything behind {place.file.relative}:{place.call.lineno}", ("API", "places", "PyNative", "graph mode"), tuple(rows)))
        answers += [_link(subject, place, reached), _verdict(subject, place, reached, rows)]
        answers += _sizes(subject, place, sized_by_values(links, reached))
    return Section(LETTER, "Second-order gradients", "二阶梯度", tuple(answers), tuple(tables))


def taken(subject: Subject) -> Iterator[Taken]:
    """Every place where the gradient of a gradient is taken, or may be."""
    for file, use in subject.uses(*TAKERS, *NESTABLE):
        if not isinstance(use.node, ast.Call) or use.kind not in ("call", "method"):
            continue
        call = use.node
        if use.name in NESTABLE:
            inner = call.args[0] if call.args else None
            if isinstance(inner, ast.Call) and any(u.node is inner and u.name in NESTABLE for u in subject.facts[file].uses):
                yield Taken(file, call, use.name, tuple(inner.args[:1]))
            continue
        if use.name not in TAKERS:
            continue
        switch, followed = TAKERS[use.name]
        given = {k.arg: k.value for k in call.keywords if k.arg}
        if switch:
            position = _POSITIONS.get(use.name)
            asked = given.get(switch) or (call.args[position] if position is not None and len(call.args) > position else None)
            if asked is None:
                continue
            value = subject.facts[file].value(asked)
            if value == v.Const.of(False):
                continue
            certain = value == v.Const.of(True)
        else:
            certain = True
        starts: tuple[ast.expr, ...]
        if followed == ("self",):
            starts = (call.func.value,) if isinstance(call.func, ast.Attribute) else ()
        else:
            starts = tuple(n for n in (given.get(followed[0]) or (call.args[0] if call.args else None),) if n is not None)
        yield Taken(file, call, use.name, starts, certain, _weights(use.name, call, given))


def _weights(name: str, call: ast.Call, given: dict[str, ast.expr]) -> ast.expr | None:
    """What the gradients of the outputs begin with, where the call says it."""
    keyword, position = WEIGHTS.get(name, ("", 99))
    return given.get(keyword) or (call.args[position] if len(call.args) > position else None)


def behind(links: Links, place: Taken) -> Reached:
    """What computes the differentiated outputs, back to the inputs, across functions and modules."""
    function = links.subject.function_around(place.file, place.call) or place.file.tree
    wanted = {n.id for start in place.starts for n in ast.walk(start) if isinstance(n, ast.Name)}
    nodes: list[ast.AST] = list(place.starts)
    changed = True
    while changed:
        changed = False
        for node in ast.walk(function):
            if not isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) or node in nodes or node.value is None:
                continue
            if node.lineno > place.call.lineno or any(inner is place.call for inner in ast.walk(node)):
                continue
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
            if names & wanted:
                nodes.append(node)
                wanted |= {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
                changed = True
    for start in place.starts:  # a function that is differentiated
        value = links.value(place.file, start)
        for option in v.options(value):
            if isinstance(option, v.ProjectFunction) and option.scope.module.file is place.file:
                nodes.append(option.scope.node)
    return links.behind(place.file, nodes)


def _link(subject: Subject, place: Taken, reached: Reached) -> Answer:
    way = ", ".join([*reached.classes, *reached.functions]) or "no function of the project"
    quotes = [subject.quote(place.file, place.call)]
    quotes += [subject.quote(file, node) for found in reached.uses.values() for file, node in found[:1]]
    advice = ""
    status: Status = "found"
    if reached.unknown:
        status = "unknown"
        places = ", ".join(f"{file.relative}:{node.lineno}" for file, node in reached.unknown[:5])  # type: ignore[attr-defined]
        advice = f"what these calls run could not be followed: {places}"
    return Answer("F2", "The derivative link", status, f"{len(reached.uses)} APIs through {way}", tuple(quotes[:40]), advice, "二阶求导链路")


def _wrap(subject: Subject, reached: Reached) -> None:
    """What makes a layer's weight anew at each call is on the way, too: it stands where the layer is constructed."""
    files = {file for places in reached.uses.values() for file, _ in places}
    for file, use in subject.uses(*REPARAMETRISING):
        if file in files and use.kind == "call":
            reached.uses.setdefault(use.name, []).append((file, use.node))


def _rows(subject: Subject, reached: Reached, ends: set[int], axes: Axes) -> Iterator[tuple[str, str, str, str]]:
    for name, every in sorted(reached.uses.items()):
        places = [each for each in every if not _of_whole_numbers(subject, *each)]
        if not places:
            continue
        pynative, graph = second_gradient(subject, name, [node for _, node in places])
        if name.startswith(REPARAMETRISING):
            pynative, graph = "not measured", "right" if name in RIGHT_COMPILED else "not measured"
        if name in TAKERS or name in NESTABLE:  # a derivative on the way: then its own way is differentiated three times
            pynative = graph = "not measured"
        if pynative is None:
            continue
        if pynative == "right" and loses_terms((node for _, node in places), name):
            pynative = "right in part"
        if pynative not in _RIGHT and graph in _RIGHT and (only_where_constant(reached.uses, name, ends) or _of_two_axes(name, places, axes)):
            pynative = "right here"
        yield name, f"{len(places)}: {places[0][0].relative}:{places[0][1].lineno}", pynative, graph or ""  # type: ignore[attr-defined]


def _of_whole_numbers(subject: Subject, file: SourceFile, node: ast.AST) -> bool:
    """Whether a call is given tensors of whole numbers alone, through which no gradient goes: ``torch.meshgrid(torch.arange(n), torch.arange(m))``."""
    if not isinstance(node, ast.Call) or not node.args:
        return False
    kinds = [kind for argument in node.args for kind in v.options(subject.facts[file].value(argument))]
    return all(isinstance(kind, v.TensorValue) and kind.dtype in _WHOLE for kind in kinds)


def _of_two_axes(name: str, places: list[tuple[SourceFile, ast.AST]], axes: Axes) -> bool:
    """Whether an API that PyNative differentiates twice rightly for two axes, and for more not, gets two at every place."""
    if name not in RIGHT_FOR_TWO_AXES:
        return False
    counted = [axes.given(file, node, name) for file, node in places if not axes.called_alone(file, node)]
    return bool(counted) and set(counted) == {2}


def _verdict(subject: Subject, place: Taken, reached: Reached, rows: list[tuple[str, str, str, str]]) -> Answer:
    """F4: one unsupported API fails the link, by name."""
    failing = [name for name, _, _, graph in rows if graph in ("no kernel", "raises", "wrong", "missing")]
    eager = [name for name, _, pynative, graph in rows if pynative not in _RIGHT and graph == "right"]
    quote = subject.quote(place.file, place.call)
    places = tuple(_place(subject, reached, name) for name in failing or eager)
    if failing:
        names = ", ".join(failing)
        subject.report("MP411", place.file, place.call, f"the second gradient of {names} does not work in MindSpore {subject.mindspore}")
        return Answer("F4", "Second-order verdict", "found", f"fails: {names}", (quote, *places), "Replace these on this way, or write their backward pass (mindport explain MP411).", "二阶结论")
    if eager:
        names = ", ".join(eager)
        subject.report("MP412", place.file, place.call, f"in PyNative mode the second gradient of {names} is wrong or missing; under ms.jit it is right")
        rest = [name for name, _, _, graph in rows if graph in ("not measured", "right in part")]
        untold = f"; in graph mode nothing is known for certain of {', '.join(rest)}" if rest else ""
        return Answer("F4", "Second-order verdict", "unknown" if rest else "found", f"works in graph mode only (PyNative fails: {names}){untold}", (quote, *places), "Wrap the outermost gradient function in ms.jit (mindport explain MP412).", "二阶结论")
    partly = [name for name, _, _, graph in rows if graph == "right in part"]
    if partly:
        names = ", ".join(partly)
        return Answer("F4", "Second-order verdict", "unknown", f"depends on the arguments: {names} works for some and raises for others", (quote, *(_place(subject, reached, name) for name in partly)), "What raises is loud: run it once (mindport api NAME shows which arguments).", "二阶结论")
    open_ones = [name for name, _, _, graph in rows if graph == "not measured"]
    if open_ones:
        return Answer("F4", "Second-order verdict", "unknown", f"no run has measured the second gradient of {', '.join(open_ones)}", (quote,), zh="二阶结论")
    status: Status = "unknown" if reached.unknown else "found"
    return Answer("F4", "Second-order verdict", status, "every API on the way that could be followed has a second gradient", (quote,), zh="二阶结论")


def _sizes(subject: Subject, place: Taken, sized: list[str]) -> Iterator[Answer]:
    """F4, where sizes that values decide stand on the way: no compiled gradient of a gradient goes through them."""
    if sized:
        names = ", ".join(sized)
        subject.report("MP411", place.file, place.call, f"values decide how many elements {names} gives, and MindSpore {subject.mindspore} differentiates such shapes once, not twice", certainty="likely")
        yield Answer("F4", "Second-order verdict", "found", f"sizes that values decide: {names}", (subject.quote(place.file, place.call),), "Compute the places outside of what is differentiated and hand them in, or multiply by the mask (mindport explain MP411).", "二阶结论")


def _place(subject: Subject, reached: Reached, name: str) -> Quote:
    file, node = reached.uses[name][0]
    return subject.quote(file, node)
