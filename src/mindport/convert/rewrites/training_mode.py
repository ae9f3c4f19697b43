"""A torch module is born in training mode, a MindSpore cell in evaluation mode.

Where the project constructs a module outside of a module's methods, and the mode matters to it, the
construction gets ``.set_train()``, which reaches all cells inside: ``Net()`` → ``Net().set_train()``. So does a module
that no other holds: made in `forward` or in a method that runs after the construction (`made_later`), or kept in a plain list or dict. A class that
ends in evaluation mode by its own ``__init__`` stays as it is born. A container of
modules that were made before leaves them their mode: what is made in its call gets its own.

So does one whose class a name, a table or a choice holds (``NORMS[kind](8)``); where what is called may be something else than a layer, too
(``norm=nn.BatchNorm2d`` of a function), all cells are born in training mode by the vendored module.

In a project whose modules decide about their own mode (`own_modes`, `evaluated_parts`) ``.set_train()`` would undo what they decided: there the vendored
module has all cells born in training mode. So it has where a constructor runs modules already (`run_while_made`), where a construction is handed a module that was made before, and the project evaluates anything,
and where the project asks modules for their mode (`asked_modes`) and makes some that none of this reaches: ``nn.Linear(2, 2)``, ``nn.Sequential(*layers)``.
"""

from __future__ import annotations

import ast

from mindport.convert.asked_modes import asks_any_mode, asks_modes
from mindport.convert.context import MODULE, Context
from mindport.convert.evaluated_parts import evaluates_anything, evaluates_itself, holds_module, keeps_modes
from mindport.convert.made_later import made_later
from mindport.convert.own_modes import Files
from mindport.convert.rewrites.unseen_births import KNOWLEDGE, SETTING
from mindport.convert.run_while_made import runs_while_made
from mindport.convert.training.holding import is_plain_loss
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Use

#: Library layers that compute something else in training, or hold layers that may.
MODE_MATTERS = frozenset(
    f"torch.nn.{name}"
    for name in (
        "Sequential", "ModuleList", "ModuleDict", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout",
        "FeatureAlphaDropout", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm", "InstanceNorm1d", "InstanceNorm2d",
        "InstanceNorm3d", "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d", "LazyInstanceNorm1d", "LazyInstanceNorm2d",
        "LazyInstanceNorm3d", "RReLU", "RNN", "LSTM", "GRU", "MultiheadAttention", "Transformer", "TransformerEncoder",
        "TransformerEncoderLayer", "TransformerDecoder", "TransformerDecoderLayer",
    )
) | {"torch.nn.modules.batchnorm._BatchNorm", "torchvision.ops.StochasticDepth", "torchvision.ops.MLP", "torchvision.ops.Conv2dNormActivation", "torchvision.ops.Conv3dNormActivation", "timm.layers.DropPath", "timm.layers.Mlp"}  # fmt: skip

#: Functions that make a layer's weight depend on the mode, and give the layer back.
NORMALISING = frozenset(("torch.nn.utils.spectral_norm", "torch.nn.utils.parametrizations.spectral_norm"))

CONTAINERS = frozenset(("torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict"))
LAYERS = ("torch.nn.", "torchvision.ops.", "timm.layers.", "timm.loss.")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan ``.set_train()`` on constructions in functions and at module level."""
    named = {node: same_place[0].name for (node, _), same_place in uses.items() if same_place[0].kind == "call"}
    doubtful = set()
    for node in context.file.nodes:
        if isinstance(node, ast.Call) and id(node) not in named:
            name, alone = _held_classes(context, node)
            if name:
                named[id(node)] = name
            if name and not alone:
                doubtful.add(id(node))
    kept = context.once(keeps_modes) or context.once(_has_modes) and context.once(runs_while_made)
    for node in context.file.nodes:
        if not isinstance(node, ast.Call):
            continue
        matters = _mode_matters(context, node, named) and not evaluates_itself(context.facts, node)
        if not matters and not (_is_layer(named.get(id(node), "")) and context.once(asks_modes)):
            continue
        outermost = not _set_from_outside(context, node, named)
        if matters and kept or outermost and (not matters or id(node) in doubtful or _is_handed_a_module(context, node, named)):
            context.runs(context.shared.catalog.modules[KNOWLEDGE], SETTING)
        elif outermost:
            context.plan(node, lambda n=node: _set_train(context, n), last=True)  # type: ignore[misc]


def _has_modes(files: Files) -> bool:
    """Whether anything that the project makes computes something else in training."""
    return asks_any_mode(files) or any(use.name in MODE_MATTERS - CONTAINERS or is_of_models(use.name) for _, facts in files for use in facts.uses)


def _held_classes(context: Context, node: ast.Call) -> tuple[str, bool]:
    """The layer that a call makes whose class a name, a table or a choice holds (``NORMS[kind](c)``), of several the one whose mode matters, and whether nothing else is made."""
    kinds = [k.function if isinstance(k, v.Partial) else k for k in v.options(context.facts.value(node.func))]
    names = [k.name for k in kinds if isinstance(k, v.Api) and k.name.startswith(LAYERS) and k.name.rpartition(".")[2][:1].isupper()]
    projects = sum(isinstance(k, v.ProjectClass) and MODULE in k.scope.ancestors for k in kinds)
    return max(names, key=MODE_MATTERS.__contains__, default=""), len(names) + projects == len(kinds)


def _mode_matters(context: Context, node: ast.Call, named: dict[int, str]) -> bool:
    name = named.get(id(node), "")
    if name in CONTAINERS:
        return all(_is_made(context, part, named) for part in [*node.args, *(k.value for k in node.keywords)])
    if name in NORMALISING:
        return bool(node.args) and _is_made(context, node.args[0], named)
    return name in MODE_MATTERS or is_of_models(name) or _is_project_module(context, node)


def _is_layer(name: str) -> bool:
    """Whether a name is a layer's or container's of the library, and no loss."""
    return name.startswith(LAYERS) and MODULE in torchfacts.ancestors(name) and not is_plain_loss(name)


def is_of_models(name: str) -> bool:
    """Whether a name is a class of another library's networks: ``torchvision.models.ResNet``."""
    return not name.startswith(LAYERS) and MODULE in torchfacts.ancestors(name)


def _is_made(context: Context, node: ast.expr, named: dict[int, str]) -> bool:
    """Whether an argument holds nothing but modules that it makes."""
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Dict(values=parts):
            return all(isinstance(part, ast.Constant) or _is_made(context, part, named) for part in parts)
        case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part) | ast.DictComp(value=part) | ast.Starred(value=part):
            return _is_made(context, part, named)
        case ast.Call(func=ast.Name(id="OrderedDict"), args=parts):
            return all(_is_made(context, part, named) for part in parts)
        case ast.Call():
            name = named.get(id(node), "")
            return name.startswith("torch.nn.") or is_of_models(name) or torchfacts.gives_module(name) or _is_project_module(context, node)
    return False


def _is_handed_a_module(context: Context, node: ast.Call, named: dict[int, str]) -> bool:
    """Whether a construction gets a module that it does not make itself, in a project that evaluates some: ``Distiller(teacher, Student())``."""
    given = [part for part in [node.func, *node.args, *(k.value for k in node.keywords)] if not _is_made(context, part, named)]
    return any(_holds_module(context, part) for part in given) and context.once(evaluates_anything)


def _holds_module(context: Context, node: ast.expr) -> bool:
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Dict(values=parts):
            return any(_holds_module(context, part) for part in parts)
        case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part) | ast.DictComp(value=part) | ast.Starred(value=part):
            return _holds_module(context, part)
    return holds_module(context.facts.value(node))


def _is_project_module(context: Context, node: ast.Call) -> bool:
    """Whether a call makes a module of the project, of whichever class: ``Net()``, ``chosen(name)()``, ``partial(Net, 3)()``."""
    kinds = [k.function if isinstance(k, v.Partial) else k for k in v.options(context.facts.value(node.func))]
    return bool(kinds) and all(isinstance(k, v.ProjectClass) and MODULE in k.scope.ancestors for k in kinds)


def _set_from_outside(context: Context, node: ast.AST, named: dict[int, str]) -> bool:
    """Whether a module made around this one, or the class that holds it, sets the mode of all inside."""
    current = context.parents.get(id(node))
    inner = node
    while current is not None:
        if isinstance(current, ast.ClassDef) and MODULE in context.facts.ancestors.get(current, ()):
            return isinstance(inner, ast.FunctionDef)  # what the class itself has is no part of its modules: ``class Net(nn.Module): drop = nn.Dropout()``
        if isinstance(current, ast.Call) and _mode_matters(context, current, named) and inner is not current.func:
            return True
        if isinstance(current, ast.FunctionDef) and (current.name == "forward" or id(current) in context.once(made_later)):
            return False
        if isinstance(current, ast.stmt) and _kept_aside(context, current, inner):
            return False
        inner, current = current, context.parents.get(id(current))
    return False


def _kept_aside(context: Context, statement: ast.stmt, value: ast.AST) -> bool:
    """Whether the statement puts what it makes into a plain list or dict of an object: ``self.layers += [Layer()]``."""
    match statement:
        case ast.Assign(targets=[ast.Attribute()], value=ast.List() | ast.Tuple() | ast.Dict() | ast.ListComp() | ast.DictComp() | ast.BinOp()):
            return True
        case ast.Assign(targets=[ast.Attribute() as kept], value=ast.Call()):
            pass  # tuple(Layer() for _ in range(2)), dict(a=Layer())
        case ast.AugAssign(target=ast.Attribute() as kept) | ast.Assign(targets=[ast.Subscript(value=ast.Attribute() as kept)]):
            pass
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Attribute() as kept, attr="append" | "insert" | "extend"))):
            pass
        case _:
            return False
    kinds = v.options(context.facts.value(kept))
    return bool(kinds) and all(isinstance(kind, v.Sequence | v.Mapping) for kind in kinds)


def _set_train(context: Context, node: ast.Call) -> None:
    start, end = context.editing.span(node)
    parent = context.parents.get(id(node))
    if isinstance(parent, ast.Attribute) and parent.attr in ("set_train", "train", "eval"):
        return  # the next call sets the mode anyway
    context.editing.replace(start, end, context.editing.current(start, end) + ".set_train()")
