"""Calls of torch's functions, methods and classes: the overload that fits, and what it returns."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import lru_cache

from mindport.inference import torchfacts
from mindport.inference.annotations import OF_RECEIVER, instance_of, returned
from mindport.inference.arguments import Arguments
from mindport.inference.certainty import likely
from mindport.inference.containers import iterate
from mindport.inference.frame import Frame
from mindport.inference.overlays import tensors
from mindport.inference.overlays.functions import KEEPING, RESULTS, dtype_of_function, of_distribution
from mindport.inference.overlays.layers import WRAPPERS
from mindport.inference.torchfacts import Signature
from mindport.inference.values import (
    NONE,
    NOTHING,
    Api,
    Builtin,
    Const,
    Instance,
    Mapping,
    Sequence,
    TensorValue,
    Unknown,
    Value,
    join,
    options,
)

_TENSORS = Sequence("tuple", None, TensorValue())
_CONTAINERS = ("torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict")


def construct(frame: Frame, name: str, arguments: Arguments) -> Value:
    """An instance of a torch class."""
    if name in _CONTAINERS:
        return Instance(name, False, _held(frame, name, arguments))
    if name in ("torch.nn.Parameter", "torch.nn.Buffer"):
        data = arguments.get(0, "data")
        inner = data if isinstance(data, TensorValue) else TensorValue()
        return TensorValue(inner.dtype, inner.shape, parameter=name.endswith("Parameter"))
    if name in WRAPPERS:
        return Instance(name, False, arguments.get(0, "module") or arguments.get(0, "model"))
    return instance_of(Api(name))


def _held(frame: Frame, name: str, arguments: Arguments) -> Value | None:
    found: list[Value] = []
    for value in arguments.all():
        for option in options(value):
            if isinstance(option, Mapping):
                found += [v for _, v in option.items] if option.items is not None else [option.element]
            elif isinstance(option, Sequence):
                element = iterate(frame.project, option)
                for one in options(element):
                    if isinstance(one, Sequence) and one.items is not None and len(one.items) == 2:
                        found.append(one.items[1])  # (name, module) pairs
                    else:
                        found.append(one)
            else:
                found.append(option)
    found = [value for value in found if value is not NOTHING]
    return join(*found) if found else None


def torch_function(frame: Frame, node: ast.Call, name: str, arguments: Arguments, receiver: Value | None = None) -> Value:
    """What a torch function gives; `receiver` for methods of classes other than Tensor."""
    special = RESULTS.get(name)
    if special is not None:
        result = special(arguments)
        if result is not None:
            return result
    if receiver is None:
        _evidence(frame, node, name)
    elif of_distribution(name):
        return TensorValue(likely=getattr(receiver, "likely", False))
    if name in KEEPING and arguments.positional:
        return arguments.positional[0]
    result = overloaded(name, arguments, receiver)
    if isinstance(result, TensorValue) and name.count(".") <= 3:
        return dtype_of_function(name, arguments, result)
    return _chosen(result, arguments.positional[0]) if arguments.positional else result


def _chosen(result: Value, operand: Value) -> Value:
    """The values that ``max(dim)``, ``sort`` and their like choose have the operand's dtype."""
    if not isinstance(result, Sequence) or result.items is None or not isinstance(operand, TensorValue) or not result.type.startswith("torch.return_types."):
        return result
    places = TensorValue("torch.int64")
    if len(result.items) != 2 or result.items[1] != places or not isinstance(result.items[0], TensorValue):
        return result
    return replace(result, items=(TensorValue(operand.dtype), places))


def torch_method(frame: Frame, node: ast.Call, receiver: TensorValue, short: str, arguments: Arguments) -> Value:
    """What a tensor's method gives."""
    result = _moved(node, receiver, arguments) if short == "to" else _method(frame, receiver, short, arguments)
    return likely(result) if receiver.likely else result


def _method(frame: Frame, receiver: TensorValue, short: str, arguments: Arguments) -> Value:
    if short in tensors.CONVERSIONS:
        return TensorValue(tensors.CONVERSIONS[short], receiver.shape)
    if tensors.is_in_place(short):
        return TensorValue(receiver.dtype, receiver.shape, receiver.parameter)
    if short in ("size", "stride"):
        return Builtin("int") if arguments.positional or "dim" in arguments.keywords else Sequence("torch.Size", None, Builtin("int"))
    if short in ("type", "astype"):
        return TensorValue(_dtype_argument(arguments), receiver.shape) if arguments.all() else Builtin("str")
    if short in tensors.SEQUENCES:
        return Sequence("tuple", None, TensorValue(receiver.dtype))
    special = RESULTS.get(f"torch.Tensor.{short}")
    result = special(arguments) if special is not None else overloaded(f"torch.Tensor.{short}", arguments, receiver)
    if result is None:
        result = overloaded(f"torch.Tensor.{short}", arguments, receiver)
    if isinstance(result, TensorValue):
        if short in tensors.RESULT_DTYPES and not tensors.depends_on_weights(short, arguments, 0):
            return TensorValue(tensors.RESULT_DTYPES[short])
        if short in tensors.SAME_DTYPE and "dtype" not in arguments.keywords:
            return TensorValue(tensors.kept_dtype(short, receiver.dtype), receiver.shape if tensors.SAME_DTYPE[short] else None)
        if "dtype" in arguments.keywords:
            return TensorValue(_dtype_argument(arguments))
        if tensors.of_all(short, arguments, 0):
            return TensorValue(receiver.dtype)
        return TensorValue(tensors.floating_dtype(short, receiver))
    return _chosen(result, receiver)


def _moved(node: ast.Call, receiver: TensorValue, arguments: Arguments) -> TensorValue:
    """``x.to(…)``: a dtype or another tensor says the dtype; whoever is given places alone keeps its own."""
    other = arguments.get(0, "other")
    if isinstance(other, TensorValue):
        return TensorValue(other.dtype, receiver.shape)
    dtype = _dtype_argument(arguments)
    texts = [*node.args, *(keyword.value for keyword in node.keywords)]
    if dtype is None and len(texts) == len(arguments.all()) and all(map(_is_place, texts, arguments.all())):
        dtype = receiver.dtype
    return TensorValue(dtype, receiver.shape)


def _is_place(text: ast.expr, value: Value) -> bool:
    """Whether an argument says where a tensor lies, or how it gets there; what nothing is known of goes by its name."""
    named = isinstance(text, (ast.Name, ast.Attribute)) and "device" in (text.id if isinstance(text, ast.Name) else text.attr).lower()
    return all(named if isinstance(o, Unknown) else isinstance(o, (Const, Builtin)) or (isinstance(o, Instance) and o.cls == "torch.device") for o in options(value))


def _dtype_argument(arguments: Arguments) -> str | None:
    for value in arguments.all():
        if isinstance(value, Api):
            api = torchfacts.lookup(value.name)
            if api is not None and api.type == "torch.dtype":
                return value.name
    return None


def _evidence(frame: Frame, node: ast.Call, name: str) -> None:
    """A name passed where torch wants a tensor is a tensor."""
    api = torchfacts.lookup(name)
    if api is None or not node.args or not api.signatures:
        return
    for one in api.signatures:
        for part, parameter in zip(node.args, one.parameters, strict=False):
            wanted = parameter.annotation in ("Tensor", "torch.Tensor") and parameter.kind.startswith("POSITIONAL")
            if wanted and isinstance(part, ast.Name) and type(frame.values.get(id(part))) is Unknown and len(api.signatures) == 1:
                frame.project.assume(frame, part.id)


def overloaded(name: str, arguments: Arguments, receiver: Value | None = None) -> Value:
    """The union of what the overloads return that fit the arguments."""
    api = torchfacts.lookup(name)
    if api is None:
        return Unknown(f"torch does not document {name}", name)
    if not api.signatures:
        return Unknown(f"torch does not say what {name} returns", name)
    if len(api.signatures) == 1:
        texts: tuple[str | None, ...] = (api.signatures[0].returns,)
    else:
        kinds = tuple(_kind(value) for value in arguments.positional)
        words = tuple((word, _kind(value)) for word, value in arguments.keywords.items())
        texts = _fitting(name, kinds, words, arguments.star is not None or arguments.open is not None)
    found: list[Value] = []
    for text in texts:
        if text is None:
            found.append(Unknown(f"torch does not say what {name} returns", name))
        elif text in OF_RECEIVER:
            found.append(receiver if receiver is not None else Unknown(f"torch types {name} as {text}"))
        else:
            found.append(returned(text))
    return join(*found)


@lru_cache(maxsize=4096)
def _fitting(
    name: str, kinds: tuple[str, ...], words: tuple[tuple[str, str], ...], open_ended: bool
) -> tuple[str | None, ...]:
    api = torchfacts.lookup(name)
    assert api is not None
    fitting = [one for one in api.signatures if _fits(one, kinds, dict(words), open_ended)] or list(api.signatures)
    return tuple(dict.fromkeys(one.returns for one in fitting))


def _fits(one: Signature, kinds: tuple[str, ...], words: dict[str, str], open_ended: bool) -> bool:
    given: dict[str, str] = {}
    positional = [p for p in one.parameters if p.kind.startswith("POSITIONAL")]
    star = next((p for p in one.parameters if p.kind == "VAR_POSITIONAL"), None)
    for i, kind in enumerate(kinds):
        if i < len(positional):
            given[positional[i].name] = kind
            continue
        integers = positional and i >= len(positional) == 1 and _is_size(positional[0].annotation)
        if star is None and not integers:
            return False
    names = {p.name for p in one.parameters if p.kind != "POSITIONAL_ONLY"}
    extra = any(p.kind == "VAR_KEYWORD" for p in one.parameters)
    for word, kind in words.items():
        if word in given or (word not in names and not extra):
            return False
        given[word] = kind
    if not open_ended and any(p.default is None and p.name not in given and not p.kind.startswith("VAR") for p in one.parameters):
        return False
    return all(_accepts(p.annotation, given[p.name]) for p in one.parameters if p.name in given)


def _is_size(annotation: str | None) -> bool:
    return annotation is not None and ("_size" in annotation or "Sequence[_int" in annotation)


def _kind(value: Value) -> str:
    """One letter for what matters to the choice of an overload; "?" where it is not known."""
    if isinstance(value, TensorValue):
        return "t"
    if value == NONE:
        return "n"
    if isinstance(value, Const):
        return {bool: "b", int: "i", float: "f", str: "s"}.get(value.kind, "?") + ("1" if value.value is True else "0" if value.value is False else "")
    if isinstance(value, Builtin):
        return {"bool": "b", "int": "i", "float": "f", "str": "s"}.get(value.type, "?")
    if isinstance(value, Sequence):
        return "q"
    if isinstance(value, Api):
        api = torchfacts.lookup(value.name)
        return "d" if api is not None and api.type == "torch.dtype" else "?"
    if isinstance(value, Instance):
        return {"torch.dtype": "d", "torch.device": "v"}.get(value.cls, "?")
    return "?"


_WANTED = {
    "t": ("Tensor", "Number", "Any", "object", "_TensorOrTensors"), "n": ("None", "Any", "Optional"),
    "i": ("int", "Number", "float", "complex", "SymInt", "size", "Any"), "f": ("float", "Number", "complex", "Any"),
    "b": ("bool", "Number", "int", "float", "Any"), "s": ("str", "Any", "Device", "Literal"),
    "q": ("Sequence", "size", "tuple", "list", "Any", "List"), "d": ("dtype", "Any"), "v": ("Device", "device", "Any"),
}  # fmt: skip


def _accepts(annotation: str | None, kind: str) -> bool:
    if annotation is None or kind == "?":
        return True
    if annotation.startswith("Literal[") and kind[0] == "b" and len(kind) == 2:
        return ("True" in annotation) == (kind[1] == "1")
    if kind[0] == "t" and annotation in ("Number", "_int", "_float", "Number | _complex"):
        return False
    if kind[0] == "i" and annotation.startswith(("Sequence", "tuple")):
        return False
    return any(word in annotation for word in _WANTED[kind[0]])
