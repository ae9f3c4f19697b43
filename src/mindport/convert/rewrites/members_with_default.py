"""``getattr(x, "children", lambda: ())()`` of a module, or of something unknown: ``member_or(x, "children", lambda: (), None, children)()``.

MindSpore's cells and tensors lack methods that torch's have: the default would be taken, and what hangs on it left out without a word, as behind `asked_members`.
"""

from __future__ import annotations

import ast

from mindport.catalog import Entry
from mindport.convert.choice import KNOWLEDGE
from mindport.convert.context import MODULE, Context
from mindport.convert.module_values import members
from mindport.convert.rewrites.asked_members import CLASSES, is_open, is_setting, lacks
from mindport.inference import values as v
from mindport.inference.facts import Use


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the edit of every such place."""
    if KNOWLEDGE not in context.shared.catalog.modules or not context.beside_torch():
        return
    for node in context.file.nodes:
        match node:
            case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str(name)), _], keywords=[]) if not is_setting(owner) and _may_lack(context, owner, name):
                wanted = [theirs for theirs, ours, _ in CLASSES if lacks(context, theirs, ours, name)]
                found = {theirs: members(context.shared.catalog, theirs, frozenset((name,))).get(name) for theirs in wanted}
                if any(found.values()):
                    context.plan(node, lambda n=node, f=found: _write(context, n, f), last=True)  # type: ignore[misc]
                elif wanted:
                    context.report(
                        "MP107", f"MindSpore's {' and '.join(theirs.rpartition('.')[2] for theirs in wanted)} have no `{name}`: of one the default is taken", node,
                        mark=True, advice="write what the method does",
                    )  # fmt: skip


def _may_lack(context: Context, owner: ast.expr, name: str) -> bool:
    """Whether a module or a tensor may be asked that has the method by torch's class alone."""
    return any((is_open(kind) or v.is_tensor(kind)) and not _has_own(kind, name) for kind in v.options(context.facts.value(owner)))


def _has_own(kind: v.Value, name: str) -> bool:
    return isinstance(kind, v.ProjectInstance) and any(name in one.methods or name in one.stores for one in kind.cls.scope.mro)


def _write(context: Context, node: ast.Call, found: dict[str, Entry | None]) -> None:
    texts = [context.editing.current(*context.editing.span(part)) for part in node.args]
    given = [context.vendored_name(entry) if (entry := found.get(theirs)) is not None else "None" for theirs in ("torch.Tensor", MODULE)]
    if given[-1] == "None":
        del given[-1]
    context.editing.replace(*context.editing.span(node), f"{context.definition(KNOWLEDGE, 'member_or')}({', '.join([*texts, *given])})")
