"""Python's own functions and the methods of its containers, of modules, and a few of the standard library."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindport.analysis import torch_names
from mindport.analysis.network_run import attributes
from mindport.analysis.network_run.construction import copied, hold
from mindport.analysis.network_run.interpreter import MOST_LONG, truth_of
from mindport.analysis.network_run.layer_rules import HOLDERS
from mindport.analysis.network_run.values import (
    Bound,
    Class,
    Function,
    Instance,
    Outside,
    Parameter,
    Partial,
    Scope,
    Tensor,
    Undecided,
    Unknown,
)
from mindport.inference import torchfacts

if TYPE_CHECKING:
    from mindport.analysis.network_run.statements import Run

Keywords = dict[str, Any]
_NUMERIC: dict[str, Callable[..., Any]] = {
    "builtins.int": int, "builtins.float": float, "builtins.abs": abs, "builtins.round": round, "builtins.pow": pow, "builtins.divmod": divmod,
    "builtins.str": str, "builtins.bool": bool, "math.sqrt": math.sqrt, "math.log": math.log, "math.log2": math.log2, "math.ceil": math.ceil,
    "math.floor": math.floor, "math.pow": math.pow, "math.exp": math.exp, "math.prod": math.prod, "math.gcd": math.gcd, "numpy.log2": math.log2,
    "numpy.sqrt": math.sqrt, "numpy.prod": math.prod, "numpy.ceil": math.ceil, "numpy.floor": math.floor, "numpy.log": math.log,
}  # fmt: skip
_PARAMETERS = ("torch.nn.Parameter", "torch.nn.parameter.Parameter")
#: Functions that leave the network's parameters as they are, whatever they do to their values.
_HARMLESS = ("torch.nn.init.", "builtins.print", "builtins.id", "logging.", "warnings.", "torch.no_grad", "torch.nn.utils.clip_grad")


#: What these say of a run that is neither compiled nor traced.
_SAID = {"torch.jit.is_scripting": False, "torch.jit.is_tracing": False, "torch.compiler.is_compiling": False, "torch.onnx.is_in_onnx_export": False}


def harmless(name: str) -> bool:
    """Whether a function that gets a network leaves its layers as they are."""
    return name.startswith(_HARMLESS)


def knows(name: str) -> bool:
    """Whether `call` follows a function of this name."""
    return name in _SAID or name in _NUMERIC or name in _FUNCTIONS or name in _PARAMETERS or name.startswith(_HARMLESS)


def call(run: Run, name: str, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    """A function outside the project that is followed."""
    if name in _SAID:
        return _SAID[name]
    if name in _PARAMETERS:
        value = args[0] if args else keywords.get("data")
        return Parameter(value.shape, value.data) if isinstance(value, Tensor) else Parameter(None)
    if name.startswith(_HARMLESS):
        return args[0] if args and isinstance(args[0], Tensor) else Unknown("nothing", True)
    if name in _NUMERIC:
        plain = [a.data[0] if isinstance(a, Tensor) and a.data is not None and len(a.data) == 1 else a for a in args]
        if any(isinstance(a, (Unknown, Tensor, Instance)) or isinstance(a, (list, tuple)) and any(isinstance(i, Unknown) for i in a) for a in plain):
            return Unknown("a number", True)
        return _NUMERIC[name](*plain, **keywords)
    return _FUNCTIONS[name](run, args, keywords, scope)


def _range(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    if not all(isinstance(a, int) for a in args):
        raise Undecided("how often a loop runs is not known")
    made = range(*args)
    if len(made) > MOST_LONG:
        raise Undecided("a loop is too long")
    return made


def _len(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    value = args[0]
    if isinstance(value, Tensor):
        return value.shape[0] if value.shape else Unknown("a length", True)
    if isinstance(value, Unknown):
        return Unknown(value.why, True)
    return len(run.iterate(value))


def _sequence(kind: Callable[..., Any]) -> Callable[..., Any]:
    def made(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
        return kind(run.iterate(args[0])) if args else kind()

    return made


def _enumerate(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    start = keywords.get("start", args[1] if len(args) > 1 else 0)
    return list(enumerate(run.iterate(args[0]), start))


def _zip(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    return list(zip(*(run.iterate(a) for a in args), strict=False))


def _map(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    return [run.call(args[0], items, {}, scope) for items in zip(*(run.iterate(a) for a in args[1:]), strict=False)]


def _most(best: Callable[..., Any]) -> Callable[..., Any]:
    def made(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
        items = run.iterate(args[0]) if len(args) == 1 else list(args)
        if keywords or any(isinstance(i, (Unknown, Tensor, Instance)) for i in items):
            return Unknown("the largest or smallest of several", True)
        return best(items)

    return made


def _sum(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    import ast

    total: Any = args[1] if len(args) > 1 else 0
    for item in run.iterate(args[0]):
        total = run.arithmetic(ast.Add(), total, item)
    return total


def _isinstance(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    value, classes = args
    found = [_is(value, cls) for cls in (classes if isinstance(classes, tuple) else (classes,))]
    return True if True in found else Unknown("a type", True) if None in found else False


_TYPES = {"builtins.int": int, "builtins.float": float, "builtins.str": str, "builtins.bool": bool, "builtins.list": list, "builtins.tuple": tuple, "builtins.dict": dict}


def _is(value: Any, cls: Any) -> bool | None:
    if isinstance(value, Unknown):
        return None
    if isinstance(cls, Class):
        return isinstance(value, Instance) and value.cls is not None and cls.scope in value.cls.mro
    if not isinstance(cls, Outside):
        return None
    if isinstance(value, Instance):
        above = {*(value.cls.ancestors if value.cls is not None else ()), *(torchfacts.ancestors(value.layer) if value.layer else ())}
        return cls.name in above
    if isinstance(value, Tensor):
        return cls.name == torch_names.TENSOR or cls.name == torch_names.PARAMETER and isinstance(value, Parameter)
    if cls.name in _TYPES:
        return isinstance(value, _TYPES[cls.name])
    if cls.name in ("collections.abc.Iterable", "collections.abc.Sequence", "typing.Iterable", "typing.Sequence"):
        return isinstance(value, (list, tuple, str, dict))
    return False if value is None or cls.name.startswith(torch_names.TORCH) else None


def _getattr(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    if not isinstance(args[1], str):
        return Unknown("an attribute whose name is not known")
    found = run.attribute(args[0], args[1])
    if isinstance(found, Unknown) and len(args) > 2 and isinstance(args[0], Instance) and args[1] not in args[0].attributes:
        return args[2]
    return found


def _hasattr(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    if not isinstance(args[1], str) or not isinstance(args[0], Instance):
        return Unknown("whether there is an attribute", True)
    found = run.attribute(args[0], args[1])
    return Unknown("whether there is an attribute", True) if isinstance(found, Unknown) and args[1] in args[0].attributes else not isinstance(found, Unknown)


def _setattr(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    if not isinstance(args[1], str):
        raise Undecided("an attribute is set whose name is not known")
    attributes.put(args[0], args[1], args[2])


def _any(wanted: bool) -> Callable[..., Any]:
    def made(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
        found = [truth_of(item) for item in run.iterate(args[0])]
        return wanted if wanted in found else Unknown("a condition", True) if None in found else not wanted

    return made


def _partial(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    return Partial(args[0], args[1:], keywords)


def _dict(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    if args and isinstance(args[0], dict):
        return {**args[0], **keywords}
    return {**{run.key(k): item for k, item in (run.iterate(pair) for pair in (run.iterate(args[0]) if args else ()))}, **keywords}


def _deepcopy(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    return copied(args[0])


def _sorted(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    items = run.iterate(args[0])
    if keywords.keys() - {"reverse"} or any(isinstance(i, (Unknown, Tensor, Instance)) for i in items):
        raise Undecided("an order is not known")
    return sorted(items, reverse=bool(keywords.get("reverse")))


def _chain(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    return [item for each in args for item in run.iterate(each)]


def _type(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    value = args[0]
    if isinstance(value, Instance):
        return Class(value.cls) if value.cls is not None else Outside(value.layer)
    return Unknown("a type", True)


def _callable(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    return isinstance(args[0], (Function, Class, Partial, Bound, Outside, Instance)) if not isinstance(args[0], Unknown) else args[0]


def _cast(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    return args[1]


def _checkpoint(run: Run, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    return run.call(args[0], args[1:], {}, scope)


_FUNCTIONS: dict[str, Callable[[Any, tuple[Any, ...], Keywords, Scope], Any]] = {
    "builtins.range": _range, "builtins.len": _len, "builtins.list": _sequence(list), "builtins.tuple": _sequence(tuple),
    "builtins.set": _sequence(set), "builtins.iter": _sequence(list), "builtins.reversed": _sequence(lambda items=(): list(reversed(items))),
    "builtins.enumerate": _enumerate, "builtins.zip": _zip, "builtins.map": _map, "builtins.max": _most(max), "builtins.min": _most(min),
    "builtins.sum": _sum, "builtins.isinstance": _isinstance, "builtins.getattr": _getattr, "builtins.hasattr": _hasattr,
    "builtins.setattr": _setattr, "builtins.any": _any(True), "builtins.all": _any(False), "functools.partial": _partial,
    "builtins.dict": _dict, "collections.OrderedDict": _dict, "copy.deepcopy": _deepcopy, "copy.copy": _deepcopy, "builtins.sorted": _sorted,
    "itertools.chain": _chain, "builtins.type": _type, "builtins.callable": _callable, "torch.utils.checkpoint.checkpoint": _checkpoint,
    "typing.cast": _cast,
}  # fmt: skip


def of_module(run: Run, module: Instance, name: str, args: tuple[Any, ...], keywords: Keywords, scope: Scope) -> Any:
    """A method that modules have."""
    if name in ("append", "add_module", "register_module", "extend", "insert", "__setitem__"):
        if name == "append":
            hold(module, str(len(list(module.children()))), args[0])
        elif name == "extend":
            for item in run.iterate(args[0]):
                hold(module, str(len(list(module.children()))), item)
        elif name == "insert":
            if not isinstance(args[0], int):
                raise Undecided("where a layer is inserted is not known")
            inside = [child for _, child in module.children()]
            inside.insert(args[0], args[1])
            module.attributes |= {str(n): child for n, child in enumerate(inside)}
        elif isinstance(args[0], str):
            attributes.put(module, args[0], args[1])
        else:
            raise Undecided("the name of a layer is not known")
        return module
    if name in ("register_parameter", "register_buffer"):
        attributes.put(module, str(args[0] if args else keywords["name"]), args[1] if len(args) > 1 else next(iter(keywords.values())))
        return None
    if name in ("to", "cuda", "cpu", "eval", "train", "float", "half", "double", "bfloat16", "requires_grad_", "share_memory"):
        return module
    if name in ("apply", "zero_grad", "extra_repr", "register_forward_hook", "register_forward_pre_hook", "load_state_dict", "init_weights", "compile", "flatten_parameters"):
        return module if name == "apply" else Unknown("nothing", True)  # values change, layers do not
    if name == "forward":
        return run.call(module, args, keywords, scope)
    if name in ("children", "named_children", "modules", "named_modules"):
        found = list(module.children()) if "children" in name else list(module.walk())
        return found if name.startswith("named") else [child for _, child in found]
    if name in ("items", "keys", "values") and module.layer in HOLDERS:
        found = list(module.children())
        return found if name == "items" else [key for key, _ in found] if name == "keys" else [child for _, child in found]
    if name in ("parameters", "named_parameters"):
        listed = attributes.listed(module)
        if listed is None:
            return Unknown("the network's parameters", True)
        return list(listed) if name.startswith("named") else [parameter for _, parameter in listed]
    if name in ("buffers", "state_dict", "named_buffers"):
        return Unknown("the network's parameters", True)
    raise Undecided(f"{module.kind}.{name} is not followed")


def of_object(run: Run, receiver: Any, name: str, args: tuple[Any, ...], keywords: Keywords) -> Any:
    """A method of a list, dictionary, text or number."""
    if isinstance(receiver, list) and name in ("append", "extend", "insert", "pop", "reverse", "clear", "index", "copy", "count"):
        if name == "extend":
            return receiver.extend(run.iterate(args[0]))
        if name in ("insert", "pop") and args and not isinstance(args[0], int):
            raise Undecided("a place in a list is not known")
        return getattr(receiver, name)(*args)
    if isinstance(receiver, dict) and name in ("items", "keys", "values", "get", "pop", "update", "setdefault", "copy"):
        if name in ("items", "keys", "values"):
            return list(getattr(receiver, name)())
        if name == "update":
            if not all(isinstance(a, dict) for a in args):
                raise Undecided("what a dictionary is updated with is not known")
            return receiver.update(*args, **keywords)
        return getattr(receiver, name)(*(run.key(a) if n == 0 else a for n, a in enumerate(args)))
    if isinstance(receiver, (set,)) and name == "add":
        return receiver.add(run.key(args[0]))
    if isinstance(receiver, str) and name in ("lower", "upper", "split", "startswith", "endswith", "strip", "replace", "join", "format", "rsplit"):
        if name == "join":
            args = (run.iterate(args[0]),)
        if any(isinstance(a, (Unknown, Tensor)) or isinstance(a, list) and not all(isinstance(i, str) for i in a) for a in args):
            return Unknown("a text", True)
        return getattr(receiver, name)(*args, **keywords)
    if isinstance(receiver, tuple) and name in ("numel", "index", "count"):
        return math.prod(receiver) if name == "numel" else getattr(receiver, name)(*args)
    if isinstance(receiver, int) and name == "bit_length":
        return receiver.bit_length()
    if any(isinstance(a, Instance) for a in args):
        raise Undecided(f".{name} of {type(receiver).__name__} is given a network")
    return Unknown(f".{name} of {type(receiver).__name__}")


