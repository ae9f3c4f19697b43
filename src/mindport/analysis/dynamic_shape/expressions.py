"""Expressions: levels of values, and shapes that follow from the shapes of the parts."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import (
    BATCHES,
    CONSTANT,
    TENSOR,
    UNKNOWN,
    Abstract,
    Level,
    Origin,
    Source,
    all_fixed,
    container,
    differ,
    element_of,
    join,
    number,
    turns,
)
from mindport.analysis.dynamic_shape.by_values import distinct, of_sets
from mindport.analysis.dynamic_shape.constant_attributes import same_numbers
from mindport.analysis.dynamic_shape.contexts import kept_on_context
from mindport.analysis.dynamic_shape.dead_ways import decided
from mindport.analysis.dynamic_shape.ducks import holders
from mindport.analysis.dynamic_shape.engine import from_facts
from mindport.analysis.dynamic_shape.given_objects import part_of_given, tells_a_setting
from mindport.analysis.dynamic_shape.grown_modules import grown
from mindport.analysis.dynamic_shape.handed_in import places_of
from mindport.analysis.dynamic_shape.loaders import gives_batches
from mindport.analysis.dynamic_shape.masks import by_name, inverted
from mindport.analysis.dynamic_shape.opaque import is_plain, part_of, parts
from mindport.analysis.dynamic_shape.own_containers import held_by
from mindport.analysis.dynamic_shape.own_objects import filled_here, product_of_unknown, shown_by_class
from mindport.analysis.dynamic_shape.own_sizes import by_settings
from mindport.analysis.dynamic_shape.polynomials import definitions
from mindport.analysis.dynamic_shape.protocols import iterable, one_of, operated
from mindport.analysis.dynamic_shape.questions import among_data
from mindport.analysis.dynamic_shape.records import listed
from mindport.analysis.dynamic_shape.structures import children, sifted
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame


def evaluate(frame: Frame, node: ast.expr) -> Abstract:
    """What an expression can be, as far as shapes go; sources that it brings in are noted on the way."""
    kind = type(node)
    if kind is ast.Constant:
        return CONSTANT
    if kind is ast.Name:
        return held_by(frame, node, frame.name(node))  # type: ignore[arg-type]
    match node:
        case ast.Attribute():
            held = _attribute(frame, node)
            if held == UNKNOWN and shown_by_class(frame, node):
                held = TENSOR
            held = held_by(frame, node, held)
            return by_name(node.attr, held, frame.fact(node)) if held.tensor else held
        case ast.Subscript():
            from mindport.analysis.dynamic_shape.subscripts import subscript

            held = subscript(frame, node)
            return by_name(node.slice.value, held, frame.fact(node)) if held.tensor and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str) else held
        case ast.Call():
            from mindport.analysis.dynamic_shape.calls import call

            return call(frame, node)
        case ast.Tuple() | ast.List() | ast.Set():
            if any(isinstance(e, ast.Starred) for e in node.elts):
                spread = [evaluate(frame, e.value) if isinstance(e, ast.Starred) else None for e in node.elts]
                parts = [element_of(s) if s is not None else evaluate(frame, e) for s, e in zip(spread, node.elts, strict=True)]
                longest = max((turns(s) for s in spread if s is not None), default=Level.CONSTANT)
                held = replace(container(tuple(parts)), items=None, length=longest, extent=frozenset(x for s in spread if s is not None for x in s.extent), added=None)
            else:
                held = container(tuple(evaluate(frame, e) for e in node.elts))
            return distinct(frame, node, [held.element], held) if isinstance(node, ast.Set) and held.element is not None else held
        case ast.Dict():
            values = [evaluate(frame, value) for value in node.values]
            keys = [k.value if isinstance(k, ast.Constant) else None for k in node.keys]
            held = container(tuple(values))
            keyed = tuple(zip(keys, values, strict=True)) if None not in keys else None
            return replace(held, items=None, keyed=keyed)
        case ast.BinOp():
            left, right = evaluate(frame, node.left), evaluate(frame, node.right)
            if isinstance(node.op, ast.MatMult) and left == UNKNOWN and right == UNKNOWN and product_of_unknown(frame):
                return TENSOR  # no number has that
            return operated(frame, node, left, right) or binary(frame, node, left, right)
        case ast.UnaryOp():
            operand = evaluate(frame, node.operand)
            operand = inverted(frame, node, operand) or operand
            if operand.mask and not operand.tensor:
                return operand
            if operand.tensor or operand.array:
                frame.use(operand)
                return operand
            return number(operand)
        case ast.BoolOp():
            return join(*(_condition(evaluate(frame, value)) for value in node.values)) if _is_test(node) else join(*(evaluate(frame, value) for value in node.values))
        case ast.Compare():
            return _compare(frame, node)
        case ast.IfExp():
            return _conditional(frame, node)
        case ast.ListComp() | ast.GeneratorExp():
            return _comprehension(frame, node, node.elt)
        case ast.SetComp():
            held = _comprehension(frame, node, node.elt)
            return distinct(frame, node, [held.element], held) if held.element is not None else held
        case ast.DictComp():
            by = _comprehension(frame, node, node.key).element
            return distinct(frame, node, [by] if by is not None else [], replace(_comprehension(frame, node, node.value), items=None))
        case ast.NamedExpr():
            value = evaluate(frame, node.value)
            frame.env[node.target.id] = value
            return value
        case ast.Starred() | ast.Await():
            return evaluate(frame, node.value)
        case ast.Yield() | ast.YieldFrom():
            value = evaluate(frame, node.value) if node.value is not None else CONSTANT
            value_of, value = value, one_of(frame, node.value, value) if isinstance(node, ast.YieldFrom) else value
            frame.use(value)
            frame.returns.append((value, ()))
            frame.yields = not frame.routine.in_context
            passed_on = value_of.length if isinstance(node, ast.YieldFrom) else Level.CONSTANT
            frame.yielding = max(frame.yielding, frame.active, passed_on)
            return UNKNOWN
        case ast.Lambda():
            frame.engine.local(frame.routine, node, frame.env)
            return CONSTANT
        case ast.JoinedStr():
            return CONSTANT
        case ast.Slice():
            return number(*(evaluate(frame, part) for part in (node.lower, node.upper, node.step) if part is not None))
    return UNKNOWN


def _is_test(node: ast.BoolOp) -> bool:
    return any(isinstance(value, (ast.Compare, ast.UnaryOp)) for value in node.values)


def _condition(value: Abstract) -> Abstract:
    return replace(number(value), origin=value.origin)


def _attribute(frame: Frame, node: ast.Attribute) -> Abstract:
    if (kept := kept_on_context(frame, node)) is not None:
        return kept
    base = evaluate(frame, node.value)
    fact = frame.fact(node.value)
    if base.loader and base.tensor and node.attr in apis.ABOUT_BATCHES:
        return CONSTANT
    if base.sample and not base.picked and not base.tensor and apis.FUNCTION + node.attr in apis.SHAPE_READS:
        return replace(base, level=Level.DATA, items=None, element=None, origin=Origin(frame.routine.file, node))
    if base.tensor or v.is_tensor(fact):
        name = apis.FUNCTION + node.attr
        if name in apis.SHAPE_READS:
            return shape_of(frame, node, base)
        if name in apis.METADATA:
            return CONSTANT
        if not base.loader and isinstance(fact, v.TensorValue) and not fact.likely and node.attr not in torchfacts.members(torch_names.TENSOR):
            return from_facts(frame.fact(node))  # what somebody has put there
        return replace(base, form=None)
    if base.sample and base.picked and apis.FUNCTION + node.attr in apis.SHAPE_READS:
        return Abstract(Level.SHAPE, element=Abstract(Level.SHAPE))
    if base.sample and base.picked and not isinstance(frame.fact(node.value), v.TensorValue):
        return UNKNOWN  # images[0].mode: a property that all have
    if base.sample:
        return replace(base, origin=Origin(frame.routine.file, node))
    if base.array and node.attr not in apis.ABOUT_TABLES and node.attr not in ("shape", "size") and not v.is_tensor(frame.fact(node)):
        return base  # a table's column, its values
    if base.array and node.attr in ("shape", "size"):
        one = Abstract(max(base.length, Level.SHAPE), shape=base.shape, origin=base.origin)
        return replace(one, element=one)
    for field, value in base.keyed or ():
        if field == node.attr:
            return value
    for option in holders(frame, node.value, base):
        if isinstance(option, (v.ProjectInstance, v.ProjectClass)):
            cls = option.cls.scope if isinstance(option, v.ProjectInstance) else option.scope
            getter = next((owner.methods[node.attr] for owner in cls.mro if node.attr in owner.methods), None)
            if getter is not None and getter.kind == "property" and isinstance(option, v.ProjectInstance):
                from mindport.analysis.dynamic_shape.calls import ask

                return ask(frame, getter.value)
            if (modules := grown(frame, node, cls)) is not None:
                return modules
            found = frame.engine.read(cls, node.attr, frame.routine)
            if found is None and (told := listed(frame, node, cls)) is not None:
                return told
            if found is not None:
                known = from_facts(frame.fact(node))
                found = filled_here(frame, node.value, found)
                if found.fixed and (found.mask or known.mask) and node.attr not in frame.engine.rewritten:
                    return replace(found, mask=found.mask or known.mask)
                if same_numbers(frame, node, found):
                    return found
                return join(found, known) if known.tensor else replace(found, fixed=False)
    if base.items is not None or base.element is not None or base.shape:  # result.values, result.indices
        inner = from_facts(frame.fact(node))
        if inner.tensor:
            return replace(inner, shape=base.shape, origin=base.origin)
    if gives_batches(frame, node):
        return BATCHES
    if base.element is not None and base.element.tensor and base.keyed is None and base.items is None and base.shape and base.element.shape == base.shape and frame.untyped(node):
        return base.element  # tokens.input_ids
    if (base.opaque or is_plain(base) and not tells_a_setting(node.attr)) and frame.untyped(node):
        return part_of(base, node.attr)
    if (part := part_of_given(frame, node, base)) is not None:
        return part
    if base.level == Level.RANDOM and not base.array:  # a field of what was drawn
        return element_of(base)
    return from_facts(frame.fact(node))


def shape_of(frame: Frame, node: ast.expr, base: Abstract) -> Abstract:
    """A shape, or a number read from one: as fixed as the tensor's shape is."""
    origin = Origin(frame.routine.file, node)
    one = Abstract(Level.SHAPE, shape=base.shape, origin=origin)
    return replace(one, element=one)


def binary(frame: Frame, node: ast.BinOp, left: Abstract, right: Abstract) -> Abstract:
    """An operator: elementwise on tensors, arithmetic on numbers, joining on containers."""
    parts = (left, right)
    fact = from_facts(frame.fact(node))
    if left.tensor or right.tensor or fact.tensor and not _likely(frame.fact(node)):
        for part in parts:
            frame.use(part)
        shape = left.shape | right.shape
        forms = [part.form for part in parts if part.tensor]
        form = forms[0] if len(forms) == 1 and not any(p.sample for p in parts) else forms[0] if len(set(forms)) == 1 and forms else None
        mask = (left.mask or right.mask) and isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor)) or fact.mask
        top = max(parts, key=lambda part: part.level)
        _follows(frame, node, shape, type(node.op).__name__.lower())
        if isinstance(node.op, ast.MatMult):
            form = None
        rows = left.rows | right.rows if not isinstance(node.op, ast.MatMult) else left.rows
        return Abstract(top.level, True, mask, shape, form, fixed=all_fixed(*parts), origin=top.origin, rows=rows)
    if left.array or right.array:
        return replace(join(left, right), array=True, mask=left.mask or right.mask, items=None, fixed=all_fixed(*parts))
    if (left_over := of_sets(frame, node)) is not None:
        return left_over
    if any(p.items is not None or p.element is not None or p.length > Level.CONSTANT for p in parts):
        if isinstance(node.op, ast.Add):
            if left.items is not None and right.items is not None:
                return container(left.items + right.items)
            if (target := padded_to(frame, node)) is not None:
                return replace(join(left, right), items=None, keyed=None, length=evaluate(frame, target).level)
            return replace(join(left, right), items=None, keyed=None)
        if isinstance(node.op, ast.Mult):  # [x] * n
            held, times, counter = (left, right, node.right) if left.element is not None or left.items is not None else (right, left, node.left)
            if (held.items is None or len(held.items) > 1) and not _counts(frame, counter, times):
                return replace(join(left, right), array=True, items=None, element=None, length=times.length)  # an array times a row of numbers
            return replace(held, items=None, element=element_of(held), length=max(held.length, times.level), origin=times.origin or held.origin)
        if isinstance(node.op, (ast.Sub, ast.BitAnd, ast.BitOr, ast.BitXor)):  # of sets
            return replace(join(left, right), items=None, keyed=None, element=element_of(left))
    if (left.mask or right.mask) and isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
        return replace(number(*parts), mask=True)
    return number(*parts)


def _likely(fact: v.Value) -> bool:
    """Whether inference only supposes that it is a tensor."""
    return isinstance(fact, v.TensorValue) and fact.likely


def _counts(frame: Frame, node: ast.expr, value: Abstract) -> bool:
    """Whether what a list is multiplied with is a number of times, as far as anything says."""
    known = v.options(frame.fact(node))
    whole = all(isinstance(o, v.Builtin) and o.type == "int" or isinstance(o, v.Const) for o in known)
    return whole or value.level in (Level.CONSTANT, Level.SHAPE) or isinstance(node, ast.Call)


def padded_to(frame: Frame, node: ast.BinOp) -> ast.expr | None:
    """The length that ``ids + [0] * (n - len(ids))`` pads to, also by a comprehension, or with the rest under a name: what is padded beside it is as long."""
    for fill in (node.right, node.left):
        times = None
        if isinstance(fill, ast.BinOp) and isinstance(fill.op, ast.Mult):
            times = fill.right if isinstance(fill.left, ast.List) else fill.left
        elif isinstance(fill, ast.ListComp) and isinstance(over := fill.generators[0].iter, ast.Call) and ast.unparse(over.func) == "range" and len(over.args) == 1:
            times = over.args[0]
        if isinstance(times, ast.Name):
            times = definitions(frame.routine.node).get(times.id)
        if isinstance(times, ast.BinOp) and isinstance(times.op, ast.Sub) and isinstance(times.right, ast.Call) and ast.unparse(times.right.func) == "len":
            return times.left
    return None


def _compare(frame: Frame, node: ast.Compare) -> Abstract:
    parts = [evaluate(frame, node.left), *(evaluate(frame, part) for part in node.comparators)]
    if isinstance(node.ops[0], (ast.Is, ast.IsNot)) and parts[0].level == Level.RANDOM and not parts[0].tensor:
        return number(*parts)  # which of those drawn is None is drawn with them
    if isinstance(node.ops[0], (ast.Is, ast.IsNot)) and parts[0].sample and not parts[0].picked and not parts[0].tensor and frame.routine.collates:
        return Abstract(Level.DATA, origin=Origin(frame.routine.file, node))  # which samples could not be read
    if all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
        if isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            return CONSTANT
        among = number(*parts)
        if among_data(frame, node, parts):
            return replace(among, level=Level.DATA)  # item not in seen
        read = parts[0].level >= Level.DATA and not (parts[0].tensor or parts[0].text or parts[0].sample) and parts[1].keyed is None and not frame.routine.prepares_data
        return among if read else replace(among, level=min(among.level, Level.SHAPE))  # i in seen, of a number of data
    if any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in [node.left, *node.comparators]) and not any(part.array for part in parts):
        return replace(number(*parts), level=Level.CONFIGURATION) if any(part.tensor for part in parts) else number(*parts)  # a word: no tensor
    top = number(*parts)
    if isinstance(node.ops[0], (ast.Eq, ast.NotEq)) and UNKNOWN in parts and any(part.opaque for part in parts) and not frame.routine.prepares_data:
        return UNKNOWN  # p["kind"] == kind: those of one kind
    if any(part.tensor for part in parts):
        forms = {part.form for part in parts if part.tensor}
        for part in parts:
            frame.use(part)
        return Abstract(top.level, True, True, top.shape, forms.pop() if len(forms) == 1 else None, fixed=all_fixed(*parts), origin=top.origin)
    if any(part.array for part in parts):
        longest = max(parts, key=lambda part: part.length)
        return Abstract(top.level, mask=True, array=True, shape=top.shape, length=longest.length, fixed=all_fixed(*parts), origin=longest.origin)
    if (top.level >= Level.RANDOM or any(frame.untyped(part) for part in [node.left, *node.comparators])) and len(node.ops) == 1:
        return replace(top, mask=True)  # as an index it can only be a mask
    return top


def _conditional(frame: Frame, node: ast.IfExp) -> Abstract:
    test = evaluate(frame, node.test)
    way = decided(frame, node.test)
    if way is not None:
        return evaluate(frame, node.body if way else node.orelse)
    then, other = evaluate(frame, node.body), evaluate(frame, node.orelse)
    if test.decided_by_data and differ(then, other, test.level < Level.RANDOM):
        from mindport.analysis.dynamic_shape.branches import branch

        return branch(frame, node, join(then, other), "the result", then, other)
    if not then.tensor and not other.tensor and (test.level > Level.SHAPE or test.shape):
        return replace(join(then, other), level=max(then.level, other.level, test.level), origin=test.origin)
    return join(then, other) if test.decided_by_data else by_settings(join(then, other), then, other)


def _comprehension(frame: Frame, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, element: ast.expr) -> Abstract:
    held, length, origin = dict(frame.env), Level.CONSTANT, None
    extent: frozenset[Source] = frozenset()
    for part in node.generators:
        from mindport.analysis.dynamic_shape.statements import bind

        iterated = iterable(frame, part.iter, evaluate(frame, part.iter))
        bind(frame, part.target, element_of(iterated))
        length = max(length, iterated.length, chosen(frame, part.iter, iterated), parts(iterated), children(frame, part.iter, part.target, [element, *part.ifs], iterated))
        extent |= iterated.extent
        if iterated.tensor:
            extent |= iterated.shape
            length = max(length, Level.DATA) if iterated.shape else length
            frame.use(iterated)  # [… for c in labels.unique()]
        for test in part.ifs:
            tested = evaluate(frame, test)
            if tested.decided_by_data:
                length, origin = max(length, tested.level, Level.RANDOM), tested.origin
            elif _drawn(frame, part.iter) and {n.id for n in walk(part.target) if isinstance(n, ast.Name)} & {n.id for n in walk(test) if isinstance(n, ast.Name)} or sifted(frame, part, test):
                length, origin = max(length, Level.DATA), Origin(frame.routine.file, test)
    if length < Level.RANDOM and places_of(frame, node):
        length, origin = Level.DATA, Origin(frame.routine.file, node)
    value = evaluate(frame, element)
    ordered = len(node.generators) == 1 and not node.generators[0].ifs and evaluate(frame, node.generators[0].iter).ordered
    frame.env.clear()
    frame.env.update(held)
    return Abstract(value.level, shape=value.shape | extent, element=value, length=length, origin=origin or value.origin, sample=value.sample, extent=extent, added=None, ordered=ordered)


def chosen(frame: Frame, node: ast.expr, value: Abstract) -> Level:
    """How the length differs of ``self.lists[cell]``, one of several lists that data choose."""
    if not isinstance(node, ast.Subscript) or isinstance(node.slice, (ast.Slice, ast.Tuple)) or value.tensor or value.array or value.sample or value.items is not None or frame.routine.prepares_data:
        return Level.CONSTANT
    index = evaluate(frame, node.slice)
    return index.level if index.level >= Level.RANDOM and not index.tensor and not evaluate(frame, node.value).sample else Level.CONSTANT


def _drawn(frame: Frame, node: ast.expr) -> bool:
    """Whether a list of unknown items is a parameter that is called after the samples of a step: which of them pass a test differs."""
    arguments = getattr(frame.routine.node, "args", None)
    held = node.value if isinstance(node, (ast.Attribute, ast.Subscript)) else node  # batch.next_state, batch["next_state"]
    given = isinstance(held, ast.Name) and arguments is not None and any(a.arg == held.id for a in [*arguments.args, *arguments.kwonlyargs])
    return given and frame.untyped(held) and any(word in apis.SAMPLE_WORDS for word in held.id.lower().split("_"))  # type: ignore[attr-defined]


def _follows(frame: Frame, node: ast.expr, shape: frozenset[Source], what: str) -> None:
    """Note that a result has a changing shape because an operand has."""
    if shape:
        place = (str(frame.routine.file.relative), node.lineno)
        for source in shape:
            if source.node is not node:
                source.downstream.setdefault(place, what)
