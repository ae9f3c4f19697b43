"""``"batchnorm" in str(layer.__class__)`` and ``"torch.nn" in type(m).__module__``: a layer's class is looked for by its file, and MindSpore's has another one.

Where the function around holds a text that is part of what torch shows of a layer's class, torch's words are given. Elsewhere, as in messages, MindSpore's stay.
"""

from __future__ import annotations

import ast

from mindport.convert.class_identity import may_be_layer
from mindport.convert.context import Context
from mindport.convert.rewrites.class_name import owner_of_class, texts_around
from mindport.convert.scopes import scope_of
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.layers.class_texts"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the vendored `class_text` and `class_file` for what may be a layer's."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    for node in context.file.nodes:
        match node:
            case ast.Call(func=ast.Name(id="str" | "repr"), args=[shown], keywords=[]):
                owner, name = owner_of_class(shown), "class_text"
            case ast.Attribute(value=shown, attr="__module__", ctx=ast.Load()):
                owner, name = owner_of_class(shown), "class_file"
            case _:
                continue
        if owner is not None and may_be_layer(context.facts, owner, scope_of(context, node)) and _looked_for(context, node):
            context.plan(node, lambda n=node, o=owner, f=name: _write(context, n, o, f))  # type: ignore[misc]


def _looked_for(context: Context, node: ast.AST) -> bool:
    """Whether the function around holds a text that is part of what torch shows of a layer's class."""
    shown = _shown(context)
    return any(len(text) > 2 and any(text in one for one in shown) for text in texts_around(context, node))


def _shown(context: Context) -> list[str]:
    """Each layer as torch shows its class, as the table of knowledge has it: its files, and the names of layers."""
    table = context.shared.catalog.modules[KNOWLEDGE].definitions["FILES"]
    assert isinstance(table, ast.Assign)
    files = [f"<class 'torch.nn.{file}.'>" for file in ast.literal_eval(table.value)]
    return files + [n for e in context.shared.catalog.entries if e.kind == "layer" for n in e.names]


def _write(context: Context, node: ast.expr, owner: ast.expr, name: str) -> None:
    text = context.editing.current(*context.editing.span(owner))
    context.editing.replace(*context.editing.span(node), f"{context.definition(KNOWLEDGE, name)}({text})")
