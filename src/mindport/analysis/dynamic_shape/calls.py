"""Calls: the project's own functions and modules carry what they are given; outside APIs are in `api_calls`."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis, handed_in, sized_apis
from mindport.analysis.dynamic_shape.abstract import (
    CONSTANT,
    NOTHING,
    UNKNOWN,
    Abstract,
    Form,
    Level,
    Origin,
    Source,
    container,
    element_of,
    join,
)
from mindport.analysis.dynamic_shape.contexts import saved
from mindport.analysis.dynamic_shape.ducks import handed_callable, handed_method
from mindport.analysis.dynamic_shape.engine import Routine, from_facts
from mindport.analysis.dynamic_shape.expressions import evaluate
from mindport.analysis.dynamic_shape.growth import fed_back
from mindport.analysis.dynamic_shape.handed_on import handed_on
from mindport.analysis.dynamic_shape.inner_functions import taken_from
from mindport.analysis.dynamic_shape.layer_forms import formed
from mindport.analysis.dynamic_shape.own_sizes import carried, of_alternatives
from mindport.analysis.dynamic_shape.places import keep
from mindport.analysis.dynamic_shape.records import construct, namespace, record
from mindport.analysis.dynamic_shape.subscripts import of_torch_alone
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.scopes import ClassScope
from mindport.source.defaults import defaults_of

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame

_FORWARD = ("forward", "__call__")


@dataclass
class Given:
    """A call's arguments. `starred`: some come from an unpacked container."""

    positional: list[Abstract]
    keywords: dict[str, Abstract]
    starred: bool = False

    def get(self, position: int, name: str) -> Abstract | None:
        """An argument by its name or place."""
        if name in self.keywords:
            return self.keywords[name]
        return self.positional[position] if 0 <= position < len(self.positional) else None

    @property
    def all(self) -> list[Abstract]:
        """Every argument."""
        return [*self.positional, *self.keywords.values()]


def arguments(frame: Frame, node: ast.Call) -> Given:
    """Evaluate a call's arguments; unpacked containers of known length are spread out."""
    given = Given([], {})
    for argument in node.args:
        value = evaluate(frame, argument)
        if isinstance(argument, ast.Starred):
            if value.items is not None:
                given.positional += value.items
                continue
            given.starred = True
            given.positional.append(replace(element_of(value), length=value.length, sample=value.sample, shape=value.shape))
            continue
        given.positional.append(value)
    for keyword in node.keywords:
        value = evaluate(frame, keyword.value)
        if keyword.arg is None:
            given.keywords.update({str(k): each for k, each in value.keyed or ()})
        else:
            given.keywords[keyword.arg] = value
    return given


def call(frame: Frame, node: ast.Call) -> Abstract:
    """What a call gives, whatever of its alternatives it calls."""
    from mindport.analysis.dynamic_shape.api_calls import api_call, method_call
    from mindport.analysis.dynamic_shape.draws import draw, generator
    from mindport.analysis.dynamic_shape.folders import listed
    from mindport.analysis.dynamic_shape.texts import tokenized

    given = arguments(frame, node)
    receiver = evaluate(frame, node.func.value) if isinstance(node.func, ast.Attribute) else None
    callee = frame.fact(node.func)
    if isinstance(node.func, ast.Call):
        evaluate(frame, node.func)  # nn.Upsample(size=n)(x)
    if isinstance(node.func, ast.Attribute) and receiver is not None and (module := generator(frame, node.func.value, receiver)):
        return draw(frame, node, module + node.func.attr, given)
    if saved(frame, node, given.positional):
        return CONSTANT
    padded = tokenized(frame, node, given)
    if padded is None:
        padded = listed(frame, node, receiver)
    if padded is not None:
        return padded
    if handed_in.suppresses(frame, node, callee) and not any(isinstance(o, v.Api) and o.name in apis.DYNAMIC for o in v.options(callee)):
        return handed_in.kept_boxes(frame, node, given)
    results: list[Abstract] = []
    for option in v.options(callee):
        if isinstance(option, v.Bound):
            if isinstance(option.function, v.ProjectFunction):
                results.append(project_call(frame, option.function, given, True, node))
            elif isinstance(option.function, v.Api):
                name = option.function.name
                if receiver is not None and name.startswith(apis.OF_TRUTH) and node.func.attr not in dir(bool) and of_torch_alone(frame):  # type: ignore[attr-defined]
                    receiver = replace(receiver, tensor=True, mask=True, level=Level.DATA)  # (a == b).nonzero(): no bool has that
                if _of_a_tensor(node, receiver) and not name.startswith(torch_names.ARRAY_LIBRARIES):
                    name = apis.METHOD + node.func.attr  # type: ignore[attr-defined]
                results.append(api_call(frame, node, name, given, receiver))
        elif isinstance(option, v.ProjectFunction):
            results.append(project_call(frame, option, given, False, node))
        elif isinstance(option, v.ProjectInstance):
            for value in given.all if torch_names.MODULE in option.cls.scope.ancestors else ():
                handed_in.meets_network(frame, value)
            results.append(_method(frame, option.cls.scope, _FORWARD, given, node))
        elif isinstance(option, v.ProjectClass):
            _method(frame, option.scope, ("__init__",), Given([_of_one(g) for g in given.positional], {k: _of_one(g) for k, g in given.keywords.items()}, given.starred), node)
            construct(frame, option.scope, given)
            for value in given.all:
                frame.use(value)
            made = from_facts(frame.fact(node))
            results.append(replace(made, shape=frozenset(s for g in given.all for s in g.shape)) if frame.routine.prepares_data else made)
        elif isinstance(option, v.Unknown) and option.origin in sized_apis.OBJECTS and not (receiver is not None and receiver.tensor):
            results.append(replace(api_call(frame, node, sized_apis.OBJECTS[option.origin], given, receiver), tensor=True))
        elif isinstance(option, v.Unknown) and (method := handed_method(frame, node.func, UNKNOWN if _of_no_tensor(frame, node.func, receiver) else receiver)) is not None or isinstance(option, v.Unknown) and isinstance(node.func, ast.Name) and (method := handed_callable(frame, node.func, frame.name(node.func))) is not None:
            results.append(project_call(frame, method, given, True, node))
        elif _of_a_tensor(node, receiver) and isinstance(option, (v.Unknown, v.Builtin)):
            found = api_call(frame, node, apis.METHOD + node.func.attr, given, receiver)  # type: ignore[attr-defined]
            results.append(replace(found, mask=found.mask or found.tensor and node.func.attr in apis.GIVES_TRUTH | apis.TESTING))  # type: ignore[attr-defined]
        elif isinstance(option, v.Unknown) and receiver is not None and isinstance(node.func, ast.Attribute) and node.func.attr in apis.MAKING:
            results.append(api_call(frame, node, apis.METHOD + node.func.attr, given, replace(receiver, tensor=True, items=None, element=None)))
        elif isinstance(option, v.Unknown) and receiver is not None and _only_of_tensors(frame, node, receiver):
            found = api_call(frame, node, apis.METHOD + node.func.attr, given, receiver)  # type: ignore[attr-defined]
            results.append(replace(found, mask=found.mask or node.func.attr in apis.GIVES_TRUTH | apis.TESTING))  # type: ignore[attr-defined]
        elif isinstance(option, v.Unknown) and receiver is not None and handed_in.tests_along(node, receiver) and of_torch_alone(frame):
            results.append(Abstract(Level.DATA, True, True, receiver.shape, origin=Origin(frame.routine.file, node)))
        elif isinstance(option, v.Unknown) and receiver is not None and _reads_given(frame, node, receiver):
            results.append(Abstract(Level.DATA, True, origin=Origin(frame.routine.file, node)))
        elif isinstance(option, v.Unknown) and _is_submodule(frame, node) and any(value.tensor for value in given.all):
            results.append(_layer(frame, node, torch_names.MODULE, given))
        elif isinstance(node.func, ast.Name) and node.func.id in frame.engine.records:
            results.append(_record(frame.engine.records[node.func.id], given))
        elif isinstance(option, v.Unknown) and handed_in.calls_network(frame, node, given):
            results.append(handed_in.result(frame, node, given))
        elif isinstance(option, v.Api):
            results.append(api_call(frame, node, option.name, given, receiver))
        elif isinstance(option, v.Instance):
            results.append(_layer(frame, node, option.cls, given))
        elif isinstance(option, v.Partial) and isinstance(option.function, v.ProjectFunction):
            results.append(project_call(frame, option.function, given, False, None, tuple(n for n, _ in option.keywords), len(option.args)))
        else:
            results.append(method_call(frame, node, given, receiver))
    result = of_alternatives(join(*results), results) if results else UNKNOWN
    known = from_facts(frame.fact(node))
    own = any(isinstance(o, (v.ProjectFunction, v.ProjectInstance)) or isinstance(o, v.Bound) and isinstance(o.function, v.ProjectFunction) for o in v.options(callee))
    if known.tensor and not own and not result.tensor and result.items is None and result.element is None and not result.shape:
        level = max((g.level for g in given.all), default=Level.CONSTANT)
        result = replace(known, level=max(level, result.level), shape=result.shape, sample=False)
    if not own:
        result = carried(frame, node, given, receiver, result)
    if result.tensor and result.form is None:
        result = replace(result, form=("made", id(node)))  # what two ways make of it can be compared
    return replace(result, mask=result.mask or known.mask) if known.mask and result.tensor else result


def _of_one(value: Abstract) -> Abstract:
    """What a constructor is given in one turn of a loop is the same for that instance ever after."""
    return replace(value, level=Level.CONFIGURATION) if value.level == Level.TURN and not value.tensor else value


def _record(fields: list[str], given: Given) -> Abstract:
    """A named tuple; of what was drawn and spread out, each field is as one of the arguments."""
    if fields and not given.starred:
        return record(fields, given)
    drawn = [value for value in given.all if value.level == Level.RANDOM and not value.tensor]
    return replace(join(*drawn), items=None, keyed=None) if drawn else UNKNOWN


def _of_a_tensor(node: ast.Call, receiver: Abstract | None) -> bool:
    """A method of what this analysis knows to be a tensor, where inference does not."""
    return (
        receiver is not None and receiver.tensor and isinstance(node.func, ast.Attribute)
        and node.func.attr in torchfacts.members(torch_names.TENSOR)
    )  # fmt: skip


def _of_no_tensor(frame: Frame, func: ast.expr, receiver: Abstract | None) -> bool:
    """A method that no tensor has, of a forward pass's argument that is only supposed to be one."""
    supposed = receiver is not None and receiver.tensor and not receiver.loader and isinstance(func, ast.Attribute) and frame.untyped(func.value)
    return supposed and func.attr not in torchfacts.members(torch_names.TENSOR)  # type: ignore[attr-defined]


def _only_of_tensors(frame: Frame, node: ast.Call, receiver: Abstract) -> bool:
    """A method of something unknown that nothing but a tensor has."""
    known = receiver.items is not None or receiver.keyed is not None or receiver.array or receiver.sample
    if known or not isinstance(node.func, ast.Attribute) or frame.routine.prepares_data:
        return False
    if isinstance(node.func.value, ast.BinOp) and id(node.func.value) in frame.routine.shown_at:
        return True  # (a - b).abs()
    if receiver.mask and (node.func.attr in apis.CASTING | apis.COUNTING or apis.FUNCTION + node.func.attr in apis.MASK_KEEPING | apis.CASTS):
        return True
    if node.func.attr not in apis.ONLY_OF_TENSORS and not handed_in.of_a_tensor(node) and not handed_in.with_words_of_tensors(node):
        return False
    if node.func.attr in apis.COMPARING | apis.PLACING and not of_torch_alone(frame):
        return False
    return frame.untyped(node.func.value)


def _reads_given(frame: Frame, node: ast.Call, receiver: Abstract) -> bool:
    """``edge_index.max()`` of a parameter of unknown type, or of what a call gave: an array or a tensor, and other values in every call."""
    known = receiver.items is not None or receiver.element is not None or receiver.array or receiver.sample
    if known or frame.routine.prepares_data or not isinstance(node.func, ast.Attribute) or node.func.attr not in apis.READING_VALUES:
        return False
    arguments = getattr(frame.routine.node, "args", None)
    held = node.func.value
    if arguments is None or frame.routine.name.endswith("__init__") or not isinstance(held, ast.Name) or not frame.untyped(held):
        return False
    return any(a.arg == held.id for a in [*arguments.args, *arguments.kwonlyargs]) or held.id in frame.bound and of_torch_alone(frame)


def _is_submodule(frame: Frame, node: ast.Call) -> bool:
    """``self.decoder(x)`` in a module: what was handed in at construction is a module, too."""
    held = node.func.value if isinstance(node.func, ast.Attribute) else None
    if isinstance(node.func, ast.Call) and node.func.args and frame.fact(node.func.func) == v.Api("builtins.getattr"):
        held = node.func.args[0]  # getattr(self, f"layer{i}")(x)
    return held is not None and any(isinstance(option, v.ProjectInstance) and torch_names.MODULE in option.cls.scope.ancestors for option in v.options(frame.fact(held)))


def ask(frame: Frame, getter: v.ProjectFunction) -> Abstract:
    """What reading a property gives."""
    return project_call(frame, getter, Given([], {}), True)


def bind_early(frame: Frame, node: ast.Call, given: Given) -> None:
    """``functools.partial(f, x, key=value)``: what it binds is passed to `f` whenever that is called."""
    for option in v.options(frame.fact(node.args[0])) if node.args else ():
        function = option.function if isinstance(option, v.Bound) else option
        routine = frame.engine.routines.get(id(function.scope.node)) if isinstance(function, v.ProjectFunction) else None
        if routine is None or not isinstance(function, v.ProjectFunction):
            continue
        names = [a.arg for a in function.scope.positional][isinstance(option, v.Bound) :]
        for name, value in [*zip(names, given.positional[1:], strict=False), *given.keywords.items()]:
            if name in function.scope.parameters:
                frame.engine.give(routine, name, value)


def called_with(frame: Frame, node: ast.expr, element: Abstract) -> Abstract | None:
    """What the function that an expression is gives of each element: ``map(f, xs)``; None where it is not the project's."""
    found = [project_call(frame, option, Given([element], {}), False) for option in v.options(frame.fact(node)) if isinstance(option, v.ProjectFunction)]
    return join(*found) if found else None


def project_call(
    frame: Frame, function: v.ProjectFunction, given: Given, bound: bool, node: ast.Call | None = None, skip: tuple[str, ...] = (), taken: int = 0
) -> Abstract:  # fmt: skip
    """What a function of the project gives for these arguments; it is analysed with them."""
    scope = function.scope
    routine = frame.engine.routines.get(id(scope.node))
    if routine is None:
        for value in given.all:
            frame.use(value)
        return from_facts(v.Unknown())
    names = [a.arg for a in scope.positional]
    if scope.cls is not None and (bound or scope.kind == "class") and scope.kind != "static":
        names = names[1:]
    names = names[taken:]
    engine = frame.engine
    routine.callers[frame.routine] = None
    taken_from(frame, routine)
    if max(frame.active, frame.routine.under) > routine.under and node is not None and not frame.routine.prepares_data:
        routine.under = max(frame.active, frame.routine.under)
        engine.again(routine)
    for value in given.all:
        frame.use(value)
    for name, value in zip(names, given.positional, strict=False):
        if not given.starred:
            engine.give(routine, name, value)
    for name, value in given.keywords.items():
        if name in scope.parameters:
            engine.give(routine, name, value)
    _defaults(frame, routine, names, given, skip, node)
    if scope.node.args.vararg is not None and (given.starred or len(given.positional) > len(names)):
        rest = tuple(given.positional[len(names) :])
        held = container(rest)
        engine.give(routine, "*", held if not given.starred else replace(held, items=None, added=None))
    more = {name: value for name, value in given.keywords.items() if name not in scope.parameters}
    if scope.node.args.kwarg is not None and more:
        engine.give(routine, "**", namespace(Given([], more)))
    if node is not None and frame.loops and (fed := fed_back(frame, node, names) - routine.fed_back):
        routine.fed_back |= fed
        engine.again(routine)
    result = _returned(frame, routine, names, given)
    if not given.starred and node is not None:
        passed: dict[str, tuple[Abstract, ast.expr | None]] = {name: (value, written) for name, value, written in zip(names, given.positional, node.args, strict=False)}
        passed |= {k.arg: (given.keywords[k.arg], k.value) for k in node.keywords if k.arg in given.keywords}
        result = handed_on(frame, routine, node, passed) or result
    if node is not None and routine.left:
        _taken_back(frame, routine, names, node)
    return result


def _taken_back(frame: Frame, routine: Routine, names: list[str], node: ast.Call) -> None:
    """Containers that were passed hold afterwards what the routine has put into them, too."""
    passed = [*zip(names, node.args, strict=False), *((k.arg, k.value) for k in node.keywords if k.arg)]
    for name, argument in passed:
        if name in routine.left and isinstance(argument, (ast.Name, ast.Attribute, ast.Subscript)) and not any(isinstance(a, ast.Starred) for a in node.args):
            keep(frame, argument, join(evaluate(frame, argument), routine.left[name]))


def _defaults(frame: Frame, routine: Routine, names: list[str], given: Given, skip: tuple[str, ...], node: ast.Call | None) -> None:
    """A parameter that this call leaves out has its default."""
    assert not isinstance(routine.node, ast.Module)
    for name, written in [*zip(names, node.args if node is not None else (), strict=False), *((k.arg, k.value) for k in (node.keywords if node is not None else ()) if k.arg)]:
        if isinstance(written, ast.Starred) or v.NONE in v.options(frame.fact(written)):
            frame.engine.leave_out(routine, name)
    for name, default in defaults_of(routine.node.args).items():
        place = names.index(name) if name in names else len(given.positional)
        if given.starred or name not in given.keywords and place >= len(given.positional):
            frame.engine.leave_out(routine, name)
        if name not in given.keywords and place >= len(given.positional) and name not in skip and not given.starred:
            frame.engine.give(routine, name, from_facts(routine.facts.value(default)))


def _returned(frame: Frame, routine: Routine, names: list[str], given: Given) -> Abstract:
    if routine.returned is None:
        if routine.analyses == 0:
            frame.engine.prefer(routine)
        return NOTHING
    passed = {} if given.starred else dict(zip(names, given.positional, strict=False)) | given.keywords
    return _as_given(routine.returned, {("parameter", id(routine.node), name): value.form for name, value in passed.items()})


def _as_given(value: Abstract, forms: dict[Form, Form | None]) -> Abstract:
    """A result in terms of what was passed: forms of the function's parameters are those of the arguments; others are its own."""
    if value.items is not None:
        return replace(value, form=None, items=tuple(_as_given(item, forms) for item in value.items))
    return replace(value, form=_placed(value.form, forms)) if value.form is not None else value


def _placed(form: Form, forms: dict[Form, Form | None]) -> Form | None:
    if form[0] != "step":
        return forms.get(form)
    base = _placed(form[1], forms)  # type: ignore[arg-type]
    return None if base is None else ("step", base, *form[2:])


def _method(frame: Frame, cls: ClassScope, names: tuple[str, ...], given: Given, node: ast.Call) -> Abstract:
    for name in names:
        for owner in cls.mro:
            if name in owner.methods:
                return project_call(frame, owner.methods[name].value, given, True)
    return _layer(frame, node, next((a for a in cls.ancestors if a.startswith(torch_names.LAYERS)), ""), given)


def _layer(frame: Frame, node: ast.Call, name: str, given: Given) -> Abstract:
    """A library's layer: its result's shape follows from its input's."""
    known = from_facts(frame.fact(node))
    if name == torch_names.LOADER or not (known.tensor or name.startswith(torch_names.LAYERS)):
        return known
    shape: frozenset[Source] = frozenset()
    tail = name.rpartition(".")[2]
    for value in given.all:
        frame.use(value)
        handed_in.meets_network(frame, value)
        shape |= value.shape if tail not in sized_apis.AS_LONG_AS_THE_QUERY or value is given.positional[0] else frozenset()
    place = (str(frame.routine.file.relative), node.lineno)
    if tail.startswith(apis.SIZED_LAYERS) or tail.endswith(apis.LOSS_LAYERS):
        for source in shape:
            source.fixed_by.setdefault(place, tail)
        return replace(known, tensor=True, level=Level.DATA, shape=frozenset())
    for source in shape:
        source.downstream.setdefault(place, name)
    form = formed(frame, node, name, given.positional[0].form) if given.positional else None
    return Abstract(Level.DATA, True, False, shape, form, rows=given.positional[0].rows if given.positional else frozenset())


