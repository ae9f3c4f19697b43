"""``if hasattr(f, "parameters"):`` of something unknown: ``if isinstance(f, nn.Cell) or hasattr(f, "parameters"):``.

MindSpore's cells and tensors lack methods that torch's have: of a module the question would be answered with no, and what hangs on it left out without a word.
What is known to be a module or a tensor is answered when the program is converted (`asked_names`).
"""

from __future__ import annotations

import ast

from mindport.convert.context import MODULE, Context
from mindport.convert.rewrites.asked_names import asked
from mindport.convert.rewrites.module_class import is_module_scope
from mindport.convert.training.names import key
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.source.called import last_name

#: torch's class, and MindSpore's with what names it in a text.
CLASSES = ((MODULE, "mindspore.nn.Cell", ("mindspore", "nn", ".Cell")), ("torch.Tensor", "mindspore.Tensor", ("mindspore", "Tensor", "")))
#: What a program's settings are called: they have fields with any name, and are no module.
_SETTINGS = ("arg", "cfg", "conf", "opt", "param", "setting", "flag")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the questions."""
    if not context.beside_torch():
        return
    for node in context.file.nodes:
        match node:
            case ast.Call(func=ast.Name(id="hasattr"), args=[owner, ast.Constant(value=str(name))], keywords=[]) if asked(context, node)[1] is None and _may_be_one(context, owner):
                if lacking := [local for theirs, ours, local in CLASSES if lacks(context, theirs, ours, name)]:
                    context.plan(node, lambda n=node, o=owner, lacking=lacking: _write(context, n, o, lacking), last=True)  # type: ignore[misc]


def _may_be_one(context: Context, owner: ast.expr) -> bool:
    """Whether an expression that can be computed twice may be a module or a tensor, and something else."""
    return key(owner) is not None and not is_setting(owner) and any(map(is_open, v.options(context.facts.value(owner))))


def is_setting(owner: ast.expr) -> bool:
    """Whether an expression's name says that it holds a program's settings."""
    return last_name(owner).lower().startswith(_SETTINGS)


def is_open(kind: v.Value) -> bool:
    """Whether it may be a module or a tensor: a class that only others join with a module, too."""
    match kind:
        case v.Instance(cls=cls):
            return MODULE in (cls, *torchfacts.ancestors(cls))
        case v.ProjectInstance(cls=own):
            return is_module_scope(own.scope)
    return isinstance(kind, (v.Unknown, v.TensorValue))


def lacks(context: Context, theirs: str, ours: str, name: str) -> bool:
    """Whether torch's class has a method that MindSpore's lacks; `forward` has another name there."""
    found = torchfacts.member(theirs, name)
    return found is not None and found.kind == "function" and not name.startswith("_") and name != "forward" and context.shared.target.get(f"{ours}.{name}") is None


def _write(context: Context, node: ast.Call, owner: ast.expr, lacking: list[tuple[str, str, str]]) -> None:
    kinds = [context.imports.local(module, name, name) + rest for module, name, rest in lacking]
    held, start, end = context.editing.current(*context.editing.span(owner)), *context.editing.span(node)
    classes = kinds[0] if len(kinds) == 1 else f"({', '.join(kinds)})"
    text = f"isinstance({held}, {classes}) or {context.editing.current(start, end)}"
    alone = isinstance(above := context.parents.get(id(node)), ast.If | ast.While | ast.Assert) and above.test is node
    context.editing.replace(start, end, text if alone else f"({text})")
