"""Follows tensor objects through one function: what each name can stand for where something is changed in place.

A forward dataflow over structured code: branches are joined by union, loop bodies are passed until nothing grows.
What a call does to its arguments comes from `Knowledge` (the library's calls) and from `Summary` (the project's).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from mindport.convert.aliasing.knowledge import Knowledge
from mindport.convert.aliasing.objects import (
    NOTHING,
    OUTSIDE,
    Mutation,
    Names,
    Object,
    Objects,
    has_gaps,
    in_order,
    is_below,
    is_temporary,
    join,
    mentions,
    of_arguments,
    older,
    path,
    without_cycle,
)
from mindport.convert.aliasing.parts import PART, part_of, taken_apart

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module


@dataclass
class Flow:
    """The result: mutations by ``id(node)``, and what `return` gives."""

    scope: Scope
    mutations: dict[int, Mutation] = field(default_factory=dict)
    returned: set[Object] = field(default_factory=set)
    held: dict[Object, str] = field(default_factory=dict)


#: More objects than this behind one expression are told apart by their storages alone.
MOST_OBJECTS = 32


def follow(scope: Scope, knowledge: Knowledge) -> Flow:
    """Follow one function (not the functions inside it)."""
    walker = _Walker(scope, knowledge)
    names: Names = {} if isinstance(scope, ast.Module) else of_arguments(scope.args)
    if isinstance(scope, ast.Lambda):
        walker.statement = ast.Expr(scope.body)
        walker.flow.returned |= walker.evaluate(scope.body, names)
    else:
        walker.block(scope.body, names)
    return walker.flow


class _Walker:
    def __init__(self, scope: Scope, knowledge: Knowledge) -> None:
        self.flow = Flow(scope)
        self.known = knowledge
        self.statement: ast.stmt = ast.Pass()
        self.leaving: list[list[Names]] = []
        self.made: set[int] = set()

    # -- statements ----------------------------------------------------------------------

    def block(self, statements: list[ast.stmt], names: Names | None) -> Names | None:
        """The state after the statements; None where their end is not reached."""
        for statement in statements:
            if names is None:
                return None
            self.statement = statement
            names = self.step(statement, dict(names))
        return names

    def step(self, s: ast.stmt, names: Names) -> Names | None:
        """The state after one statement."""
        match s:
            case ast.Assign(targets=targets, value=value):
                given = self.evaluate(value, names)
                for target in targets:
                    self.bind(target, given, value, names)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.bind(target, self.evaluate(value, names), value, names)
            case ast.AugAssign(target=target, value=value):
                self.augmented(s, target, self.evaluate(value, names), names)
            case ast.Return(value=value):
                if value is not None:
                    self.flow.returned |= self.evaluate(value, names)
                return None
            case ast.Raise():
                return None
            case ast.Break() | ast.Continue():
                if self.leaving:
                    self.leaving[-1].append(names)
                return None
            case ast.If(test=test, body=body, orelse=orelse):
                self.evaluate(test, names)
                return join(self.block(body, names), self.block(orelse, names))
            case ast.For(target=target, iter=iterated) | ast.AsyncFor(target=target, iter=iterated):
                elements = self.elements(iterated, self.evaluate(iterated, names), names)
                return self.loop(s, names, target, elements)
            case ast.While(test=test):
                self.evaluate(test, names)
                return self.loop(s, names, None, NOTHING)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    given = self.evaluate(item.context_expr, names) | self.known.entered(item)
                    if item.optional_vars is not None:
                        self.bind(item.optional_vars, given, item.context_expr, names)
                return self.block(body, names)
            case ast.Match(subject=subject, cases=cases):
                self.evaluate(subject, names)
                after: Names | None = names
                for case in cases:
                    after = join(after, self.block(case.body, names))
                return after
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return names
            case _ if isinstance(s, ast.Try) or type(s).__name__ == "TryStar":
                inside = self.block(s.body, names)  # type: ignore[attr-defined]
                started = join(names, inside)
                after = self.block(s.orelse, inside) if s.orelse else inside  # type: ignore[attr-defined]
                for handler in s.handlers:  # type: ignore[attr-defined]
                    after = join(after, self.block(handler.body, started))
                return self.block(s.finalbody, join(after, started)) if s.finalbody else after  # type: ignore[attr-defined]
            case _:
                for child in ast.iter_child_nodes(s):
                    if isinstance(child, ast.expr):
                        self.evaluate(child, names)
        return names

    def loop(self, s: ast.For | ast.AsyncFor | ast.While, names: Names, target: ast.expr | None, elements: Objects) -> Names | None:
        """Pass the body until the state at its start no longer grows."""
        state: Names | None = names
        for _ in range(6):
            assert state is not None
            start = dict(state)
            if target is not None:
                self.statement = s
                self.bind(target, elements, target, start)
            self.leaving.append([])
            end = self.block(s.body, start)
            for left in self.leaving.pop():
                end = join(end, left)
            grown = join(state, end)
            if grown == state:
                break
            state = grown
        return self.block(s.orelse, state) if s.orelse else state

    def augmented(self, s: ast.AugAssign, target: ast.expr, given: Objects, names: Names) -> None:
        """``x += y`` changes a tensor; ``x[i] += y`` stores into x; ``rows += more`` makes a list hold more."""
        if isinstance(target, ast.Subscript) and path(target) is None and self.known.is_tensor(target.value):
            self.evaluate(target.slice, names)
            self.changed(target, "item", target.value, self.evaluate(target.value, names), names)
        elif (self.known.is_tensor(target) or self.known.is_filled_elsewhere(target)) and not self.known.is_container(s.value):
            self.changed(s, "augmented", target, self.evaluate(target, names), names)
        elif isinstance(target, ast.Name) and self.known.joins_containers(target):
            names[target.id] = names.get(target.id, NOTHING) | given

    def bind(self, target: ast.expr, given: Objects, value: ast.expr, names: Names) -> None:
        """Bind a target to what it is given; `value` is the target itself where no expression of its parts stands."""
        match target:
            case ast.Name(id=name):
                names[name] = given
                for held in [key for key in names if is_below(key, name)]:
                    del names[held]
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                starred = any(isinstance(e, ast.Starred) for e in elts)
                if value is target:  # a loop's: not what the names held before it
                    given_each = [self.read(each.value if isinstance(each, ast.Starred) else each, {}) for each in elts]
                elif isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(elts) and not starred and not any(isinstance(e, ast.Starred) for e in value.elts):
                    given_each = [self.evaluate(each, names) for each in value.elts]
                elif self.known.makes_each(value) and all(one.origin == "new" for one in given):
                    given_each = [self.derived(each, NOTHING, "new", None, names) for each in elts]
                elif not starred and (whole := taken_apart(self.known, value, given)) is not None:
                    given_each = [self.derived(each, whole[2], PART, part_of(whole[0], whole[1], place), names) for place, each in enumerate(elts)]
                else:
                    given_each = [self.elements(value, given, names)] * len(elts)
                for each, one in zip(elts, given_each, strict=True):
                    self.bind(each.value if isinstance(each, ast.Starred) else each, one, each, names)
            case ast.Attribute(value=owner) if self.known.replaces_values(target):
                self.changed(target, "values", owner, self.evaluate(owner, names), names, given)
            case ast.Attribute(value=owner):
                self.evaluate(owner, names)
                key = path(target)
                if key is not None:
                    names[key] = given
                for stored in given:
                    self.flow.held.setdefault(stored, f"`{ast.unparse(target)}` (line {self.known.number(target.lineno)})")
            case ast.Subscript(value=owner, slice=index):
                self.evaluate(index, names)
                objects = self.evaluate(owner, names)
                if self.known.is_tensor(owner) and not self.known.is_key(index):
                    self.changed(target, "item", owner, objects, names)
                else:
                    self.put(target, given, names)
                    self.keep(given, owner, names if self.known.is_container(owner) else {})

    def put(self, item: ast.Subscript, given: Objects, names: Names) -> None:
        """A mapping gets hold of the objects, under this text, or under any that a run shows."""
        key = path(item)
        if key is not None:
            names[key] = given
        elif (owner := path(item.value)) is not None:
            for held in [one for one in names if one.startswith(f"{owner}[")]:
                names[held] |= given

    def keep(self, objects: Objects, owner: ast.expr, names: Names) -> None:
        """A container or another object gets hold of the objects; a name in `names` stands for them, too."""
        for one in in_order(objects):
            self.flow.held.setdefault(one, f"`{ast.unparse(owner)}` (line {self.known.number(owner.lineno)})")
        if (key := path(owner)) in names:
            names[key] |= objects  # type: ignore[index]

    def changed(self, node: ast.AST, kind: str, target: ast.expr, objects: Objects, names: Names, given: Objects = NOTHING) -> None:
        """Note a change in place; of a node met again, the wider state."""
        before = self.flow.mutations.get(id(node))
        state: Names = dict(names)
        if before is not None:
            objects |= before.objects
            given |= before.given
            state = join(state, before.names) or state
        self.flow.mutations[id(node)] = Mutation(node, self.statement, kind, target, objects, state, dict(self.flow.held), given=given)  # type: ignore[arg-type]

    # -- expressions ---------------------------------------------------------------------

    def evaluate(self, node: ast.expr, names: Names) -> Objects:
        """The tensor objects that an expression can give; the changes inside it are noted."""
        match node:
            case ast.Name():
                return self.read(node, names)
            case ast.Attribute(value=value):
                if not self.known.is_tensor(value):
                    self.evaluate(value, names)
                    return self.read(node, names)
                relation = self.known.attribute(node)
                objects = self.evaluate(value, names)
                return self.read(node, names) if relation == "held" else self.derived(node, objects, relation, node, names)
            case ast.Subscript(value=value, slice=index):
                self.evaluate(index, names)
                objects = self.evaluate(value, names)
                if self.known.is_key(index):
                    return self.held_under(node, objects, names)
                if objects and self.known.is_tensor(value):
                    return self.derived(node, objects, self.known.index(index), node, names)
                return NOTHING if self.known.holds_no_tensor(node) else self.elements(value, objects, names)
            case ast.Call():
                return self.call(node, names)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.evaluate(test, names)
                return self.evaluate(body, names) | self.evaluate(orelse, names)
            case ast.BoolOp(values=values):
                return frozenset().union(*(self.evaluate(value, names) for value in values))
            case ast.NamedExpr(target=target, value=value):
                given = self.evaluate(value, names)
                self.bind(target, given, value, names)
                return given
            case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
                return self.contained(node, elts, names)
            case ast.Dict(values=values):
                return self.contained(node, values, names)
            case ast.BinOp(left=left, right=right) if self.known.joins_containers(node):
                return self.contained(node, [left, right], names)
            case ast.Yield(value=value) | ast.YieldFrom(value=value):
                if value is not None:
                    self.flow.returned |= self.evaluate(value, names)
                return NOTHING
            case ast.ListComp(elt=elt, generators=generators) | ast.SetComp(elt=elt, generators=generators) | ast.GeneratorExp(elt=elt, generators=generators) | ast.DictComp(value=elt, generators=generators):
                inner = dict(names)
                for one in generators:
                    self.bind(one.target, self.elements(one.iter, self.evaluate(one.iter, inner), inner), one.target, inner)
                    for test in one.ifs:
                        self.evaluate(test, inner)
                return self.contained(node, [elt], inner)
            case ast.Lambda() | ast.Constant():
                return NOTHING
            case ast.Starred(value=value) | ast.Await(value=value) | ast.FormattedValue(value=value):
                return self.evaluate(value, names)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.evaluate(child, names)
        self.age(id(node), names)
        return frozenset((Object("new", id(node), line=getattr(node, "lineno", 0)),)) if self.known.may_be_tensor(node) else NOTHING

    def age(self, key: int, names: Names) -> None:
        """What an earlier turn of a loop made here is another object than what is made here now (recency abstraction:
        Balakrishnan, Reps, "Recency-abstraction for heap-allocated storage", SAS 2006)."""
        if key not in self.made:
            self.made.add(key)
            return
        for name, objects in names.items():
            if any(mentions(one, key) for one in objects):
                names[name] = frozenset(older(one, key) for one in objects)
        held = {older(one, key): keeper for one, keeper in self.flow.held.items()}
        self.flow.held.clear()
        self.flow.held.update(held)

    def contained(self, node: ast.expr, parts: list[ast.expr], names: Names) -> Objects:
        """A container made here: the objects in it."""
        return frozenset().union(*(self.evaluate(part, names) for part in parts if part is not None))

    def read(self, node: ast.expr, names: Names) -> Objects:
        """What a name or a dotted path stands for."""
        key = path(node)
        line = getattr(node, "lineno", 0)
        if key is None:
            return frozenset((Object("attribute", ast.unparse(node), line=line),))
        if key in names:
            return names[key]
        return frozenset((Object("attribute" if "." in key else "global", key, line=line),)) if self.known.may_be_tensor(node) else NOTHING

    def elements(self, node: ast.expr, objects: Objects, names: Names) -> Objects:
        """What iterating or indexing gives: a tensor's rows, or what a container holds."""
        if self.known.is_tensor(node):
            return self.derived(node, objects, "row", None, names)
        if objects:
            return objects
        return frozenset((Object("element", path(node) or ast.unparse(node), line=node.lineno),))

    def held_under(self, node: ast.Subscript, owners: Objects, names: Names) -> Objects:
        """What a mapping holds under a text: under another text it holds another tensor, unless it is seen to be put there."""
        if self.known.holds_no_tensor(node):
            return NOTHING
        if (key := path(node)) in names:
            return names[key]  # type: ignore[index]
        if owners and not all(one.origin in OUTSIDE for one in owners):
            return owners  # a mapping made here: all that it was made of
        return frozenset(Object("element", key or ast.unparse(node), line=node.lineno, inside=one) for one in owners or (None,))

    def derived(self, node: ast.expr, objects: Objects, relation: str, expression: ast.expr | None, names: Names) -> Objects:
        """Objects made from others: the same, views of them, new ones, or what only a run tells."""
        line = getattr(node, "lineno", 0)
        if relation != "same":
            self.age(id(node), names)
        if relation == "new":
            return frozenset((Object("new", id(node), line=line),))
        if relation == "same":
            return objects
        kinds = {one: "maybe" if relation == "reshape" and has_gaps(one) and self.known.copies_gaps(node) else relation for one in objects}
        made = frozenset(
            Object("maybe" if kind in ("maybe", "passing") else "view", id(node), without_cycle(one, id(node)), line, expression, kind) for one, kind in kinds.items()
        )
        if len(made) <= MOST_OBJECTS:
            return made
        # chains of places multiply in nested loops; what all of them say is that it may be any of these storages
        return frozenset(Object("maybe", id(node), root, line, None, "other") for root in {one.root for one in made})

    # -- calls ---------------------------------------------------------------------------

    def call(self, node: ast.Call, names: Names) -> Objects:
        """A call's result; the arguments it changes are noted, and those that it keeps."""
        receiver = NOTHING
        if isinstance(node.func, ast.Attribute):
            receiver = self.evaluate(node.func.value, names)
        else:
            self.evaluate(node.func, names)
        arguments: list[tuple[ast.expr, Objects]] = [(a, self.evaluate(a, names)) for a in node.args]
        keywords = {k.arg: (k.value, self.evaluate(k.value, names)) for k in node.keywords}
        if (asked := self.known.attribute_asked(node)) is not None:
            return names[asked] if asked in names else frozenset((Object("attribute", asked, line=node.lineno),))
        effect = self.known.call(node)
        if effect.keeps_arguments and isinstance(node.func, ast.Attribute):
            for _, objects in [*arguments, *keywords.values()]:
                self.keep(objects, node.func.value, names)
            return receiver.union(*(o for _, o in arguments)) or self.elements(node.func.value, NOTHING, names)  # setdefault
        result: set[Object] = set()
        for part in effect.parts:
            if part.name == "self" and isinstance(node.func, ast.Attribute) and part.receiver:
                expression, objects = node.func.value, receiver
            elif isinstance(part.name, int) and part.name < len(arguments):
                expression, objects = arguments[part.name]
            elif part.keyword in keywords:
                expression, objects = keywords[part.keyword]
            else:
                continue
            if isinstance(expression, ast.Starred):
                expression = expression.value
            if part.held and not objects:  # a container that was filled where nothing shows it
                objects = self.elements(expression, objects, names)
            if part.changed:
                self.changed(node, part.changed, expression, objects, names)
            if part.kept:
                self.keep(objects, node.func, {})
            if part.relation and part.relation != "new" and not (part.relation == "maybe" and is_temporary(expression, objects)):
                simple = node if part.again else None
                result |= self.derived(node, objects, part.relation, simple, names)
        if not effect.empty and (effect.new or not result):
            self.age(id(node), names)
            result.add(Object("new", id(node), line=node.lineno))
        if effect.outside:
            result.add(Object("attribute", effect.outside, line=node.lineno))
        return frozenset(result)
