"""``super()._load_from_state_dict(…)`` in a module that edits keys before they are loaded: the vendored function, which
speaks torch's names, does what the base's method did. So does ``self._register_load_state_dict_pre_hook(self.rename)``, which no cell has under that name."""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.receiver import as_first_argument
from mindport.convert.rewrites.private_state import may_be_module
from mindport.inference.facts import Use

METHOD, HOOK = "_load_from_state_dict", "_register_load_state_dict_pre_hook"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the calls in the module classes of the file."""
    for cls, ancestors in context.facts.ancestors.items():
        if MODULE not in ancestors:
            continue
        for call in ast.walk(cls):
            if (
                isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == METHOD
                and isinstance(call.func.value, ast.Call) and isinstance(call.func.value.func, ast.Name) and call.func.value.func.id == "super"
            ):  # fmt: skip
                context.plan(call, lambda c=call: _write(context, c, METHOD))  # type: ignore[misc]
    for call in context.file.nodes:
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == HOOK and may_be_module(context, call.func.value):
            context.plan(call, lambda c=call: _write(context, c, HOOK))  # type: ignore[misc]


def _write(context: Context, call: ast.Call, method: str) -> None:
    name = context.vendored_name(context.shared.catalog.find(f"{MODULE}.{method}")[0])
    as_first_argument(context.editing, call, name, bool(call.args or call.keywords))
