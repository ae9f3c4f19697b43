"""The statements that compute a loss: what ``loss.backward()`` goes back through, as one run of a block."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from mindport.convert.context import Context, Reading
from mindport.convert.training.bindings import bindings
from mindport.convert.training.callers import carrying_argument
from mindport.convert.training.carrying import Carrying, Env
from mindport.convert.training.earlier_rounds import left_by_earlier_rounds
from mindport.convert.training.filled import fills, is_unfilled, left_in, runs_module
from mindport.convert.training.flow import flow_with_functions, flowing
from mindport.convert.training.held_reads import flowing_through, kept_in, left_elsewhere
from mindport.convert.training.leaves import leaves
from mindport.convert.training.left_behind import COMMON, left_by_forward, left_by_hooks
from mindport.convert.training.liveness import liveness
from mindport.convert.training.names import (
    FUNCTIONS,
    first_reads,
    keys_read,
    names,
    own_nodes,
    parameters,
    sure,
)
from mindport.convert.training.parts import wholes, with_wholes
from mindport.convert.training.toggles import toggle

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Obstacle(Exception):
    """Why a training step cannot be written as a function; `node` is what stands in the way."""

    def __init__(self, message: str, node: ast.AST) -> None:
        super().__init__(message)
        self.message = message
        self.node = node


class OnTapeAlone(Obstacle):
    """What can be written, but on MindSpore's tape only."""


@dataclass
class Region:
    """``block[start:end]`` computes `loss`; ``block[point]`` holds the backward call."""

    block: list[ast.stmt]
    start: int
    end: int
    point: int
    loss: ast.expr
    call: ast.Call
    scope: ast.AST
    direct: bool  # the backward call is the statement at `point` itself
    inputs: list[str] = field(default_factory=list)  # names that are read before they are bound
    stored: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)  # names bound inside and read later, the loss aside
    loops: list[ast.stmt] = field(default_factory=list)  # loops around, innermost first
    losses: list[ast.expr] = field(default_factory=list)  # all that are summed, where several backward calls are one
    test: ast.expr | None = None  # where each of two losses belongs to one branch of an if statement
    weight: ast.expr | None = None  # what backward is given: the gradient of the loss
    early: bool = False  # the loss is computed from names where the region ends, not where backward is called

    def __post_init__(self) -> None:
        self.losses = self.losses or [self.loss]

    @property
    def moved(self) -> list[ast.stmt]:
        """The statements that go into the function."""
        return self.block[self.start : self.end]

    @property
    def loss_name(self) -> str | None:
        """The loss's name, where it is one."""
        plain = isinstance(self.loss, ast.Name) and len(self.losses) == 1 and self.weight is None
        return self.loss.id if plain else None  # type: ignore[attr-defined]


def scopes_around(context: Reading, node: ast.AST) -> list[ast.AST]:
    """The functions around a node, innermost first, and the module."""
    found: list[ast.AST] = []
    current = context.parents.get(id(node))
    while current is not None:
        if isinstance(current, FUNCTIONS):
            found.append(current)
        current = context.parents.get(id(current))
    return [*found, context.file.tree]


def block_of(context: Reading, statement: ast.AST) -> tuple[list[ast.stmt], int] | None:
    """The block that a statement stands in, and its place."""
    owner = context.parents.get(id(statement))
    for name in ("body", "orelse", "finalbody"):
        block = getattr(owner, name, None)
        if isinstance(block, list) and statement in block:
            return block, block.index(statement)  # type: ignore[arg-type]
    return None


def find(context: Context, call: ast.Call, weight: ast.expr | None = None) -> Region:
    """The region of one backward call, which is given `weight` as the loss's gradient. Raises Obstacle."""
    assert isinstance(call.func, ast.Attribute)
    loss = call.func.value
    statement = context.parents.get(id(call))
    if not isinstance(statement, ast.Expr):
        raise Obstacle("the call of backward is part of a larger expression", call)
    scopes = scopes_around(context, call)
    if isinstance(scopes[0], ast.Lambda):
        raise Obstacle("the call of backward stands in a lambda", call)
    carrying = Carrying(context.facts, scopes, context.file.tree)
    carrying.leaves = {leaf.name for around in scopes for leaf in leaves(around)}
    carrying.left, carrying.wholes = (left_by_hooks(context) | left_by_forward(context)) - COMMON, wholes(scopes[0])
    point: ast.stmt = statement
    while True:
        placed = block_of(context, point)
        if placed is None:
            raise Obstacle("the block of this statement is not one that can be followed", point)
        block, index = placed
        region = _in_block(context, block, index, loss, call, scopes[0], carrying, point is statement)
        if isinstance(region, Region):
            break
        owner = context.parents.get(id(point))
        if not isinstance(owner, (ast.If, ast.With, ast.Try)) or set(names(block[:index]).stores) & keys_read(loss):
            name, place = region
            raise Obstacle(_from_outside(context, name, place), place)
        point = owner
    if weight is not None:
        if not region.direct:
            raise Obstacle("a gradient is given to backward in another block", weight)
        region.weight, region.end = weight, region.point
    check(region.moved)
    check_wanting(context, region)
    inputs_and_outputs(context, region)
    return region


def _from_outside(context: Context, name: str, place: ast.AST) -> str:
    line = context.file.span(place).line  # type: ignore[arg-type]
    return (
        f"`{name}` may carry a gradient from line {line}, outside of the statements that belong to this backward call: compute "
        "it in the same block, or detach it there if no gradient is meant to flow through it"
    )


def _in_block(
    context: Context, block: list[ast.stmt], point: int, loss: ast.expr, call: ast.Call, scope: ast.AST, carrying: Carrying, direct: bool
) -> Region | tuple[str, ast.AST]:
    """The region in this block, or the name whose gradient comes from outside of it."""
    states = flow_with_functions(block[:point], carrying)
    before: Env = states[-1] if states else {}
    kept = kept_in(context.facts, scope, context.file.tree)  # what methods may read that the loss is computed by
    elsewhere = left_elsewhere(context, loss)
    need = flowing(context.facts, loss, before) | flowing_through(context.facts, scope, kept, loss) | elsewhere
    start: int | None = None
    last = point
    done = False  # a backward call stands between: what was computed before it belonged to that
    for index in range(point - 1, -1, -1):
        statement = block[index]
        done = done or any(isinstance(n, ast.Attribute) and n.attr == "backward" for n in own_nodes(statement))
        own = names(statement)
        stored = {n for n in need if any(n == k or n.startswith(k + ".") for k in own.stores)}
        hit = stored | {n for n in need if any(n == k or k.startswith(n + ".") for k in with_wholes(own.weak, carrying.wholes))}
        carried = any(states[index].get(n, states[index].get(n.split(".")[0], False)) for n in hit)
        filled = not (carried or done) and fills(context, statement, [loss, *block[point if start is None else start : point]])
        if not hit and not filled:
            continue
        bound = {n for n in need if n.split(".")[0] in sure(statement)}
        if filled or carried or (start is not None and not own.weak and _is_seed(statement) and hit & set(first_reads(block[start:point]))):
            if start is None:
                last = index + 1
            start = index
            exposed = first_reads([statement])
            more = left_elsewhere(context, statement)
            elsewhere |= more
            need = (need - bound) | more | {n for n in flowing(context.facts, statement, before) if n.split(".")[0] in exposed} | flowing_through(context.facts, scope, kept, statement)
        else:
            need -= bound
    own_carries = carrying.carries(loss, before)
    inner = set() if _in_loop(context, block[0]) else _places_from(block, point if start is None else start)
    inside = block[start:point] if start is not None else []
    places, left = first_reads([*inside, ast.Expr(loss)]), left_in(context, inside)
    for name in sorted(need):
        if name in carrying.leaves or (isinstance(node := places.get(name), ast.expr) and carrying.is_own(context.facts.value(node))):
            continue
        if carrying.left & set(re.findall(r"\.?[^.]+", name)):
            if runs_module(context, inside) or f".{name.rpartition('.')[2]}" in left:
                continue
            return name, loss
        if name in elsewhere:
            if f".{name.rpartition('.')[2]}" in left:
                continue
            return name, loss
        if "." in name:
            place = _stored_elsewhere(carrying, name, inside)
        else:
            place = carrying.origin(name, frozenset(inner))
        if place is not None:
            return name, place
        _check_callers(context, scope, name)
    if start is None:
        if not own_carries:
            if isinstance(scope, FUNCTIONS) and any(n in parameters(scope) for n in need):
                name = next(n for n in sorted(need) if n in parameters(scope))
                raise Obstacle(f"`{name}` comes from the caller, and the forward pass with it: call backward where the loss is computed", call)
            raise Obstacle(f"nothing shows that `{ast.unparse(loss)}` is computed from trainable parameters in this function", call)
        start = last = point
    if not isinstance(loss, ast.Name):
        if direct:
            last = point
        elif set(names(loss).reads) & set(names(block[last:point]).stores):
            raise Obstacle(f"`{ast.unparse(loss)}` is computed in another block than what it is computed from", call)
    return Region(block, start, last, point, loss, call, scope, direct, early=not direct and not isinstance(loss, ast.Name))


def _check_callers(context: Context, scope: ast.AST, name: str) -> None:
    """A parameter of the function gets nothing that carries a gradient, as far as the project's calls show. Raises Obstacle."""
    if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) and name in parameters(scope):
        given = carrying_argument(context.files, scope, name)
        if given is not None:
            raise Obstacle(
                f"`{name}` may carry a gradient: the call in line {given.line} of {given.path} gives `{given.text}`. Compute it where "
                "backward is called, or detach it there if no gradient is meant to flow through it", scope,
            )  # fmt: skip


def _is_seed(statement: ast.stmt) -> bool:
    """``loss = 0``, ``rows = [[] for _ in heads]``: the start of a sum or of a container that the region goes on with."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=ast.expr() as value) | ast.AnnAssign(target=ast.Name(), value=ast.expr() as value):
            return is_unfilled(value)
    return False


def _stored_elsewhere(carrying: Carrying, name: str, inside: list[ast.stmt]) -> ast.AST | None:
    attribute = name.rpartition(".")[2]
    if name.split(".")[0] not in ("self", "cls"):
        return None  # a chain on another object: its first name is asked for, too
    place = carrying._stored(attribute)
    if place is None or any(place is part for s in inside for part in ast.walk(s)):
        return None
    return place


def _places_from(block: list[ast.stmt], start: int) -> set[int]:
    return {id(part) for statement in block[start:] for part in ast.walk(statement)}


def _in_loop(context: Context, statement: ast.AST) -> bool:
    return bool(loops_around(context, statement))


def loops_around(context: Reading, statement: ast.AST) -> list[ast.stmt]:
    """The loops of the same function around a statement, innermost first."""
    found: list[ast.stmt] = []
    current = context.parents.get(id(statement))
    while current is not None and not isinstance(current, (*FUNCTIONS, ast.ClassDef)):
        if isinstance(current, _LOOPS):
            found.append(current)
        current = context.parents.get(id(current))
    return found


def check(statements: list[ast.stmt]) -> None:
    """What cannot stand in a function of its own. Raises Obstacle."""
    for statement in statements:
        for part in [statement, *own_nodes(statement)]:
            match part:
                case ast.Return():
                    raise Obstacle("a return stands between the forward pass and backward", part)
                case ast.Yield() | ast.YieldFrom() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
                    raise Obstacle("the function gives control away between the forward pass and backward", part)
                case ast.Global() | ast.Nonlocal() | ast.Import() | ast.ImportFrom():
                    raise Obstacle("a declaration of names stands between the forward pass and backward", part)
                case ast.Delete(targets=targets) if any(isinstance(t, ast.Name) for t in targets):
                    raise Obstacle("a name is deleted between the forward pass and backward", part)
                case ast.Call(func=ast.Name(id="super" | "locals" | "vars" | "exec" | "eval" as name)) if not part.args or name == "eval":
                    raise Obstacle(f"`{name}()` means something else inside another function", part)
        _jumps(statement)


def check_wanting(context: Context, region: Region) -> None:
    """Whose gradients are wanted is asked before the function runs: it must not change inside. Raises Obstacle."""
    for statement in region.moved:
        if (part := toggle(context, statement)) is not None:
            raise Obstacle("which parameters want a gradient changes between the forward pass and backward", part)
    moved = {id(statement) for statement in region.moved}
    for leaf in leaves(region.scope):
        if id(leaf.statement) in moved:
            raise Obstacle(f"`{leaf.name}` starts to want its gradient between the forward pass and backward", leaf.statement)


def _jumps(statement: ast.AST) -> None:
    for child in ast.iter_child_nodes(statement) if not isinstance(statement, (*_LOOPS, *FUNCTIONS, ast.ClassDef)) else ():
        _jumps(child)
    if isinstance(statement, (ast.Break, ast.Continue)):
        word = "break" if isinstance(statement, ast.Break) else "continue"
        raise Obstacle(f"a {word} leaves the statements between the forward pass and backward", statement)


def inputs_and_outputs(context: Context, region: Region) -> None:
    moved = region.moved
    body = region.scope.body if isinstance(region.scope, (ast.FunctionDef, ast.AsyncFunctionDef)) else context.file.tree.body
    inner = [part for part in own_nodes(region.scope) if isinstance(part, (*FUNCTIONS, ast.ClassDef))]
    captured = {n for part in inner for n in names(part).reads}
    captured |= {n for part in inner for statement in ast.walk(part) if isinstance(statement, ast.Nonlocal) for n in statement.names}
    declared = {n for part in own_nodes(region.scope) if isinstance(part, (ast.Global, ast.Nonlocal)) for n in part.names}
    region.stored = list(names(moved).stores)
    for name in region.stored:
        if name in declared:
            raise Obstacle(f"`{name}` belongs to an outer scope and is assigned between the forward pass and backward", names(moved).stores[name])
        if name in captured and any(name in names(part).reads for s in moved for part in ast.walk(s) if isinstance(part, FUNCTIONS)):
            continue
        if name in captured and not isinstance(region.scope, ast.Module):
            raise Obstacle(f"a function inside reads or binds `{name}`, which is assigned between the forward pass and backward", names(moved).stores[name])
    if isinstance(region.scope, ast.Module):
        for name in region.stored:
            if name in captured and _called_in(moved, context, name):
                raise Obstacle(f"a function reads the global `{name}`, which is assigned between the forward pass and backward", names(moved).stores[name])
    _check_handlers(context, region)
    live = liveness(body, frozenset(captured if isinstance(region.scope, ast.Module) else ())).after
    if moved:
        after = live.get(id(moved[-1]), frozenset())
    else:
        after = frozenset()
    parts = [*(part for part in (region.test, region.weight) if part is not None), *region.losses]
    reads = first_reads([*moved, *(ast.Expr(part) for part in parts)])
    region.inputs = [name for name in reads if not _is_imported(region.scope, name)]
    bound = {n for s in moved for n in sure(s)}
    later = set(after)
    if region.direct and region.end == region.point:  # the call itself is the only thing left that reads these
        later = set(live.get(id(region.block[region.point]), frozenset()))
    # What only the region reads, before it binds it for sure, is live because a loop comes round: no value leaves.
    own = {n for n in reads if n not in bound and n not in captured and not elsewhere(region, n) and not bound_before(context, region, n)}
    region.outputs = [n for n in region.stored if n in later - own and n != region.loss_name]
    for name in region.outputs:
        if name not in bound and name not in reads:
            if not bound_before(context, region, name):
                raise Obstacle(f"`{name}` is bound on some ways only between the forward pass and backward, and read later", names(moved).stores[name])
            region.inputs.append(name)
    if region.loss_name and moved and region.loss_name not in bound and region.loss_name not in reads:
        raise Obstacle(f"`{region.loss_name}` is bound on some ways only", names(moved).stores.get(region.loss_name, region.call))
    region.loops = loops_around(context, region.block[0])
    for name in sorted(own & left_by_earlier_rounds(moved)) if region.loops else ():
        raise Obstacle(f"`{name}` is read as an earlier round of the loop left it, and bound between the forward pass and backward", reads[name])


def _is_imported(scope: ast.AST, name: str) -> bool:
    """Whether a scope binds a name by imports alone (``from torch.nn.utils import parameters_to_vector`` in the loop): it is seen from within, or has gone."""
    places = bindings(scope, name)
    return bool(places) and all(isinstance(place, ast.alias) for place, _ in places)


def _check_handlers(context: Context, region: Region) -> None:
    """A handler must not read what the moved statements bound before the error. Raises Obstacle."""
    current: ast.AST | None = region.block[0]
    while current is not None and not isinstance(current, FUNCTIONS):
        owner = context.parents.get(id(current))
        if isinstance(owner, ast.Try) and current in owner.body:
            seen = first_reads([s for h in owner.handlers for s in h.body]) | first_reads(owner.finalbody)
            for name in seen:
                if name in region.stored:
                    raise Obstacle(f"`{name}` is read where an error in the forward pass is handled", seen[name])
        current = owner


def elsewhere(region: Region, name: str) -> list[ast.Name]:
    """Where statements of the scope that stay outside bind or read a name."""
    inside = {id(part) for s in region.moved for part in ast.walk(s)}
    return [n for n in own_nodes(region.scope) if isinstance(n, ast.Name) and n.id == name and id(n) not in inside]


def _called_in(moved: list[ast.stmt], context: Context, name: str) -> bool:
    """Whether a function that reads a global is called, by its name, in the statements."""
    readers = {f.name for f in context.file.nodes if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef)) and name in names(f).reads}
    used = {n.id for s in moved for n in ast.walk(s) if isinstance(n, ast.Name)} | {n.attr for s in moved for n in ast.walk(s) if isinstance(n, ast.Attribute)}
    return bool(readers & used) or "forward" in readers


def bound_before(context: Context, region: Region, name: str) -> bool:
    """Whether a name is bound on every way to the region."""
    if isinstance(region.scope, (ast.FunctionDef, ast.AsyncFunctionDef)) and name in parameters(region.scope):
        return True
    current: ast.AST = region.block[region.start]
    while current is not region.scope:
        placed = block_of(context, current)
        if placed is not None and any(name in sure(s) for s in placed[0][: placed[1]]):
            return True
        owner = context.parents.get(id(current))
        if owner is None:
            return False
        if isinstance(owner, (ast.For, ast.AsyncFor)) and name in names(owner.target).stores:
            return True
        current = owner
    return False
