"""``KINDS[name](8, momentum=None)``, ``make = nn.RNN`` … ``make(2, 3)``: what is declared of an API that something holds is said where it is called.

The text stays: what is called is the vendored function or class, which the place that names it brings. Where it is named, what data alone
decides is said (`uses._name`); here it is what the arguments show: that they are refused, or hit a declared difference.
"""

from __future__ import annotations

import ast

from mindport.convert.carried import shown
from mindport.convert.context import Context
from mindport.convert.site import site
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Report what the arguments of calls through names, tables and attributes show."""
    for use in context.facts.indirect:
        if use.kind != "call" or not isinstance(use.node, ast.Call):
            continue
        if any(isinstance(kind, v.Partial) for kind in v.options(context.facts.value(use.node.func))):
            continue  # some of its arguments stand elsewhere
        entries = [e for e in context.shared.catalog.find(use.name) if e.kind in ("function", "layer")]
        if len(entries) == 1:
            for difference in shown(site(use), entries[0], context.look, context.facts.value):
                context.report("MP103", f"{use.name}: {difference.what}", use.node, api=use.name, risk=difference.risk, certainty="likely")
