"""``x.add_(0.1, y)``, ``torch.addcmul(x, 0.1, y, z)``: calls that only the order of arguments before PyTorch 1.5 explains."""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.bind import Binding
from mindport.convert.context import Context
from mindport.convert.site import bind_site, site
from mindport.forms import FORMER_ORDER
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give such uses the name of the other form: none of the API's own signatures fits, and the form's does."""
    for same_place in uses.values():
        for place, use in enumerate(same_place):
            same_place[place] = in_its_order(context, use)


def in_its_order(context: Context, use: Use) -> Use:
    """The use, under the form's name where the form's signature is the one that fits."""
    if use.kind not in ("call", "method") or not isinstance(use.node, ast.Call):
        return use
    forms = context.shared.catalog.find(use.name + FORMER_ORDER)
    if forms and not _fits(use, use.name, context) and _fits(use, use.name + FORMER_ORDER, context):
        return replace(use, name=use.name + FORMER_ORDER)
    return use


def _fits(use: Use, name: str, context: Context) -> bool:
    return any(isinstance(bind_site(site(use), entry), Binding) for entry in context.shared.catalog.find(name))
