"""Samples that keep the sizes of their files, and batches that are as long as their samples together.

A data set's ``__getitem__`` is followed backwards from what it returns: only operations that are known to keep the size stand
between it and the file. A transform that is not known may make one size, so nothing is said of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Source
from mindport.analysis.subject import Function, Subject
from mindport.inference import values as v
from mindport.inference.facts import Facts

_GIVES_ITEMS = "__getitem__"
#: Steps from the result back to the file.
_MOST_STEPS = 12


def read_whole(subject: Subject) -> Iterator[Source]:
    """Files that a data set reads and gives on in their own sizes."""
    for file, facts in subject.facts.items():
        for node in file.nodes:
            if not (isinstance(node, Function) and node.name == _GIVES_ITEMS):
                continue
            for call, why in _given(facts, node):
                source = Source("MP201", "input", file, call, why, "Slice")
                source.used = True
                yield source


def _given(facts: Facts, function: Function) -> Iterator[tuple[ast.Call, str]]:
    seen: set[int] = set()
    for node in ast.walk(function):
        if not isinstance(node, ast.Return) or node.value is None:
            continue
        parts = node.value.elts if isinstance(node.value, (ast.Tuple, ast.List)) else node.value.values if isinstance(node.value, ast.Dict) else [node.value]
        for part in parts:
            found = _kept(facts, function, part, _MOST_STEPS)
            if found is not None and id(found[0]) not in seen:
                seen.add(id(found[0]))
                yield found


def _kept(facts: Facts, function: Function, node: ast.expr, steps: int) -> tuple[ast.Call, str] | None:
    """The call that reads a file, and why its size is its own, where the expression keeps that size."""
    if steps == 0:
        return None
    if isinstance(node, ast.Name):
        written = [value for value in _assigned(function, node.id)]
        others = [value for value in written if not _names(value, node.id)]
        # x = f(x) keeps what x was: each such step has to keep, and the first has to read
        if len(others) != 1 or not all(_keeps(facts, value) for value in written if value is not others[0]):
            return None
        return _kept(facts, function, others[0], steps - 1)
    if isinstance(node, ast.Call):
        name = _called(facts, node)
        if name in apis.FILE_READERS:
            return node, apis.FILE_READERS[name]
        inner = _receiver(facts, node)
        return _kept(facts, function, inner, steps - 1) if inner is not None else None
    if isinstance(node, ast.BinOp):
        sides = [side for side in (node.left, node.right) if not isinstance(side, ast.Constant)]
        return _kept(facts, function, sides[0], steps - 1) if len(sides) == 1 else None
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value == 0:
        return _kept(facts, function, node.value, steps - 1) if isinstance(node.value, ast.Call) and _called(facts, node.value) in apis.FILE_READERS else None
    return None


def _keeps(facts: Facts, value: ast.expr) -> bool:
    """Whether one step ``x = f(x)`` keeps the size."""
    while isinstance(value, ast.Call):
        inner = _receiver(facts, value)
        if inner is None:
            return False
        value = inner
    if isinstance(value, ast.BinOp):
        return any(isinstance(side, ast.Constant) for side in (value.left, value.right))
    return isinstance(value, ast.Name)


def _receiver(facts: Facts, node: ast.Call) -> ast.expr | None:
    """What a call that keeps the size is applied to; None for every other call."""
    name = _called(facts, node)
    if name in apis.SIZE_KEEPERS:
        return node.args[0] if node.args else next((k.value for k in node.keywords if k.arg in apis.FIRST_KEYWORDS), None)
    if isinstance(node.func, ast.Call) and node.args and _called(facts, node.func).rpartition(".")[2] in apis.KEEPING_TRANSFORMS and _called(facts, node.func).startswith(apis.TRANSFORMS):
        return node.args[0]
    if isinstance(node.func, ast.Attribute) and node.func.attr in apis.SIZE_KEEPING_METHODS and not isinstance(facts.value(node.func.value), (v.Api, v.ProjectModule)):
        return node.func.value
    return None


def _called(facts: Facts, node: ast.Call) -> str:
    """The outside function that a call names: "cv2.imread"; nothing for any other."""
    for option in v.options(facts.value(node.func)):
        if isinstance(option, v.Api):
            return option.name
    return ""


def _assigned(function: Function, name: str) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name) and target.id == name:
                    yield node.value
                elif isinstance(target, ast.Tuple) and target.elts and isinstance(first := target.elts[0], ast.Name) and first.id == name:
                    yield node.value  # wave, rate = torchaudio.load(path)
        elif isinstance(node, (ast.AugAssign, ast.For, ast.NamedExpr)) and isinstance(node.target, ast.Name) and node.target.id == name:
            yield ast.Name("?", ast.Load())  # nothing that is known


def _names(value: ast.expr, name: str) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(value))


def joined_samples(function: Function, facts: Facts) -> Iterator[ast.Call]:
    """In a collation, joins of samples whose own lengths the same function measures: ``cat([x …])`` beside ``[len(x) …]``."""
    measured = {_over(node) for node in ast.walk(function) if isinstance(node, (ast.ListComp, ast.GeneratorExp)) and _measures(node.elt)} - {""}
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or not node.args or _called(facts, node) not in apis.JOINING_IN_ROWS:
            continue
        joined = node.args[0]
        dim = next((k.value for k in node.keywords if k.arg in ("dim", "axis")), node.args[1] if len(node.args) > 1 else None)
        if dim is not None and not (isinstance(dim, ast.Constant) and dim.value == 0):
            continue
        if isinstance(joined, ast.Name) and (_collected(function, joined.id) or joined.id in _of_zip(function) and _stacks(function, facts)):
            yield node
        if not isinstance(joined, (ast.ListComp, ast.GeneratorExp)):
            continue
        if _over(joined) in measured and not _adds_an_axis(joined.elt) or _made_of_an_item(facts, joined.elt):
            yield node


def _of_zip(function: Function) -> set[str]:
    """Names of the lists that ``images, boxes = zip(*batch)`` makes of the samples."""
    zipped = [s for s in ast.walk(function) if isinstance(s, ast.Assign) and isinstance(s.value, ast.Call) and ast.unparse(s.value.func) == "zip" and len(s.value.args) == 1]
    names = {n.id for s in zipped if isinstance(s.value, ast.Call) and isinstance(s.value.args[0], ast.Starred) for t in s.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    return {name for name in names if not apis.METADATA_WORDS & set(name.lower().split("_"))}


def _stacks(function: Function, facts: Facts) -> bool:
    """Whether a collation stacks other samples: what it joins instead could not be stacked."""
    return any(isinstance(node, ast.Call) and _called(facts, node) in apis.STACKING for node in ast.walk(function))


def _collected(function: Function, name: str) -> bool:
    """Whether a loop over the samples appends each to the list as long as it is, and measures how long that is: ``coords.append(xyz[:, :3])``, ``n += xyz.shape[0]``."""
    samples = {a.arg for a in [*function.args.posonlyargs, *function.args.args]}
    for loop in ast.walk(function):
        if not (isinstance(loop, ast.For) and any(isinstance(n, ast.Name) and n.id in samples for n in ast.walk(loop.iter))):
            continue
        items = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
        inner = [n for statement in loop.body for n in ast.walk(statement)]
        measured = {n.id for m in inner if isinstance(m, ast.expr) and _measures(m) for n in ast.walk(m) if isinstance(n, ast.Name)} & items
        for node in inner:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append" and ast.unparse(node.func.value) == name and node.args:
                kept = node.args[0]
                if isinstance(kept, ast.Subscript) and isinstance(kept.slice, ast.Tuple) and ast.unparse(kept.slice.elts[0]) == ":":
                    kept = kept.value
                if isinstance(kept, ast.Name) and kept.id in measured:
                    return True
    return False


def _made_of_an_item(facts: Facts, node: ast.expr) -> bool:
    """``torch.tensor(ids)`` of one item as it is: only a list can be joined, and lists have their own lengths."""
    return isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.args[0], (ast.Name, ast.Subscript)) and _called(facts, node) in apis.FROM_LISTS - apis.JOINING


def _over(node: ast.ListComp | ast.GeneratorExp) -> str:
    return node.generators[0].iter.id if len(node.generators) == 1 and isinstance(node.generators[0].iter, ast.Name) else ""


def _measures(node: ast.expr) -> bool:
    """``len(x)``, ``x.shape[0]`` or ``x.size(0)``."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "len" or isinstance(node.func, ast.Attribute) and node.func.attr == "size" and bool(node.args)
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape"


def _adds_an_axis(node: ast.expr) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr in ("unsqueeze", "view", "reshape", "expand") or isinstance(n, ast.Subscript) and not (isinstance(n.slice, ast.Constant) and n.slice.value is not None) for n in ast.walk(node))
