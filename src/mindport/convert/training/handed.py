"""All gradients of a project that become functions, those that a function takes of what its caller computed included.

``def gradient(y, x): return torch.autograd.grad(y, x, …)[0]`` differentiates what only the caller can write as a function
of x: so `y` becomes a function there, and every caller hands in one. That is done where every caller can, or not at all.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from mindport.convert.context import Reading
from mindport.convert.training.asked import Asked, asked, is_row, summed
from mindport.convert.training.bindings import bindings
from mindport.convert.training.callers import Function, argument_for, calls_of, meant, parents_in
from mindport.convert.training.derivatives import Derivative, Handed, find
from mindport.convert.training.member_derivatives import find_members
from mindport.convert.training.names import own_nodes, parameters
from mindport.convert.training.region import Obstacle, OnTapeAlone
from mindport.convert.training.second_order import GRAD, is_gradient_call, keeps_graph
from mindport.inference import values as v
from mindport.source.called import last_name


@dataclass
class Helper:
    """A function that takes gradients of what it is handed as `output`, by what it is handed as `sources`."""

    at: Reading
    function: Function
    output: str
    sources: tuple[str, ...]
    why: Obstacle  # what its gradients are refused with, where a caller cannot write a function
    by_row: bool = False  # its only source is a list or dictionary, whose members are differentiated by; none where it finds them itself
    owner: str = ""  # which parameter the members are found in: ``model`` of ``model.parameters()``


@dataclass
class Gradients:
    """What becomes of each gradient, by id(call): a derivative, a handed function's, or a reason why not."""

    derivatives: dict[int, Derivative] = field(default_factory=dict)
    obstacles: dict[int, Obstacle] = field(default_factory=dict)
    helpers: dict[int, Helper] = field(default_factory=dict)  # by id(function)
    calls: dict[int, tuple[Helper, Asked]] = field(default_factory=dict)  # calls of helpers
    handed: dict[int, Derivative] = field(default_factory=dict)  # inside of helpers: of what they are handed


def gradients(at: Reading) -> Gradients:
    """Every gradient of the project, looked at once a conversion."""
    answers = at.shared.answers
    if not any(use.name == GRAD for _, facts in at.files for use in facts.uses):
        return Gradients()
    if not at.shared.project:
        return _settle([at])
    if gradients not in answers:
        answers[gradients] = _settle([Reading(file, facts, at.shared, parents_in(file)) for file, facts in at.files])
    return answers[gradients]  # type: ignore[no-any-return]


def _settle(files: list[Reading]) -> Gradients:
    """Every function that asks to be a helper is taken for one; whose calls do not bear it is none, and all is looked at anew."""
    refused: dict[int, Obstacle] = {}
    while True:
        found = Gradients()
        size = -1
        while size != (size := sum(1 + len(helper.sources) for helper in found.helpers.values())):  # who hands on what it was handed is a helper, too
            for at in files:
                _look(at, found, refused)
        wrong = {key: why for key, helper in found.helpers.items() if (why := _hindrance(helper, files, found)) is not None}
        if not wrong:
            return found
        refused |= wrong


def _look(at: Reading, found: Gradients, refused: dict[int, Obstacle]) -> None:
    """All gradients of one file, in the order in which they stand."""
    found_here: list[tuple[ast.Call, Asked | Obstacle]] = []
    for node in at.file.nodes:
        if isinstance(node, ast.Call):
            try:
                if is_gradient_call(at.facts, node):
                    if at.file.relative in at.shared.tape and not keeps_graph(node):
                        continue
                    found_here.append((node, asked(at, node)))
                elif (called := _helper_called(at, node, found)) is not None:
                    found.calls[id(node)] = called
                    found_here.append((node, called[1]))
            except Obstacle as obstacle:
                found_here.append((node, obstacle))
    for call, wanted in sorted(found_here, key=lambda pair: (pair[0].end_lineno or 0, pair[0].end_col_offset or 0)):
        found.obstacles.pop(id(call), None)
        if isinstance(wanted, Obstacle):
            found.obstacles[id(call)] = wanted
            continue
        try:
            if wanted.members is None:
                found.derivatives[id(call)] = find(at, call, wanted, found.derivatives, found.handed.keys() | found.calls.keys())
            else:
                found.derivatives[id(call)] = find_members(at, call, wanted, found.derivatives)
        except Handed as handed:
            function = handed.function
            found.handed[id(call)] = handed.derivative
            sources = wanted.sources or tuple(name for name in _names(wanted.members) if name in parameters(function))
            owner = "" if sources or wanted.members is None else _owner(function, wanted.members, handed.name)
            if id(function) in refused or not (sources or owner) or not (keeps_graph(call) or id(call) in found.calls):
                found.obstacles[id(call)] = refused.get(id(function), handed)
            elif (known := found.helpers.get(id(function))) is None:
                found.helpers[id(function)] = Helper(at, function, handed.name, sources, handed, by_row=wanted.members is not None, owner=owner)
            elif known.output != handed.name or known.owner != owner:
                found.obstacles[id(call)] = handed
            else:
                known.sources += tuple(source for source in sources if source not in known.sources)
        except Obstacle as obstacle:
            found.obstacles[id(call)] = obstacle


def _names(members: ast.expr | None) -> tuple[str, ...]:
    return (members.id,) if isinstance(members, ast.Name) else ()


def _owner(function: Function, members: ast.expr, output: str) -> str:
    """The parameter of a function in whose parts it finds what it differentiates by: ``model`` of ``names, params = zip(*model.named_parameters())``; "" where none shows."""
    wanted, seen = [n.id for n in ast.walk(members) if isinstance(n, ast.Name)], {output}
    while wanted:
        name = wanted.pop()
        if name in parameters(function) and name not in seen:
            return name
        if name not in seen:
            seen.add(name)
            made = [getattr(statement, "iter" if isinstance(statement, ast.For) else "value", None) for statement, _ in bindings(function, name)]
            wanted += [n.id for node in made if node is not None for n in ast.walk(node) if isinstance(n, ast.Name)]
    return ""


def _helper_called(at: Reading, call: ast.Call, found: Gradients) -> tuple[Helper, Asked] | None:
    """The helper that a call means, and what it hands in. Raises Obstacle."""
    for helper in found.helpers.values():
        name = last_name(call.func)
        if name != helper.function.name or (bound := meant(at.facts, call, helper.function)) is None:
            continue
        given = [argument_for(call, helper.function, wanted, bound) for wanted in (helper.output, *helper.sources, *((helper.owner,) if helper.owner else ()))]
        if helper.owner and given[0] is not None and (given[1] is not None or bound):
            if at.file.relative not in at.shared.tape:
                raise OnTapeAlone(f"`{helper.function.name}` takes a gradient by a row, which is differentiated again", call)
            return helper, Asked(given[0], (), None, ast.Call(func=ast.Attribute(value=given[1] or ast.Name(id="self", ctx=ast.Load()), attr="parameters", ctx=ast.Load()), args=[], keywords=[]))
        if given[0] is not None and len(given) == 2 and given[1] is not None and (helper.by_row or is_row(at, given[1])):
            if at.file.relative not in at.shared.tape:
                raise OnTapeAlone(f"`{helper.function.name}` takes a gradient by a row, which is differentiated again", call)
            helper.by_row = True
            return helper, Asked(given[0], (), None, given[1])
        if given[0] is None or not all(isinstance(source, ast.Name) for source in given[1:]):
            raise Obstacle(f"`{helper.function.name}` takes a gradient with respect to something that is no plain name", call)
        return helper, Asked(given[0], tuple(source.id for source in given[1:] if isinstance(source, ast.Name)), None)
    return None


def _hindrance(helper: Helper, files: list[Reading], found: Gradients) -> Obstacle | None:
    """Why a function cannot be handed functions: how it is written, or a use of it that is no call of this kind."""
    node, called = helper.function, False
    if helper.by_row and len(helper.sources) > 1:
        return helper.why
    if any(source not in parameters(node) for source in helper.sources):
        return helper.why
    if any(not (isinstance(d, ast.Name) and d.id in ("staticmethod", "classmethod")) for d in node.decorator_list):
        return Obstacle(f"{helper.why.message}, and `{node.name}` is decorated", helper.why.node)
    for part in own_nodes(node):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load) and part.id in helper.sources:
            return Obstacle(f"{helper.why.message}, and `{part.id}` is bound anew", helper.why.node)
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load) and part.id == helper.output and not becomes_gradient(helper, part):
            return Obstacle(f"{helper.why.message}, and `{part.id}` is bound anew", helper.why.node)
        if isinstance(part, ast.Call) and (obstacle := found.obstacles.get(id(part))) is not None:
            return obstacle
    for at in files:
        for call in calls_of(at.file).get(node.name, ()):
            if meant(at.facts, call, node) is None:
                continue
            called = True
            if id(call) in found.obstacles:
                why = found.obstacles[id(call)]
                kind = OnTapeAlone if isinstance(why, OnTapeAlone) else Obstacle
                return kind(f"{helper.why.message}; the caller does not show it either ({why.message}; {at.file.relative}:{at.file.number(call.lineno)})", helper.why.node)
        functions = {id(call.func) for call in calls_of(at.file).get(node.name, ())}
        for part in at.file.nodes:
            named = isinstance(part, (ast.Name, ast.Attribute)) and isinstance(part.ctx, ast.Load) and id(part) not in functions
            if named and any(_is(option, node) for option in v.options(at.facts.value(part))):  # type: ignore[arg-type]
                return Obstacle(f"{helper.why.message}, and `{node.name}` is handed on in {at.file.relative}:{at.file.number(part.lineno)}", helper.why.node)  # type: ignore[attr-defined]
    return None if called else helper.why


def becomes_gradient(helper: Helper, name: ast.Name) -> bool:
    """Whether ``y = torch.autograd.grad(y, x, …)[0]`` binds the handed name: then it stands for the derivative from there on."""
    parent = helper.at.parents.get(id(name))
    if name.id != helper.output or not (isinstance(parent, ast.Assign) and parent.targets == [name]):
        return False
    value = parent.value.value if isinstance(parent.value, ast.Subscript) else parent.value
    if not isinstance(value, ast.Call) or not is_gradient_call(helper.at.facts, value):
        return False
    wanted = asked(helper.at, value)
    return _is_name(summed(wanted.output, wanted.weights), helper.output)


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is(option: v.Value, node: ast.AST) -> bool:
    match option:
        case v.ProjectFunction(scope=scope) | v.Bound(function=v.ProjectFunction(scope=scope)):
            return scope.node is node
    return False
