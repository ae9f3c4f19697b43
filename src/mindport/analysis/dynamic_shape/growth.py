"""Tensors that get longer: at every turn of a loop, or at every call, because a method joins what is new to its past and keeps both."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.handed_in import is_parameter
from mindport.analysis.dynamic_shape.lasting import settings
from mindport.analysis.dynamic_shape.polynomials import definitions
from mindport.inference import values as v
from mindport.source.called import last_name
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame


def grows(frame: Frame, node: ast.Call) -> bool:
    """``ids = torch.cat([ids, step])`` in a counting loop that takes no module by its counter."""
    loop = frame.loops[-1] if frame.loops else None
    if loop is None or not (frame.turning[-1] or _over_images(frame, loop)) or not node.args:
        return False
    if isinstance(node.args[0], ast.Name):
        return _filled_in(loop, node.args[0].id) and not (isinstance(loop, ast.For) and _over_layers(frame, loop)) and not frame.routine.prepares_data
    if not isinstance(node.args[0], (ast.List, ast.Tuple)):
        return False
    if len(node.args[0].elts) == 1 and isinstance(node.args[0].elts[0], ast.Name) and _filled_in(loop, node.args[0].elts[0].id):
        return not (isinstance(loop, ast.For) and _over_layers(frame, loop)) and not frame.routine.prepares_data  # torch.tensor([ids])
    names = {name for part in node.args[0].elts if not _shortened(part) and (name := root_of(part))}
    assigned = [(s, t.id) for s in walk(loop) if isinstance(s, ast.Assign) for each in s.targets for t in walk(each) if isinstance(t, ast.Name) and isinstance(t.ctx, ast.Store) and t.id in names]
    grown = {name for s, name in assigned if s.value is node}
    first = {id(s) for test in walk(loop) if isinstance(test, ast.If) and _is_none(test.test) for part in test.body for s in walk(part)}
    anew = {name for s, name in assigned if s.value is not node and id(s) not in first and (_by_a_layer(frame, s.value) or not any(isinstance(n, ast.Name) and n.id == name for n in walk(s.value)))}
    if isinstance(loop, ast.For):
        anew |= {n.id for n in walk(loop.target) if isinstance(n, ast.Name)}
    if not grown - anew:
        return False  # nothing is assigned, or every turn begins with another tensor
    return not (isinstance(loop, ast.For) and _over_layers(frame, loop))


def _shortened(node: ast.expr) -> bool:
    """``x[:, 1:]``, ``x[:-2]``: as much shorter, as a rule, as what is joined to it is long."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value  # x[:, -2:].mean(1, keepdim=True)
    parts = (node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]) if isinstance(node, ast.Subscript) else []
    return any(isinstance(part, ast.Slice) and (part.lower is not None and not (isinstance(part.lower, ast.Constant) and part.lower.value == 0) or isinstance(part.upper, ast.UnaryOp)) for part in parts)


def _filled_in(loop: ast.stmt, name: str) -> bool:
    """Whether each turn puts one more into a list that was there before the loop: ``states.append(h)``, then ``torch.stack(states)`` in the same turn."""
    inner = walk(loop)
    bound = any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, (ast.Store, ast.Del)) for n in inner)
    taken = any(isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in ("pop", "popleft", "clear") and ast.unparse(n.func.value) == name for n in inner)
    return not bound and not taken and any(isinstance(n, ast.Expr) and isinstance(n.value, ast.Call) and isinstance(n.value.func, ast.Attribute) and n.value.func.attr == "append" and ast.unparse(n.value.func.value) == name for n in inner)


def _over_images(frame: Frame, loop: ast.stmt) -> bool:
    """``for i, found in enumerate(proposals)`` of a network's parameter: what each image has, and images have different numbers."""
    over = loop.iter if isinstance(loop, (ast.For, ast.AsyncFor)) else None
    while isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.args:
        over = over.args[0]
    return isinstance(over, ast.Name) and over.id.lower().rpartition("_")[2] in apis.TRUTHS and is_parameter(frame, over) and not frame.routine.prepares_data


def _is_none(test: ast.expr) -> bool:
    """``total is None``, ``i == 0``: what is set there is set in the first turn alone."""
    if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Name):
        return False
    return isinstance(test.ops[0], ast.Is) or isinstance(test.ops[0], ast.Eq) and isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value == 0


def _by_a_layer(frame: Frame, node: ast.expr) -> bool:
    """``x = layer(x)``: what a module gives has the shape that the module says."""
    if not isinstance(node, ast.Call):
        return False
    known = v.options(frame.fact(node.func))
    named = isinstance(node.func, ast.Attribute) and apis.FUNCTION + node.func.attr in apis.PRESERVING | apis.RESHAPING | apis.JOINING
    return not named and any(isinstance(o, (v.ProjectInstance, v.Instance, v.Unknown)) for o in known)


def _over_layers(frame: Frame, loop: ast.For) -> bool:
    """Whether each turn has a layer of its own, ``for i, layer in enumerate(self.layers)``: the turns are those of the network."""
    turned = {n.id for n in walk(loop.target) if isinstance(n, ast.Name)}
    for inner in walk(loop):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id in turned:
            return True
        if isinstance(inner, ast.Subscript) and isinstance(inner.slice, ast.Name) and inner.slice.id in turned:
            held = frame.fact(inner.value)
            if any(isinstance(o, v.Instance) and o.cls.startswith(torch_names.LAYERS) for o in v.options(held)):
                return True
    return False


def root_of(node: ast.expr) -> str:
    """The name that ``ids``, ``ids[order]`` and ``ids.clone()`` are of."""
    while isinstance(node, (ast.Subscript, ast.Attribute)) or isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _made_here(frame: Frame, place: ast.Attribute) -> bool:
    """``data.x`` behind ``data = Data(x, edges)`` of the same function: an object of this call, in which nothing lasts."""
    name = root_of(place)
    made = [value for s in frame.routine.nodes for target, value in settings(s) if isinstance(target, ast.Name) and target.id == name]
    return bool(made) and all(isinstance(value, ast.Call) and last_name(value.func)[:1].isupper() for value in made)


def kept(frame: Frame, node: ast.Call) -> bool:
    """``k = torch.cat([self.past[0], k])``, then ``self.past = (k, v)``: what a method joins to its past and keeps as it is, or gives back to be kept."""
    if frame.routine.name.endswith("__init__") or not node.args or not isinstance(node.args[0], (ast.List, ast.Tuple)):
        return False
    if frame.routine.fed_back and _given_back(frame, node):
        return True
    places = [_place(part) for part in node.args[0].elts if not _shortened(part)]
    held = {ast.unparse(place) for place in places if isinstance(place, ast.Attribute) and not _set_anew(frame, place) and not _made_here(frame, place)}
    handed = any(isinstance(place, ast.Name) and _is_past(frame, place) for place in places)
    entries = {entry for part in node.args[0].elts if (entry := _entry(frame, part))}
    if not held and not handed and not entries:
        return False
    assigned = [pair for s in frame.routine.nodes for pair in settings(s)]
    names = {target.id for target, value in assigned if isinstance(target, ast.Name) and any(part is node for part in _parts(value))}
    names |= {target.id for target, value in assigned if isinstance(target, ast.Name) and _continues(value, names)}
    if any(ast.unparse(target) in entries and any(part is node or isinstance(part, ast.Name) and part.id in names for part in _parts(value)) for target, value in assigned):
        return True
    if any(ast.unparse(_place(target)) in held and isinstance(value, ast.Subscript) and (value.value is node or isinstance(value.value, ast.Name) and value.value.id in names) and _begins_empty(frame, _place(target)) for target, value in assigned):
        return True  # the last ones alone, as soon as there are so many
    if any(ast.unparse(_place(target)) in held and (_continues(value, names) or any(part is node or isinstance(part, ast.Name) and part.id in names for part in _parts(value))) for target, value in assigned):
        return True
    if not handed:
        return False
    names |= {target.id for target, value in assigned if isinstance(target, ast.Name) and not isinstance(value, ast.Name) and any(isinstance(part, ast.Name) and part.id in names for part in _parts(value))}
    given = [part for s in frame.routine.nodes if isinstance(s, ast.Return) for part in _parts(s.value)]
    return any(part is node or isinstance(part, ast.Name) and part.id in names for part in given)


def _set_anew(frame: Frame, place: ast.Attribute) -> bool:
    """``self.L = data["L"].to(device)`` in another method: what the object has for each batch, and no past."""
    classes = {frame.routine.qualname.rpartition(".")[0], *_bases(frame)}
    for routine in frame.engine.routines.values():
        own = routine.in_class and routine.qualname.rpartition(".")[0] in classes
        if own and routine is not frame.routine and not routine.runs_once and not isinstance(routine.node, (ast.Module, ast.Lambda)):
            given = {a.arg for a in routine.node.args.args} - {"self"}
            for target, value in (pair for s in routine.nodes if given for pair in settings(s)):
                if isinstance(target, ast.Attribute) and target.attr == place.attr and ast.unparse(target.value) == "self" and value is not None and not isinstance(value, ast.Name):
                    names = {n.id for n in walk(value) if isinstance(n, ast.Name)}
                    if names & given and not any(isinstance(n, ast.Attribute) and n.attr == place.attr for n in walk(value)):
                        return True
    return False


def _bases(frame: Frame) -> set[str]:
    """Names of the classes that a method's class derives from."""
    own = frame.routine.qualname.rpartition(".")[0]
    return {ast.unparse(base).rpartition(".")[2] for node in frame.routine.file.nodes if isinstance(node, ast.ClassDef) and node.name == own for base in node.bases}


def fed_back(frame: Frame, node: ast.Call, names: list[str]) -> set[str]:
    """Parameters that a call in a counting loop is given what the same call gave in the turn before: ``ids = extend(ids)``."""
    loop = frame.loops[-1]
    if not frame.turning[-1] and not (isinstance(loop, ast.For) and not _over_layers(frame, loop) and not frame.routine.prepares_data and _counts(loop)):
        return set()
    kept = {t.id for s in walk(loop) if isinstance(s, ast.Assign) and s.value is node for target in s.targets for t in walk(target) if isinstance(t, ast.Name)}
    passed = [*zip(names, node.args, strict=False), *((k.arg, k.value) for k in node.keywords if k.arg)]
    return {name for name, argument in passed if isinstance(argument, ast.Name) and argument.id in kept}


def _counts(loop: ast.For) -> bool:
    return isinstance(loop.iter, ast.Call) and isinstance(loop.iter.func, ast.Name) and loop.iter.func.id in ("range", "trange", "count")


def _given_back(frame: Frame, node: ast.Call) -> bool:
    """``return torch.cat([ids, step])`` of a parameter that the callers' loop feeds back."""
    parts = node.args[0].elts if node.args and isinstance(node.args[0], (ast.List, ast.Tuple)) else []
    roots = {root_of(part) for part in parts if not _shortened(part)} & frame.routine.fed_back
    if not roots:
        return False
    function = frame.routine.node
    names = {t.id for s in walk(function) if isinstance(s, ast.Assign) and s.value is node for t in s.targets if isinstance(t, ast.Name)}
    given = [part for s in walk(function) if isinstance(s, ast.Return) for part in _parts(s.value)]
    return any(part is node or isinstance(part, ast.Name) and part.id in names for part in given)


def _entry(frame: Frame, node: ast.expr) -> str:
    """How the entry of a parameter is written that an expression reads, also under a name: ``state["k"]`` for ``state.get("k")``; empty for anything else."""
    if isinstance(node, ast.Name):
        made = definitions(frame.routine.node).get(node.id) or _unpacked(frame.routine.node, node.id)
        return _entry(frame, made) if made is not None and not isinstance(made, ast.Name) else ""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
        node = ast.Subscript(node.func.value, node.args[0], ast.Load())
    own = isinstance(node, ast.Subscript) and isinstance(node.slice, (ast.Constant, ast.Name, ast.Attribute)) and is_parameter(frame, _place(node))
    if own and frame.routine.region != "network" and not apis.PAST_WORDS & set(ast.unparse(_place(node)).lower().split("_")):
        return ""  # a sample that goes through a transform once
    return ast.unparse(node) if own else ""


def _unpacked(function: ast.AST, name: str) -> ast.expr | None:
    """The entry of which a name is a part, ``past_k, past_v = cache[self.layer]``; None where it is bound otherwise, too."""
    stored = [n for n in walk(function) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)]
    for statement in walk(function):
        for target in statement.targets if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Subscript) else ():
            if len(stored) == 1 and isinstance(target, ast.Tuple) and any(part is stored[0] for part in target.elts):
                return statement.value  # type: ignore[attr-defined, no-any-return]
    return None


def _is_past(frame: Frame, node: ast.Name) -> bool:
    """Whether a name says that it is the past, or is bound to a part of what does: ``keys, values = past``."""
    if apis.PAST_WORDS & set(node.id.lower().split("_")):
        return True
    for statement in frame.routine.nodes:
        bound = isinstance(statement, ast.Assign) and statement.lineno < node.lineno and any(isinstance(n, ast.Name) and n.id == node.id for target in statement.targets for n in walk(target))
        whole = _place(statement.value) if bound and isinstance(statement, ast.Assign) else None
        if isinstance(whole, ast.Name) and apis.PAST_WORDS & set(whole.id.lower().split("_")):
            return True
    return False


def _continues(node: ast.expr | None, names: set[str]) -> bool:
    """``out = model.generate(ids)``: the text with what follows it."""
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in apis.CONTINUING
    return named and any(isinstance(argument, ast.Name) and argument.id in names for argument in [*node.args, *(k.value for k in node.keywords)])  # type: ignore[union-attr]


def _begins_empty(frame: Frame, place: ast.expr) -> bool:
    """Whether the class begins an attribute with nothing: ``self.register_buffer("bank", torch.zeros(0, d))``."""
    name = place.attr if isinstance(place, ast.Attribute) else ""
    for node in frame.routine.file.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "register_buffer" and len(node.args) > 1 and isinstance(node.args[0], ast.Constant) and node.args[0].value == name:
            return _empty(node.args[1])
        if any(isinstance(target, ast.Attribute) and target.attr == name and isinstance(value, ast.Call) and _empty(value) for target, value in settings(node)):
            return True
    return False


def _empty(node: ast.expr) -> bool:
    sizes = [*(node.args if isinstance(node, ast.Call) else ())]
    return any(isinstance(size, ast.Constant) and size.value == 0 and size.value is not False or isinstance(size, (ast.List, ast.Tuple)) and (not size.elts or any(isinstance(e, ast.Constant) and e.value == 0 for e in size.elts)) for size in sizes)


def _place(node: ast.expr) -> ast.expr:
    """``self.past`` of ``self.past[0]["k"]`` or ``self.past + 1``."""
    while isinstance(node, ast.Subscript) or isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant):
        node = node.value if isinstance(node, ast.Subscript) else node.left
    return node


def _parts(node: ast.expr | None) -> Iterator[ast.expr]:
    """What an expression hands on as it is: itself, or the items that a display of it holds."""
    if isinstance(node, (ast.Tuple, ast.List)):
        for item in node.elts:
            yield from _parts(item)
    elif isinstance(node, ast.Dict):
        for item in node.values:
            yield from _parts(item)
    elif isinstance(node, ast.IfExp):
        yield from _parts(node.body)
        yield from _parts(node.orelse)
    elif node is not None:
        yield node
