"""Who sees a change in place, and what that allows.

*Rebinding* (``x = x + 1``) is right where nobody else reads the storage afterwards. *Writing* into the object
(``x[()] = …``) is right where all others hold the very object: they see it in every mode, and gradients pass (measured,
docs/differences/in_place.md). A view sees a write to its base, or a base a write through its view, only outside
``value_and_grad`` and ``ms.jit``; inside them both silently keep their values. So where views are read again the
change is followed by *synchronising* statements that make the view again, or store it back into its base.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from mindport.convert.aliasing.liveness import Liveness, stored_names
from mindport.convert.aliasing.objects import OUTSIDE, Mutation, Object, Objects, in_order, links, path
from mindport.convert.aliasing.parts import apart


@dataclass(frozen=True)
class Again:
    """Make a view again: ``name = expression``, its base standing under `base`."""

    name: str
    expression: ast.expr


@dataclass(frozen=True)
class Back:
    """Store a view into its base: ``base[index] = view`` or ``base[()] = view.reshape(base.shape)``."""

    base: str
    view: str
    expression: ast.expr
    relation: str


@dataclass
class Verdict:
    """What a place may become. `others`: who reads the storage later, in words, with lines."""

    kind: Literal["rebind", "write", "refuse"]
    others: list[str] = field(default_factory=list)
    sync: list[Again | Back] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # local names that hold the very object, when these are all others
    why: str = ""


#: Attributes of tensors that in-place changes leave as they are.
_FIXED = frozenset(("shape", "ndim"))


def judge(mutation: Mutation, liveness: Liveness, single: frozenset[str], result: str | None, number: Callable[[int], int]) -> Verdict:
    """Decide about one mutation. `single`: names that are bound once in the function; `result`: the name that the
    statement gives the changed tensor to; `number`: the user's own number of a line."""
    return _Judge(mutation, liveness, single, result, number).verdict()


class _Judge:
    def __init__(self, mutation: Mutation, liveness: Liveness, single: frozenset[str], result: str | None, number: Callable[[int], int]) -> None:
        self.m = mutation
        self.liveness = liveness
        self.single = single
        self.me = path(mutation.target)
        self.same: list[str] = []
        self.same_names: list[str] = []
        self.views: list[tuple[str, Object]] = []
        self.problems: list[str] = []
        self.result = result
        self.number = number

    def verdict(self) -> Verdict:
        """Sort the holders, then find out what each needs."""
        if not self.m.objects:
            return Verdict("rebind")
        roots = {one.root for one in self.m.objects}
        if self.me is not None and self.result != self.me and not _is_statement_level(self.m) and self.read_later(self.me):
            self.same.append(f"{self.me} is read later")
            self.same_names.append(self.me)
        for name, objects in self.m.names.items():
            if name != self.me and any(one.root in roots and self.meets(one) for one in objects) and self.read_later(name):
                self.holder(name, objects, roots)
        self.outside()
        if not self.same and not self.views and not self.problems:
            return Verdict("rebind")
        taken_up = self.result == self.me or _is_statement_level(self.m)  # by the name itself: ``x = x + 1``
        if self.views and not taken_up:
            self.in_the_statement()
        sync = self.synchronise() if self.views and not self.problems else []
        others = [*self.same, *(f"{name} shares its storage (line {self.number(one.line)})" for name, one in self.views)]
        if self.problems:
            return Verdict("refuse", others, why=self.problems[0])
        kind: Literal["rebind", "write"] = "write" if self.same or (sync and not taken_up) else "rebind"
        return Verdict(kind, others, sync, self.same_names if len(self.same_names) == len(self.same) else [])

    def meets(self, one: Object) -> bool:
        """Whether something of an object's storage may be changed: not where it is another part of the same tensor."""
        return not all(apart(one, mine) for mine in self.m.objects)

    def read_later(self, name: str) -> bool:
        """Whether a name or path is read after the change."""
        if not name.isidentifier():
            return True
        local, statement = name, self.m.statement
        killed = stored_names(statement.targets[0]) if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else frozenset()
        if local not in killed and self.liveness.reads(local, statement):
            return True
        return not _is_statement_level(self.m) and self.read_beside(local)

    def read_beside(self, name: str) -> bool:
        """Whether the statement reads a name beside the change."""
        inside = {id(n) for n in ast.walk(self.m.node)}
        return any(
            isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load) and id(n) not in inside
            for part in _header(self.m.statement)
            for n in ast.walk(part)
        )

    def in_the_statement(self) -> None:
        """What stands against carrying the change on by statements that follow: the rest of this one comes before them."""
        for name, _ in self.views:
            if self.read_beside(name):
                self.problems.append(f"{name} shares its storage and is read in the same statement")
            elif self.me in _bound(self.m.statement):
                self.problems.append(f"{name} shares its storage, and {self.me} is given something else in the same statement")

    def holder(self, name: str, objects: Objects, roots: set[Object]) -> None:
        """One other name: does it hold the very object, or a view?"""
        mine = self.m.objects
        lines = min((one.line for one in objects if one.root in roots and one.line), default=0)
        place = f" (line {self.number(lines)})" if lines else ""
        if any(one.origin == "maybe" or _maybe_between(one) for one in objects | mine if one.root in roots):
            if objects == mine or all(_only_passed(one) for one in objects | mine if one.root in roots):
                self.same.append(f"{name} holds it too")
                self.same_names.append(name)
                return
            else:
                self.problems.append(f"{name}{place} may hold the same storage, which only a run shows")
                return
        touching = {one for one in objects if one.root in roots}
        if touching <= mine:
            self.same.append(f"{name} holds it too")
            self.same_names.append(name)
            if len(mine) > 1 and any(one.base is not None for one in mine):
                self.problems.append(f"{name} holds one of several tensors")
        elif len(objects) == 1 and len(mine) == 1:
            self.views.append((name, next(iter(objects))))
        else:
            self.problems.append(f"{name}{place} may hold its storage, on some of the ways that lead here")

    def outside(self) -> None:
        """Holders without a name here: the caller, attributes, containers."""
        for one in in_order(self.m.objects):
            chain = links(one)
            for link in chain:
                keeper = self.outsider(link) if link.origin in OUTSIDE else self.m.held.get(link)
                if keeper is None:
                    continue
                if link is one:
                    if self.me != link.key or link.origin in ("parameter", "global"):
                        self.same.append(f"{keeper} may still hold it")
                    elif link.origin == "attribute":
                        self.same.append(f"`{link.key}` is read elsewhere")
                elif all(_passes(step) for step in chain[: chain.index(link)]):
                    self.same.append(f"{keeper} may hold it")
                elif any(step.origin == "maybe" for step in chain[: chain.index(link)]):
                    if link.origin == "attribute" and link.key == self.me:
                        self.same.append(f"`{link.key}` is read elsewhere")  # ``self.x = self.x.cuda()``: the path stands for what it was made of no more
                    else:
                        self.problems.append(f"it may be what {keeper} holds, which only a run shows")
                else:
                    base = self.name_of(link)
                    if base is None:
                        self.problems.append(f"{keeper} holds the tensor that it is a view of (line {self.number(one.line)})")
                    elif all(base != name for name, _ in self.views):
                        self.views.append((base, link))
        roots = {one.root for one in self.m.objects}
        for kept, keeper in self.m.held.items():
            if kept.root in roots and self.meets(kept) and kept not in {link for one in self.m.objects for link in links(one)}:
                self.problems.append(f"{keeper} holds a view of it")

    def outsider(self, one: Object) -> str:
        """Who holds what came from outside of the function."""
        match one.origin:
            case "parameter":
                return f"the caller of line {self.number(one.line)}"
            case "global":
                return f"the module's {one.key}"
        return f"`{one.key}`"

    def name_of(self, wanted: Object, without: str | None = None) -> str | None:
        """A name or path that stands for exactly this object here, and not `without`."""
        for name, objects in self.m.names.items():
            if objects == frozenset((wanted,)) and name != without:
                return name
        if wanted.origin in ("attribute",) and isinstance(wanted.key, str) and wanted.key.isidentifier() is False:
            return wanted.key if all(part.isidentifier() for part in wanted.key.split(".")) else None
        return None

    # -- synchronising -------------------------------------------------------------------

    def synchronise(self) -> list[Again | Back]:
        """Statements after the change that carry it to bases and on to views."""
        if len(self.m.objects) != 1 or self.me is None:
            self.problems.append(f"{self.views[0][0]} (line {self.number(self.views[0][1].line)}) is read later and shares its storage")
            return []
        current, name = next(iter(self.m.objects)), self.me
        steps: list[Again | Back] = []
        sync_names = {current: name}
        while current.base is not None:
            base = self.name_of(current.base, without=_container(current.expression))
            if base is None:
                if current.base.origin not in OUTSIDE and not any(link.root == current.root and sync_names.keys().isdisjoint(links(link)) for _, link in self.views):
                    break  # nobody else has what it was made of: ``a = torch.arange(6.0).view(2, 3)``
                self.problems.append(f"the tensor that {name} is a view of (line {self.number(current.line)}) has no name here")
                return []
            if current.expression is None or current.relation not in ("index", "part", "reshape", "swap") or not self.stable(current.expression):
                self.problems.append(f"{base} sees it through a view (line {self.number(current.line)}) that can't be stored back")
                return []
            steps.append(Back(base, name, current.expression, current.relation))
            current, name = current.base, base
            sync_names[current] = name
        for other, one in sorted(self.views, key=lambda pair: pair[1].depth):
            if one in sync_names:
                if sync_names[one] != other:
                    continue
            elif not self.again(other, one, sync_names, steps):
                return []
        return steps

    def again(self, name: str, one: Object, done: dict[Object, str], steps: list[Again | Back]) -> bool:
        """Make the view under `name` again from its base."""
        if one.base not in done or one.expression is None or one.relation not in ("index", "part", "reshape", "swap", "other"):
            self.problems.append(f"{name} shares its storage (line {self.number(one.line)}) and can't be made again here")
            return False
        if not name.isidentifier() or not self.stable(one.expression) or path(_operand(one.expression)) != done[one.base]:
            self.problems.append(f"{name} shares its storage (line {self.number(one.line)}), and what made it may have changed")
            return False
        steps.append(Again(name, one.expression))
        done[one] = name
        return True

    def stable(self, expression: ast.expr) -> bool:
        """Whether evaluating it again here gives the same view: nothing in it is bound anew, or called."""
        operand = _operand(expression)
        for part in ast.walk(expression):
            if isinstance(part, ast.Call) and part is not expression:
                return False
            if isinstance(part, ast.Attribute) and part.attr not in _FIXED and not _is_module(part, operand) and part not in (expression, getattr(expression, "func", None)):
                return False  # ``self.rows[self.at]``: other methods may count `at` on
            if isinstance(part, ast.Name) and part is not operand and part.id not in self.single and not _is_module(part, operand):
                return False
        return True


def _is_module(part: ast.expr, operand: ast.expr) -> bool:
    return any(part is n for n in ast.walk(operand))


def _operand(expression: ast.expr) -> ast.expr:
    """What a view expression is a view of: the receiver, or a function's first argument."""
    match expression:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name)), args=[first, *_]) if name in ("torch", "F"):
            return first
        case ast.Call(func=ast.Attribute(value=value)):
            return value
        case ast.Call(args=[first, *_]):
            return first
        case ast.Attribute(value=value) | ast.Subscript(value=value):
            return value
    return expression


def _passes(one: Object) -> bool:
    return one.origin == "maybe" and one.relation == "passing"


def _only_passed(one: Object) -> bool:
    """Whether it is its root itself, or was handed through modules that give back their input: MindSpore's do so, too."""
    return all(link.base is None or _passes(link) for link in links(one))


def _maybe_between(one: Object) -> bool:
    return any(link.origin == "maybe" for link in links(one))


def _header(statement: ast.stmt) -> list[ast.AST]:
    """The expressions of a statement that are evaluated with it, not the blocks inside it."""
    return [child for child in ast.iter_child_nodes(statement) if isinstance(child, (ast.expr, ast.withitem))]


def _bound(statement: ast.stmt) -> frozenset[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target] if isinstance(statement, (ast.AnnAssign, ast.AugAssign)) else []
    return frozenset().union(*(stored_names(target) for target in targets))


def _is_statement_level(mutation: Mutation) -> bool:
    """Whether nothing else is evaluated in the statement after the change."""
    statement = mutation.statement
    if mutation.kind in ("item", "values", "augmented"):
        return True
    return isinstance(statement, ast.Expr) and statement.value is mutation.node


def _container(expression: ast.expr | None) -> str | None:
    """The name of what holds the tensor that a view is made of: ``rows`` in ``rows[0][1]``, where `rows[0]` is that tensor."""
    match expression:
        case ast.Subscript(value=ast.Subscript(value=held)) | ast.Call(func=ast.Attribute(value=ast.Subscript(value=held))):
            while isinstance(held, ast.Subscript):
                held = held.value
            return path(held)
    return None
