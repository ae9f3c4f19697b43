"""Calls: what calling a value gives, and what a call tells about the function that is called."""

from __future__ import annotations

import ast

from mindport.inference import torchfacts
from mindport.inference.annotations import INSTANCES, instance_of
from mindport.inference.arguments import Arguments
from mindport.inference.attributes import attribute
from mindport.inference.certainty import likely
from mindport.inference.data_loading import MAKERS
from mindport.inference.frame import Frame, path_of
from mindport.inference.growth import grow
from mindport.inference.handed_back import GROWING
from mindport.inference.handed_back import given as handed_back
from mindport.inference.overlays import arrays, callbacks, folds, named_axes, transforms
from mindport.inference.overlays.functions import RESULTS
from mindport.inference.overlays.layers import layer_result
from mindport.inference.overlays.libraries import made_by
from mindport.inference.overlays.python import FUNCTIONS, METHODS
from mindport.inference.torch_calls import construct, torch_function, torch_method
from mindport.inference.values import (
    NONE,
    Api,
    Bound,
    Builtin,
    Const,
    Instance,
    Mapping,
    Partial,
    ProjectClass,
    ProjectFunction,
    ProjectInstance,
    Returning,
    Sequence,
    TensorValue,
    Transformed,
    Unknown,
    Value,
    join,
    options,
)

#: What calls of functions give that torch's stubs do not say, by canonical name.
_SPECIAL = MAKERS | folds.FUNCTIONS | transforms.FUNCTIONS | FUNCTIONS


def call(frame: Frame, node: ast.Call, function: Value, arguments: Arguments) -> Value:
    """What the call gives."""
    found = [_one(frame, node, option, arguments) for option in options(function) if option != NONE]
    return join(*found) if found else Unknown("None is called")


def _one(frame: Frame, node: ast.Call, function: Value, arguments: Arguments) -> Value:
    if isinstance(function, Api):
        return call_api(frame, node, function.name, arguments)
    if isinstance(function, Bound):
        return _bound(frame, node, function, arguments)
    if isinstance(function, ProjectFunction):
        frame.project.arguments(function.scope, arguments, id(node), 0)
        result = frame.project.result(function.scope)
        handed = handed_back(function.scope, arguments, 0)
        return result if handed is None else handed
    if isinstance(function, ProjectClass):
        return _construct(frame, node, function, arguments)
    if isinstance(function, ProjectInstance):
        return _call_instance(frame, node, function, arguments)
    if isinstance(function, Instance):
        return _call_library(frame, node, function, arguments)
    if isinstance(function, Partial):
        merged = Arguments(
            [*function.args, *arguments.positional], dict(function.keywords) | arguments.keywords, arguments.star, arguments.open
        )
        return call(frame, node, function.function, merged)
    if isinstance(function, Transformed):
        return transforms.called(frame, node, function, arguments)
    if isinstance(function, Returning):
        return function.result
    if isinstance(function, Unknown):
        if (text := _taken_apart(node)) is not None and not function.origin:
            return text
        of_tensors = not function.origin and any(isinstance(o, TensorValue) for given in arguments.positional for o in options(given))
        return Unknown(f"the result of a call that is not known: {function.why}"[:120], function.origin, of_tensors)
    return Unknown("what is called is no function")


def _taken_apart(node: ast.Call) -> Value | None:
    """``line.partition("=")`` and ``path.split(".")``: by a text, nothing but a text is taken apart."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="partition" | "rpartition" | "split" | "rsplit" as name), args=[ast.Constant(value=str()), *_]):
            if isinstance(owner, ast.Attribute) and owner.attr == "str":
                return None  # a column of pandas'
            return Sequence("tuple", (Builtin("str"),) * 3) if name.endswith("partition") else Sequence("list", None, Builtin("str"))
    return None


def call_api(frame: Frame, node: ast.Call, name: str, arguments: Arguments) -> Value:
    """A call of an outside function or class by its canonical name."""
    special = _SPECIAL.get(name)
    if special is not None:
        result = special(frame, node, arguments)
        if result is not None:
            return result
    if torchfacts.is_known(name):
        api = torchfacts.lookup(name)
        if api is None:  # also old names of classes: torch.sparse.FloatTensor
            return INSTANCES.get(name) or torch_function(frame, node, name, arguments)
        if api.kind == "class":
            return construct(frame, name, arguments)
        owner = torchfacts.lookup(name.rpartition(".")[0])
        if owner is not None and owner.kind == "class":  # torch.Tensor.view(x, 3)
            given = RESULTS.get(name) if owner.name != "torch.Tensor" else None  # nn.Embedding.from_pretrained(table)
            instance = given(arguments) if given is not None else None
            return instance if instance is not None else Unknown(f"a call of the method {name} through its class")
        return torch_function(frame, node, name, arguments)
    if name.startswith("numpy."):
        return arrays.called(name, arguments)
    if name in named_axes.FUNCTIONS:
        return named_axes.FUNCTIONS[name](arguments)
    if name in named_axes.LAYERS:
        return Instance(name)
    if name.startswith("builtins."):
        made = instance_of(Api(name))
        return made if not isinstance(made, Instance) or name[9:10].isupper() else Unknown(f"the result of {name}", made_by(name))
    library = RESULTS.get(name)
    result = library(arguments) if library is not None else None
    return result if result is not None else Unknown(f"the result of {name} is not known", made_by(name))


def _bound(frame: Frame, node: ast.Call, function: Bound, arguments: Arguments) -> Value:
    receiver, method = function.receiver, function.function
    if isinstance(method, ProjectFunction):
        frame.project.arguments(method.scope, arguments, id(node), 1)
        _forget(frame, node, method)
        usual, handed = frame.project.result(method.scope), handed_back(method.scope, arguments, 0 if method.scope.kind == "static" else 1)
        return usual if handed is None else handed
    assert isinstance(method, Api)
    short = method.name.rpartition(".")[2]
    if isinstance(receiver, TensorValue):
        if short in callbacks.OF_TENSORS:
            callbacks.OF_TENSORS[short](frame, node, receiver, arguments)
        return torch_method(frame, node, receiver, short, arguments)
    if short in GROWING:
        _grow(frame, node, short, arguments)
    special = callbacks.METHODS.get(method.name) or METHODS.get(method.name) or METHODS.get(short)
    if special is not None:
        result = special(frame, node, receiver, arguments)
        if result is not None:
            return result
    if torchfacts.is_known(method.name):
        return _torch_member(frame, node, receiver, method.name, arguments)
    of_array = arrays.of_method(receiver, short, arguments) if isinstance(receiver, Instance) else None
    if of_array is not None:
        return of_array
    hands_out = isinstance(receiver, (Mapping, Sequence))  # a container's other methods: what it holds is no library's
    return Unknown(f"the result of {method.name} is not known", "" if hands_out else made_by(method.name))


def _torch_member(frame: Frame, node: ast.Call, receiver: Value, name: str, arguments: Arguments) -> Value:
    """A method of a library class on an instance of it or of a project class."""
    if name == "torch.nn.Module.forward" or name.endswith(".forward"):
        return _call_library(frame, node, receiver, arguments)
    if name == "torch.autograd.Function.apply" and isinstance(receiver, ProjectClass):
        result = _custom_gradient(frame, node, receiver, arguments)
        if result is not None:
            return result
    result = torch_function(frame, node, name, arguments, receiver)
    return likely(result) if isinstance(receiver, (Instance, ProjectInstance)) and receiver.likely else result


def _custom_gradient(frame: Frame, node: ast.Call, cls: ProjectClass, arguments: Arguments) -> Value | None:
    """``Function.apply(…)``: what forward returns; backward takes as many gradients as it has parameters."""
    project, context = frame.project, Instance("torch.autograd.function.FunctionCtx")
    forward, backward = project.method(cls.scope, "forward"), project.method(cls.scope, "backward")
    setup = project.method(cls.scope, "setup_context")
    if forward is None:
        return None
    before = [] if setup is not None else [context]
    project.arguments(forward, Arguments([*before, *arguments.positional], arguments.keywords, arguments.star, arguments.open), id(node), 0)
    if backward is not None:
        gradients = [TensorValue(likely=True) for _ in backward.positional[1:]] or [TensorValue(likely=True)]
        project.arguments(backward, Arguments([context, *gradients]), id(node), 0)
    result = likely(project.result(forward))
    if setup is not None:
        project.arguments(setup, Arguments([context, Sequence("tuple", tuple(arguments.positional)), result]), id(node), 0)
    return result


def _grow(frame: Frame, node: ast.Call, short: str, arguments: Arguments) -> None:
    if not isinstance(node.func, ast.Attribute):
        return
    holder = node.func.value
    path = path_of(holder)
    if path is None:
        return
    if short == "update":  # update(a=x): each is what it holds under a name
        for value in arguments.keywords.values():
            grow(frame, holder, path, frame.values.get(id(holder), Unknown()), value)
    if not arguments.positional:
        return
    added = arguments.positional[-1]
    if short in ("extend", "update"):
        if isinstance(added, Mapping):
            added = added.element if added.items is None else join(Unknown("nothing"), *(v for _, v in added.items))
        else:
            from mindport.inference.containers import iterate

            added = iterate(frame.project, added)
    base = frame.values.get(id(holder), Unknown())
    if short == "add_module" and isinstance(base, ProjectInstance):
        name = arguments.positional[0]
        if isinstance(name, Const) and isinstance(name.value, str):
            frame.project.store(base.cls.scope, name.value, id(node), added)
        frame.project.hold(base.cls.scope, id(node), added)
        return
    grow(frame, holder, path, base, added)


def _forget(frame: Frame, node: ast.Call, method: ProjectFunction) -> None:
    """A method call on self may set what this frame knows about self's attributes."""
    if not isinstance(node.func, ast.Attribute) or not isinstance(node.func.value, ast.Name):
        return
    cls = method.scope.cls
    if cls is None:
        return
    prefix = f"{node.func.value.id}."
    for key in [key for key in frame.env if key.startswith(prefix)]:
        name = key[len(prefix) :].partition(".")[0]
        if any(method is not frame.function for scope in cls.mro for method in scope.stores.get(name, ())):
            del frame.env[key]


def _construct(frame: Frame, node: ast.Call, function: ProjectClass, arguments: Arguments) -> Value:
    cls = function.scope
    ancestors = cls.ancestors
    initial = frame.project.method(cls, "__init__")
    if initial is not None:
        frame.project.arguments(initial, arguments, id(node), 1)
    else:
        for scope in cls.mro:  # a dataclass or named tuple: its fields are its parameters
            for (name, declared), value in zip(scope.annotations.items(), arguments.positional, strict=False):
                if isinstance(declared, Unknown):
                    frame.project.store(scope, name, id(node), likely(value))
            for name, value in arguments.keywords.items():
                if isinstance(scope.annotations.get(name), Unknown):
                    frame.project.store(scope, name, id(node), likely(value))
    if "torch.Tensor" in ancestors:
        return TensorValue(likely=True)
    return ProjectInstance(function)


def _call_instance(frame: Frame, node: ast.Call, function: ProjectInstance, arguments: Arguments) -> Value:
    """``module(x)`` gives what its forward returns."""
    cls = function.cls.scope
    if "torch.nn.Module" in cls.ancestors:
        _inputs(frame, node)
    name = "__call__" if frame.project.method(cls, "__call__") is not None else "forward"
    method = attribute(frame.project, function, name)
    found: list[Value] = []
    for option in options(method):
        if isinstance(option, Bound) and isinstance(option.function, ProjectFunction):
            frame.project.arguments(option.function.scope, arguments, id(node), 1)
            found.append(frame.project.result(option.function.scope))
        elif isinstance(option, Bound):
            found.append(_call_library(frame, node, function, arguments))
        else:
            called = _one(frame, node, option, arguments)
            is_module = "torch.nn.Module" in cls.ancestors
            found.append(TensorValue(likely=True) if isinstance(called, Unknown) and is_module else called)
    result = join(*found)
    return likely(result) if function.likely else result


def _inputs(frame: Frame, node: ast.Call) -> None:
    """What a module is called with is a tensor, where nothing else is known."""
    for part in node.args:
        if isinstance(part, ast.Name) and type(frame.values.get(id(part))) is Unknown:
            frame.project.assume(frame, part.id)


def _call_library(frame: Frame, node: ast.Call, receiver: Value, arguments: Arguments) -> Value:
    if isinstance(receiver, ProjectInstance):
        cls = next((n for n in receiver.cls.scope.ancestors if torchfacts.is_known(n)), "")
        result = layer_result(cls, arguments.positional, frame.project.held(receiver.cls.scope))
        return likely(result) if receiver.likely else result
    if isinstance(receiver, Instance):
        if torchfacts.MODULE in torchfacts.ancestors(receiver.cls):
            _inputs(frame, node)
        element = receiver.element
        if element is not None and receiver.cls == "torch.nn.Sequential":
            for option in options(element):
                if not isinstance(option, Sequence):
                    _one(frame, node, option, arguments)
        result = layer_result(receiver.cls, arguments.positional, element)
        return likely(result) if receiver.likely else result
    return Unknown("what is called is not known")
