"""``x_ft * weights`` of complex tensors becomes ``complex_product(x_ft, weights)``, ``abs(x_ft)`` and ``x_ft.abs()`` become ``absolute(x_ft)``.

So do ``x_ft.mul(weights)`` and ``torch.mul(x_ft, weights)``, and quotients become ``complex_quotient(x_ft, gains)``.
Complex numbers of Python (``1j * angle``, ``z + 1j``) go by such functions, too: MindSpore's operators do not take them.
MindSpore's CPU raises for the gradient of a complex product, and for a complex tensor times or by a real one; the absolute
value of a complex tensor stays complex there. What is complex is followed from Fourier transforms and constructors
through the names of a function, in the order of the text; the functions do as MindSpore does where nothing is complex.
Where the file makes complex tensors, an argument, the result of a call and an attribute of which nothing is known may be complex:
their absolute value is taken by the function, too; and their products, where the function asks tensors whether they are complex, or where the product is handed to what
takes complex tensors alone (``torch.view_as_real(turn(q) * freqs)``).
APIs whose equivalent takes no complex tensors have a form that does (`equivalents/complex_closeness.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from mindport.convert.context import Context
from mindport.convert.dtypes import COMPLEX
from mindport.convert.other_forms import take_form
from mindport.convert.training.names import FUNCTIONS, own_nodes
from mindport.convert.unusual_inputs import COMPLEX_MAKERS, holds_complex_number
from mindport.forms import OF_COMPLEX
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.source.walking import walk

KNOWLEDGE = "mindport.equivalents.complex_products"
PRODUCT, QUOTIENT, ABSOLUTE = "complex_product", "complex_quotient", "absolute"
_OPERATORS: dict[type[ast.operator], str] = {ast.Mult: PRODUCT, ast.Div: QUOTIENT}
#: Written only beside a complex number: two tensors are added as they are.
_SUMS: dict[type[ast.operator], str] = {ast.Add: "complex_sum", ast.Sub: "complex_difference"}
_METHODS = {"mul": PRODUCT, "multiply": PRODUCT, "div": QUOTIENT, "divide": QUOTIENT, "true_divide": QUOTIENT}
#: Who asks something of which nothing is known for its conjugate, a product with it or the phase alone (sgn) holds complex numbers.
_CONJUGATES = frozenset(["conj", "conj_physical", "vdot", "sgn"])
_LITERAL = frozenset(("torch.tensor", "torch.as_tensor", "torch.full"))
#: What gives no complex tensor of one.
_REAL = frozenset(
    ["abs", "absolute", "angle", "real", "imag", "view_as_real", "norm", "vector_norm", "matrix_norm", "item", "tolist", "numpy", "asnumpy", "size", "dim", "numel"]
    + ["irfft", "irfft2", "irfftn", "hfft", "hfft2", "hfftn", "istft", "eigvalsh", "svdvals", "isnan", "isinf", "isfinite", "isreal", "eq", "ne", "equal", "allclose", "isclose"]
    + ["float", "double", "half", "long", "int", "bool"]
)
#: What takes complex tensors alone, or as often as real ones: who goes back from frequencies holds complex numbers, and who asks for
#: all frequencies of a signal (rfft gives those of a real one) often has one of two parts (radar, magnetic resonance).
_TAKERS = frozenset(
    v.Api(f"torch.{name}") for name in ("view_as_real", "istft", *(f"fft.{way}{axes}" for way in ("irfft", "ifft", "fft") for axes in ("", "2", "n")))
)  # fmt: skip
_CONSTANTS = frozenset(v.Api(f"{owner}.{name}") for owner in ("math", "numpy", "torch") for name in ("pi", "e"))
#: Attributes that are tensors of their owner's dtype.
_VIEWS = frozenset(("T", "mT", "H", "mH", "data"))

#: By function, the parameters that some call gives a complex tensor, and such names from around it.
Handed = dict[int, set[str]]


@dataclass
class Plans:
    """The uses by their nodes; the calls that take the form of complex tensors."""

    asked: dict[int, Use]
    taken: set[int] = field(default_factory=set)  # products that are handed to what takes complex tensors alone
    forms: set[int] = field(default_factory=set)


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the functions for every product and absolute value of what is complex."""
    named = any(use.name in COMPLEX_MAKERS | COMPLEX for same_place in uses.values() for use in same_place)
    if KNOWLEDGE not in context.shared.catalog.modules or not (named or holds_complex_number(context.file.tree) or _asks(context.file.tree)):
        return
    plans = Plans({id(use.node): use for same_place in uses.values() for use in same_place}, _taken(context))
    handed: Handed = {}
    seen = -1
    while seen != (seen := sum(map(len, handed.values()))):  # what a function hands on to the next
        _through(context, None, handed)
    _through(context, plans, handed)
    take_form(context, uses, OF_COMPLEX, lambda call: id(call) in plans.forms)


def _through(context: Context, plans: Plans | None, handed: Handed) -> None:
    """All functions of the file; without `plans` nothing is planned, and what calls hand in is noted in `handed`."""
    _follow(context, plans, context.file.tree.body, set(), set(), handed)
    for node in context.file.nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            given = {a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)} - {"self", "cls"}
            names = set(handed.get(id(node), ()))
            if _asks(node):  # then any of which nothing is known is expected to be complex
                names = given = given | names
            _follow(context, plans, node.body, names, given, handed)


def _follow(context: Context, plans: Plans | None, body: list[ast.stmt], names: set[str], given: set[str], handed: Handed) -> None:
    """`names` hold complex tensors; `given` came from elsewhere, and may be some."""
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if plans is None and not isinstance(statement, ast.ClassDef):  # a closure sees the names around it
                handed.setdefault(id(statement), set()).update(names - {a.arg for a in walk(statement.args) if isinstance(a, ast.arg)})
            continue
        given |= {target.id for target in _looped(statement) if any(_unknown(kind) for kind in v.options(context.facts.value(target)))}
        for node in _own_expressions(statement):
            if plans is None:
                if isinstance(node, ast.Call):
                    _hand_in(context, node, names, handed)
            elif (product := _of_two(context, node)) is not None:
                if _goes_by_parts(context, *product, names, id(node) in plans.taken):
                    context.plan(node, lambda n=node, p=product: _write_product(context, n, *p), last=True)  # type: ignore[misc]
            elif isinstance(node, ast.Call) and (taken := _of_abs(context, node)) is not None and _complex(context, taken, names | given, guess=True):
                context.claimed.add(id(node))  # what its own equivalent would say of complex numbers does not hold
                context.plan(node, lambda n=node, t=taken: _write_absolute(context, n, t, plans.asked.get(id(n))), last=True)  # type: ignore[misc]
            elif isinstance(node, ast.Call) and id(node) in plans.asked and any(_complex(context, part, names) for part in _with_receiver(node)):
                plans.forms.add(id(node))
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            function = _OPERATORS.get(type(statement.op))
            if plans is not None and function is not None and _goes_by_parts(context, function, (statement.target, statement.value), names):
                context.plan(statement, lambda s=statement, f=function: _write_augmented(context, s, f), last=2)  # type: ignore[misc]
            if _complex(context, statement.value, names):
                names.add(statement.target.id)
        elif plans is not None and isinstance(statement, ast.AugAssign) and type(statement.op) in _OPERATORS and _stands_twice(statement.target) and _complex(context, statement.target, names):
            context.plan(statement, lambda s=statement: _write_part(context, s), last=2)  # type: ignore[misc]
        for target, value in _bound(statement):
            for held, known in ((names, names), (given, names | given)):
                (held.add if _complex(context, value, known, guess=held is given) else held.discard)(target.id)
        given |= {one.id for one in _unpacked(statement) if any(_unknown(kind) for kind in v.options(context.facts.value(one)))}
        for part in ("body", "orelse", "finalbody"):
            _follow(context, plans, getattr(statement, part, None) or [], names, given, handed)


def _asks(node: ast.AST) -> bool:
    """Whether tensors are asked for it (``p.is_complex()``)."""
    return any(isinstance(part, ast.Attribute) and part.attr == "is_complex" for part in walk(node))


def _bound(statement: ast.stmt) -> list[tuple[ast.Name, ast.expr]]:
    """The names that a statement binds, each with what it gets: ``x, y = fft(x), fft(y)``."""
    pairs: list[tuple[ast.Name, ast.expr]] = []
    if not isinstance(statement, ast.Assign):
        return pairs
    for target in statement.targets:
        match target, statement.value:
            case (ast.Name(), value):
                pairs.append((target, value))
            case (ast.Tuple(elts=targets), ast.Tuple(elts=values)) if len(targets) == len(values):
                pairs += [(one, value) for one, value in zip(targets, values, strict=True) if isinstance(one, ast.Name)]
    return pairs


def _unpacked(statement: ast.stmt) -> Iterator[ast.Name]:
    """What the parts of a call's result are bound to: ``out, spectrum = net(x)``."""
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
        yield from (one for target in statement.targets if isinstance(target, ast.Tuple) for one in target.elts if isinstance(one, ast.Name))


def _hand_in(context: Context, call: ast.Call, names: set[str], handed: Handed) -> None:
    """Note which parameters of the project's functions a call gives complex tensors."""
    for kind in v.options(context.facts.value(call.func)):
        function = kind.function if isinstance(kind, v.Bound) else kind
        if isinstance(function, v.ProjectFunction):
            parameters = [a.arg for a in function.scope.positional][isinstance(kind, v.Bound) :]
            given = [*zip(parameters, call.args, strict=False), *((k.arg, k.value) for k in call.keywords if k.arg in parameters)]
            handed.setdefault(id(function.scope.node), set()).update(str(name) for name, value in given if _complex(context, value, names))


def _looped(statement: ast.stmt) -> Iterator[ast.Name]:
    """What a loop gives names to, one of the statement's own or of a comprehension in it: ``sum(p.abs().sum() for p in net.parameters())``."""
    loops = [statement] if isinstance(statement, (ast.For, ast.AsyncFor)) else []
    inside = [one for node in _own_expressions(statement) if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)) for one in node.generators]
    for one in [*loops, *inside]:
        yield from (node for node in ast.walk(one.target) if isinstance(node, ast.Name))


def _goes_by_parts(context: Context, function: str, sides: tuple[ast.expr, ast.expr], names: set[str], taken: bool = False) -> bool:
    numbers = [side for side in sides if _number(context, side)]
    if numbers:  # beside something that is none, and nothing of NumPy's
        other = [side for side in sides if side not in numbers]
        return bool(other) and _complex_number(context, numbers[0]) and not _of_numpy(context, other[0])
    return function not in _SUMS.values() and (taken or any(_complex(context, side, names) for side in sides)) and not any(_of_numpy(context, side) for side in sides)


def _taken(context: Context) -> set[int]:
    """The products that are handed to what takes complex tensors alone, by themselves or under a name of their function."""
    found: set[int] = set()
    for function in [context.file.tree, *(n for n in context.file.nodes if isinstance(n, FUNCTIONS))]:
        inside = list(own_nodes(function))
        pending = [n.args[0] for n in inside if isinstance(n, ast.Call) and n.args and context.facts.value(n.func) in _TAKERS]
        held: dict[str, list[ast.expr]] = {}
        for statement in inside:
            for target, value in _bound(statement) if isinstance(statement, ast.stmt) else ():
                held.setdefault(target.id, []).append(value)
        while pending:
            match node := pending.pop():
                case ast.BinOp():
                    found.add(id(node))
                case ast.Name(id=name):
                    pending += held.pop(name, [])
                case ast.Call(func=ast.Attribute(value=inner)) | ast.Subscript(value=inner) | ast.UnaryOp(operand=inner):
                    pending.append(inner)
    return found


def _own_expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr):
            yield from (node for node in ast.walk(child) if isinstance(node, ast.expr))


def _complex(context: Context, node: ast.expr, names: set[str], *, guess: bool = False) -> bool:
    """Whether an expression may be a complex tensor; with `guess` also what comes from elsewhere and is not known."""

    def complex_(part: ast.expr) -> bool:
        return _complex(context, part, names, guess=guess)

    dtypes = {kind.dtype if isinstance(kind, v.TensorValue) and not kind.likely else None for kind in v.options(context.facts.value(node))}
    if dtypes & COMPLEX:
        return True
    if dtypes and None not in dtypes:
        return False
    if _complex_number(context, node):
        return True
    match node:
        case ast.Name(id=name):
            return name in names
        case ast.Call(func=func, args=args):
            called = context.facts.value(func)
            if isinstance(called, v.Api) and (called.name in COMPLEX_MAKERS or (called.name in _LITERAL and any(map(holds_complex_number, args)))):
                return True
            if isinstance(called, v.Api) and called.name.startswith("torch."):
                last = called.name.rpartition(".")[2]
                return last in _CONJUGATES or last not in _REAL and any(map(complex_, _operands(node)))
            if isinstance(func, ast.Attribute) and (func.attr in _CONJUGATES or complex_(func.value)):
                return func.attr not in _REAL
        case ast.Subscript(value=value) | ast.UnaryOp(operand=value):
            return complex_(value)
        case ast.Attribute(value=value, attr=attribute) if attribute in _VIEWS:
            return complex_(value)
        case ast.BinOp(left=left, right=right):
            return complex_(left) or complex_(right)
        case ast.IfExp(body=body, orelse=orelse):
            return complex_(body) or complex_(orelse)
    return guess and isinstance(node, (ast.Call, ast.Attribute)) and any(_unknown(kind) for kind in v.options(context.facts.value(node)))


def _with_receiver(node: ast.Call) -> list[ast.expr]:
    return [*([node.func.value] if isinstance(node.func, ast.Attribute) else []), *node.args]


def _operands(node: ast.Call) -> list[ast.expr]:
    given = [*node.args, *(k.value for k in node.keywords)]
    return [e for a in given for e in (a.elts if isinstance(a, (ast.List, ast.Tuple)) else [a])]


def _unknown(kind: v.Value) -> bool:
    """May it be a tensor of any dtype? What an outside library made is known to be none of torch's."""
    return not kind.origin or kind.origin.startswith("torch.") if isinstance(kind, v.Unknown) else isinstance(kind, v.TensorValue) and kind.dtype is None


def _number(context: Context, node: ast.expr) -> bool:
    return all(isinstance(kind, (v.Const, v.Builtin)) or kind in _CONSTANTS for kind in v.options(context.facts.value(node)))


def _of_numpy(context: Context, node: ast.expr) -> bool:
    kinds = v.options(context.facts.value(node))
    return bool(kinds) and all((getattr(kind, "cls", "") or getattr(kind, "origin", "")).startswith(("numpy", "scipy")) for kind in kinds if kind != v.NONE)


def _complex_number(context: Context, node: ast.expr) -> bool:
    kinds = v.options(context.facts.value(node))
    return bool(kinds) and all(isinstance(kind, v.Const) and isinstance(kind.value, complex) or kind == v.Builtin("complex") for kind in kinds)


def _of_two(context: Context, node: ast.expr) -> tuple[str, tuple[ast.expr, ast.expr]] | None:
    """The function that takes the place of a product or quotient, in any way of writing it, and its operands."""
    match node:
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS | _SUMS:
            return (_OPERATORS | _SUMS)[type(op)], (left, right)
        case ast.Call(func=ast.Attribute(attr=name) as func, args=[left, right], keywords=[]) if name in _METHODS:
            called = context.facts.value(func)
            return (_METHODS[name], (left, right)) if isinstance(called, v.Api) and called.name == f"torch.{name}" else None
        case ast.Call(func=ast.Attribute(value=left, attr=name), args=[right], keywords=[]) if name in _METHODS:
            return _METHODS[name], (left, right)
    return None


def _of_abs(context: Context, node: ast.Call) -> ast.expr | None:
    """What ``abs(x)``, ``torch.abs(x)`` or ``x.abs()`` takes the absolute value of."""
    called = context.facts.value(node.func)
    match node:
        case ast.Call(func=ast.Name(id="abs"), args=[taken], keywords=[]) if not isinstance(called, v.ProjectFunction):
            return taken
        case ast.Call(args=[taken], keywords=[]) if isinstance(called, v.Api) and called.name in ("torch.abs", "torch.absolute"):
            return taken
        case ast.Call(func=ast.Attribute(value=taken, attr="abs"), args=[], keywords=[]):
            return taken
    return None


def _name(context: Context, definition: str) -> str:
    return context.definition(KNOWLEDGE, definition)


def _write_product(context: Context, node: ast.expr, function: str, sides: tuple[ast.expr, ast.expr]) -> None:
    editing = context.editing
    left, right = (editing.current(*editing.span(side)) for side in sides)
    editing.replace(*editing.span(node), f"{_name(context, function)}({left}, {right})")


def _write_augmented(context: Context, statement: ast.AugAssign, function: str) -> None:
    """``f *= gain`` → ``f = complex_product(f, gain)``, where the statement is one that gives a name a new tensor: others were written otherwise by now."""
    editing = context.editing
    target, value = (editing.current(*editing.span(part)) for part in (statement.target, statement.value))
    start, end = editing.span(statement)
    if editing.current(start, end).startswith((f"{target} *=", f"{target} /=")):
        editing.replace(start, end, f"{target} = {_name(context, function)}({target}, {value})")


def _stands_twice(target: ast.expr) -> bool:
    """Whether it is a part of a name, by an index that asks for nothing."""
    return isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and not any(isinstance(n, (ast.Call, ast.NamedExpr, ast.Await)) for n in walk(target.slice))


def _write_part(context: Context, statement: ast.AugAssign) -> None:
    """``z[1:8] *= 2`` → ``z[1:8] = z[1:8] * 2``: the kernel that changes a part has no complex type."""
    editing = context.editing
    target, value = (editing.current(*editing.span(part)) for part in (statement.target, statement.value))
    sign = "*" if isinstance(statement.op, ast.Mult) else "/"
    start, end = editing.span(statement)
    if editing.current(start, end).startswith(f"{target} {sign}="):
        by_parts = any(_complex(context, part, set()) for part in walk(statement.value) if isinstance(part, ast.expr)) or isinstance(statement.value, ast.Name)
        product = f"{_name(context, _OPERATORS[type(statement.op)])}({target}, {value})" if by_parts and not _number(context, statement.value) else f"{target} {sign} {_operand(statement.value, value)}"
        editing.replace(start, end, f"{target} = {product}")


def _operand(node: ast.expr, text: str) -> str:
    return text if isinstance(node, (ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.Subscript)) else f"({text})"


def _write_absolute(context: Context, node: ast.Call, taken: ast.expr, use: Use | None) -> None:
    editing = context.editing
    text = f"{_name(context, ABSOLUTE)}({editing.current(*editing.span(taken))})"
    editing.replace(*editing.span(node), text)
    if use is not None:
        context.record(use, "vendored", context.file.segment(node), text)
