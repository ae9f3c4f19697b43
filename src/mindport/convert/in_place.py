"""Whether the analysis of aliases has dealt with an ``inplace=True`` request, or nobody can see that it is dropped.

A call of a function is judged where it stands (`rewrites/in_place.py`). A layer is judged where it is called: through
the attribute of the object that holds it, at once, or behind the first one in a sequence: among its arguments, in its
ordered dictionary, added to it by name or to the list that it is made of, behind another one.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from mindport.convert.bind import Binding
from mindport.convert.context import Context, Files
from mindport.convert.decide import mindspore_base
from mindport.convert.instances import is_instance_of
from mindport.convert.scopes import class_around, scope_of
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.inference.overlays import storage
from mindport.source.walking import walk

#: The MindSpore cell that hands each of its cells the result of the one before.
SEQUENCE = "nn.SequentialCell"


def is_settled(context: Context, use: Use, binding: Binding | None) -> bool:
    """Whether no finding is due where the request is written."""
    if not any(entry.kind == "layer" for entry in context.shared.catalog.find(use.name)):
        return True
    return _is_judged(context, use.node)


def _is_judged(context: Context, node: ast.AST) -> bool:
    """Whether every call of the layer that stands at a place is judged where it is called, or follows another layer's."""
    while True:
        parent = context.parents.get(id(node))
        if isinstance(parent, ast.IfExp) and node is not parent.test:
            node = parent  # one of two layers, and the call of either is judged
            continue
        if isinstance(parent, ast.Call) and parent.func is node:
            return True
        if isinstance(parent, ast.Attribute) and (moved := _given_back(context, parent)) is not None:
            node = moved  # nn.ReLU(True).cuda(): the layer itself
            continue
        if isinstance(parent, ast.Call) and node in parent.args[1:] and (_is_sequence(context, parent) or _makes_own_sequence(context, parent)):
            return True
        if isinstance(parent, ast.Call) and _is_sequence(context, parent):
            node = parent
            continue
        if isinstance(parent, ast.List) and (sequence := _sequence_of_all(context, parent)) is not None:
            if parent.elts[0] is not node:
                return True
            node = sequence
            continue
        if isinstance(parent, ast.List) and parent.elts[0] is not node and _is_given_to_sequences(context, parent):
            return True
        if isinstance(parent, ast.Call) and _is_added_behind(context, parent):
            return True
        if _is_listed_behind(context, node):
            return True
        if isinstance(parent, ast.Tuple) and (pairs := _ordered_pairs(context, parent)) is not None:
            if parent in pairs.elts[1:]:
                return True
            node = context.parents[id(pairs)]
            continue
        break
    targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target] if isinstance(parent, ast.AnnAssign) else []
    if len(targets) == 1 and isinstance(targets[0], ast.Name):
        return _is_part_by_name(context, targets[0])
    return bool(targets) and all(isinstance(t, ast.Attribute) and _only_called(context, t) for t in targets)


def _is_part_by_name(context: Context, target: ast.Name) -> bool:
    """Whether a function that names a layer does nothing but make it a later part of sequences: ``relu = nn.ReLU(True)``, ``nn.Sequential(conv, relu)``."""
    scope = scope_of(context, target)
    named = [node for node in walk(scope) if isinstance(node, ast.Name) and node.id == target.id]
    reads = [node for node in named if isinstance(node.ctx, ast.Load)]
    if isinstance(scope, ast.Module) or not reads or len(named) != len(reads) + 1:
        return False
    return all(_is_judged(context, read) and not _is_called(context, read) for read in reads)


def _is_called(context: Context, node: ast.expr) -> bool:
    parent = context.parents.get(id(node))
    return isinstance(parent, ast.Call) and parent.func is node


def _given_back(context: Context, method: ast.Attribute) -> ast.Call | None:
    """The call of a layer's method that gives back the layer."""
    call = context.parents.get(id(method))
    is_layer = isinstance(call, ast.Call) and call.func is method and isinstance(made := context.facts.value(call), v.Instance) and made == context.facts.value(method.value)
    return call if is_layer else None  # type: ignore[return-value]


def _sequence_of_all(context: Context, listed: ast.List | ast.Name) -> ast.Call | None:
    """The sequence that ``nn.Sequential(*[conv, relu])`` makes of a list, or ``super().__init__(*layers)`` in a class of sequences."""
    starred = context.parents.get(id(listed))
    call = context.parents.get(id(starred))
    if isinstance(starred, ast.Starred) and isinstance(call, ast.Call) and call.args == [starred] and (_is_sequence(context, call) or _makes_own_sequence(context, call)):
        return call
    return None


def _only_called(context: Context, target: ast.Attribute) -> bool:
    """Whether the file calls the attribute wherever it names it, or puts it behind another layer, so that every use of the layer is seen."""
    for node in context.file.nodes:
        if isinstance(node, ast.Attribute) and node.attr == target.attr and isinstance(node.ctx, ast.Load):
            parent = context.parents.get(id(node))
            if not (isinstance(parent, ast.Call) and (parent.func is node or node in parent.args[1:] and _is_sequence(context, parent)) or _is_only_asked(parent, node)):
                return False
    return isinstance(target.value, ast.Name)


def _is_only_asked(parent: ast.AST | None, node: ast.AST) -> bool:
    """Whether a place asks whether there is a layer at all: ``if self.activation:``, ``self.norm is not None``."""
    match parent:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            return test is node
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return left is node
    return False


def _is_sequence(context: Context, call: ast.Call) -> bool:
    made = context.facts.value(call)
    if not isinstance(made, v.Instance):
        return False
    bases = (mindspore_base(entry) for entry in context.shared.catalog.find(made.cls))
    return any(base is not None and ast.unparse(base) == SEQUENCE for base in bases)


def _makes_own_sequence(context: Context, call: ast.Call) -> bool:
    """Whether ``super().__init__(conv, norm, relu)`` fills a project's class of sequences that says nothing itself of what calling it does."""
    match call.func:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__"):
            cls = class_around(context, call)
            if cls is None or not storage.SEQUENCES_OF_LAYERS.intersection(context.facts.ancestors.get(cls, ())):
                return False
            return not any(isinstance(part, ast.FunctionDef) and part.name in ("forward", "__call__") for part in cls.body)
    return False


def _ordered_pairs(context: Context, pair: ast.Tuple) -> ast.List | ast.Tuple | None:
    """The list of ``nn.Sequential(OrderedDict([("conv", …), ("relu", …)]))`` that a pair stands in."""
    listed = context.parents.get(id(pair))
    ordered = context.parents.get(id(listed))
    sequence = context.parents.get(id(ordered))
    if not isinstance(listed, ast.List | ast.Tuple) or not isinstance(ordered, ast.Call) or not isinstance(sequence, ast.Call):
        return None
    is_ordered = context.facts.value(ordered.func) == v.Api("collections.OrderedDict")
    return listed if is_ordered and ordered.args == [listed] and ordered in sequence.args and (_is_sequence(context, sequence) or _makes_own_sequence(context, sequence)) else None


def _is_added_behind(context: Context, call: ast.Call) -> bool:
    """Whether ``blocks.add_module("relu", …)`` adds to a sequence to which the same block has added before, under a name that nothing asks for."""
    statement = context.parents.get(id(call))
    statement = context.parents.get(id(statement)) if isinstance(statement, ast.Tuple) else statement
    adding = _adds(statement)
    if adding is None or not all(is_instance_of(option, storage.SEQUENCES_OF_LAYERS) for option in v.options(context.facts.value(adding[0]))):
        return False
    owner, name = ast.dump(adding[0]), adding[1]
    if any(isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load) and _may_be_sequence(context, node.value) for node in context.file.nodes):
        return False
    before = (_adds(one) for one in _statements_before(context, statement))
    return any(one is not None and ast.dump(one[0]) == owner for one in before)


def _may_be_sequence(context: Context, node: ast.expr) -> bool:
    return any(not isinstance(option, v.ProjectInstance) or is_instance_of(option, storage.SEQUENCES_OF_LAYERS) for option in v.options(context.facts.value(node)))


def _statements_before(context: Context, statement: ast.AST | None) -> Iterator[ast.stmt]:
    """What has run before a statement of a function: what stands before it in its block, and before what is around it."""
    while isinstance(statement, ast.stmt) and not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        around = context.parents.get(id(statement))
        for block in (getattr(around, field, None) for field in ("body", "orelse", "finalbody")):
            if isinstance(block, list) and statement in block:
                yield from block[: block.index(statement)]
        statement = around


def _adds(statement: ast.AST | None) -> tuple[ast.expr, str] | None:
    """(what gets a module, its name) of a statement that adds one by a name that the text shows, or by one that a format makes ("")."""
    match statement:
        case (
            ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="add_module"), args=[name, _]))
            | ast.Expr(value=ast.Tuple(elts=[ast.Call(func=ast.Attribute(value=owner, attr="add_module"), args=[name, _])]))
        ):
            return owner, name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ""
    return None


def _is_listed_behind(context: Context, node: ast.AST) -> bool:
    """Whether ``layers.append(nn.ReLU(True))`` stands behind another one in a list that does nothing but become a sequence: ``nn.Sequential(*layers)``."""
    grown = context.parents.get(id(node))
    first = True
    if isinstance(grown, ast.List):
        first, grown = grown.elts[0] is node, context.parents.get(id(grown))
    statement = context.parents.get(id(grown)) if isinstance(grown, ast.Call) else grown
    name = _list_grown_by(statement)
    if name is None or (isinstance(grown, ast.Call) and node not in grown.args and grown.args and not isinstance(grown.args[0], ast.List)):
        return False
    scope = scope_of(context, node)
    reads = [part for part in walk(scope) if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load)]
    if isinstance(scope, ast.Module) or not any(_is_whole_sequence(context, part) for part in reads):
        return False
    if not all(_is_whole_sequence(context, part) or _list_grown_by(_statement_of_method(context, part)) == name for part in reads):
        return False
    return not first or any(_list_grown_by(one) == name and not _is_empty(one) for one in _statements_before(context, statement))


def _list_grown_by(statement: ast.AST | None) -> str | None:
    """The name of the list that a statement makes or adds to."""
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.List())
            | ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=ast.List())
            | ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[_]))
            | ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="extend"), args=[ast.List()]))
        ):
            return name
    return None


def _is_empty(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign | ast.AugAssign) and isinstance(statement.value, ast.List) and not statement.value.elts


def _statement_of_method(context: Context, name: ast.Name) -> ast.AST | None:
    """``layers.append(x)`` as a statement, of its `layers`."""
    call = context.parents.get(id(context.parents.get(id(name))))
    return context.parents.get(id(call)) if isinstance(call, ast.Call) else None


def _is_whole_sequence(context: Context, name: ast.Name) -> bool:
    """Whether a list is handed to a sequence as all that it consists of, or as a part of it."""
    return _sequence_of_all(context, name) is not None or _is_given_to_sequences(context, name)


def _is_given_to_sequences(context: Context, listed: ast.List | ast.Name) -> bool:
    """Whether a function returns a list that becomes part of a sequence wherever the project names the function: ``nn.Sequential(*block(8), *block(16))``."""
    returned, function = context.parents.get(id(listed)), scope_of(context, listed)
    if not isinstance(returned, ast.Return) or not isinstance(function, ast.FunctionDef):
        return False
    mentions = [node for node in context.file.nodes if function.name in (getattr(node, "id", None), getattr(node, "attr", None))]
    return bool(mentions) and all(_is_part_of_sequence(context, node) for node in mentions) and context.once(_files_by_name)[function.name] == 1


def _files_by_name(project: Files) -> Counter[str]:
    """In how many files each name is mentioned."""
    return Counter(name for file, _ in project for name in {text for node in file.nodes for text in (getattr(node, "id", None), getattr(node, "attr", None), getattr(node, "name", None)) if isinstance(text, str)})


def _is_part_of_sequence(context: Context, named: ast.AST) -> bool:
    """``nn.Sequential(…, *block(8))``, of the name `block`."""
    call = context.parents.get(id(named))
    starred = context.parents.get(id(call))
    sequence = context.parents.get(id(starred))
    return isinstance(call, ast.Call) and call.func is named and isinstance(starred, ast.Starred) and isinstance(sequence, ast.Call) and _is_sequence(context, sequence)
