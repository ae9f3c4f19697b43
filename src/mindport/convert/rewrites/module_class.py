"""``class Net(nn.Module)``: ``forward`` is ``construct`` in MindSpore, where it is defined, called, read and replaced (``layer.forward = wrapped``)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.context import MODULE, Context, Files
from mindport.convert.own_modes import own_modes
from mindport.convert.scopes import scope_of
from mindport.convert.training.names import own_nodes
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.overlays.libraries import is_torch_based
from mindport.inference.scopes import ClassScope

FUNCTION = "torch.autograd.Function"
#: Functions of Python's (`inspect`, `functools`, `types`) that take a function or a method.
TAKE_FUNCTIONS = frozenset(("signature", "getargspec", "getfullargspec", "getsource", "ismethod", "isfunction", "partial", "wraps", "update_wrapper", "get_type_hints"))
#: Methods of torch's Module that a subclass may define and MindSpore never calls.
OVERRIDDEN = {
    "train": "MindSpore calls set_train",
    "eval": "MindSpore calls set_train(False)",
    "_save_to_state_dict": "the vendored state_dict asks the cell itself; define state_dict instead",
}


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the renaming of forward in all module classes of the file, and of calls on module instances."""
    for node in context.facts.ancestors:
        if joins_module(context, node):
            _class(context, node)
    for part in context.file.nodes:
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)) and part.name == "forward" and _joins_by_decorator(context, part):
            rename(context, part, "forward", "construct")
        if isinstance(part, ast.Attribute) and part.attr == "forward":
            if _is_module(context, part.value):
                _as_construct(context, part)
            elif _may_be_module(context, part):
                _of_unknown(context, part)
        elif (named := _by_text(context, part)) is not None:
            _name_construct(context, part, named)
        elif (chosen := _by_chosen_text(context, part)) is not None:
            _tell_module_methods(context, part, chosen)
            if _may_be_forward(context, chosen):
                context.plan(part, lambda c=chosen: _write_chosen(context, c), last=True)  # type: ignore[misc]


def _as_construct(context: Context, method: ast.Attribute) -> None:
    end = context.editing.span(method)[1]
    context.editing.replace(end - len("forward"), end, "construct")


def _may_be_module(context: Context, method: ast.Attribute) -> bool:
    """``self.feature.forward(x)`` of what nothing is known: it is called, asked for its signature or replaced by a function, and no other library made it."""
    call = context.parents.get(id(method))
    called = isinstance(call, ast.Call) and (call.func is method or _asks_functions(call))
    if not called and not _is_replaced(context, method) and not _is_called_later(context, method):
        return False
    return _is_unknown(context, method.value)


def _is_unknown(context: Context, owner: ast.expr) -> bool:
    return any(isinstance(o, v.Unknown) and (not o.origin or is_torch_based(o.origin)) for o in v.options(context.facts.value(owner)))


def _asks_functions(call: ast.Call) -> bool:
    """``signature(layer.forward)``: what a function of Python's takes a function for."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""
    return name in TAKE_FUNCTIONS


def _is_called_later(context: Context, method: ast.Attribute) -> bool:
    """``self.call = layer.forward``, where the file calls that name."""
    statement = context.parents.get(id(method))
    if not isinstance(statement, ast.Assign) or statement.value is not method:
        return False
    kept = {target.attr if isinstance(target, ast.Attribute) else target.id for target in statement.targets if isinstance(target, ast.Attribute | ast.Name)}
    functions = (node.func for node in context.file.nodes if isinstance(node, ast.Call))
    return any((f.attr if isinstance(f, ast.Attribute) else f.id) in kept for f in functions if isinstance(f, ast.Attribute | ast.Name))


def _is_replaced(context: Context, method: ast.Attribute) -> bool:
    """Whether the function around gives the attribute another function: ``layer.forward = wrapped``."""
    owner = ast.dump(method.value)
    for statement in own_nodes(scope_of(context, method)):
        if isinstance(statement, ast.Assign) and not isinstance(statement.value, ast.Constant):
            for target in statement.targets:
                if isinstance(target, ast.Attribute) and target.attr == "forward" and ast.dump(target.value) == owner:
                    return True
    return False


def _by_text(context: Context, call: ast.AST) -> ast.Constant | None:
    """The text in ``setattr(layer, "forward", f)``, ``getattr`` and ``hasattr`` of a module, or of something unknown where modules alone have a forward."""
    match call:
        case ast.Call(func=ast.Name(id="setattr" | "getattr" | "hasattr" | "delattr"), args=[owner, ast.Constant(value="forward") as text, *_]):
            if _is_module(context, owner) or _is_unknown(context, owner) and not context.shared.once(_other_forwards):
                return text
    return None


def _name_construct(context: Context, call: ast.AST, text: ast.Constant) -> None:
    context.editing.replace(*context.editing.span(text), '"construct"')
    if isinstance(call, ast.Call) and not _is_module(context, call.args[0]):
        said = f"`{context.file.segment(call)}`: this may be a module's forward, which is construct in MindSpore, and is taken for one"
        context.report("MP105", said, call, api=f"{MODULE}.forward", risk="style", certainty="likely")


def _by_chosen_text(context: Context, call: ast.AST) -> ast.Name | ast.Attribute | None:
    """The name in ``getattr(net, how)``, whose text is chosen elsewhere."""
    match call:
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Name() | ast.Attribute() as name, *_]) if _is_module(context, owner):
            return name
    return None


def _may_be_forward(context: Context, name: ast.expr) -> bool:
    """Whether a name can be "forward": one of its texts, or where they are not known, one of the project's."""
    texts = _texts(context, name)
    return "forward" in (context.shared.words if texts is None else texts)


def _texts(context: Context, name: ast.expr) -> frozenset[str] | None:
    options = v.options(context.facts.value(name))
    found = frozenset(o.value for o in options if isinstance(o, v.Const) and isinstance(o.value, str))
    return found if len(found) == len(options) else None


def _write_chosen(context: Context, name: ast.expr) -> None:
    text = context.editing.current(*context.editing.span(name))
    context.editing.replace(*context.editing.span(name), f'"construct" if {text} == "forward" else {text}')


def _tell_module_methods(context: Context, call: ast.AST, name: ast.expr) -> None:
    """``getattr(net, mode)()`` of "train" and "eval": methods of torch's Module that cells do not have, or have with another meaning."""
    assert isinstance(call, ast.Call)
    own = {member for option in v.options(context.facts.value(call.args[0])) if isinstance(option, v.ProjectInstance) for scope in option.cls.scope.mro for member in scope.names}
    found = sorted(text for text in (_texts(context, name) or ()) if text not in own and text != "forward" and torchfacts.is_method(text) and torchfacts.member(MODULE, text) is not None)
    if found:
        context.report(
            "MP107", f"a module's method is called by a name that is chosen: {', '.join(found)} may be absent from MindSpore's cells", call,
            api=f"{MODULE}.{found[0]}", risk="loud", mark=True, advice="write the call for each name that can occur",
        )  # fmt: skip


def _of_unknown(context: Context, method: ast.Attribute) -> None:
    """The forward of what may be a module: that is all that has one, unless the project says otherwise."""
    others = context.shared.once(_other_forwards)
    if not others:
        _as_construct(context, method)
    said = f"and {', '.join(sorted(others)[:3])} of the project {'is' if len(others) == 1 else 'are'} none: it stays" if others else "and is taken for one"
    context.report(
        "MP105", f"`{context.file.segment(method)}`: this may be a module's forward, which is construct in MindSpore, {said}",
        method, api=f"{MODULE}.forward", risk="loud" if others else "style", certainty="likely",
    )  # fmt: skip


def _other_forwards(files: Files) -> frozenset[str]:
    """Classes of the project that define a forward, are no modules and are not joined with one."""
    return frozenset(
        node.name
        for file, facts in files
        for node in file.nodes
        if isinstance(node, ast.ClassDef)
        and not {MODULE, FUNCTION} & {*facts.ancestors.get(node, ()), *facts.mixed_into.get(node, ())}
        and any(isinstance(s, ast.FunctionDef) and s.name == "forward" for s in node.body)
    )


def _joins_by_decorator(context: Context, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """``@add_to_class(Net)`` above a function: it is set into the module class under its own name."""
    return any(
        isinstance(kind, v.ProjectClass) and MODULE in kind.scope.ancestors
        for decorator in function.decorator_list if isinstance(decorator, ast.Call)
        for argument in decorator.args for kind in v.options(context.facts.value(argument))
    )  # fmt: skip


def _class(context: Context, node: ast.ClassDef) -> None:
    for statement in _statements(node.body):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if statement.name == "forward":
                rename(context, statement, "forward", "construct")
            elif statement.name in OVERRIDDEN and id(statement) not in context.once(own_modes):
                context.report(
                    "MP107", f"{node.name} defines {statement.name}: {OVERRIDDEN[statement.name]}", statement,
                    api=f"{MODULE}.{statement.name}", risk="silent", mark=True,
                )  # fmt: skip
        elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr):
            for name in _own_names(statement):
                if name.id == "forward":
                    context.editing.replace(*context.editing.span(name), "construct")


def _own_names(node: ast.AST) -> Iterator[ast.Name]:
    """Names that a statement of a class body reads or binds in the class: ``f = forward``, not those inside a function of its own."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Name):
            yield child
        elif not isinstance(child, ast.Lambda):
            yield from _own_names(child)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a class, those in the branches of its own ``if`` and ``try`` statements too."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.If, ast.Try, ast.With)):
            for field in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(statement, field, []))
            for handler in getattr(statement, "handlers", []):
                yield from _statements(handler.body)


def rename(context: Context, function: ast.FunctionDef | ast.AsyncFunctionDef, old: str, new: str) -> None:
    """Write another name where a method is defined."""
    at = context.editing.text.index(old, context.editing.span(function)[0])
    context.editing.replace(at, at + len(old), new)


def _is_module(context: Context, receiver: ast.expr) -> bool:
    if is_super(receiver):
        return inside_module(context, receiver)
    value = context.facts.value(receiver)
    return any(_module_value(context, option) for option in v.options(value))


def _module_value(context: Context, value: v.Value) -> bool:
    match value:
        case v.ProjectInstance(cls=cls):
            return MODULE in cls.scope.ancestors
        case v.ProjectClass(scope=scope):
            return MODULE in scope.ancestors
        case v.Instance(cls=name) | v.Api(name=name):
            return any(entry.kind == "layer" for entry in context.shared.catalog.find(name))
    return False


def joins_module(context: Context, node: ast.ClassDef) -> bool:
    """Whether a class is a module, or one is made of it and a module."""
    return MODULE in context.facts.ancestors.get(node, ()) or MODULE in context.facts.mixed_into.get(node, ())


def is_module_scope(scope: ClassScope) -> bool:
    """`joins_module` of a class in any file."""
    return MODULE in scope.ancestors or MODULE in scope.module.facts.mixed_into.get(scope.node, ())


def is_super(node: ast.expr) -> bool:
    """Whether it is ``super()``."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def inside_module(context: Context, node: ast.AST) -> bool:
    """Whether the class around a node is a module, or one is made of it and a module."""
    current: ast.AST | None = node
    while current is not None:
        if isinstance(current, ast.ClassDef):
            return joins_module(context, current)
        current = context.parents.get(id(current))
    return False
