"""Statements: what they bind, which branches and loops hang on data."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from mindport.analysis.dynamic_shape.abstract import (
    BATCHES,
    CONSTANT,
    NOTHING,
    UNKNOWN,
    Abstract,
    Level,
    container,
    differ,
    element_of,
    join,
    truth,
)
from mindport.analysis.dynamic_shape.api_calls import written_into
from mindport.analysis.dynamic_shape.augmented import augmented, counted, is_count
from mindport.analysis.dynamic_shape.batches import lists_of_samples, parts_of_drawn_width
from mindport.analysis.dynamic_shape.branches import (
    asks_how_many,
    branch,
    early_returns,
    ended_by_sizes,
    pads_to_the_other,
    read_after,
)
from mindport.analysis.dynamic_shape.chosen_numbers import by_choice, where_it_ended
from mindport.analysis.dynamic_shape.container_lengths import came_to_differ, filled, unequal
from mindport.analysis.dynamic_shape.data_loops import data_loop
from mindport.analysis.dynamic_shape.dead_ways import decided
from mindport.analysis.dynamic_shape.engine import Engine, Routine, from_facts
from mindport.analysis.dynamic_shape.expressions import chosen, evaluate
from mindport.analysis.dynamic_shape.fillers import as_long
from mindport.analysis.dynamic_shape.given_objects import taken_apart
from mindport.analysis.dynamic_shape.inner_functions import inner_function, left_around, taken_from
from mindport.analysis.dynamic_shape.loaders import (
    EPISODE,
    SEGMENT,
    episodes,
    gives_batches,
    over_batches,
    segments,
)
from mindport.analysis.dynamic_shape.masks import by_name
from mindport.analysis.dynamic_shape.opaque import parts
from mindport.analysis.dynamic_shape.own_sizes import (
    ended_in_a_loop,
    given_on,
    settled_by_settings,
)
from mindport.analysis.dynamic_shape.parameters import as_used, parameters
from mindport.analysis.dynamic_shape.patterns import matched, spread_out
from mindport.analysis.dynamic_shape.places import keep
from mindport.analysis.dynamic_shape.protocols import entered, iterable
from mindport.analysis.dynamic_shape.questions import is_an_event
from mindport.analysis.dynamic_shape.structures import children
from mindport.analysis.dynamic_shape.supposed_tensors import supposed_wrongly
from mindport.analysis.dynamic_shape.told_lengths import told
from mindport.inference import values as v
from mindport.source.walking import walk

#: Loops deeper than this are run once: twice at every depth would be exponential.
_TWICE = 2
#: Causes of shapes that values decide: how many are left decides as these do.
_BY_VALUES = ("values", "size", "list")


@dataclass(eq=False)
class Frame:
    """One run of a routine. `guards`: the data-dependent ifs around; `loops`: the loops around, inner last."""

    engine: Engine
    routine: Routine
    env: dict[str, Abstract]
    returns: list[tuple[Abstract, tuple[tuple[ast.stmt, bool], ...]]] = field(default_factory=list)
    guards: tuple[tuple[ast.stmt, bool], ...] = ()
    loops: list[ast.stmt] = field(default_factory=list)
    turning: list[bool] = field(default_factory=list)
    active: Level = Level.CONSTANT
    by_shape: set[ast.stmt] = field(default_factory=set)  # ifs that only a changing shape decides
    ended: dict[ast.AST, Level] = field(default_factory=dict)  # loops that data or a draw end
    continued: list[list[dict[str, Abstract]]] = field(default_factory=list)  # of each loop around: what holds where a turn is cut short by data
    broken: list[list[tuple[dict[str, Abstract], Level]]] = field(default_factory=list)  # the same where data or a draw end the loop
    changed: set[str] = field(default_factory=set)  # names whose containers were written into; bound: names that were set anew
    bound: set[str] = field(default_factory=set)
    yields: bool = False
    yielding: Level = Level.CONSTANT  # how much whether a `yield` is reached differs
    outer: set[str] = field(default_factory=set)  # names that `global` says are the module's
    borrowed: set[str] = field(default_factory=set)  # names that `nonlocal` says are those of the function around
    inner: dict[str, Routine] = field(default_factory=dict)  # functions that are defined inside

    def fact(self, node: ast.expr) -> v.Value:
        """What inference knows of an expression."""
        known = self.routine.facts.value(node)
        return v.Unknown() if isinstance(known, v.TensorValue) and known.likely and supposed_wrongly(self.routine, node) else known

    def untyped(self, node: ast.expr) -> bool:
        """Whether inference knows nothing of an expression, or nothing but that it may be a tensor."""
        known = v.options(self.fact(node))
        return any(isinstance(option, v.Unknown) for option in known) and all(
            isinstance(option, v.Unknown) or option == v.NONE or isinstance(option, v.TensorValue) and option.likely for option in known
        )

    def name(self, node: ast.Name) -> Abstract:
        """What a name holds here."""
        if node.id in self.inner:
            taken_from(self, self.inner[node.id])
        found = self.env.get(node.id)
        if found is UNKNOWN and gives_batches(self, node):
            return BATCHES
        if found is None:
            found = self.routine.around.get(node.id)
        if found is None:
            found = self.engine.read_global(self.routine, node.id)
        if (found is None or found is UNKNOWN) and gives_batches(self, node):
            return BATCHES
        return found if found is not None else from_facts(self.fact(node))

    def use(self, value: Abstract) -> None:
        """Something other than counting elements happens to the value: its shape's sources matter.

        Where data is prepared, only what reaches a batch matters.
        """
        for source in value.shape:
            if not source.in_data:
                source.used = True


def analyse(engine: Engine, routine: Routine) -> Abstract:
    """Run a routine once; what it returns."""
    node = routine.node
    if isinstance(node, ast.Module):
        frame = Frame(engine, routine, engine.globals[routine.file])
        run(frame, node.body)
        return CONSTANT
    frame = Frame(engine, routine, parameters(engine, routine))
    body: list[ast.stmt] = [ast.Return(node.body)] if isinstance(node, ast.Lambda) else node.body
    run(frame, body)
    early_returns(frame)
    returned = join(*(value for value, _ in frame.returns)) if frame.returns else CONSTANT
    _leave(frame)
    if frame.yields:
        returned = Abstract(returned.level, shape=returned.shape, element=returned, length=frame.yielding, origin=returned.origin, sample=returned.sample, added=None)
    if routine.yields_batches:
        for source in given_on(returned):
            source.used = True
        lists_of_samples(frame, returned)
        parts_of_drawn_width(frame)
    return returned


def _leave(frame: Frame) -> None:
    """Containers among the arguments that the routine has written into, and not set anew before."""
    arguments = frame.routine.node.args  # type: ignore[union-attr]
    names = {a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]} & frame.changed - frame.bound
    held = {name: frame.env[name] for name in names if name in frame.env and not frame.env[name].tensor}
    frame.engine.leave(frame.routine, held)


def run(frame: Frame, body: list[ast.stmt]) -> bool:
    """Run statements; False where none comes after (return, raise, continue, break)."""
    return all(_statement(frame, statement) for statement in body)


def _statement(frame: Frame, node: ast.stmt) -> bool:
    match node:
        case ast.Expr():
            evaluate(frame, node.value)
        case ast.Assign():
            value = evaluate(frame, node.value)
            for target in node.targets:
                value = taken_apart(frame, target, node.value, value)
                bind(frame, target, spread_out(frame, node.value, target) or counted(frame, target, node.value, value))
        case ast.AnnAssign():
            if node.value is not None:
                bind(frame, node.target, evaluate(frame, node.value))
        case ast.AugAssign():
            augmented(frame, node)
        case ast.Return():
            value = evaluate(frame, node.value) if node.value is not None else CONSTANT
            if not is_count(value):
                frame.use(value)
            frame.returns.append((value, frame.guards))
            if frame.active >= Level.DATA and frame.loops:
                data_loop(frame, frame.loops[-1])
            return False
        case ast.If():
            return _if(frame, node)
        case ast.For() | ast.AsyncFor() | ast.While():
            _loop(frame, node)
        case ast.With() | ast.AsyncWith():
            for item in node.items:
                value = entered(frame, item.context_expr, evaluate(frame, item.context_expr))
                if item.optional_vars is not None:
                    bind(frame, item.optional_vars, value)
            return run(frame, node.body)
        case ast.Try():
            return _try(frame, node)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            inner_function(frame, node)
        case ast.ClassDef():
            run(Frame(frame.engine, frame.routine, dict(frame.env)), [s for s in node.body if isinstance(s, (ast.Assign, ast.AnnAssign))])
        case ast.Global():
            frame.outer.update(node.names)
        case ast.Nonlocal():
            frame.borrowed.update(node.names)
        case ast.Assert():
            evaluate(frame, node.test)
        case ast.Raise():
            return False
        case ast.Continue() | ast.Break():
            if isinstance(node, ast.Break) and frame.active >= Level.RANDOM and frame.loops:
                frame.ended[frame.loops[-1]] = max(frame.active, frame.ended.get(frame.loops[-1], Level.RANDOM))
                if frame.active >= Level.DATA:
                    data_loop(frame, frame.loops[-1])
                frame.broken[-1].append((dict(frame.env), frame.active))
            elif isinstance(node, ast.Continue) and frame.active >= Level.RANDOM and frame.continued:
                frame.continued[-1].append(dict(frame.env))
            return False
        case ast.Match():
            value = evaluate(frame, node.subject)
            for case in node.cases:
                matched(frame, case.pattern, value)
                run(frame, case.body)
    return True


def bind(frame: Frame, target: ast.expr, value: Abstract) -> None:
    """Assign a value to a name, an attribute, an element, or several."""
    if value is NOTHING and not isinstance(target, ast.Name):
        for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else ():
            bind(frame, part, NOTHING)
    elif isinstance(target, ast.Name):
        if value.tensor and value.form is None:
            value = replace(value, form=("bound", id(target)))  # what two ways make of it can be compared
        if value.loader and value.tensor:
            value = by_name(target.id, value, frame.fact(target))
        value = as_used(frame, target, value)
        if target.id in frame.outer:
            frame.engine.keep_global(frame.routine.file, target.id, value)
        if target.id in frame.borrowed:
            left_around(frame, target.id, value)
        frame.env[target.id] = value
        frame.bound.add(target.id)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for index, part in enumerate(target.elts):
            if isinstance(part, ast.Starred):
                after = len(target.elts) - index - 1
                held = value.items[index : len(value.items) - after] if value.items is not None else None
                bind(frame, part.value, container(held) if held is not None else replace(value, items=None, tensor=False, element=element_of(value)))
            elif value.items is not None and any(isinstance(e, ast.Starred) for e in target.elts[:index]) and len(value.items) >= len(target.elts) - 1:
                bind(frame, part, value.items[index - len(target.elts)])
            elif value.items is not None and len(value.items) == len(target.elts):
                bind(frame, part, value.items[index])
            else:
                one = element_of(value)
                read = not (value.tensor or one.tensor) and bool(value.extent)  # first, last = places.tolist(): values, as many as there are places
                bind(frame, part, replace(one, shape=one.shape if read else value.shape, tensor=value.tensor or one.tensor))
    elif isinstance(target, ast.Starred):
        bind(frame, target.value, value)
    elif isinstance(target, ast.Attribute):
        frame.use(value)
        keep(frame, target, value)
    elif isinstance(target, ast.Subscript):
        frame.use(value)
        keep(frame, target, value)
        written_into(frame, target.value, max(value.level, evaluate(frame, target.slice).level, frame.active), _of_constants(frame, value, target.slice))
        for part in target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]:
            frame.use(evaluate(frame, part))


def _of_constants(frame: Frame, value: Abstract, index: ast.expr) -> bool:
    """``mask[i, i + 4] = 0``: the same places and numbers in every step."""
    held = [evaluate(frame, n) for n in walk(index) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    return (value.level == Level.CONSTANT or value.fixed) and all(one.fixed or not one.tensor and one.level in (Level.CONSTANT, Level.SHAPE, Level.TURN) and not one.shape for one in held)


def _try(frame: Frame, node: ast.Try) -> bool:
    """A handler begins with what holds anywhere in the body; behind the statement holds what any of the ways leaves."""
    before, env = dict(frame.env), frame.env
    goes_on = run(frame, node.body) and run(frame, node.orelse)
    after = dict(env)
    ways = [after] if goes_on else []
    for handler in node.handlers:
        env.clear()
        env.update(_merge(before, after))
        if run(frame, handler.body):
            ways.append(dict(env))
    merged = ways[0] if ways else after
    for way in ways[1:]:
        merged = _merge(merged, way)
    env.clear()
    env.update(merged)
    return run(frame, node.finalbody) and bool(ways)


def _if(frame: Frame, node: ast.If) -> bool:
    test = evaluate(frame, node.test)
    if test.level < Level.RANDOM and (ended_by_sizes(frame, node) or truth(test).level >= Level.RANDOM or is_an_event(frame, node.test)):
        test = replace(test, level=Level.DATA)  # `if near:` of a list that data made
    way = decided(frame, node.test)
    if way is not None:
        return run(frame, node.body if way else node.orelse)
    depends = test.decided_by_data
    before, guards, active = frame.env, frame.guards, frame.active
    then, other = dict(before), dict(before)
    by_shape = test.level < Level.RANDOM or asks_how_many(node.test)
    if depends and by_shape:
        frame.by_shape.add(node)
    if depends:
        frame.active = max(active, test.level, Level.DATA if any(s.cause in _BY_VALUES for s in test.shape) else Level.RANDOM)
    then |= told(frame, node.test)
    frame.env, frame.guards = then, (*guards, (node, True)) if depends else guards
    goes_on = run(frame, node.body)
    frame.env, frame.guards = other, (*guards, (node, False)) if depends else guards
    other_goes_on = run(frame, node.orelse)
    frame.guards = guards
    frame.active = active
    if depends and not (goes_on and other_goes_on) and frame.loops:
        frame.active = max(active, test.level, Level.RANDOM)  # the rest of the turn runs only where the other branch did
    merged = _merge(then, other) if goes_on and other_goes_on else then if goes_on else other
    if not depends and goes_on and other_goes_on:
        settled_by_settings(merged, then, other)
    if depends and goes_on and other_goes_on:
        unequal(merged, then, other, test)
        if not by_shape:
            by_choice(merged, then, other, node, test)
    if depends and goes_on and other_goes_on:
        for name in [n for n in then if n in other and then[n] is not other[n] and not n.startswith("_")]:
            if pads_to_the_other(node):
                merged[name] = as_long(merged[name], then[name], other[name])
            elif differ(then[name], other[name], by_shape) and read_after(frame, node, name):
                merged[name] = branch(frame, node, merged[name], name, then[name], other[name])
    before.clear()
    before.update(merged)
    frame.env = before
    return goes_on or other_goes_on


def _merge(a: dict[str, Abstract], b: dict[str, Abstract]) -> dict[str, Abstract]:
    return {name: a[name] if a.get(name) is b.get(name) else join(*(e[name] for e in (a, b) if name in e)) for name in {**a, **b}}


def _loop(frame: Frame, node: ast.For | ast.AsyncFor | ast.While) -> None:
    iterated = None if isinstance(node, ast.While) else iterable(frame, node.iter, evaluate(frame, node.iter))
    if iterated is not None and (of_one := chosen(frame, node.iter, iterated)) > iterated.length:  # type: ignore[union-attr]
        iterated = replace(iterated, length=of_one)
    if iterated is not None and (several := max(parts(iterated), children(frame, node.iter, node.target, node.body, iterated))) > iterated.length:  # type: ignore[union-attr]
        iterated = replace(iterated, length=several)
    test = truth(evaluate(frame, node.test)) if isinstance(node, ast.While) else None
    active = frame.active
    held = before = dict(frame.env)
    frame.loops.append(node)
    frame.continued.append([])
    frame.broken.append([])
    frame.turning.append(isinstance(node, ast.While) or over_batches(node.iter, iterated) or (iterated is not None and iterated.element is not None and iterated.element.level >= Level.TURN and not iterated.element.tensor))
    if iterated is not None and iterated.length >= Level.RANDOM:
        frame.active = max(active, iterated.length)
    for turn in range(3 if len(frame.loops) == 1 else 2 if len(frame.loops) <= _TWICE else 1):
        if turn == _TWICE and not came_to_differ(held, frame.env):
            break
        held = dict(frame.env)
        if iterated is not None:
            one = SEGMENT if segments(frame, node.target, node.iter, iterated) else EPISODE if episodes(frame, node.iter, iterated) else element_of(iterated)  # type: ignore[union-attr]
            bind(frame, node.target, one)  # type: ignore[union-attr]
        run(frame, node.body)
        for cut in frame.continued[-1]:
            unequal(frame.env, dict(frame.env), cut, Abstract(Level.DATA))
        frame.continued[-1].clear()
        if iterated is not None and iterated.length < Level.RANDOM:
            ended_in_a_loop(frame, held)
        merged = _merge(held, frame.env)
        frame.env.clear()
        frame.env.update(merged)
        frame.active = active if iterated is None or iterated.length < Level.RANDOM else max(active, iterated.length)
        if isinstance(node, ast.While):
            test = truth(evaluate(frame, node.test))
    frame.active = active
    if isinstance(node, ast.While) and test is not None and (test.level >= (Level.RANDOM if test.tensor else Level.DATA) or test.shape):
        data_loop(frame, node)
    if iterated is not None and iterated.tensor:
        frame.use(iterated)  # for c in labels.unique()
    if iterated is not None and iterated.length >= Level.DATA:
        if not iterated.shape and not iterated.tensor:
            data_loop(frame, node)
        frame.use(iterated)
    frame.loops.pop()
    frame.turning.pop()
    frame.continued.pop()
    for cut, level in frame.broken.pop():
        where_it_ended(frame.env, cut, level, node)
    filled(frame, node, before, iterated, test)
    run(frame, node.orelse)
