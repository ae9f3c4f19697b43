"""What a compiled step would do once, when it is compiled, and never again: draws of NumPy and Python, steps of iterators, files, clocks, notes in objects.

A graph takes for constant what Python computes without tensors (docs/differences/graphs.md). Draws of torch's are operators there, and go on.
Attributes that a function which the step calls stores (``self.calls += 1``) do not compile, nor what it enters (``with torch.enable_grad():``); those of
the step itself: `stored_results`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.convert.training.second_order import bodies, body_of
from mindport.inference import values as v
from mindport.inference.facts import Facts

#: What gives something else at each call, by the beginning of its name.
CHANGING = ("numpy.random.", "random.", "time.", "datetime.", "secrets.", "uuid.")
_BUILTINS = frozenset(("builtins.next", "builtins.input", "builtins.open", "builtins.iter"))
_LOADERS = "torch.utils.data."


def run_once(facts: Facts, nodes: Iterable[ast.AST], seen: set[int] | None = None) -> tuple[ast.AST, str] | None:
    """The first place, in the statements or what they call in the project, of this kind, and what it is as half a sentence."""
    called, seen = seen is not None, set() if seen is None else seen
    for node in nodes:
        for part in ast.walk(node):
            if called and isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and not _changes_tensor(facts, part):
                return part, f"`{ast.unparse(part)}` is stored"
            if called and isinstance(part, ast.With):
                return part, f"`with {ast.unparse(part.items[0])}` is entered"
            if isinstance(part, (ast.For, ast.comprehension)) and any(isinstance(o, v.Instance) and o.cls.startswith(_LOADERS) for o in v.options(facts.value(part.iter))):
                return part.iter, f"`{ast.unparse(part.iter)}` gives other data each time"
            if isinstance(part, ast.Call) and (found := _call(facts, part, seen)) is not None:
                return found
    return None


def _changes_tensor(facts: Facts, store: ast.Attribute) -> bool:
    """Whether ``t.data = …`` or ``t.grad = …`` is stored: what others say about changes of tensors holds there."""
    return v.is_tensor(facts.value(store.value))


def _call(facts: Facts, call: ast.Call, seen: set[int]) -> tuple[ast.AST, str] | None:
    for option in v.options(facts.value(call.func)):
        match option:
            case v.Api(name=name) | v.Bound(function=v.Api(name=name)) if name.startswith(CHANGING) or name in _BUILTINS:
                return call, f"`{ast.unparse(call.func)}` gives something else each time"
        for scope in bodies(option):
            if id(scope.node) not in seen:
                seen.add(id(scope.node))
                if (found := run_once(scope.module.facts, body_of(scope), seen)) is not None:
                    return call, found[1]
    return None
