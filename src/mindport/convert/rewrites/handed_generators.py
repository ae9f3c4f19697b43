"""``nn.init.normal_(w, generator=g)``: forms that draw torch's own numbers of that generator; without one MindSpore draws from its global seed."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from mindport.catalog import Entry
from mindport.convert.context import Context, Files
from mindport.forms import OF_GENERATOR
from mindport.inference.facts import Use

#: The argument's name.
ARGUMENT = "generator"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Give calls that hand a generator over the name of the other form, and functions that are passed on, where some call of something unknown hands one over."""
    for same_place in uses.values():
        for place, use in enumerate(same_place):
            forms = context.shared.catalog.find(use.name + OF_GENERATOR)
            if not forms:
                continue
            if isinstance(use.node, ast.Call):
                wanted = _by_name(use.node) or _by_place(forms, use.node)
            else:
                wanted = use.kind == "value" and context.once(_handed_by_value)
            if wanted:
                same_place[place] = replace(use, name=use.name + OF_GENERATOR)


def _by_name(call: ast.Call) -> bool:
    return any(k.arg == ARGUMENT and not (isinstance(k.value, ast.Constant) and k.value.value is None) for k in call.keywords)


def _by_place(forms: Sequence[Entry], call: ast.Call) -> bool:
    """Whether the call gives as many arguments by place as there are parameters: the generator is the last one."""
    functions = (entry.callable for entry in forms)
    return any(function is not None and len(call.args) == len(function.args.args) and function.args.args[-1].arg == ARGUMENT for function in functions)


def _handed_by_value(project: Files) -> bool:
    """Whether a call of what is no API itself, which may be such a function under another name, hands a generator over."""
    return any(
        isinstance(node, ast.Call) and _by_name(node) and node not in known
        for file, facts in project for known in ({use.node for use in facts.uses},) for node in file.nodes
    )  # fmt: skip
