"""Batches that are as long as their samples together: joins of samples whose own lengths a collation measures, or cannot stack."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.polynomials import definitions
from mindport.analysis.subject import Function
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.walking import walk

#: What makes a tensor of a list of numbers.
_OF_NUMBERS = frozenset(("torch.tensor", "torch.as_tensor", "torch.LongTensor", "torch.FloatTensor", "torch.IntTensor"))
#: What makes a tensor of an array or a list, by the last part of its name.
_MAKING = frozenset("." + name.rpartition(".")[2] for name in apis.FROM_LISTS - apis.JOINING)


def joined_samples(function: Function, facts: Facts) -> Iterator[ast.Call]:
    """In a collation, joins of samples whose own lengths the same function measures: ``cat([x …])`` beside ``[len(x) …]``."""
    measured = {_over(node) for node in walk(function) if isinstance(node, (ast.ListComp, ast.GeneratorExp)) and _measures(node.elt)} - {""}
    for node in walk(function):
        if not isinstance(node, ast.Call) or not node.args or _called(facts, node) not in apis.JOINING_IN_ROWS:
            continue
        joined = node.args[0]
        dim = next((k.value for k in node.keywords if k.arg in ("dim", "axis")), node.args[1] if len(node.args) > 1 else None)
        if dim is not None and not (isinstance(dim, ast.Constant) and dim.value == 0):
            if isinstance(joined, (ast.ListComp, ast.GeneratorExp)) and of_each(function, joined) and ragged(joined.elt):
                yield node
            continue
        if isinstance(joined, ast.Name) and (joined.id in measured and isinstance(definitions(function).get(joined.id), (ast.ListComp, ast.Call)) or _collected(function, joined.id) or (joined.id in of_zip(function) or _gathered(function, joined.id)) and stacks(function, facts) or _stacked_too(function, facts, joined.id)):
            yield node
        if not isinstance(joined, (ast.ListComp, ast.GeneratorExp)):
            continue
        if of_each(function, joined) and not _adds_an_axis(joined.elt) and ragged(joined.elt) or _over(joined) in measured and not _adds_an_axis(joined.elt) or _made_of_an_item(facts, joined.elt):
            yield node


def flattened_samples(function: Function, facts: Facts) -> Iterator[ast.Call]:
    """In a collation, tensors of the numbers of all samples one after another: ``torch.tensor([t for row in batch for t in row])``."""
    samples = {a.arg for a in [*function.args.posonlyargs, *function.args.args]}
    spread = {ast.unparse(place) for place, value in _spread(function) if {n.id for n in walk(value) if isinstance(n, ast.Name)} & _items(function, samples)}
    lengths = {ast.unparse(whole) for node in walk(function) if isinstance(node, ast.expr) and (whole := _measured(node)) is not None}
    counted = {ast.unparse(place) for place, value in _spread(function) if ast.unparse(value) in lengths}  # nobody counts what all have alike
    for node in walk(function):
        if isinstance(node, ast.Call) and node.args and _called(facts, node) in apis.STACKING and isinstance(node.args[0], ast.Name) and node.args[0].id in counted:
            yield node
        if isinstance(node, ast.Call) and node.args and _called(facts, node) in _OF_NUMBERS:
            made = node.args[0]
            while isinstance(made, ast.Call) and len(made.args) == 1 and isinstance(made.func, ast.Name) and made.func.id in ("list", "tuple") and isinstance(made.args[0], ast.Call):
                made = made.args[0]  # list(chain(*rows))
            rows = definitions(function).get(made.id) if isinstance(made, ast.Name) else made
            if isinstance(rows, ast.Call) and isinstance(rows.func, ast.Name) and rows.func.id in ("list", "tuple") and rows.args:
                rows = rows.args[0]
            if isinstance(rows, ast.Call) and _called(facts, rows) in apis.FILLING and any(isinstance(n, ast.Name) and n.id in samples for n in walk(rows)):
                yield node  # as long as the longest
            nested = isinstance(made, ast.ListComp) and len(made.generators) > 1 and isinstance(made.generators[0].iter, ast.Name) and made.generators[0].iter.id in samples and not isinstance(made.elt, ast.List)
            chained = isinstance(made, ast.Call) and _called(facts, made) in apis.FLATTENING and any(isinstance(n, ast.Name) and n.id in samples for n in walk(made))
            summed = isinstance(made, ast.Call) and _called(facts, made) == "builtins.sum" and len(made.args) == 2 and isinstance(made.args[1], ast.List)
            if nested or chained or summed or isinstance(made, ast.Name) and made.id in spread:
                yield node


def _spread(function: Function) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Lists that others are put into element by element: ``out += row``, ``out.extend(row)``."""
    for node in walk(function):
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and isinstance(node.target, ast.Name) and isinstance(node.value, (ast.Name, ast.Subscript, ast.Attribute)):
            begun = any(isinstance(s, ast.Assign) and isinstance(s.value, ast.List) and any(isinstance(t, ast.Name) and t.id == node.target.id for t in s.targets) for s in walk(function))
            if begun:
                yield node.target, node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "extend" and node.args and isinstance(node.args[0], (ast.Name, ast.Subscript, ast.Attribute)):
            yield node.func.value, node.args[0]


def _items(function: Function, samples: set[str]) -> set[str]:
    """Names of the items in loops over the samples."""
    loops = [loop for loop in walk(function) if isinstance(loop, ast.For) and any(isinstance(n, ast.Name) and n.id in samples for n in walk(loop.iter))]
    return {n.id for loop in loops for n in walk(loop.target) if isinstance(n, ast.Name)}


def of_each(function: Function, node: ast.ListComp | ast.GeneratorExp) -> bool:
    """Whether a list has one thing of each sample."""
    samples = {a.arg for a in [*function.args.posonlyargs, *function.args.args]}
    return len(node.generators) == 1 and not node.generators[0].ifs and _over(node) in samples


def ragged(node: ast.expr) -> bool:
    """``row["boxes"]``, ``graph.edge_index``: something of which each sample has another number, by its name."""
    field = node.slice.value if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) else node.attr if isinstance(node, ast.Attribute) else None
    words = set(field.lower().split("_")) if isinstance(field, str) else set()
    return bool(apis.RAGGED_WORDS & words) and not apis.METADATA_WORDS & (words - {"index"})


def _called(facts: Facts, node: ast.Call) -> str:
    """The outside function that a call names: "cv2.imread"; nothing for any other."""
    for option in v.options(facts.value(node.func)):
        if isinstance(option, v.Api):
            return option.name
    return ""


def of_zip(function: Function) -> set[str]:
    """Names of the lists that ``images, boxes = zip(*batch)`` makes of the samples."""
    zipped = [s for s in walk(function) if isinstance(s, ast.Assign) and isinstance(s.value, ast.Call) and ast.unparse(s.value.func) == "zip" and len(s.value.args) == 1]
    names = {n.id for s in zipped if isinstance(s.value, ast.Call) and isinstance(s.value.args[0], ast.Starred) for t in s.targets for n in walk(t) if isinstance(n, ast.Name)}
    return {name for name in names if not apis.METADATA_WORDS & set(name.lower().split("_"))}


def stacks(function: Function, facts: Facts) -> bool:
    """Whether a collation stacks other samples: what it joins instead could not be stacked."""
    return any(isinstance(node, ast.Call) and _called(facts, node) in apis.STACKING for node in walk(function))


def _stacked_too(function: Function, facts: Facts, name: str) -> bool:
    """Whether a list that has one thing of each sample is stacked on another way: ``stack(values) if key in FLAT else cat(values)``, which is for what cannot be stacked."""
    made = definitions(function).get(name)
    one_of_each = isinstance(made, ast.ListComp) and of_each(function, made) and not isinstance(made.elt, ast.Call)
    return one_of_each and any(isinstance(node, ast.Call) and _called(facts, node) in apis.STACKING and any(isinstance(a, ast.Name) and a.id == name for a in node.args) for node in walk(function))


def _collected(function: Function, name: str) -> bool:
    """Whether a loop over the samples appends each to the list as long as it is, and measures how long that, or another thing of the sample, is: ``coords.append(xyz[:, :3])``, ``n += xyz.shape[0]``."""
    samples = {a.arg for a in [*function.args.posonlyargs, *function.args.args]}
    for loop in walk(function):
        if not (isinstance(loop, ast.For) and any(isinstance(n, ast.Name) and n.id in samples for n in walk(loop.iter))):
            continue
        items = {n.id for n in walk(loop.target) if isinstance(n, ast.Name)}
        inner = [n for statement in loop.body for n in walk(statement)]
        items |= {n.id for s in inner if isinstance(s, ast.Assign) for t in s.targets if all(_root(part) in items for part in (s.value.elts if isinstance(s.value, ast.Tuple) else [s.value])) for n in walk(t) if isinstance(n, ast.Name)}  # v, f = mesh["v"], mesh["f"]
        items |= {t.id for s in inner if isinstance(s, ast.Assign) and isinstance(s.value, ast.Call) and "." + ast.unparse(s.value.func).rpartition(".")[2] in _MAKING and {n.id for n in walk(s.value) if isinstance(n, ast.Name)} & items for t in s.targets if isinstance(t, ast.Name)}  # ids = torch.tensor(numbers(text))
        measured = {ast.unparse(whole) for m in inner if isinstance(m, ast.expr) and (whole := _measured(m)) is not None and _root(whole) in items}
        for node in inner:
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append" and ast.unparse(node.func.value) == name and node.args):
                continue
            if measured & set(_wholes(node.args[0])) or measured and isinstance(node.args[0], ast.Name) and node.args[0].id in items:
                return True
    return False


def _gathered(function: Function, name: str) -> bool:
    """Whether a loop appends its items, or parts of them by unpacking, to the list as they are."""
    appended = [
        node.args[0] for loop in walk(function) if isinstance(loop, ast.For) for statement in loop.body for node in walk(statement)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append" and ast.unparse(node.func.value) == name and len(node.args) == 1
    ]  # fmt: skip
    unpacked = {n.id for s in walk(function) if isinstance(s, ast.Assign) and isinstance(s.value, ast.Name) for t in s.targets if isinstance(t, ast.Tuple) for n in t.elts if isinstance(n, ast.Name)}
    items = unpacked | {n.id for loop in walk(function) if isinstance(loop, ast.For) for n in walk(loop.target) if isinstance(n, ast.Name)}
    return bool(appended) and all(isinstance(part, ast.Name) and part.id in items for part in appended)


def _wholes(node: ast.expr) -> Iterator[str]:
    """What an expression is as long as: ``xyz`` for ``torch.from_numpy(xyz[:, :3]).float()``."""
    while True:
        yield ast.unparse(node)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and ast.unparse(node.slice.elts[0]) == ":":
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in apis.CASTING:
            node = node.func.value
        elif isinstance(node, ast.Call) and len(node.args) == 1 and "." + ast.unparse(node.func).rpartition(".")[2] in _MAKING:
            node = node.args[0]
        else:
            return


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _measured(node: ast.expr) -> ast.expr | None:
    """What ``len(x)``, ``x.shape[0]`` or ``x.size(0)`` measures."""
    if not _measures(node):
        return None
    if isinstance(node, ast.Call):
        return node.func.value if isinstance(node.func, ast.Attribute) else node.args[0] if node.args else None
    return node.value.value if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) else None


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
    return any(isinstance(n, ast.Attribute) and n.attr in ("unsqueeze", "view", "reshape", "expand") or isinstance(n, ast.Subscript) and not (isinstance(n.slice, ast.Constant) and n.slice.value is not None) for n in walk(node))
