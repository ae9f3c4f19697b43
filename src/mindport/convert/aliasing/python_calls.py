"""What Python's own functions and containers give back of what they are given: ``sorted(tensors)``, ``next(rows)``, ``d.get(key)``.

A container is transparent to the dataflow (it stands for what it holds), so most of them give the very same objects, and a tensor's rows where
they run over a tensor.
"""

from __future__ import annotations

import ast

from mindport.inference import values as v

#: Functions that run over each argument and give what they find, in a container or alone.
_ELEMENTS = frozenset(
    "builtins." + name for name in ("list", "tuple", "set", "frozenset", "iter", "reversed", "sorted", "enumerate", "zip", "dict", "max", "min")
) | {"collections.OrderedDict", "collections.deque", "copy.copy"}  # fmt: skip
#: The same, of arguments behind a function.
_BEHIND_A_FUNCTION = frozenset(("builtins.filter", "builtins.map", "functools.reduce"))
#: Functions that give their argument's own contents.
_CONTENTS = frozenset(("builtins.next", "operator.getitem"))
#: Methods of containers that give what the container holds.
_HELD = frozenset(("get", "pop", "popitem", "popleft", "setdefault", "copy", "values", "items", "__getitem__"))
#: Those that give a default that is handed to them, too.
_WITH_DEFAULT = frozenset(("get", "pop", "setdefault"))
#: They give numbers as often as tensors: only a known tensor counts.
_OF_NUMBERS = frozenset(("builtins.max", "builtins.min", "functools.reduce", "operator.getitem"))

#: Makers of containers, by how many arguments say nothing of what they hold: ``defaultdict(dict)``.
_MAKERS = {"builtins.dict": 0, "builtins.list": 0, "builtins.set": 0, "collections.OrderedDict": 0, "collections.deque": 0, "collections.defaultdict": 1}


def makes_empty(called: v.Value, node: ast.Call) -> bool:
    """Whether a call makes a container that holds nothing yet."""
    if not isinstance(called, v.Api) or called.name not in _MAKERS or any(isinstance(argument, ast.Starred) for argument in node.args):
        return False
    return len(node.args) <= _MAKERS[called.name] and all(keyword.arg == "maxlen" for keyword in node.keywords)


def is_taken_out(node: ast.Call) -> bool:
    """Whether something unknown is asked by a mapping's word for what it holds under a key: ``state.get("buffer")``; a plain number in its place says that it holds numbers."""
    match node:
        case ast.Call(func=ast.Attribute(attr="get"), args=[_], keywords=[]):
            return True
        case ast.Call(func=ast.Attribute(attr="get"), args=[_, default], keywords=[]):
            return not isinstance(default, ast.Constant) or default.value is None
    return False


def gives(called: v.Value, given: v.Value, arguments: list[v.Value]) -> tuple[tuple[str | int, str], ...] | None:
    """Which arguments come back in the result, and as what: ``("self", "same")``, ``(0, "row")``; None for functions of other kinds.

    `called`: the function, `given`: its result, as inference knows it.
    """
    if isinstance(called, v.Bound) and isinstance(called.function, v.Api):
        name = called.function.name.rpartition(".")[2]
        if not isinstance(called.receiver, (v.Sequence, v.Mapping)) or name not in _HELD:
            return None
        default = 1 if name in _WITH_DEFAULT and len(arguments) > 1 else None
        return (("self", "same"), *([(default, "same")] if default is not None else []))
    if not isinstance(called, v.Api):
        return None
    name = called.name
    first = 1 if name in _BEHIND_A_FUNCTION else 0
    if name not in _ELEMENTS | _BEHIND_A_FUNCTION | _CONTENTS and not name.startswith("itertools."):
        return None
    if name in _OF_NUMBERS and not _holds_tensor(given):
        return ()
    over = name not in _CONTENTS and not (name in ("builtins.max", "builtins.min") and len(arguments) > 1)
    return tuple((place, _relation(arguments[place], over, name)) for place in range(first, len(arguments)))


def _relation(argument: v.Value, over: bool, name: str) -> str:
    if not v.is_tensor(argument):
        return "same"
    if name in ("copy.copy", "operator.getitem"):
        return "maybe"
    return "row" if over else "same"


def _holds_tensor(value: v.Value) -> bool:
    return any(
        isinstance(option, v.TensorValue)
        or isinstance(option, v.Sequence) and _holds_tensor(v.element_of(option))
        or isinstance(option, v.Mapping) and _holds_tensor(v.values_of(option))
        for option in v.options(value)
    )  # fmt: skip
