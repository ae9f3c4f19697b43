"""What a use becomes, before any text is touched: an expression, a vendored name, or a reason why neither."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace

from mindport.catalog import Catalog, Entry
from mindport.convert.bind import Binding, Unbound
from mindport.convert.dtype_conditions import settle
from mindport.convert.guards import Fact, Known, Listed, Typed, fact, holds_numbers
from mindport.convert.guards import decide as decide_guard
from mindport.convert.site import Site, bind_site, collected_keyword
from mindport.convert.specialise import Expression, Refusal, Undecided, own_methods, specialise
from mindport.declare import Difference
from mindport.inference import values as v
from mindport.inference.facts import Facts


@dataclass(frozen=True)
class Inline:
    """The call leaves one expression."""

    entry: Entry
    binding: Binding
    result: ast.expr


@dataclass(frozen=True)
class Vendor:
    """The vendored function or class decides at run time; `why` it is not inlined."""

    entry: Entry
    why: str
    binding: Binding | None = None


@dataclass(frozen=True)
class Leave:
    """Not converted: a finding's code and a sentence for the user."""

    code: str
    why: str
    entry: Entry | None = None


Decision = Inline | Vendor | Leave

#: In a difference's condition: what no text of a call tells.
_DATA = ("isnan(", "isinf(", "isfinite(", "is_complex(", "is_floating_point(", ".any(", ".all(", "numel(", ".size", ".dtype", ".ndim", ".shape", "% 1 ", ".requires_grad", " in str(self)")

#: In a difference's condition: whether gradients come from MindSpore's tape (`convert.training.tape`), where it is gone.
ON_TAPE = "on_tape"


#: An attribute of this name holds a device, whatever it belongs to: ``x.to(batch.device)``.
_DEVICE = "device"


def look_with(facts: Facts, assumed: str | None = None) -> Callable[[ast.expr], Fact]:
    """The fact about a user's expression: its literal value, or the type that inference found; `assumed`: the dtype of tensors of which nothing shows it.

    Constants that inference carried through names count as types only: they may come from a
    default that a caller overrides.
    """

    def look(node: ast.expr) -> Fact:
        try:
            return Known(frozen(ast.literal_eval(node)))
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            pass
        if isinstance(node, (ast.JoinedStr,)):
            return Typed(frozenset(("str",)))
        if isinstance(node, (ast.Tuple, ast.List)):
            return Typed(frozenset(("tuple" if isinstance(node, ast.Tuple) else "list",)), holds_numbers(facts.value(node)), any(not isinstance(e, ast.Starred) for e in node.elts))
        if isinstance(node, ast.Lambda):
            return Typed(frozenset(("callable",)))
        found = fact(facts.value(node))
        if found is None and isinstance(node, ast.Attribute) and node.attr == _DEVICE:
            return fact(v.Instance(f"torch.{_DEVICE}"))
        if isinstance(found, Known):
            return fact(_type_only(found.value)) if found.value is not None else None
        if isinstance(found, Typed) and found.constant is not None and not _names_it(facts, node):
            return replace(found, constant=None)
        if assumed is not None and isinstance(found, Typed) and found.dtype is None and not found.whole and found.names <= {"Tensor", "Parameter"}:
            return replace(found, assumed=assumed)
        return found

    return look


def _names_it(facts: Facts, node: ast.expr) -> bool:
    """Whether the text itself names a dtype: ``torch.float64``, and no attribute or name that holds it."""
    return isinstance(node, ast.Attribute) and facts.value(node.value) == v.Api("torch")


def _type_only(value: object) -> v.Value:
    if isinstance(value, tuple):
        return v.Sequence("tuple")
    return v.Builtin(type(value).__name__)


def frozen(value: object) -> object:
    """A literal's value in the terms of guards, which is hashable."""
    if isinstance(value, list):
        return Listed(frozen(item) for item in value)
    hash(value)
    return value


def decide(catalog: Catalog, place: Site, look: Callable[[ast.expr], Fact], forced: frozenset[str]) -> Decision:
    """What a call, method call or attribute use becomes. `forced`: layers that must be vendored."""
    name = place.use.name
    entries = catalog.find(name)
    if not entries:
        return Leave("MP101", f"no equivalent of {name} is known")
    absent = next((e for e in entries if e.kind == "absent"), None)
    if absent is not None:
        return Leave("MP101", absent.why, absent)
    entries = [e for e in entries if e.kind != "constant"]
    if not entries:
        return Leave("MP101", f"{name} is known as a type, not as a call")
    bound: list[tuple[Entry, Binding]] = []
    stars: list[tuple[Entry, Unbound]] = []
    misfit = ""
    for entry in entries:
        binding = bind_site(place, entry)
        if isinstance(binding, Binding):
            bound.append((entry, binding))
        elif binding.star and _has_its_keywords(entry, place.use.node):
            stars.append((entry, binding))
        else:
            misfit = binding.why
    # `permute(dims=(1, 0))` is the overload that has the parameter, not the one that collects it.
    bound = [b for b in bound if collected_keyword(place, b[0]) is None] or bound
    if not bound and not stars:
        return Leave("MP106", f"the call does not fit {name}: {misfit}", entries[0])
    if stars:
        if len(bound) + len(stars) > 1:
            return Leave("MP106", f"which overload of {name} is meant shows only at run time", stars[0][0])
        return Vendor(stars[0][0], stars[0][1].why)
    return _choose(name, bound, look, forced)


def _has_its_keywords(entry: Entry, call: ast.AST) -> bool:
    """Whether a call with ``*`` gives what the function takes by keyword alone; ``**`` may."""
    if not isinstance(call, ast.Call) or not isinstance(entry.node, ast.FunctionDef) or any(k.arg is None for k in call.keywords):
        return True
    arguments = entry.node.args
    needed = {a.arg for a, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default is None}
    return needed <= {k.arg for k in call.keywords}


def _choose(
    name: str, bound: list[tuple[Entry, Binding]], look: Callable[[ast.expr], Fact], forced: frozenset[str]
) -> Decision:
    outcomes = [(entry, binding, specialise(entry, binding, look)) for entry, binding in bound]
    open_ones = [o for o in outcomes if not isinstance(o[2], Refusal)]
    if not open_ones:
        refusals = [(e, r) for e, _, r in outcomes if isinstance(r, Refusal)]
        return Leave("MP102", refusals[0][1].sentence, refusals[0][0])
    if len(open_ones) > 1:
        return Leave("MP106", f"which overload of {name} is meant shows only at run time", open_ones[0][0])
    entry, binding, outcome = open_ones[0]
    if isinstance(outcome, Expression):
        if entry.kind == "layer" and forced.intersection(entry.names):
            return Vendor(entry, "the project relies on the layer's torch attribute names", binding)
        return Inline(entry, binding, outcome.node)
    assert isinstance(outcome, Undecided)
    return Vendor(entry, outcome.why, binding)


def differences(
    entry: Entry, binding: Binding | None, look: Callable[[ast.expr], Fact], vendored: bool = False
) -> list[tuple[Difference, bool]]:
    """The declared differences that this call hits; True where it certainly does, False where it may. `vendored`: a function of our own is called."""

    def parameter(node: ast.expr) -> Fact:
        if isinstance(node, ast.Name) and node.id == ON_TAPE:
            return Known(False)
        if binding is None or not isinstance(node, ast.Name):
            return None
        expression = binding.given.get(node.id) or binding.defaults.get(node.id)
        return look(expression) if expression is not None else None

    def dtype_of(name: str) -> str | None:
        found = parameter(ast.Name(name, ast.Load()))
        return found.dtype if isinstance(found, Typed) else None

    def axes_of(name: str) -> int | None:
        found = parameter(ast.Name(name, ast.Load()))
        return found.axes if isinstance(found, Typed) and not found.likely else None

    found = []
    for difference in entry.differs:
        if difference.when is None:
            found.append((difference, True))
            continue
        truth = decide_guard(settle(ast.parse(difference.when, mode="eval").body, dtype_of, axes_of, vendored or binding is None), parameter)
        if truth is not False:
            found.append((difference, truth is True))
    return found


def depends_on_data(difference: Difference) -> bool:
    """Whether only values, dtypes or shapes of a run decide a difference: it is reported once an API, not at each call."""
    return difference.when is not None and any(word in difference.when for word in _DATA)


def settled_on_tape(difference: Difference) -> bool:
    """Whether a difference is there only where gradients do not come from the tape."""
    return difference.when is not None and f"not {ON_TAPE}" in difference.when


def mindspore_base(entry: Entry) -> ast.expr | None:
    """The MindSpore class that every object of a layer entry is an instance of; None where it is too general."""
    node = entry.node
    if not isinstance(node, ast.ClassDef) or not node.bases:
        return None
    if ast.unparse(node.bases[0]) in ("nn.Cell", "Cell") and entry.callable is not None:
        return None  # a cell of our own making; the class that only renames nn.Cell has no __init__
    if own_methods(node) and not entry.base_suffices:
        return None
    return node.bases[0]


def is_plain(entry: Entry) -> bool:
    """Whether a layer adds nothing to its MindSpore base, so that the base can stand in as a base class."""
    node = entry.node
    if not isinstance(node, ast.ClassDef) or mindspore_base(entry) is None:
        return False
    if own_methods(node):
        return entry.base_suffices and entry.callable is None
    function = entry.callable
    if function is None or _hands_on(function):
        return True
    return not (function.args.args[1:] or function.args.vararg or function.args.kwonlyargs)


def only_renames(entry: Entry) -> bool:
    """Whether a layer is its MindSpore base under another name, as `torch.nn.Module` is: the base can stand in for it everywhere."""
    node = entry.node
    return isinstance(node, ast.ClassDef) and mindspore_base(entry) is not None and entry.callable is None and all(isinstance(s, ast.Expr) for s in node.body)


def _hands_on(function: ast.FunctionDef) -> bool:
    """Is it ``def __init__(self, *args): super().__init__(*args)``?"""
    match [s for s in function.body if not isinstance(s, ast.Expr) or not isinstance(s.value, ast.Constant)]:
        case [ast.Expr(value=ast.Call(func=ast.Attribute(attr="__init__"), args=[ast.Starred(value=ast.Name(id=name))], keywords=[]))]:
            only = function.args.vararg is not None and function.args.vararg.arg == name
            return only and not (function.args.args[1:] or function.args.kwonlyargs or function.args.kwarg)
    return False


def underivable(name: str) -> str:
    """Why a class cannot have an API for its base whose equivalent is a function."""
    return f"{name} is a function here, from which no class can derive"
