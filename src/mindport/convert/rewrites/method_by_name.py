"""``getattr(x, name)()`` on a tensor: MindSpore's method of that name has other defaults, or is not there.

A constant name becomes the equivalent, bound to the tensor: ``partial(tensor_std, x)()``; of something unknown it is the choice made when the program runs. Of another name it is one of the
methods that the project's texts name (`module_values`); where they name none, the place is reported.
``operator.methodcaller("std", 1)`` is the same question: it becomes a lambda of the equivalent; where it is not called on a tensor at once, of the
choice that is made when the program runs (``lambda it: method(it, "std", tensor_std)(1)``).
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from mindport.catalog import Entry
from mindport.convert.choice import KNOWLEDGE as CHOICE
from mindport.convert.context import Context
from mindport.convert.effects import effect
from mindport.convert.module_values import members
from mindport.convert.printing import quote_inside
from mindport.convert.told_differences import report_differences
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.overlays.libraries import OF_ARRAYS, OF_BUILTINS, OF_MANY

OWNER = "torch.Tensor"
_METHOD_CALLER = v.Api("operator.methodcaller")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the edits of every ``getattr`` of a tensor with a name that is, or may be, a method's."""
    for node in context.file.nodes:
        match node:
            case ast.Call(func=ast.Name(id="getattr"), args=[target, name], keywords=[]) if v.is_tensor(context.facts.value(target)):
                _plan(context, node, target, name)
            case ast.Call(func=ast.Name(id="getattr"), args=[target, ast.Constant(value=str(name))], keywords=[]) if _only_torchs(context, target, name):
                _report_named(context, node, name)
            case ast.Call(func=ast.Name(id="getattr"), args=[target, ast.Constant(value=str(name))], keywords=[]) if _may_be_tensors(context, node, target, name):
                found = members(context.shared.catalog, OWNER, frozenset((name,)))
                if found:
                    _tell(context, node, name, found[name])
                    context.plan(node, lambda n=node, t=target, m=name, e=found[name]: _write_choice(context, n, t, m, e), last=True)  # type: ignore[misc]
            case ast.Call(args=[ast.Constant(value=str(name)), *_]) if _METHOD_CALLER in v.options(context.facts.value(node.func)):
                if torchfacts.member(OWNER, name) is not None and (name not in OF_BUILTINS or _on_tensor(context, node)):
                    _plan_caller(context, node, name)


def _unknown(context: Context, target: ast.expr) -> bool:
    """Whether nothing is known of the receiver but that it may be a tensor (a parameter whose default is one)."""
    return all(isinstance(kind, v.Unknown) and not kind.origin or v.is_tensor(kind) for kind in v.options(context.facts.value(target)))


def _only_torchs(context: Context, target: ast.expr, name: str) -> bool:
    """Whether a method in place is read from something unknown: only torch's tensors have such names, and MindSpore's lack most."""
    return _unknown(context, target) and name.endswith("_") and not name.startswith("_") and torchfacts.member(OWNER, name) is not None


def _may_be_tensors(context: Context, node: ast.Call, target: ast.expr, name: str) -> bool:
    """Whether a method that tensors have, and little else, is read from something unknown and called at once."""
    call = context.parents.get(id(node))
    if not (_unknown(context, target) and isinstance(call, ast.Call) and call.func is node) or name.startswith("_"):
        return False
    tensor = any(map(v.is_tensor, v.options(context.facts.value(target))))
    if name in OF_BUILTINS | OF_ARRAYS | OF_MANY and not tensor:
        return False
    return torchfacts.member(OWNER, name) is not None and torchfacts.member("torch.nn.Module", name) is None


def _write_choice(context: Context, node: ast.Call, target: ast.expr, name: str, entry: Entry) -> None:
    """``method(x, "tril", tril)``: decided when the program runs."""
    quote = quote_inside(node, context.parents, lambda outer: context.file.segment(outer)) or '"'
    receiver = context.editing.current(*context.editing.span(target))
    context.editing.replace(*context.editing.span(node), f"{context.definition(CHOICE, 'method')}({receiver}, {quote}{name}{quote}, {context.vendored_name(entry)})")


def _tell(context: Context, node: ast.Call, name: str, entry: Entry) -> None:
    """Say what is declared of the method, of whose arguments nothing is looked at."""
    report_differences(context, Use(node, f"{OWNER}.{name}", "value", "certain", ""), entry, None)


def _report_named(context: Context, node: ast.Call, name: str) -> None:
    context.report(
        "MP107", f"a method is called by its name: MindSpore's {name} may have other parameters and defaults, or be absent", node,
        mark=True, advice=f"write a lambda that calls it (`lambda x: x.{name}(…)`)",
    )  # fmt: skip


def _plan_caller(context: Context, node: ast.Call, name: str) -> None:
    call = context.parents.get(id(node))
    given = [*node.args[1:], *(k.value for k in node.keywords)]
    found = members(context.shared.catalog, OWNER, frozenset((name,)))
    at_once = isinstance(call, ast.Call) and call.func is node
    on_tensor = _on_tensor(context, node)
    free = all(effect(a) == "constant" or at_once and effect(a) != "effect" for a in given)
    if not found or not free or (name.endswith("_") and not on_tensor):
        _report_named(context, node, name)
        return
    _tell(context, node, name, found[name])
    context.plan(node, lambda: _write_caller(context, node, name, found[name], on_tensor), last=True)


def _on_tensor(context: Context, node: ast.Call) -> bool:
    """Whether ``operator.methodcaller(…)`` is called at once on a tensor."""
    call = context.parents.get(id(node))
    return isinstance(call, ast.Call) and call.func is node and len(call.args) == 1 and v.is_tensor(context.facts.value(call.args[0]))


def _write_caller(context: Context, node: ast.Call, name: str, entry: Entry, on_tensor: bool) -> None:
    """``lambda it: std(it, 1)``, in brackets: it is called."""
    texts = [context.editing.current(*context.editing.span(part)) for part in (*node.args[1:], *node.keywords)]
    called = f"{context.vendored_name(entry)}({', '.join(['it', *texts])})"
    if not on_tensor:
        quote = quote_inside(node, context.parents, lambda outer: context.file.segment(outer)) or '"'
        called = f"{context.definition(CHOICE, 'method')}(it, {quote}{name}{quote}, {context.vendored_name(entry)})({', '.join(texts)})"
    context.editing.replace(*context.editing.span(node), f"(lambda it: {called})")


def _plan(context: Context, node: ast.Call, target: ast.expr, name: ast.expr) -> None:
    options = v.options(context.facts.value(name))
    texts = {o.value for o in options if isinstance(o, v.Const) and isinstance(o.value, str)}
    known = bool(texts) and len(texts) == len(options)
    found = members(context.shared.catalog, OWNER, frozenset(texts) if known else context.shared.words)
    if known and not found:
        return  # attributes, and methods that the project adds
    if not found:
        context.report(
            "MP105", "which method of a tensor this is shows at run time: MindSpore's of that name may have other defaults, or be absent",
            node, mark=True, advice="write the call for each name that can occur",
        )  # fmt: skip
        return
    if known and len(texts) == 1:
        ((text, entry),) = found.items()
        _tell(context, node, text, entry)
        context.plan(node, lambda: _write(context, node, target, lambda: context.vendored_name(entry)), last=True)
        return
    context.report(
        "MP103", f"a method chosen by name is one of {', '.join(found)}, which the project's texts name, or fails", node, risk="loud"
    )
    context.plan(node, lambda: _write(context, node, target, lambda: _chosen(context, found, name)), last=True)


def _chosen(context: Context, found: dict[str, Entry], name: ast.expr) -> str:
    kind = context.imports.local("types", "SimpleNamespace", "SimpleNamespace")
    given = ", ".join(f"{text}={context.vendored_name(entry)}" for text, entry in found.items())
    return f"getattr({kind}({given}), {context.editing.current(*context.editing.span(name))})"


def _write(context: Context, node: ast.Call, target: ast.expr, function: Callable[[], str]) -> None:
    bound = context.imports.local("functools", "partial", "partial")
    text = function()
    context.editing.replace(*context.editing.span(node), f"{bound}({text}, {context.editing.current(*context.editing.span(target))})")
