"""Writes a specialised expression at a site: by the smallest edits, or printed whole.

`write_inline` plans the edits and names the strategy that it used:

* ``same``: the user's text already is the MindSpore text;
* ``renamed``: only the callee changed;
* ``inlined``: arguments changed too, or the expression was printed.

or returns the reason why the result would be wrong or untidy; then the site is vendored.
"""

from __future__ import annotations

import ast
import copy
import io
import operator
import tokenize
from dataclasses import dataclass

from mindport.catalog import Entry
from mindport.convert import retarget
from mindport.convert.bind import Binding
from mindport.convert.editing import Editing
from mindport.convert.effects import hazard
from mindport.convert.imports import Imports
from mindport.convert.printing import is_atom, marks, preferred_quote, print_expression, quote_inside
from mindport.convert.receiver import as_first_argument, object_of_super
from mindport.convert.site import Site, evaluation_order, given
from mindport.convert.specialise import PREFIX, argument
from mindport.targets import Target, TargetApi

_ARITHMETIC = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}

#: More calls than this in one printed expression are easier to read behind a name.
MOST_CALLS = 3


@dataclass(frozen=True)
class Untidy:
    """Why the expression is not written at the site."""

    why: str


@dataclass
class Writer:
    """What writing needs of the file it writes to."""

    editing: Editing
    imports: Imports
    target: Target
    parents: dict[int, ast.AST]
    own_objects: frozenset[int] = frozenset()  # the `self` of ``nn.Module.train(self)`` in a module: by id, where ``super()`` is meant


def write_inline(writer: Writer, place: Site, entry: Entry, binding: Binding, result: ast.expr) -> str | Untidy:
    """Plan the edits that put `result` at the site; the strategy, or why not."""
    resolved = _resolve_names(entry, result)
    if isinstance(resolved, Untidy):
        return resolved
    if _quote(writer, place) == "" and any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in ast.walk(result)):
        return Untidy("the f-strings around it leave no quotes for a string")
    if place.call is not None and isinstance(result, ast.Call):
        strategy = _retarget(writer, place, entry, binding, result, resolved)
        if strategy is not None:
            return strategy
    if place.call is None and isinstance(result, ast.Attribute) and _is_receiver(result.value, place, binding):
        return _rename_attribute(writer, place.node, result.attr)
    return _print(writer, place, entry, binding, result, resolved)


# -- names -------------------------------------------------------------------------------


def _resolve_names(entry: Entry, result: ast.expr) -> dict[str, tuple[str, str | None]] | Untidy:
    """The imports behind the free names of `result`."""
    found: dict[str, tuple[str, str | None]] = {}
    for node in ast.walk(result):
        if not isinstance(node, ast.Name) or node.id.startswith(PREFIX):
            continue
        if node.id in entry.module.imports:
            module, name = entry.module.imports[node.id]
            if module.startswith("mindport."):
                return Untidy(f"the body calls another equivalent, {node.id}")
            found[node.id] = (module, name)
        elif node.id in entry.module.definitions:
            return Untidy(f"the body uses {node.id} of its own file")
    return found


def dotted(func: ast.expr, names: dict[str, tuple[str, str | None]], receiver: str | None) -> str | None:
    """The MindSpore name that a callee stands for; `receiver` the class of a user's receiver."""
    parts: list[str] = []
    while isinstance(func, ast.Attribute):
        parts.append(func.attr)
        func = func.value
    if not isinstance(func, ast.Name):
        return None
    if func.id.startswith(PREFIX):
        return ".".join([receiver, *reversed(parts)]) if receiver and len(parts) == 1 else None
    if func.id not in names:
        return None
    module, name = names[func.id]
    return ".".join([module, *([name] if name else []), *reversed(parts)])


def _local_names(writer: Writer, node: ast.expr, names: dict[str, tuple[str, str | None]]) -> ast.expr:
    """`node` with the knowledge file's import names replaced by the user file's."""

    class Rename(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            if node.id in names:
                module, name = names[node.id]
                return ast.Name(writer.imports.local(module, name, node.id), ast.Load())
            return node

    return Rename().visit(copy.deepcopy(node))


# -- smallest edits ----------------------------------------------------------------------


def _retarget(
    writer: Writer, place: Site, entry: Entry, binding: Binding, result: ast.Call,
    names: dict[str, tuple[str, str | None]],
) -> str | None:  # fmt: skip
    editing, call = writer.editing, place.call
    assert call is not None
    api = _api(writer, entry, result, names)
    on_receiver = isinstance(result.func, ast.Attribute) and _is_receiver(result.func.value, place, binding)
    if marks(result.func) and not on_receiver:
        return None
    skip = 1 if on_receiver and api is not None and _takes_self(api) else 0
    receiver_first = False
    arguments = result
    if place.receiver is not None and not on_receiver:
        if not result.args or not _is_receiver(result.args[0], place, binding):
            return None
        receiver_first = True
        arguments = ast.Call(result.func, result.args[1:], result.keywords)
        skip += 1
    new = retarget.items(arguments, api, skip)
    if new is None:
        return None
    if place.receiver is not None and any(m == _receiver_mark(place, binding) for i in new for m in marks(i.node)):
        return None
    plan = retarget.arrange(given(place, binding), new)
    if plan is None:
        return None
    write = {
        id(item): _text(writer, place, _local_names(writer, item.node, names), binding)
        for item in new
        if not retarget.direct(item) or _newly_starred(item.node, binding)
    }
    before = [(e.start, e.end, e.new) for e in editing.edits()]
    if not retarget.edit_arguments(editing, call, plan, write):
        return None
    touched = [(e.start, e.end, e.new) for e in editing.edits()] != before
    func_changed = _edit_callee(writer, place, result, names, on_receiver, receiver_first, bool(arguments.args or arguments.keywords) and any(i is not None for _, i, _ in plan))
    return "inlined" if touched or receiver_first else "renamed" if func_changed else "same"


def _newly_starred(node: ast.expr, binding: Binding) -> bool:
    """``f([a, b])`` → ``g(*[a, b])``: the star is ours, not the user's."""
    if not isinstance(node, ast.Starred) or not isinstance(node.value, ast.Name):
        return False
    name, _, index = node.value.id[len(PREFIX) :].partition("@")
    return not (index and name in binding.extra and isinstance(binding.extra[name][int(index)], ast.Starred))


def _edit_callee(
    writer: Writer, place: Site, result: ast.Call, names: dict[str, tuple[str, str | None]],
    on_receiver: bool, receiver_first: bool, has_arguments: bool,
) -> bool:  # fmt: skip
    editing, call = writer.editing, place.call
    assert call is not None
    if on_receiver:
        assert isinstance(result.func, ast.Attribute) and isinstance(call.func, ast.Attribute)
        return _rename_attribute(writer, call.func, result.func.attr) != "same"
    func = _text(writer, place, _local_names(writer, result.func, names), None)
    if receiver_first:
        as_first_argument(editing, call, func, has_arguments)
        return True
    start, end = editing.span(call.func)
    changed = editing.text[start:end] != func
    editing.replace(start, end, func)
    return changed


def _rename_attribute(writer: Writer, node: ast.expr, name: str) -> str:
    assert isinstance(node, ast.Attribute)
    if node.attr == name:
        return "same"
    end = writer.editing.span(node)[1]
    writer.editing.replace(end - len(node.attr), end, name)
    return "renamed"


def _api(writer: Writer, entry: Entry, result: ast.Call, names: dict[str, tuple[str, str | None]]) -> TargetApi | None:
    name = dotted(result.func, names, entry.receiver)
    return writer.target.get(name) if name else None


def _takes_self(api: TargetApi) -> bool:
    return bool(api.parameters) and api.parameters[0].name in ("self", "input")  # type: ignore[index]


def _receiver_mark(place: Site, binding: Binding) -> str | None:
    return next((PREFIX + n for n, node in binding.given.items() if node is place.receiver), None)


def _is_receiver(node: ast.expr, place: Site, binding: Binding) -> bool:
    return isinstance(node, ast.Name) and place.receiver is not None and node.id == _receiver_mark(place, binding)


# -- printed whole -----------------------------------------------------------------------


def _print(
    writer: Writer, place: Site, entry: Entry, binding: Binding, result: ast.expr,
    names: dict[str, tuple[str, str | None]],
) -> str | Untidy:  # fmt: skip
    problem = hazard(evaluation_order(place, binding), marks(result))
    if problem:
        return Untidy(problem)
    calls = sum(isinstance(node, ast.Call) for node in ast.walk(result))
    if calls > MOST_CALLS:
        return Untidy("the expression is easier to read behind a name")
    start, end = writer.editing.span(place.node)
    if _holds_comment(writer.editing.text[start:end]):
        return Untidy("a comment stands between the arguments")
    trimmed = _trim_defaults(writer, entry, result, names)
    text = _text(writer, place, _local_names(writer, trimmed, names), binding)
    # A result that is one of the user's expressions itself, `(x / 2).cpu()`, has lost the parentheses around it.
    whole = argument(binding, trimmed.id) if isinstance(trimmed, ast.Name) and trimmed.id.startswith(PREFIX) else trimmed
    operand = _is_operand(writer.parents.get(id(place.node)), place.node)
    if not is_atom(whole) and not isinstance(trimmed, ast.Constant) and (operand or (whole is not trimmed and "\n" in text)):
        text = f"({text})"
    if len(text) > 100 and calls > 1:
        return Untidy("the expression is easier to read behind a name")
    writer.editing.replace(start, end, text)
    return "inlined"


def _trim_defaults(writer: Writer, entry: Entry, result: ast.expr, names: dict[str, tuple[str, str | None]]) -> ast.expr:
    if not isinstance(result, ast.Call):
        return result
    api = _api(writer, entry, result, names)
    on_user = isinstance(result.func, ast.Attribute) and isinstance(result.func.value, ast.Name) and result.func.value.id.startswith(PREFIX)
    kept = retarget.items(result, api, 1 if on_user and api is not None and _takes_self(api) else 0)
    if kept is None:
        return result
    nodes = {id(item.node) for item in kept}
    positional = list(result.args)
    while positional and id(positional[-1]) not in nodes:
        positional.pop()
    return ast.Call(result.func, positional, [k for k in result.keywords if id(k.value) in nodes])


def _text(writer: Writer, place: Site, node: ast.expr, binding: Binding | None) -> str:
    """Print `node` around the user's converted texts, as it can stand at `place`."""

    bases = {part.value.id for part in ast.walk(node) if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)}

    def text_of(mark: str) -> tuple[str, ast.expr]:
        assert binding is not None
        user = argument(binding, mark)
        if mark not in bases and (own := object_of_super(writer.editing, user)):
            return own, ast.Name(own)  # `super().to(device)` gives the object itself
        if mark in bases and id(user) in writer.own_objects:
            return "super()", ast.Call(ast.Name("super"), [], [])
        start, end = writer.editing.span(user)
        return writer.editing.current(start, end), user

    folded = _Folding().visit(node)
    return print_expression(folded, text_of, _quote(writer, place) or preferred_quote(writer.editing.text))


def _quote(writer: Writer, place: Site) -> str | None:
    editing = writer.editing

    def written(outer: ast.JoinedStr) -> str:
        start, end = editing.span(outer)
        return editing.text[start:end]

    return quote_inside(place.node, writer.parents, written)


class _Folding(ast.NodeTransformer):
    """Arithmetic on constants, where the result is no longer to read than the sum: 1 - 0.1 → 0.9."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        compute = _ARITHMETIC.get(type(node.op))
        match node:
            case ast.BinOp(left=ast.Constant(value=int() | float() as left), right=ast.Constant(value=int() | float() as right)) if compute:
                try:
                    value = compute(left, right)
                except ZeroDivisionError:
                    return node
                if len(repr(value)) <= len(ast.unparse(node)):
                    return ast.Constant(value)
        return node


def _is_operand(parent: ast.AST | None, node: ast.expr) -> bool:
    """Whether the parent binds tighter than an unparenthesised expression."""
    match parent:
        case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.BoolOp() | ast.Await() | ast.Starred() | ast.IfExp():
            return True
        case ast.Attribute(value=value) | ast.Subscript(value=value) | ast.Call(func=value):
            return value is node
    return False


def _holds_comment(text: str) -> bool:
    if "#" not in text:
        return False
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(f"({text})").readline))
    except (tokenize.TokenError, SyntaxError):
        return True
    return any(token.type == tokenize.COMMENT for token in tokens)
