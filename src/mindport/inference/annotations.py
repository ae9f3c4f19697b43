"""From a type to the values it stands for: annotations in the user's code, and torch's types as text."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache

from mindport.inference import torchfacts
from mindport.inference.overlays import private_bases
from mindport.inference.overlays.libraries import is_torch_based
from mindport.inference.values import (
    NONE,
    Api,
    Builtin,
    Const,
    Instance,
    Mapping,
    ProjectClass,
    ProjectInstance,
    Returning,
    Sequence,
    TensorValue,
    Unknown,
    Value,
    join,
    options,
)

_INT = Builtin("int")
SIZE = Sequence("torch.Size", None, _INT)

#: Classes whose instances have a value of their own.
INSTANCES: dict[str, Value] = {
    "builtins.int": _INT,
    "builtins.float": Builtin("float"),
    "builtins.bool": Builtin("bool"),
    "builtins.str": Builtin("str"),
    "builtins.bytes": Builtin("bytes"),
    "builtins.complex": Builtin("complex"),
    "builtins.list": Sequence("list"),
    "builtins.tuple": Sequence("tuple"),
    "builtins.set": Sequence("set"),
    "builtins.frozenset": Sequence("set"),
    "builtins.range": Sequence("iterator", None, _INT),
    "builtins.dict": Mapping(),
    "builtins.object": Unknown("annotated as object"),
    "builtins.type": Unknown("annotated as type"),
    "collections.OrderedDict": Mapping(),
    "collections.defaultdict": Mapping(),
    "collections.Counter": Mapping(None, _INT),
    "collections.deque": Sequence("deque"),
    "torch.Tensor": TensorValue(),
    "torch.nn.Parameter": TensorValue(parameter=True),
    "torch.nn.UninitializedParameter": TensorValue(parameter=True),  # of a lazy layer
    "torch.nn.Buffer": TensorValue(),
    "torch.autograd.Variable": TensorValue(),
    "torch.FloatTensor": TensorValue("torch.float32"),
    "torch.DoubleTensor": TensorValue("torch.float64"),
    "torch.HalfTensor": TensorValue("torch.float16"),
    "torch.BFloat16Tensor": TensorValue("torch.bfloat16"),
    "torch.LongTensor": TensorValue("torch.int64"),
    "torch.IntTensor": TensorValue("torch.int32"),
    "torch.ShortTensor": TensorValue("torch.int16"),
    "torch.CharTensor": TensorValue("torch.int8"),
    "torch.ByteTensor": TensorValue("torch.uint8"),
    "torch.BoolTensor": TensorValue("torch.bool"),
    "torch.sparse.FloatTensor": TensorValue("torch.float32"),
    "torch.sparse.DoubleTensor": TensorValue("torch.float64"),
    "torch.sparse.LongTensor": TensorValue("torch.int64"),
    "torch.Size": SIZE,
}
INSTANCES |= {name.replace("torch.", "torch.cuda.", 1): value for name, value in INSTANCES.items() if name.endswith("Tensor") and name != "torch.Tensor"}

_TYPING = ("typing.", "typing_extensions.", "collections.abc.", "builtins.", "collections.")
_LISTS = {
    "list": "list", "List": "list", "MutableSequence": "list", "deque": "deque", "Deque": "deque", "set": "set", "Set": "set",
    "FrozenSet": "set", "frozenset": "set", "AbstractSet": "set", "Sequence": "sequence", "Collection": "iterator",
    "Iterable": "iterator", "Iterator": "iterator", "AsyncIterator": "iterator", "Generator": "iterator",
    "Container": "iterator", "KeysView": "iterator", "ValuesView": "iterator",
}  # fmt: skip
_DICTS = frozenset(("dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "DefaultDict", "defaultdict"))


#: Modules that hold what they are given.
_OF_MODULES = frozenset(("torch.nn.ModuleList", "torch.nn.Sequential", "torch.nn.ModuleDict"))


def instance_of(cls: Value) -> Value:
    """An instance of a class; Unknown for what is no class."""
    if isinstance(cls, Api):
        found = INSTANCES.get(cls.name)
        if found is not None:
            return found
        if cls.name in private_bases.PUBLIC:
            return join(*map(Instance, private_bases.PUBLIC[cls.name]))
        short = typing_name(cls.name)
        if short in _LISTS:
            return Sequence(_LISTS[short], None, Unknown("the elements have no annotation"))
        if short in _DICTS:
            return Mapping(None, Unknown("the elements have no annotation"))
        if short is not None:
            if short in ("Callable", "Any", "TypeVar", "Hashable", "Protocol", "Self", "Type"):
                return Unknown(f"annotated as {short}")
            return Instance(cls.name)
        if is_torch_based(cls.name) and cls.name.startswith("torch."):
            api = torchfacts.lookup(cls.name)
            if api is not None and api.kind != "class":
                return Unknown(f"{cls.name} is no class")
            if "torch.Tensor" in torchfacts.ancestors(cls.name):
                return TensorValue()
        # What a container of modules holds was put in elsewhere: ``m[1] = nn.Identity()`` says nothing about the rest.
        return Instance(cls.name, element=Instance(torchfacts.MODULE, likely=True) if cls.name in _OF_MODULES else None)
    if isinstance(cls, ProjectClass):
        return ProjectInstance(cls)
    if cls == NONE:
        return NONE
    return Unknown("the annotation could not be followed")


def typing_name(name: str) -> str | None:
    """``List`` of ``typing.List`` or ``collections.abc.List``; None for other names."""
    for prefix in _TYPING:
        if name.startswith(prefix):
            return name[len(prefix) :]
    return None


def annotated(node: ast.expr, look: Callable[[ast.expr], Value], strings: dict[int, ast.expr]) -> Value:
    """What a name with this annotation holds.

    `look` gives the value of a name or attribute in it. A string in it is parsed once and kept in
    `strings` by the constant's id.
    """

    def value_of(part: ast.expr) -> Value:
        if isinstance(part, ast.Constant):
            if part.value is None:
                return NONE
            if isinstance(part.value, str):
                parsed = _parsed(part, strings)
                return value_of(parsed) if parsed is not None else Unknown("the annotation does not parse")
            return Unknown("the annotation is a constant")
        if isinstance(part, (ast.Name, ast.Attribute)):
            return _join(instance_of(option) for option in options(look(part)))
        if isinstance(part, ast.BinOp):
            return join(value_of(part.left), value_of(part.right))
        if isinstance(part, ast.Subscript):
            return _generic(part)
        return Unknown("the annotation could not be followed")

    def _generic(part: ast.Subscript) -> Value:
        base = look(part.value) if isinstance(part.value, (ast.Name, ast.Attribute)) else Unknown()
        arguments = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
        short = typing_name(base.name) if isinstance(base, Api) else None
        if short is None:
            for argument in arguments:
                value_of(argument)
            return instance_of(base)
        if short == "Literal":
            return join(*(Const.of(a.value) for a in arguments if isinstance(a, ast.Constant))) if arguments else Unknown()
        if short == "Callable":
            for argument in arguments[0].elts if isinstance(arguments[0], ast.List) else ():
                value_of(argument)
            return Returning(_assumed(value_of(arguments[-1]))) if len(arguments) == 2 else Unknown("annotated as Callable")
        if short in ("type", "Type"):
            return class_of(arguments[0])
        found = [value_of(a) for a in arguments if not (isinstance(a, ast.Constant) and a.value is Ellipsis)]
        if short == "Optional":
            return join(found[0], NONE)
        if short == "Union":
            return join(*found)
        if short in ("Annotated", "Final", "ClassVar", "Required", "NotRequired"):
            return found[0]
        if short in ("tuple", "Tuple"):
            if len(found) == len(arguments):
                return Sequence("tuple", tuple(found))
            return Sequence("tuple", None, found[0])
        if short in _LISTS:
            return Sequence(_LISTS[short], None, found[0])
        if short in _DICTS:
            return Mapping(None, found[-1])
        return Unknown(f"annotated as {short}")

    def class_of(part: ast.expr) -> Value:
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            parsed = _parsed(part, strings)
            return class_of(parsed) if parsed is not None else Unknown()
        if isinstance(part, ast.Subscript):
            arguments = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
            look(part.value)
            return join(*(class_of(a) for a in arguments))
        if isinstance(part, ast.BinOp):
            return join(class_of(part.left), class_of(part.right))
        found = look(part) if isinstance(part, (ast.Name, ast.Attribute)) else Unknown("the annotation could not be followed")
        if isinstance(found, Api) and typing_name(found.name) in ("Any", "TypeVar"):
            return Unknown("annotated as type of anything")
        return found

    return value_of(node)


def _assumed(result: Value) -> Value:
    """What a callable gives whose annotation says so: likely, as callables are seldom checked."""
    if isinstance(result, Instance):
        return Instance(result.cls, True, result.element)
    if isinstance(result, TensorValue):
        return TensorValue(result.dtype, result.shape, result.parameter, True)
    return result


def _parsed(part: ast.Constant, strings: dict[int, ast.expr]) -> ast.expr | None:
    found = strings.get(id(part))
    if found is None and isinstance(part.value, str):
        try:
            found = ast.parse(part.value.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        strings[id(part)] = found
    return found


def _join(values: object) -> Value:
    return join(*values)  # type: ignore[misc]


_SIMPLE: dict[str, Value] = {
    "Tensor": TensorValue(), "torch.Tensor": TensorValue(), "Parameter": TensorValue(parameter=True),
    "LongTensor": TensorValue("torch.int64"), "int": _INT, "_int": _INT, "SymInt": _INT, "float": Builtin("float"),
    "_float": Builtin("float"), "bool": Builtin("bool"), "_bool": Builtin("bool"), "str": Builtin("str"),
    "complex": Builtin("complex"), "_complex": Builtin("complex"), "Number": join(_INT, Builtin("float"), Builtin("bool")),
    "Size": SIZE, "torch.Size": SIZE, "_size": SIZE, "None": NONE, "_dtype": Instance("torch.dtype"),
    "dtype": Instance("torch.dtype"), "torch.dtype": Instance("torch.dtype"), "_device": Instance("torch.device"),
    "device": Instance("torch.device"), "torch.device": Instance("torch.device"), "Device": Instance("torch.device"),
    "_layout": Instance("torch.layout"), "Generator": Instance("torch.Generator"), "list": Sequence("list"),
    "tuple": Sequence("tuple"), "dict": Mapping(), "Module": Instance("torch.nn.Module", likely=True),
    "numpy.ndarray": Instance("numpy.ndarray"), "torch.SymInt": _INT, "builtins.int": _INT,
}  # fmt: skip

#: Modules that say what they hold: ``Sequential[Linear | ReLU]``.
_HOLDING = frozenset(("Sequential", "ModuleList"))

#: Types in torch's stubs that mean "what the method was called on".
OF_RECEIVER = frozenset(("Self", "T", "_T", "Self | None"))


@cache
def returned(text: str) -> Value:
    """The value of a type as torch's stubs write it."""
    found = _SIMPLE.get(text)
    if found is not None:
        return found
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return Unknown(f"torch types it as {text}")
    return _stub_type(node)


def _stub_type(node: ast.expr) -> Value:
    if isinstance(node, ast.BinOp):
        return join(_stub_type(node.left), _stub_type(node.right))
    if isinstance(node, ast.Constant):
        return NONE if node.value is None else returned(node.value) if isinstance(node.value, str) else Unknown()
    if isinstance(node, ast.Subscript):
        name = ast.unparse(node.value).rpartition(".")[2]
        arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        found = [_stub_type(a) for a in arguments if not (isinstance(a, ast.Constant) and a.value is Ellipsis)]
        if name in ("Optional", "Union"):
            return join(*found, *([NONE] if name == "Optional" else []))
        if name in ("tuple", "Tuple"):
            return Sequence("tuple", tuple(found)) if len(found) == len(arguments) else Sequence("tuple", None, found[0])
        if name == "Sequence":
            return Sequence("tuple", None, found[0])
        if name in _LISTS and found:
            return Sequence(_LISTS[name], None, found[0])
        if name in _DICTS and found:
            return Mapping(None, found[-1])
        if name in _HOLDING and found:
            return Instance(f"torch.nn.{name}", False, found[0])
        return Unknown(f"torch types it as {ast.unparse(node)}")
    text = ast.unparse(node)
    if text in _SIMPLE:
        return _SIMPLE[text]
    for candidate in (torchfacts.canonical(text), f"torch.{text}", f"torch.nn.{text}"):
        api = torchfacts.lookup(candidate)
        if api is not None and api.kind == "class":
            if candidate.startswith("torch.return_types."):
                # Places along an axis are int64 in all of them.
                fields = api.signatures[0].parameters
                return Sequence(candidate, tuple(TensorValue("torch.int64") if p.name == "indices" else returned(p.annotation or "Tensor") for p in fields))
            return INSTANCES.get(candidate) or Instance(candidate)
    return Unknown(f"torch types it as {text}")
