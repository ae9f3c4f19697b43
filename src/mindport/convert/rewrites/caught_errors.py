"""``try: … except RuntimeError:`` around operations on tensors: they run before the next statement, and torch's class is what the handler meets.

MindSpore looks at shapes in another thread, so that an error comes after the ``try`` is left, and raises ValueError or TypeError where shapes or
dtypes do not fit. Handlers that look for memory errors mean none of these. On the tape, what a handler may catch has ended the recording.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use

RAISED, NAME, SUPPRESSING = "mindport.equivalents.raised_errors", "torch_errors", "Suppressing"
ON_TAPE, TAPE_NAME = "mindport.equivalents.errors_on_tape", "errors_on_tape"
ORDER, SETTING = "mindport.equivalents.launch_order", "KERNELS_IN_ORDER"
#: What torch raises and MindSpore raises as another class.
_OTHERS = frozenset(("RuntimeError", "IndexError"))
_CAUGHT = _OTHERS | {"ValueError", "TypeError", "Exception", "BaseException"}
_NO_OPERATIONS = frozenset(f"torch.{name}" for name in ("load", "save", "compile", "device", "manual_seed", "seed", "is_tensor"))
_FAMILIES = ("torch.Tensor.", "torch.nn.functional.", "torch.linalg.", "torch.fft.")

_UNCHECKED = "distributions look at no arguments and values here: nothing is raised, where PyTorch raises the ValueError that this handler catches"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Look at every handler that may meet an operation's error."""
    operations = {id(use.node) for same_place in uses.values() for use in same_place if use.kind in ("call", "method") and _computes(use.name)}
    for node in context.file.nodes:
        if not isinstance(node, (ast.Try, ast.With)):
            continue
        kinds = [kind for kind in _handled(node) if kind is None or _CAUGHT & set(_names(kind))]
        if not kinds or not any(id(part) in operations or _may_compute(context, part) for statement in node.body for part in ast.walk(statement)):
            continue
        context.runs(context.shared.catalog.modules[ORDER], SETTING)
        if any(kind is None or {"ValueError", "Exception"} & set(_names(kind)) for kind in kinds):
            _unchecked(context, node, uses)
        for call in _suppressing(node):
            caught = {name for kind in call.args for name in _names(kind)}
            if _OTHERS & caught and not {"ValueError", "TypeError"} & caught:
                context.plan(call.func, lambda f=call.func: context.editing.replace(*context.editing.span(f), context.definition(RAISED, SUPPRESSING)), last=True)  # type: ignore[misc]
        for handler in _meeting(node):
            kind = handler.type
            if context.on_tape and (kind is None or _CAUGHT & set(_names(kind))):
                context.plan(kind or handler, lambda h=handler: _resume(context, h), last=True)  # type: ignore[misc]
            elif kind is not None and _OTHERS & set(_names(kind)) and not {"ValueError", "TypeError"} & set(_names(kind)):
                context.plan(kind, lambda k=kind: _widen(context, k), last=True)  # type: ignore[misc]


def _unchecked(context: Context, node: ast.Try | ast.With, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Tell where a handler waits for what PyTorch's distributions find wrong with their arguments."""
    inside = {id(part) for statement in node.body for part in ast.walk(statement)}
    made = next((use for same_place in uses.values() for use in same_place if id(use.node) in inside and use.name.startswith("torch.distributions.") and use.kind in ("call", "method")), None)
    if made is not None:
        context.report("MP107", _UNCHECKED, made.node, api=made.name, risk="silent", advice="look at the parameters before the distribution is made", mark=True)


def _handled(node: ast.Try | ast.With) -> Iterator[ast.expr | None]:
    """The classes that a statement catches, None for all, but those of handlers that end in raising, and that speak of memory."""
    yield from (handler.type for handler in _meeting(node))
    for call in _suppressing(node):
        yield from call.args


def _suppressing(node: ast.Try | ast.With) -> Iterator[ast.Call]:
    """The calls in ``with contextlib.suppress(…):``."""
    for item in node.items if isinstance(node, ast.With) else ():
        match item.context_expr:
            case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress")) as call:
                yield call


def _meeting(node: ast.Try | ast.With) -> list[ast.ExceptHandler]:
    return [h for h in node.handlers if not isinstance(h.body[-1], ast.Raise) and not _about_memory(h)] if isinstance(node, ast.Try) else []


def _computes(name: str) -> bool:
    return name.startswith(_FAMILIES) or (name.count(".") == 1 and name.rpartition(".")[2].islower() and name not in _NO_OPERATIONS)


def _may_compute(context: Context, node: ast.AST) -> bool:
    """Whether it is an operator on tensors, or a call of a module, of something of the project's, or of something that a caller gave."""
    if isinstance(node, ast.BinOp):
        return any(v.is_tensor(context.facts.value(side)) for side in (node.left, node.right))
    if not isinstance(node, ast.Call):
        return False
    kinds = v.options(context.facts.value(node.func))
    return any(
        isinstance(kind, (v.ProjectFunction, v.ProjectInstance, v.ProjectClass, v.Bound)) or _is_torchs(kind) or isinstance(kind, v.Unknown) and isinstance(node.func, ast.Name)
        for kind in kinds
    )


def _is_torchs(kind: v.Value) -> bool:
    return isinstance(kind, v.Instance) and kind.cls.startswith("torch.nn.")


def _widen(context: Context, kind: ast.expr) -> None:
    name = context.definition(RAISED, NAME)
    start, end = context.editing.span(kind)
    text = context.editing.current(start, end)
    context.editing.replace(start, end, f"{name}({text})")


def _resume(context: Context, handler: ast.ExceptHandler) -> None:
    """`except errors_on_tape(…):`; a handler of everything names what it catches."""
    name = context.definition(ON_TAPE, TAPE_NAME)
    if handler.type is None:
        context.editing.insert(context.editing.span(handler)[0] + len("except"), f" {name}(BaseException)")
        return
    start, end = context.editing.span(handler.type)
    context.editing.replace(start, end, f"{name}({context.editing.current(start, end)})")


def _names(kind: ast.expr) -> list[str]:
    return [part.id for part in (kind.elts if isinstance(kind, ast.Tuple) else [kind]) if isinstance(part, ast.Name)]


def _about_memory(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(n, ast.Constant) and isinstance(n.value, str) and "memory" in n.value.lower() for n in ast.walk(handler))
