"""Findings for the declared differences that a use hits, or may hit."""

from __future__ import annotations

from collections.abc import Sequence

from mindport.catalog import Entry
from mindport.convert.bind import Binding
from mindport.convert.context import Context
from mindport.convert.decide import depends_on_data, differences, settled_on_tape
from mindport.convert.dropped_values import goes_nowhere
from mindport.convert.in_place import is_settled
from mindport.convert.unusual_inputs import is_rare, kinds_made
from mindport.declare import Difference
from mindport.inference.facts import Use


def report_differences(context: Context, use: Use, entry: Entry, binding: Binding | None, seen: Sequence[Difference] = (), vendored: bool = False) -> None:
    """`binding` is None where the API is only named: then its arguments, which are not known, say nothing. `seen`: what carried constants show."""
    found = differences(entry, binding, context.look, vendored)
    if found and use.kind == "attribute" and goes_nowhere(context, use.node):
        return
    declared = [difference for difference, _ in found]
    for difference, certain in [*found, *((extra, False) for extra in seen if extra not in declared)]:
        if use.kind == "value" and difference.when is not None and not depends_on_data(difference):
            continue
        if context.on_tape and settled_on_tape(difference):
            continue
        if difference.when == "inplace" and is_settled(context, use, binding):
            continue
        if not certain and depends_on_data(difference) and difference not in seen:
            if (use.name, difference.what) in context.shared.told:
                continue
            context.shared.told.add((use.name, difference.what))
        code = "MP109" if difference.when == "inplace" else "MP103"
        context.report(
            code, f"{use.name}: {difference.what}", use.node, api=use.name, risk=difference.risk,
            certainty="certain" if certain and use.certainty == "certain" else "likely", rare=not certain and is_rare(difference, context.once(kinds_made)) and difference not in seen,
        )  # fmt: skip
