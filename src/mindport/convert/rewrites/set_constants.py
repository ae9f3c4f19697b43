"""``torch.pi = torch.acos(torch.zeros(1)).item() * 2``: programs from before PyTorch 1.7 put the number there themselves.

The statement would name ``torch``, which the converted file does not import. Its value gets a name of the file, by which the file reads it on;
other uses of the constant keep PyTorch's own number, which such a value is but for its rounding, and that is told.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.torchfacts import lookup


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan assignments to PyTorch's own numbers as variables of the file."""
    used = {id(use.node) for same_place in uses.values() for use in same_place if use.kind != "store"}
    for statement in context.file.tree.body:
        if not (isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(target := statement.targets[0], ast.Attribute)):
            continue
        owner = context.facts.value(target.value)
        fact = lookup(f"{owner.name}.{target.attr}") if isinstance(owner, v.Api) else None
        if fact is None or (fact.kind, fact.record) != ("constant", "kfloat"):
            continue
        name = f"own_{target.attr}"
        while name in context.imports.bound:
            name += "_"
        context.imports.bound.add(name)
        why = f"{fact.name} = …: uses of {fact.name} keep PyTorch's own number"
        context.report("MP103", why, statement, api=fact.name, advice=f"read `{name}` where another number is meant")
        text = ast.unparse(target)
        # Behind the statement inference reads the file's own value there, which is no use of PyTorch's.
        reads = (n for n in context.file.nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load) and id(n) not in used and ast.unparse(n) == text)
        for node in (target, *reads):
            context.claim(node)
            context.plan(node, lambda t=node, n=name: context.editing.replace(*context.editing.span(t), n))  # type: ignore[misc]
