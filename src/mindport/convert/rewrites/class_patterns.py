"""``case nn.Embedding(num_embeddings=n):`` asks MindSpore's layer for its own name of the attribute (``vocab_size``).

Layers that only the vendored class answers for are vendored (`read_attributes.matched`), and have torch's names.
"""

from __future__ import annotations

import ast
import re

from mindport.convert.context import Context
from mindport.convert.read_attributes import needs_vendored, unanswered
from mindport.declare import Layout
from mindport.evidence import layer_attributes
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the names of attributes that patterns of layers' classes have."""
    classes = {id(use.node): use.name for use in context.facts.uses if use.kind == "check"}
    for node in context.file.nodes:
        if isinstance(node, ast.MatchClass) and node.kwd_attrs and id(node.cls) in classes:
            context.plan(node.cls, lambda n=node, c=classes[id(node.cls)]: _write(context, n, c), last=True)  # type: ignore[misc]


def _write(context: Context, node: ast.MatchClass, cls: str) -> None:
    before = node.cls
    for attribute, pattern in zip(node.kwd_attrs, node.kwd_patterns, strict=True):
        name = _name(context, node, f"{cls}.{attribute}")
        if name != attribute:
            start = context.editing.span(before)[1]
            end = context.editing.span(pattern)[0]
            found = re.search(rf"\b{attribute}\s*=\s*$", context.editing.text[start:end])
            if found is not None:
                context.editing.replace(start + found.start(), start + found.start() + len(attribute), name)
        before = pattern  # type: ignore[assignment]


def _name(context: Context, node: ast.MatchClass, api: str) -> str:
    """What MindSpore's layer calls an attribute; its own name where torch's is to stay."""
    attribute = api.rpartition(".")[2]
    found = context.shared.catalog.layer_attribute(api)
    outcome = layer_attributes.outcome(api)
    if found is None or needs_vendored(outcome):
        return attribute
    entry = found[0]
    if layer_attributes.is_lost(outcome) or attribute in entry.state and entry.state[attribute] is None and outcome != "plain":
        context.report("MP101", f"{api}: {unanswered(entry.name, attribute, 'attribute')}", node.cls, api=api)
        return attribute
    stored = entry.state.get(attribute)
    return stored.name if isinstance(stored, Layout) else stored or entry.attributes.get(attribute, attribute)
