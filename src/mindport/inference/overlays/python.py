"""Python's own functions and methods, and those of the standard library that carry values through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindport.inference import torchfacts
from mindport.inference.annotations import SIZE
from mindport.inference.arguments import Arguments
from mindport.inference.containers import iterate
from mindport.inference.frame import Frame
from mindport.inference.overlays import command_line
from mindport.inference.values import (
    NONE,
    NOTHING,
    Api,
    Bound,
    Builtin,
    Const,
    Instance,
    Mapping,
    Partial,
    ProjectClass,
    ProjectInstance,
    Returning,
    Sequence,
    TensorValue,
    Unknown,
    Value,
    element_of,
    join,
    options,
    values_of,
    widen,
)

Function = Callable[[Frame, Any, Arguments], Value | None]
Method = Callable[[Frame, Any, Value, Arguments], Value | None]

#: What ``namedtuple("Jet", …)`` makes.
NAMED_TUPLE = Unknown("a named tuple")
_INT, _FLOAT, _BOOL, _STR = Builtin("int"), Builtin("float"), Builtin("bool"), Builtin("str")


#: What factories of defaults make.
_MADE_BY: dict[Value, Value] = {Api("builtins.int"): _INT, Api("builtins.float"): _FLOAT, Api("builtins.str"): _STR, Api("builtins.bool"): _BOOL}


def _constant(value: Value) -> Function:
    return lambda frame, node, arguments: value


def _first(frame: Frame, node: Any, arguments: Arguments) -> Value | None:
    return arguments.positional[0] if arguments.positional else None


def _second(frame: Frame, node: Any, arguments: Arguments) -> Value | None:
    return arguments.positional[1] if len(arguments.positional) > 1 else None


def _len(frame: Frame, node: Any, arguments: Arguments) -> Value:
    value = arguments.positional[0] if arguments.positional else None
    if isinstance(value, Sequence) and value.items is not None and value.type in ("tuple", "torch.Size"):
        return Const.of(len(value.items))
    return _INT


def _sequence(kind: str) -> Function:
    def make(frame: Frame, node: Any, arguments: Arguments) -> Value:
        if not arguments.positional:
            return Sequence(kind, ()) if arguments.star is None else Sequence(kind)
        value = arguments.positional[0]
        if isinstance(value, Sequence) and value.items is not None and kind in ("list", "tuple"):
            return Sequence(kind, value.items)
        return Sequence(kind, None, iterate(frame.project, value))

    return make


def _dict(frame: Frame, node: Any, arguments: Arguments) -> Value:
    if not arguments.positional and arguments.open is None and arguments.star is None:
        return Mapping(tuple(arguments.keywords.items()))
    found = list(arguments.keywords.values())
    items: dict[Any, Value] = {}
    for value in arguments.positional:
        if isinstance(value, Mapping):
            if value.items is not None and not found and not items:
                items.update(dict(value.items))
            found.append(values_of(value))
        else:
            pair = iterate(frame.project, value)
            for option in options(pair):
                if isinstance(option, Sequence):
                    found.append(option.items[-1] if option.items else option.element)
                else:
                    found.append(option)
    if items and len(arguments.positional) == 1 and arguments.open is None:
        return Mapping(tuple((items | arguments.keywords).items()))
    return Mapping(None, join(*found)) if found else Mapping()


def _defaultdict(frame: Frame, node: Any, arguments: Arguments) -> Value:
    """``defaultdict(int)`` holds numbers until something else is put in."""
    held = _MADE_BY.get(arguments.positional[0]) if arguments.positional else None
    return Mapping() if held is None else Mapping(None, held)


def _enumerate(frame: Frame, node: Any, arguments: Arguments) -> Value:
    element = iterate(frame.project, arguments.positional[0]) if arguments.positional else Unknown()
    return Sequence("iterator", None, Sequence("tuple", (_INT, element)))


def _zip(frame: Frame, node: Any, arguments: Arguments) -> Value:
    if arguments.star is not None:
        return Sequence("iterator", None, Sequence("tuple", None, iterate(frame.project, arguments.star)))
    parts = tuple(iterate(frame.project, value) for value in arguments.positional)
    return Sequence("iterator", None, Sequence("tuple", parts))


def _elements(frame: Frame, node: Any, arguments: Arguments) -> Value:
    element = iterate(frame.project, arguments.positional[0]) if arguments.positional else Unknown()
    _asked_of(frame, node, arguments.keywords.get("key", NONE), element)
    return Sequence("list", None, element)


def _asked_of(frame: Frame, node: Any, function: Value, element: Value) -> None:
    """A function is called with each element, and its result is not kept: its parameter is known from here on."""
    from mindport.inference.calls import call

    if function != NONE:
        call(frame, node, function, Arguments([element]))


def _reversed(frame: Frame, node: Any, arguments: Arguments) -> Value:
    value = arguments.positional[0] if arguments.positional else Unknown()
    return Sequence("iterator", None, iterate(frame.project, value))


def _map(frame: Frame, node: Any, arguments: Arguments) -> Value:
    from mindport.inference.calls import call

    if len(arguments.positional) < 2:
        return Sequence("iterator")
    inner = Arguments([iterate(frame.project, value) for value in arguments.positional[1:]])
    return Sequence("iterator", None, call(frame, node, arguments.positional[0], inner))


def _filter(frame: Frame, node: Any, arguments: Arguments) -> Value:
    if len(arguments.positional) < 2:
        return Sequence("iterator")
    element = iterate(frame.project, arguments.positional[1])
    _asked_of(frame, node, arguments.positional[0], element)
    return Sequence("iterator", None, element)


def _smallest(frame: Frame, node: Any, arguments: Arguments) -> Value | None:
    if len(arguments.positional) == 1:
        element = iterate(frame.project, arguments.positional[0])
        _asked_of(frame, node, arguments.keywords.get("key", NONE), element)
        return element
    return widen(join(*arguments.positional)) if arguments.positional else None


def _sum(frame: Frame, node: Any, arguments: Arguments) -> Value:
    if not arguments.positional:
        return _INT
    element = widen(iterate(frame.project, arguments.positional[0]))
    if isinstance(element, TensorValue):
        # An empty sum is the start value; a model that sums no tensors does not occur.
        return TensorValue(element.dtype, likely=True)
    if isinstance(element, Sequence) and len(arguments.positional) > 1:
        return Sequence("list", None, element_of(element))
    return element


def _next(frame: Frame, node: Any, arguments: Arguments) -> Value:
    element = iterate(frame.project, arguments.positional[0]) if arguments.positional else Unknown()
    return join(element, arguments.positional[1]) if len(arguments.positional) > 1 else element


def _getattr(frame: Frame, node: Any, arguments: Arguments) -> Value:
    from mindport.inference.attributes import attribute

    name = arguments.get(1, "name")
    if isinstance(name, Const) and isinstance(name.value, str):
        found = attribute(frame.project, arguments.positional[0], name.value)
        return join(found, arguments.positional[2]) if len(arguments.positional) > 2 else found
    owner = arguments.positional[0] if arguments.positional else None
    if isinstance(owner, Api) and torchfacts.makes_modules(owner.name):
        return Returning(Instance(torchfacts.MODULE, likely=True))
    return Unknown("getattr of a name that is computed")


def _setattr(frame: Frame, node: Any, arguments: Arguments) -> Value:
    if len(arguments.positional) == 3:
        target, name, value = arguments.positional
        if isinstance(target, ProjectInstance) and isinstance(name, Const) and isinstance(name.value, str):
            frame.project.store(target.cls.scope, name.value, id(node), value)
    return NONE


def _type(frame: Frame, node: Any, arguments: Arguments) -> Value:
    value = arguments.positional[0] if len(arguments.positional) == 1 else None
    classes = [option.cls for option in options(value) if isinstance(option, ProjectInstance)] if value is not None else []
    if classes and len(classes) == len(options(value)):  # type: ignore[arg-type]
        return join(*classes)
    if isinstance(value, TensorValue):
        return Api("torch.Tensor")
    return Instance("builtins.type")


def _super(frame: Frame, node: Any, arguments: Arguments) -> Value:
    function = frame.function
    while function is not None and function.cls is None:
        function = function.parent
    if len(arguments.positional) >= 1 and isinstance(arguments.positional[0], ProjectClass):
        return Bound(ProjectInstance(arguments.positional[0]), Api("builtins.super"))
    if function is None or function.cls is None:
        return Unknown("super outside of a class")
    return Bound(ProjectInstance(function.cls.value), Api("builtins.super"))


def _partial(frame: Frame, node: Any, arguments: Arguments) -> Value:
    if not arguments.positional:
        return Unknown("partial of nothing")
    return Partial(arguments.positional[0], tuple(arguments.positional[1:]), tuple(arguments.keywords.items()))


def _abs(frame: Frame, node: Any, arguments: Arguments) -> Value:
    value = arguments.positional[0] if arguments.positional else Unknown()
    return TensorValue(value.dtype, likely=value.likely) if isinstance(value, TensorValue) else widen(value)


def _chain(frame: Frame, node: Any, arguments: Arguments) -> Value:
    parts = [iterate(frame.project, value) for value in arguments.all()]
    return Sequence("iterator", None, join(*parts)) if parts else Sequence("iterator")


def _product(frame: Frame, node: Any, arguments: Arguments) -> Value:
    return Sequence("iterator", None, Sequence("tuple", tuple(iterate(frame.project, v) for v in arguments.positional)))


def _field(frame: Frame, node: Any, arguments: Arguments) -> Value:
    return arguments.keywords.get("default", Unknown("a field's value"))


def _namedtuple(frame: Frame, node: Any, arguments: Arguments) -> Value:
    return NAMED_TUPLE


_RANGE = Sequence("iterator", None, _INT)

#: By canonical name. None leaves the result open.
FUNCTIONS: dict[str, Function] = {
    "builtins.len": _len, "builtins.int": _constant(_INT), "builtins.float": _constant(_FLOAT), "builtins.str": _constant(_STR),
    "builtins.bool": _constant(_BOOL), "builtins.repr": _constant(_STR), "builtins.isinstance": _constant(_BOOL),
    "builtins.issubclass": _constant(_BOOL), "builtins.hasattr": _constant(_BOOL), "builtins.callable": _constant(_BOOL),
    "builtins.id": _constant(_INT), "builtins.ord": _constant(_INT), "builtins.chr": _constant(_STR),
    "builtins.any": _constant(_BOOL), "builtins.all": _constant(_BOOL), "builtins.round": _constant(join(_INT, _FLOAT)),
    "builtins.range": _constant(_RANGE), "builtins.list": _sequence("list"), "builtins.tuple": _sequence("tuple"),
    "builtins.set": _sequence("set"), "builtins.frozenset": _sequence("set"), "builtins.iter": _reversed,
    "builtins.dict": _dict, "builtins.enumerate": _enumerate, "builtins.zip": _zip, "builtins.sorted": _elements,
    "builtins.reversed": _reversed, "builtins.map": _map, "builtins.filter": _filter, "builtins.min": _smallest,
    "builtins.max": _smallest, "builtins.sum": _sum, "builtins.next": _next, "builtins.getattr": _getattr,
    "builtins.setattr": _setattr, "builtins.type": _type, "builtins.super": _super, "builtins.abs": _abs,
    "builtins.print": _constant(NONE), "functools.partial": _partial,
    "collections.OrderedDict": _dict, "collections.defaultdict": _defaultdict, "collections.deque": _sequence("deque"),
    "copy.copy": _first, "copy.deepcopy": _first, "typing.cast": _second, "itertools.chain": _chain,
    "itertools.product": _product, "itertools.repeat": _reversed, "itertools.islice": _reversed,
    "dataclasses.field": _field, **dict.fromkeys(("attr.ib", "attr.attrib", "attr.field", "attrs.field"), _constant(Unknown("a field's value"))), "collections.namedtuple": _namedtuple, "torch.Size": _constant(SIZE),
    "builtins.open": _constant(Instance("io.TextIOBase")), "warnings.warn": _constant(NONE),
    "operator.mul": _constant(Unknown("an operator's result")), "builtins.divmod": _constant(Sequence("tuple", (_INT, _INT))),
}  # fmt: skip
for _name in ["sqrt", "exp", "log", "log2", "log10", "pow", "sin", "cos", "tan", "tanh", "atan", "atan2", "erf", "hypot", "fabs", "fsum", "radians", "degrees"]:
    FUNCTIONS[f"math.{_name}"] = _constant(_FLOAT)
for _name in ["ceil", "floor", "factorial", "gcd", "comb", "prod", "trunc"]:
    FUNCTIONS[f"math.{_name}"] = _constant(_INT)
for _name in ("time.time", "time.perf_counter", "random.random", "random.uniform", "random.gauss"):
    FUNCTIONS[_name] = _constant(_FLOAT)
for _name in ("random.randint", "random.randrange"):
    FUNCTIONS[_name] = _constant(_INT)
for _name in ["join", "dirname", "basename", "abspath", "expanduser", "realpath", "splitext"]:
    FUNCTIONS[f"os.path.{_name}"] = _constant(_STR if _name != "splitext" else Sequence("tuple", (_STR, _STR)))
FUNCTIONS["random.choice"] = _next
FUNCTIONS[command_line.PARSER] = _constant(Instance(command_line.PARSER))
for _name in command_line.NAMESPACES:
    FUNCTIONS[_name] = lambda frame, node, arguments, cls=_name: command_line.made(cls, arguments)  # type: ignore[misc]


def _items(frame: Frame, node: Any, receiver: Value, arguments: Arguments) -> Value | None:
    if isinstance(receiver, Mapping):
        return Sequence("iterator", None, Sequence("tuple", (iterate(frame.project, receiver), values_of(receiver))))
    if isinstance(receiver, (Instance, ProjectInstance)):
        held = receiver.element if isinstance(receiver, Instance) else frame.project.held(receiver.cls.scope)
        return Sequence("iterator", None, Sequence("tuple", (_STR, held or Instance("torch.nn.Module", likely=True))))
    return None


def _values(frame: Frame, node: Any, receiver: Value, arguments: Arguments) -> Value | None:
    if isinstance(receiver, Mapping):
        return Sequence("iterator", None, values_of(receiver))
    if isinstance(receiver, (Instance, ProjectInstance)):
        held = receiver.element if isinstance(receiver, Instance) else frame.project.held(receiver.cls.scope)
        return Sequence("iterator", None, held or Instance("torch.nn.Module", likely=True))
    return None


def _get(frame: Frame, node: Any, receiver: Value, arguments: Arguments) -> Value | None:
    if not isinstance(receiver, Mapping):
        return None
    default = arguments.positional[1] if len(arguments.positional) > 1 else NONE
    key = arguments.positional[0] if arguments.positional else None
    if receiver.items is not None and isinstance(key, Const):
        for name, value in receiver.items:
            if name == key.value:
                return value
        return default
    found = values_of(receiver)
    return join(found, default) if found is not NOTHING else join(Unknown("a key of a dict"), default)


def _pop(frame: Frame, node: Any, receiver: Value, arguments: Arguments) -> Value | None:
    return element_of(receiver) if isinstance(receiver, Sequence) else _get(frame, node, receiver, arguments)


def _popitem(frame: Frame, node: Any, receiver: Value, arguments: Arguments) -> Value | None:
    if not isinstance(receiver, Mapping):
        return None
    found = values_of(receiver)
    return Sequence("tuple", (Unknown("a key of a dict"), Unknown("a value of a dict") if found is NOTHING else found))


def _same(frame: Frame, node: Any, receiver: Value, arguments: Arguments) -> Value | None:
    return receiver


def _none(frame: Frame, node: Any, receiver: Value, arguments: Arguments) -> Value | None:
    return NONE


def _result(value: Value) -> Method:
    return lambda frame, node, receiver, arguments: value


def _register_buffer(frame: Frame, node: Any, receiver: Value, arguments: Arguments) -> Value | None:
    name, value = arguments.get(0, "name"), arguments.get(1, "tensor") or arguments.get(1, "param")
    if isinstance(receiver, ProjectInstance) and isinstance(name, Const) and isinstance(name.value, str) and value is not None:
        frame.project.store(receiver.cls.scope, name.value, id(node), value)
    return NONE


def _container_init(frame: Frame, node: Any, receiver: Value, arguments: Arguments) -> Value | None:
    """``super().__init__(*layers)`` of a project class that derives from a container module."""
    from mindport.inference.torch_calls import _held

    if isinstance(receiver, ProjectInstance):
        held = _held(frame, "torch.nn.Sequential", arguments)
        if held is not None:
            frame.project.hold(receiver.cls.scope, id(node), held)
    return NONE


#: By the whole canonical name, or by the method's short name on builtin types.
METHODS: dict[str, Method] = {
    "builtins.dict.items": _items, "builtins.dict.values": _values, "builtins.dict.get": _get, "builtins.dict.pop": _pop,
    "builtins.dict.setdefault": _get, "builtins.dict.popitem": _popitem, "builtins.list.popleft": _pop, "builtins.list.pop": _pop, "builtins.set.pop": _pop, "builtins.list.copy": _same,
    "builtins.dict.copy": _same, "builtins.list.index": _result(_INT), "builtins.list.count": _result(_INT),
    "builtins.tuple.__next__": _pop, "builtins.tuple.next": _pop,  # an iterator's, the latter in Python 2 and of torch's loaders until 1.12
    "builtins.list.append": _none, "builtins.list.extend": _none, "builtins.list.insert": _none, "builtins.dict.update": _none,
    "builtins.dict.keys": lambda frame, node, receiver, arguments: Sequence("iterator", None, iterate(frame.project, receiver)),
    "builtins.str.split": _result(Sequence("list", None, _STR)), "builtins.str.rsplit": _result(Sequence("list", None, _STR)),
    "builtins.str.splitlines": _result(Sequence("list", None, _STR)), "builtins.set.union": _same,
    "torch.nn.ModuleDict.items": _items, "torch.nn.ModuleDict.values": _values, "torch.nn.Module.register_buffer": _register_buffer,
    "torch.nn.Module.register_parameter": _register_buffer, "torch.nn.Module.to": _same, "torch.nn.Module.cuda": _same,
    "torch.nn.Module.cpu": _same, "torch.nn.Module.eval": _same, "torch.nn.Module.train": _same, "torch.nn.Module.half": _same,
    "torch.nn.Module.float": _same, "torch.nn.Module.requires_grad_": _same,
    "torch.nn.Sequential.__init__": _container_init, "torch.nn.ModuleList.__init__": _container_init,
    "torch.nn.ModuleDict.__init__": _container_init,
}  # fmt: skip
for _name in ["join", "format", "lower", "upper", "strip", "lstrip", "rstrip", "replace", "title", "capitalize", "zfill", "ljust", "rjust", "center", "removeprefix", "removesuffix"]:
    METHODS[f"builtins.str.{_name}"] = _result(_STR)
METHODS[f"{command_line.PARSER}.parse_args"] = _result(Instance(command_line.NAMESPACES[0]))
METHODS[f"{command_line.PARSER}.parse_known_args"] = _result(Sequence("tuple", (Instance(command_line.NAMESPACES[0]), Sequence("list", None, _STR))))
for _name in ["startswith", "endswith", "isdigit", "isalpha", "isidentifier", "islower", "isupper"]:
    METHODS[f"builtins.str.{_name}"] = _result(_BOOL)
