"""Gradients that are read of parameters whose owner a step does not know.

Where no optimizer says whose gradients are wanted, they are taken of the modules' parameters; what no module counts among them and no optimizer names
(``net.w.grad`` of a plain tensor, ``net.layers[0].weight.grad`` of a plain list, ``Net.head.weight.grad``) has its own on the tape.
Where an optimizer holds a part of a module (``SGD(net.head.parameters())``), a program that clips or reads the gradients of the whole
(``clip_grad_norm_(net.parameters(), 1)``) finds those of the rest, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.convert.context import MODULE, Context
from mindport.convert.instances import is_instance_of
from mindport.convert.own_modes import Files
from mindport.convert.training.chosen_parameters import are_chosen
from mindport.convert.training.names import key, own_nodes
from mindport.inference import values as v
from mindport.inference.facts import Facts

_OPTIMIZER = "torch.optim.Optimizer"
_PARAMETERS = ("parameters", "named_parameters")


def held_outside(context: Context, scope: ast.AST, given: bool) -> ast.Attribute | None:
    """The first such reading of a function, or of the module's own statements. `given`: whether what an optimizer may hold does not count."""
    read = [n for n in own_nodes(scope) if isinstance(n, ast.Attribute) and n.attr == "grad" and isinstance(n.ctx, ast.Load)]
    rows = _plain_rows(context, scope) if read else {}
    for node in read:
        leaf = node.value
        row = rows.get(leaf.id) if isinstance(leaf, ast.Name) else None
        held = row is not None or _is_plain_leaf(context.facts, leaf) or _passes_plain_holder(context, leaf)
        if held and not (given and is_given(context.files, row or leaf)):
            return node
    return None


def _plain_rows(context: Context, scope: ast.AST) -> dict[str, ast.Attribute]:
    """Names that a loop or comprehension gives the tensors of a module's plain list: ``for w in net.weights``."""
    found = {}
    for node in own_nodes(scope):
        if isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Attribute) and _is_plain_row(context, node.iter):
            found[node.target.id] = node.iter
    return found


def _is_plain_row(context: Context, node: ast.Attribute) -> bool:
    kinds = v.options(context.facts.value(node))
    return _is_of_module(context.facts, node) and bool(kinds) and all(isinstance(k, v.Sequence) and v.is_tensor(v.element_of(k)) for k in kinds)


def _is_plain_leaf(facts: Facts, node: ast.expr) -> bool:
    """Whether it is a tensor that a module has as it has any attribute."""
    kinds = v.options(facts.value(node))
    return isinstance(node, ast.Attribute) and _is_of_module(facts, node) and bool(kinds) and all(isinstance(k, v.TensorValue) and not k.parameter for k in kinds)


def _passes_plain_holder(context: Context, node: ast.expr) -> bool:
    """Whether the way to it leads through a module's plain list, dict or object, or through a class."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        holder = node.value
        kinds = v.options(context.facts.value(holder))
        if isinstance(node, ast.Subscript):
            if isinstance(holder, ast.Attribute) and _is_of_module(context.facts, holder) and all(isinstance(k, v.Sequence | v.Mapping) for k in kinds):
                return True
        elif all(isinstance(k, v.ProjectClass) and MODULE in k.scope.ancestors for k in kinds):
            return key(holder) is not None
        elif isinstance(holder, ast.Attribute) and _is_of_module(context.facts, holder) and all(isinstance(k, v.ProjectInstance) and MODULE not in k.cls.scope.ancestors for k in kinds):
            return True
        node = holder
    return False


def _is_of_module(facts: Facts, node: ast.Attribute) -> bool:
    kinds = v.options(facts.value(node.value))
    return bool(kinds) and all(isinstance(k, v.ProjectInstance) and MODULE in k.cls.scope.ancestors for k in kinds)


def is_given(files: Files, leaf: ast.expr) -> bool:
    """Whether an optimizer of the project may hold it: what makes one, or adds to one, names an attribute on the way to it (``SGD(net.layers[0].parameters())``)."""
    way = {part.attr for part in ast.walk(leaf) if isinstance(part, ast.Attribute)}
    return any(way & {part.attr for part in _given(facts, node) if isinstance(part, ast.Attribute)} for file, facts in files for node in file.nodes)


def given_leaf(files: Files) -> ast.Attribute | None:
    """A plain tensor of a module that an optimizer of the project is given (``SGD([net.w])``): on the tape it is one of its parameters."""
    return next((p for file, facts in files for node in file.nodes for p in _given(facts, node) if isinstance(p, ast.Attribute) and _is_plain_leaf(facts, p)), None)


def _given(facts: Facts, node: ast.AST) -> Iterator[ast.AST]:
    """All that stands in the arguments of a call that makes an optimizer, or adds to one."""
    if isinstance(node, ast.Call) and (_makes_optimizer(facts, node) or (isinstance(node.func, ast.Attribute) and node.func.attr == "add_param_group")):
        for argument in (*node.args, *node.keywords):
            yield from ast.walk(argument)


def hold_parts(files: Files) -> bool:
    """Whether an optimizer of the project is made of the parameters of a module that another one holds, or of some of a module's."""
    making = {name for file, facts in files for node in file.nodes if isinstance(node, ast.FunctionDef | ast.ClassDef) for name in _handing_on(facts, node)}
    for file, facts in files:
        for node in file.nodes:
            if isinstance(node, ast.Call) and _makes_optimizer(facts, node) and _takes_part(facts, file.tree, node):
                return True
            if isinstance(node, ast.Call) and (key(node.func) or "").rpartition(".")[2] in making and any(are_chosen(facts, file.tree, one) for one in node.args):
                return True
    return False


def _handing_on(facts: Facts, node: ast.FunctionDef | ast.ClassDef) -> Iterator[str]:
    """The name of a function that makes an optimizer of its argument (``def make(params): return SGD(params, lr=0.1)``), or of a class whose constructor does."""
    methods = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"] if isinstance(node, ast.ClassDef) else [node]
    for method in methods:
        taken = {argument.arg for argument in (*method.args.posonlyargs, *method.args.args)}
        for call in ast.walk(method):
            if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Name) and call.args[0].id in taken and _makes_optimizer(facts, call):
                yield node.name


def _takes_part(facts: Facts, tree: ast.AST, made: ast.Call) -> bool:
    given = [*made.args[:1], *(k.value for k in made.keywords if k.arg == "params")]
    return any(_of_part(facts, part) for part in ast.walk(made)) or any(are_chosen(facts, tree, one) for one in given)


def _makes_optimizer(facts: Facts, node: ast.Call) -> bool:
    return any(is_instance_of(made, {_OPTIMIZER}) for made in v.options(facts.value(node)))


def _of_part(facts: Facts, node: ast.AST) -> bool:
    """``net.head.parameters()``, ``net[1].parameters()``."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Attribute(value=whole) | ast.Subscript(value=whole), attr=method)):
            return method in _PARAMETERS and _is_module(facts, whole)
    return False


def reads_wholes(files: Files) -> bool:
    """Whether some function of the project clips or reads gradients by modules."""
    return any(read_wholes(facts, scope) for file, facts in files for scope in (file.tree, *(n for n in file.nodes if isinstance(n, ast.FunctionDef))))


def read_wholes(facts: Facts, scope: ast.AST) -> list[ast.expr]:
    """The modules of a function whose parameters' gradients it clips or reads, each once."""
    nodes = list(own_nodes(scope))
    reads = [n.value for n in nodes if isinstance(n, ast.Attribute) and n.attr == "grad"]
    found = [_whole(facts, node) for node in reads]
    for node in nodes:
        asks = isinstance(node, ast.Call) and (key(node.func) or "").rpartition(".")[2].startswith("clip_grad")
        rows: list[ast.AST] = [*node.args[:1]] if isinstance(node, ast.Call) and asks else [node.iter] if reads and isinstance(node, (ast.For, ast.comprehension)) else []
        found += [_whole(facts, p.func.value) for row in rows for p in ast.walk(row) if isinstance(p, ast.Call) and isinstance(p.func, ast.Attribute) and p.func.attr in _PARAMETERS]
    return list({ast.unparse(node): node for node in found if node is not None}.values())


def _whole(facts: Facts, node: ast.expr) -> ast.expr | None:
    """The outermost module on the way to a parameter: ``net`` of ``net.body.weight``."""
    found = None
    current: ast.expr | None = node
    while current is not None:
        if key(current) is not None and _is_module(facts, current):
            found = current
        current = current.value if isinstance(current, (ast.Attribute, ast.Subscript)) else None
    return found


def _is_module(facts: Facts, node: ast.expr) -> bool:
    kinds = [kind for kind in v.options(facts.value(node)) if isinstance(kind, v.Instance | v.ProjectInstance)]
    return bool(kinds) and all(is_instance_of(kind, {MODULE}) for kind in kinds)
