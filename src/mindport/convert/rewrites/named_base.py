"""``nn.Linear.__init__(self, …)``, ``nn.Module.train(self, mode)``: a base's method, called by the base's name.

What the base class itself has (its constructor, `forward`, `reset_parameters`) is called by the name that the base has after conversion. Every
other method of a module becomes what ``super()`` has: ``self.set_train(mode)`` inside of `set_train` would call itself without end. Classes that are
no modules (optimizers, schedules, data sets) have all of torch's methods themselves.
"""

from __future__ import annotations

import ast

from mindport.catalog import Entry
from mindport.convert.context import MODULE, Context
from mindport.convert.decide import is_plain, mindspore_base
from mindport.convert.uses import written
from mindport.inference import values as v
from mindport.inference.facts import Use

#: What a layer's class defines itself.
OWN = frozenset(("__init__", "forward", "reset_parameters", "reset_running_stats"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the base's name, or note the object that ``super()`` stands for."""
    named = {node: same_place for (node, _), same_place in uses.items()}
    for cls, ancestors in context.facts.ancestors.items():
        for method in cls.body if ancestors else ():
            if not isinstance(method, ast.FunctionDef) or not method.args.args:
                continue
            for call in ast.walk(method):
                entry = _base_of(context, call, method.args.args[0].arg, ancestors)
                if entry is None:
                    continue
                assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
                if MODULE in ancestors and call.func.attr not in OWN:
                    context.own_objects.add(id(call.args[0]))
                    continue
                for use in named.get(id(call), ()):
                    context.claimed.add(id(call))
                    context.record(use, "renamed", context.file.segment(call.func), f"{_name(context, entry)}.{call.func.attr}", entry)
                context.plan(call.func.value, lambda e=entry, n=call.func.value: context.editing.replace(*context.editing.span(n), _name(context, e)), last=True)  # type: ignore[misc]


def _base_of(context: Context, node: ast.AST, me: str, ancestors: tuple[str, ...]) -> Entry | None:
    """The class X of ``X.method(self, …)``, where the class around it derives from X."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name() | ast.Attribute() as base), args=[ast.Name(id=name), *_]) if name == me:
            value = context.facts.value(base)
            if isinstance(value, v.Api) and value.name in ancestors:
                return next((e for e in context.shared.catalog.find(value.name) if isinstance(e.node, ast.ClassDef)), None)
    return None


def _name(context: Context, entry: Entry) -> str:
    """The base as a list of bases has it."""
    base = mindspore_base(entry)
    return written(context, entry, base) if base is not None and is_plain(entry) else context.vendored_name(entry)
