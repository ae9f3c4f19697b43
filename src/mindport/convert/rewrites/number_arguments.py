"""``torch.roll(x, shifts.max())`` becomes ``…(x, int(shifts.max()))``: NumPy's numbers, tensors and truth values where torch takes numbers of Python's.

torch's parser takes NumPy's numbers and tensors of one element for an int, a float or a truth value, a truth value for an int, and arrays for
lists of ints; MindSpore takes Python's own. What torch's signature asks for says what is written: ``int``, ``float``, ``bool``, or `as_python`, which
asks when the program runs. Arguments of calls through names and tables, of ``partial``, and what ``*`` and ``**`` spread count, too. (Sizes of which
nothing is annotated: `plain_arguments`.)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.convert.context import Context
from mindport.convert.rewrites.numpy_operands import KNOWLEDGE, wrap_in
from mindport.convert.rewrites.plain_arguments import seen_by_the_body
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.torchfacts import TorchParameter, lookup, numpy_names

#: What makes Python's numbers of whatever holds them; of a number of NumPy's alone, where a tensor is as welcome.
PYTHON, NUMBER = "as_python", "as_number"
_WHOLE = frozenset(("int", "_int", "SymInt", "torch.SymInt"))
_REAL = frozenset(("float", "_float"))
_TRUTH = frozenset(("bool", "_bool"))
_NUMBERS = _WHOLE | _REAL | _TRUTH | {"Number", "_complex", "complex"}
#: Functions that make no tensors of their numbers: an annotation with Any (`upsample`) is none.
_FUNCTIONAL = "torch.nn.functional."
_SEVERAL = re.compile(r"^(Sequence|list|tuple|_size|_shape_t|_size_\w+_t|_\w+_ratio\w*|torch\.Size)$")
_WORDS = re.compile(r"[\w.]+")
#: Functions of tensors, by name, and those of them that keep whatever they are given, or take arrays alone.
_COMPUTING = re.compile(r"torch\.((linalg|special|fft|signal\.windows|nn\.functional|masked|Tensor)\.)?[a-z_0-9]+$")
KEEPING = frozenset(("torch.save", "torch.from_numpy"))
#: What ``kind: Type[nn.Module]`` calls: a class of the project's, whose layers take Python's numbers.
ANY_MODULE = "torch.nn.Module"
#: What a layer's subclass calls, through ``super()`` or by its base's name.
_MAKING = ".__init__"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the edits of all calls of torch's."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    direct = [same_place[0] for (_, decorator), same_place in uses.items() if not decorator]
    called: dict[int, list[Use]] = {}
    for use in [*(u for (_, decorator), same_place in uses.items() if not decorator for u in same_place), *(u for u in context.facts.indirect if u.kind == "call" and _calls_torch_alone(context, u.node))]:
        called.setdefault(id(use.node), []).append(use)
    for several in called.values():
        if isinstance(call := (use := several[0]).node, ast.Call):
            unbound = (use.name.startswith("torch.Tensor.") or use.name.endswith(_MAKING)) and use.kind == "call" and use in direct
            _call(context, _names(several), call, _given_before(context, call) - unbound, seen_by_the_body(context, use, call))
    for node in context.file.nodes:
        if not isinstance(node, ast.Call):
            continue
        if node.args and isinstance(partial := context.facts.value(node), v.Partial) and isinstance(partial.function, v.Api):
            _call(context, (partial.function.name,), node, -1, frozenset())
        elif id(node) not in called and isinstance(made := context.facts.value(node.func), v.ProjectClass) and (base := _base_made(made)):
            _call(context, (base,), node, 0, frozenset())
        elif id(node) not in called and isinstance(bound := context.facts.value(node.func), v.Bound) and isinstance(bound.function, v.Api):
            _call(context, (bound.function.name.removesuffix(_MAKING),), node, 0, frozenset())


def _names(several: list[Use]) -> tuple[str, ...]:
    """All that one call may be: a scheduler's `step` takes an epoch or a figure (`ReduceLROnPlateau`), as an option says."""
    return tuple(dict.fromkeys(use.name.removesuffix(_MAKING) for use in several))


def _base_made(made: v.ProjectClass) -> str:
    """The layer whose constructor a class of the project has, "" where it has one of its own, or none of torch's."""
    own = any("__init__" in cls.methods for cls in made.scope.mro)
    return next((name for name in made.scope.ancestors if name.startswith("torch.nn.")), "") if not own else ""


def _calls_torch_alone(context: Context, call: ast.AST) -> bool:
    """Whether no function or class of the project's may be what a name or a table gives: it takes arguments as they are."""
    called = v.options(context.facts.value(call.func)) if isinstance(call, ast.Call) else ()
    bare = [o.function if isinstance(o, v.Partial | v.Bound) else o for o in called]
    return not any(isinstance(o, v.ProjectFunction | v.ProjectClass | v.ProjectInstance) for o in bare)


def _given_before(context: Context, call: ast.Call) -> int:
    """How many arguments a `partial` that is called holds already."""
    held = context.facts.value(call.func)
    return len(held.args) if isinstance(held, v.Partial) else 0


def _call(context: Context, names: tuple[str, ...], call: ast.Call, before: int, seen: frozenset[int]) -> None:
    """One call, whose first argument goes to the parameter at `before`; arguments in `seen` are looked after elsewhere."""
    for place, argument in enumerate(call.args):
        value = context.facts.value(argument.value if isinstance(argument, ast.Starred) else argument)
        if isinstance(argument, ast.Starred):
            items = value.items if isinstance(value, v.Sequence) and value.items is not None else ()
            if all(_all_plain(name, list(enumerate(items, place + before))) for name in names):
                wrap_in(context, argument.value, PYTHON)
            break
        if place + before >= 0 and id(argument) not in seen:
            _argument(context, names, place + before, argument)
    for keyword in call.keywords:
        if keyword.arg is not None:
            if id(keyword.value) not in seen:
                _argument(context, names, keyword.arg, keyword.value)
            continue
        options = context.facts.value(keyword.value)
        if isinstance(options, v.Mapping) and options.items is None and (spread := _of_values(options)):
            wrap_in(context, keyword.value, spread)
        elif isinstance(options, v.Mapping) and all(isinstance(k, str) for k, _ in options.items or ()) and all(_all_plain(name, [(str(k), o) for k, o in options.items or ()]) for name in names):
            wrap_in(context, keyword.value, PYTHON)


def _of_values(options: v.Mapping) -> str:
    """What to wrap a dictionary in of whose values some are NumPy's (``options.update(…)``); "" where none are known to be."""
    values = v.options(options.element)
    if not any(map(v.is_array, values)):
        return ""
    return NUMBER if any(_may_hold_tensors(o) for o in values) else PYTHON


def _may_hold_tensors(value: v.Value) -> bool:
    """Whether it is, or may be, a tensor or a list of them (the coordinates of `torch.gradient`)."""
    return any(isinstance(o, v.TensorValue) for o in (value, *_held(value))) or isinstance(value, v.Unknown) and value.why != "nothing"


def _all_plain(name: str, given: list[tuple[int | str, v.Value]]) -> bool:
    """Whether something of NumPy's or a tensor stands among what is spread, and only where numbers belong."""
    odd = [(key, value) for key, value in given if _foreign(value)]
    tensors = [key for key, value in given if any(isinstance(o, v.TensorValue) for o in v.options(value))]
    return bool(odd) and all(_kind(name, key, value) not in ("", NUMBER) for key, value in odd) and {key for key, _ in odd} >= set(tensors)


def _argument(context: Context, names: tuple[str, ...], key: int | str, argument: ast.expr) -> None:
    """Wrap what all that the call may be want alike."""
    several = isinstance(argument, ast.Tuple | ast.List)
    for place in argument.elts if isinstance(argument, ast.Tuple | ast.List) else [argument]:
        value = context.facts.value(place)
        if isinstance(place, ast.Starred | ast.Constant) or not (_foreign(value) or _of_another_kind(value)):
            continue
        kinds = {_kind(name, key, value, within=several) for name in names}
        if len(kinds) == 1 and (kind := kinds.pop()):
            wrap_in(context, place, kind)


def _foreign(value: v.Value) -> bool:
    """Whether it is NumPy's or a tensor wherever anything is known about it, or a list that holds such; some callers may give numbers of Python's for NumPy's."""
    options = [o for o in v.options(value) if not isinstance(o, v.Unknown) and not _is_none(o)]
    others = [o for o in options if not (v.is_array(o) or isinstance(o, v.TensorValue) or _holds_foreign(o))]
    return len(others) < len(options) and all(_is_plain(o) and any(map(v.is_array, options)) for o in others)


def _is_plain(value: v.Value) -> bool:
    """Whether it is a number of Python's."""
    return isinstance(value, v.Builtin) and value.type in ("int", "float") or isinstance(value, v.Const) and type(value.value) in (int, float)


def _is_none(value: v.Value) -> bool:
    return isinstance(value, v.Const) and value.value is None


def _holds_foreign(value: v.Value) -> bool:
    return any(v.is_array(o) or isinstance(o, v.TensorValue) for o in _held(value))


def _held(value: v.Value) -> list[v.Value]:
    """What a list holds, as far as it is known."""
    items = (*(value.items or ()), value.element) if isinstance(value, v.Sequence) else ()
    return [option for item in items for option in v.options(item)]


def _of_another_kind(value: v.Value) -> bool:
    """Whether it is a truth value, or a whole number that may stand for one."""
    return isinstance(value, v.Const) and type(value.value) in (bool, int) or isinstance(value, v.Builtin) and value.type in ("bool", "int")


def _kind(name: str, key: int | str, value: v.Value, within: bool = False) -> str:
    """What to wrap an argument, or an item `within` it, in; "" where it may stay."""
    if name == ANY_MODULE:
        held = [o for o in v.options(value) if not isinstance(o, v.Unknown)]
        return NUMBER if all(isinstance(o, v.Instance) and v.is_array(o) and o.likely for o in held) else ""  # not what is an array for certain
    texts = {p.annotation for p in _parameters(name, key)}
    words = {word for text in texts if text for word in _WORDS.findall(text)} - {"None", "str", "...", *(("Any",) if name.startswith(_FUNCTIONAL) else ())}
    is_number, is_truth = _of_another_kind(value), _is_truth(value)
    if not texts and name.startswith("torch.nn.") and name.rpartition(".")[2][:1].isupper() and not is_number:
        return PYTHON if all(not isinstance(o, v.TensorValue) or o.shape == () for o in v.options(value)) else ""  # a layer whose constructor torch's stubs leave out
    if not words or None in texts:  # not annotated: a number of NumPy's is as good as Python's, except to what makes tensors of it
        return NUMBER if _COMPUTING.match(name) and name not in KEEPING and all(v.is_array(o) for o in v.options(value)) else ""
    plain = words - {"Tensor"}
    if is_number:
        return "int" if is_truth and words <= _WHOLE else "bool" if not is_truth and words <= _TRUTH else ""
    if "Tensor" in words:
        return NUMBER if plain and plain <= _NUMBERS and all(v.is_array(o) for o in v.options(value)) else ""
    if _holds_foreign(value):
        return PYTHON if all(w in _NUMBERS or _SEVERAL.search(w) for w in words) and not words <= _NUMBERS else ""
    for kind, asked in (("int", _WHOLE), ("float", _REAL), ("bool", _TRUTH)):
        if words <= asked:
            return PYTHON if any(map(_is_none, v.options(value))) else kind
    if all(w in _NUMBERS or _SEVERAL.search(w) for w in words):
        return "int" if within and words.isdisjoint(_REAL | {"Number"}) else PYTHON
    return ""


def _is_truth(value: v.Value) -> bool:
    return isinstance(value, v.Const) and type(value.value) is bool or isinstance(value, v.Builtin) and value.type == "bool"


def _parameters(name: str, key: int | str) -> Iterator[TorchParameter]:
    """The parameter that an argument may go to, of every overload."""
    api = lookup(name)
    for one in api.signatures if api is not None else ():
        if isinstance(key, str):
            wanted = numpy_names(name).get(key, key)
            yield from (p for p in one.parameters if p.name == wanted)
        elif key < len(one.parameters) and one.parameters[key].kind != "KEYWORD_ONLY":
            yield one.parameters[key]
        else:
            yield from (p for p in one.parameters[: key + 1] if p.kind == "VAR_POSITIONAL")
