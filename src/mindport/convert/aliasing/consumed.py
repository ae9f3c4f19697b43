"""Attributes of which every reader takes the value at once: nobody holds the object, and a new one under its name does as well.

``self.sum += value`` of a meter changes torch's tensor in place and gives MindSpore's attribute a new one. Who reads
``meter.sum / meter.count``, prints it or asks it for a number does not see the difference; who keeps ``meter.sum`` would.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from mindport.convert.context import MODULE, Context, parents_of
from mindport.convert.training.names import own_nodes
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.source.defaults import defaults_of
from mindport.source.file import SourceFile

#: Python's functions that make something new of an argument, or keep none.
_READERS = frozenset(("float", "int", "str", "repr", "print", "round", "bool", "len", "format", "isinstance", "type", "abs"))
#: What makes an array or a tensor of a list copies its elements: ``torch.tensor([self.sum, self.count])``.
_COPIERS = frozenset(("torch.tensor", "torch.FloatTensor", "torch.DoubleTensor", "torch.LongTensor", "np.array", "numpy.array"))
#: What is asked of a tensor gives a number, a text or a list of its own.
_ANSWERS = frozenset(("item", "tolist", "shape", "ndim", "dtype", "device"))

#: What makes an object of the attributes that it is given by their names.
_NAMESPACES = frozenset(("SimpleNamespace", "Namespace", "replace"))
#: Expressions that give something new.
_MADE = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare)
#: Annotations of what is no tensor.
_NUMBERS = frozenset(("int", "float", "bool", "str"))


def is_consumed(context: Context, attribute: ast.Attribute) -> bool:
    """Whether all that read an attribute of this name, anywhere in the project, take its value at once."""
    return not any(attribute.attr in _kept_in(file) for file, _ in context.files)


def is_counter(context: Context, name: ast.Name) -> bool:
    """Whether a name stands for a whole number: a parameter whose default is one (``def __init__(self, width=4)``: callers give numbers, too), or the size of a layer
    in the same function (``layers.append(nn.Linear(width, 3))``; ranges take tensors, too)."""
    scope = context.parents.get(id(name))
    while scope is not None and not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        scope = context.parents.get(id(scope))
    if scope is None:
        return False
    default = defaults_of(scope.args).get(name.id)
    if isinstance(default, ast.Constant) and isinstance(default.value, int) and not isinstance(default.value, bool):
        return True
    return any(isinstance(part, ast.Name) and part.id == name.id and _is_size(context, part) for part in own_nodes(scope))


def _is_size(context: Context, name: ast.Name) -> bool:
    """Whether it is an argument in whose place a layer takes an int."""
    call = context.parents.get(id(name))
    if not isinstance(call, ast.Call) or name not in call.args or any(isinstance(argument, ast.Starred) for argument in call.args):
        return False
    called = context.facts.value(call.func)
    if not isinstance(called, v.Api):
        return False
    api = torchfacts.lookup(called.name)
    place = call.args.index(name)
    overloads = api.signatures if api is not None and MODULE in torchfacts.ancestors(called.name) else ()
    return bool(overloads) and all(place < len(one.parameters) and one.parameters[place].annotation == "int" for one in overloads)


@lru_cache(maxsize=4096)
def _kept_in(file: SourceFile) -> frozenset[str]:
    """Names of attributes that some place of a file reads and may keep, or sets to what somebody else may hold. What `getattr`
    asks for by its text is kept."""
    parents = parents_of(file.tree)
    found = {
        node.attr for node in file.nodes
        if isinstance(node, ast.Attribute) and not (_takes_value(node, parents) if isinstance(node.ctx, ast.Load) else _is_made_for(node, parents))
    }  # fmt: skip
    given = {name for node in file.nodes for name in _given_at_birth(node)}
    return frozenset(found | given | {node.value for node in file.nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)})


def _given_at_birth(node: ast.AST) -> Iterator[str]:
    """Attributes that an object gets where it is made and that no text of its class sets: ``SimpleNamespace(total=x)``, the fields of a dataclass or named tuple."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), keywords=keywords) if name in _NAMESPACES:
            yield from (one.arg for one in keywords if one.arg is not None and not isinstance(one.value, _MADE))
        case ast.ClassDef(body=body) if not any(isinstance(part, ast.FunctionDef) and part.name == "__init__" for part in body):
            yield from (
                part.target.id for part in body
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and not (isinstance(part.annotation, ast.Name) and part.annotation.id in _NUMBERS)
            )  # fmt: skip


def _is_made_for(node: ast.Attribute, parents: dict[int, ast.AST]) -> bool:
    """Whether an attribute is set to a number or to a new result, or is counted on."""
    match parents.get(id(node)):
        case ast.AugAssign():
            return True
        case ast.Assign(value=ast.Call(func=ast.Attribute(attr="item"), args=[]) | ast.Call(func=ast.Name(id="int" | "float"))):
            return True
        case ast.Assign(value=value) | ast.AnnAssign(value=value):
            return isinstance(value, _MADE)
        case ast.Tuple() as several:  # ``self.sum, self.count = total.tolist()``
            match parents.get(id(several)):
                case ast.Assign(value=ast.Call(func=ast.Attribute(attr="tolist"), args=[])):
                    return True
    return False


def _takes_value(node: ast.AST, parents: dict[int, ast.AST]) -> bool:
    match parents.get(id(node)):
        case ast.BinOp() | ast.FormattedValue() | ast.Compare() | ast.UnaryOp() | ast.Assert():
            return True
        case ast.Tuple() | ast.List() as several:
            match parents.get(id(several)):
                case ast.BinOp(op=ast.Mod()):
                    return isinstance(several, ast.Tuple)
                case ast.Call(func=ast.Attribute() as maker, args=[first, *_]):
                    return first is several and ast.unparse(maker) in _COPIERS
        case ast.AugAssign(value=value) | ast.If(test=value) | ast.While(test=value) | ast.IfExp(test=value):
            return value is node
        case ast.Call(func=ast.Name(id=name)) as call:
            return name in _READERS and call.func is not node
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format")):
            return True
        case ast.keyword() as given:
            return _takes_value(given, parents)
        case ast.Attribute(attr=attr):
            return attr in _ANSWERS
    return False
