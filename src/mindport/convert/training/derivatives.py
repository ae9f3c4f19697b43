"""What a gradient with respect to inputs goes back through: the statements of a block that compute the output from them.

They become a function of the inputs. Where nothing else needs what they bind, they move into it; else they stay, and
the function computes them a second time, if that does nothing but compute (`repeatable`).
"""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from mindport.convert.context import Reading
from mindport.convert.training.asked import Asked
from mindport.convert.training.bindings import cut_off
from mindport.convert.training.brought import beside, is_read
from mindport.convert.training.carrying import Carrying
from mindport.convert.training.flow import flowing
from mindport.convert.training.liveness import liveness
from mindport.convert.training.names import (
    changed_parts,
    first_reads,
    key,
    names,
    own_nodes,
    parameters,
    read_parts,
    sure,
)
from mindport.convert.training.region import Obstacle, block_of, check, scopes_around
from mindport.convert.training.repeatable import changes
from mindport.convert.training.second_order import keeps_graph
from mindport.convert.training.writing import check_lines
from mindport.inference import values as v

_EXPRESSIONS = (ast.comprehension, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)


@dataclass
class Derivative:
    """One gradient: `output` as a function of `sources`, in the block where `call` takes it."""

    call: ast.Call
    output: ast.expr
    sources: tuple[str, ...]
    statement: ast.stmt
    block: list[ast.stmt]
    point: int
    scope: ast.AST
    moved: list[ast.stmt] = field(default_factory=list)  # go into the function
    copied: list[ast.stmt] = field(default_factory=list)  # stand in it once more
    weights: ast.expr | None = None
    inner: list[Derivative] = field(default_factory=list)  # by other inputs, in what is copied: their functions are copied, too
    members: ast.expr | None = None  # a row of tensors or parameters that is differentiated by, in the place of `sources`
    row: str = ""  # the row's name, where the function reads it: its first argument
    along: tuple[str, ...] = ()  # tensors that the function is handed besides its inputs
    known: Derivative | None = None  # an earlier one, whose function is this one's, too
    function: str = ""  # its name, once it is planned
    text: str = ""  # what it returns, once that is converted
    written: str = ""  # its text, once it is written
    depth: int = 0  # how many gradients of gradients the output itself holds
    kept: set[int] = field(default_factory=set)  # statements that stay where they are: their results carry no gradient, and a second computation would give others
    start: int = 0  # the first statement of the block that the function is written from, those of inner gradients included

    @property
    def taken(self) -> tuple[str, ...]:
        """The function's arguments that it is differentiated by."""
        return (self.row,) if self.row else self.sources

    @property
    def free(self) -> set[str]:
        """Names that the function reads and does not bind."""
        return {*first_reads(self.inside), *(set(names(self.output).reads) - set(names(self.inside).stores))}

    @property
    def inside(self) -> list[ast.stmt]:
        """The statements that the function computes the output with."""
        return self.moved or self.copied


def same_function(one: Derivative, other: Derivative) -> bool:
    """Whether the function of one derivative, that is written first, computes the other's output as well."""
    parts = [(ast.dump(part) if part is not None else "") for d in (one, other) for part in (d.output, d.weights, d.members)]
    if one.moved or other.moved or one.block is not other.block or one.sources != other.sources or parts[:3] != parts[3:] or one.copied != other.copied:
        return False
    between = other.block[one.point : other.point]
    return one.point <= other.point and not other.free & set(names(between).stores) - set(names(one.statement).stores) - set(names(one.inside).stores)


class Handed(Obstacle):
    """The output comes from the caller: `name` is the parameter of `function` that brings it."""

    def __init__(self, message: str, derivative: Derivative, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> None:
        super().__init__(message, derivative.call)
        self.derivative = derivative
        self.function = function
        self.name = name


def find(at: Reading, call: ast.Call, wanted: Asked, earlier: Mapping[int, Derivative], handed: Container[int] = ()) -> Derivative:
    """The statements behind one gradient. Raises Obstacle; `Handed` where the caller computed the output, or a part of it.

    `earlier`: the gradients above it, by id(call); `handed`: the calls that are known to take gradients of what they are handed.
    """
    statement = statement_of(at, call)
    placed = block_of(at, statement)
    if placed is None:
        raise Obstacle("the block of this statement is not one that can be followed", statement)
    block, point = placed
    output, sources = wanted.output, wanted.sources
    found = Derivative(call, output, sources, statement, block, point, scopes_around(at, call)[0], weights=wanted.weights, start=point)
    first = max((i + 1 for i in range(point) if set(sources) & set(names(block[i]).stores)), default=0)
    first = max(first, min((_made_leaf(at, block[:point], source) for source in sources), default=0))
    outer = [] if first else statements_around(at, found)
    above = [*outer, *block[first:point]]
    depending, places = _following(at, found, above, set(sources))
    brought = _brought(at, found, above, depending, handed)
    if brought:
        depending, places = _following(at, found, above, {*sources, brought})
    found.depth = 1 + max((d.depth for d in taken_in(output, earlier)), default=-1)
    try:
        _move(at, found, [block.index(s) for s in places if s in block], earlier, [s for s in places if s in outer])
        _check_outside(at, found, found.moved, earlier)
        _check_compiled(found, found.moved)
    except Obstacle as obstacle:
        found.moved = []
        copy(at, found, [*outer, *block[first:point]], depending, earlier, obstacle)
        _check_outside(at, found, found.copied, earlier)
        _check_compiled(found, found.copied)
    check_lines(at, [*found.inside, statement])
    if brought:
        raise Handed(_nothing_shows(found), found, found.scope, brought)  # type: ignore[arg-type]
    return found


def _following(at: Reading, found: Derivative, above: list[ast.stmt], depending: set[str]) -> tuple[set[str], list[ast.stmt]]:
    """The names that are computed from those of `depending`, and the statements that do it."""
    places = list[ast.stmt]()
    for before in above:
        own = names(before)
        if depending & set(own.reads) and _stays(at, before, depending):
            found.kept |= {id(part) for part in ast.walk(before) if isinstance(part, ast.stmt)}
        elif depending & set(own.reads) and not _asks_only(before, found.sources):
            places.append(before)
            depending = depending | set(own.stores) | {weak.partition(".")[0] for weak in own.weak}
    return depending, places


def _brought(at: Reading, found: Derivative, above: list[ast.stmt], depending: set[str], handed: Container[int]) -> str:
    """The parameter of the function that brings what a caller computed from the inputs; "" where there is none. Raises Obstacle, and `Handed` of an output that is such a parameter."""
    scope, reads = found.scope, set(names(found.output).reads)

    def reaching(name: str) -> list[ast.AST]:
        """What leads from a name to the output; nothing where it does not."""
        reached, places = _following(at, found, above, {name})
        return [*places, found.output] if reached & reads else []

    if depending & reads:
        brought = beside(at.files, scope, found.sources, reaching, handed)
    elif not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) or isinstance(found.output, ast.Name) and found.output.id in parameters(scope):
        not_computed_here(found, reads)
    else:
        brought = [name for name in parameters(scope) if name not in found.sources and is_read(name, reaching(name))]
    if len(brought) > 1 or not depending & reads and not brought:
        not_computed_here(found, set())
    return brought[0] if brought else ""


def statements_around(at: Reading, found: Derivative) -> list[ast.stmt]:
    """What runs before the block, in the blocks around it, since an input was bound: as long as no loop binds any of it anew."""
    statements: list[ast.stmt] = []
    around = at.parents.get(id(found.statement))
    while isinstance(around, ast.stmt) and around is not found.scope:
        placed = block_of(at, around)
        if placed is None or set(found.sources) & set(names(around).stores):
            break
        block, place = placed
        first = max((i + 1 for i in range(place) if set(found.sources) & set(names(block[i]).stores)), default=0)
        anew = set(names(around).stores)
        statements = [*(s for s in block[first:place] if not anew & set(names(s).stores)), *statements]
        if first:
            break
        around = at.parents.get(id(around))
    return statements


def statement_of(at: Reading, call: ast.Call) -> ast.stmt:
    """The statement that takes a gradient once each time it runs. Raises Obstacle."""
    inner: ast.AST = call
    while not isinstance(inner, ast.stmt):
        node = at.parents[id(inner)]
        if isinstance(node, _EXPRESSIONS) and not (isinstance(inner, ast.comprehension) and inner is getattr(node, "generators", [None])[0]) and not (isinstance(node, ast.comprehension) and inner is node.iter):
            raise Obstacle("the gradient is taken once for every turn of an expression, whose names a function outside of it does not see", call)
        inner = node
    if not isinstance(inner, (ast.Assign, ast.Return, ast.AnnAssign, ast.AugAssign, ast.Expr)):
        raise Obstacle("the gradient stands in the head of a statement", call)
    return inner


def _made_leaf(at: Reading, block: list[ast.stmt], source: str) -> int:
    """Behind which statement nothing led from an input yet: it is bound there; made without a gradient, it asks for one there for the first time."""
    bound = max((place + 1 for place, statement in enumerate(block) if source in names(statement).stores), default=0)
    if not bound or not _wants_none(at, block[bound - 1]):
        return bound
    return next((place + 1 for place in range(bound, len(block)) if _asks_only(block[place], (source,))), bound)


def _wants_none(at: Reading, statement: ast.stmt) -> bool:
    """Whether what a name is given wants no gradient: made of numbers by the library, and not asked for one."""
    if not isinstance(statement, ast.Assign) or not all(isinstance(target, ast.Name) for target in statement.targets):
        return False
    parts = list(ast.walk(statement.value))
    asks = any(isinstance(n, ast.keyword) and n.arg in (None, "requires_grad") or isinstance(n, ast.Attribute) and n.attr.startswith("requires_grad") for n in parts)
    return not asks and all(isinstance(at.facts.value(n), v.Api) for n in parts if isinstance(n, ast.Name))


def _asks_only(statement: ast.stmt, sources: tuple[str, ...]) -> bool:
    """``x.requires_grad_()`` on its own, ``x.requires_grad = True``."""
    match statement:
        case ast.Expr(value=ast.Call(func=asked)):
            return key(asked) in {f"{source}.requires_grad_" for source in sources}
        case ast.Assign(targets=[asked], value=ast.Constant()):
            return key(asked) in {f"{source}.requires_grad" for source in sources}
    return False


def _stays(at: Reading, statement: ast.stmt, depending: set[str]) -> bool:
    """``vectors = noise.like(x).sign()``: numbers drawn in the shape of an input, through which no gradient goes back; by which of several ways, an ``if`` may say."""
    return isinstance(statement, ast.With) and cut_off(statement) and all(map(_binds_new, statement.body)) or changes(at, [statement]) is not None and _gives_none(at, statement, depending)


def _binds_new(statement: ast.stmt) -> bool:
    """``w = net(x) + 1`` below ``with torch.no_grad():``: a new tensor, in which no input goes on as it is."""
    return isinstance(statement, ast.Assign) and all(isinstance(t, ast.Name) for t in statement.targets) and isinstance(statement.value, ast.BinOp | ast.UnaryOp | ast.Compare)


def _check_compiled(found: Derivative, inside: list[ast.stmt]) -> None:
    """What is differentiated again is compiled, and MindSpore compiles no ``with torch.no_grad():``. Raises Obstacle."""
    if keeps_graph(found.call):
        for part in (part for statement in inside for part in (statement, *own_nodes(statement)) if isinstance(part, ast.With) and cut_off(part)):
            raise Obstacle(f"`with {ast.unparse(part.items[0])}` stands between the inputs and the output, and may hand the inputs on: compute that before they want gradients, or detach", part)


def _gives_none(at: Reading, statement: ast.stmt, depending: set[str]) -> bool:
    """``t = torch.full_like(x, 0.5)``: nothing of the numbers of what is read goes on."""
    match statement:
        case ast.If():
            return all(_gives_none(at, part, depending) for part in (*statement.body, *statement.orelse) if not isinstance(part, ast.Pass | ast.Raise))
        case ast.Assign(targets=[ast.Name()], value=value):
            return not Carrying(at.facts, scopes_around(at, statement), at.file.tree).carries(value, dict.fromkeys(depending, True))
    return False


def not_computed_here(found: Derivative, reads: set[str]) -> None:
    """Nothing in the block computes the output from what it is differentiated by: a parameter may bring it. Raises Obstacle."""
    message = _nothing_shows(found)
    if isinstance(found.scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
        handed = [name for name in parameters(found.scope) if name in reads]
        if len(handed) == 1:
            raise Handed(message, found, found.scope, handed[0])
    raise Obstacle(message, found.call)


def _nothing_shows(found: Derivative) -> str:
    by = f"`{ast.unparse(found.members)}`" if found.members is not None else _listed(found.sources)
    return f"nothing shows that `{ast.unparse(found.output)}` is computed from {by} in this block"


def _check_outside(at: Reading, found: Derivative, inside: list[ast.stmt], earlier: Mapping[int, Derivative]) -> None:
    """What the function takes from around it must not be computed from the input: that part would be left out. Raises Obstacle."""
    around = [scope for scope in scopes_around(at, found.call) if not isinstance(scope, ast.Lambda)]
    own = next((s for s in around if any(_binds(s, source) for source in found.sources)), None)
    if own is None:
        raise Obstacle(f"it does not show where {_listed(found.sources)} is bound", found.call)
    within = {id(part) for statement in [*inside, found.statement] for part in ast.walk(statement)}
    depending, before, parts = set(found.sources), set[str](), set[str]()
    simple = [n for n in own_nodes(own) if isinstance(n, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For, ast.With, ast.Expr)) and id(n) not in within | found.kept]
    while depending != before:
        before = set(depending)
        for statement in simple:
            head = statement.iter if isinstance(statement, ast.For) else statement
            targets = statement.target if isinstance(statement, ast.For) else statement
            if not isinstance(statement, ast.With) and depending & {read.partition(".")[0] for read in flowing(at.facts, head)} and not _gives_none(at, statement, depending):
                depending |= set(names(targets).stores)
                parts |= {part for part in changed_parts(targets) if part.partition(".")[0] not in found.sources and _may_run_before(at, statement, found)}
    free = set[str]().union(*(_needed(node, found, earlier) for node in (*inside, found.output))) - set(names(inside).stores)
    if outside := ((free & depending) | read_parts([*inside, found.output], parts - changed_parts(inside))) - set(found.sources):
        raise Obstacle(f"`{min(outside)}` is computed from {_listed(found.sources)} in another block than the gradient", found.call)


def _may_run_before(at: Reading, statement: ast.stmt, found: Derivative) -> bool:
    """Whether a statement stands before the gradient, in a loop around both, or in another function."""
    if statement.lineno <= found.statement.lineno or scopes_around(at, statement)[0] is not found.scope:
        return True
    around = at.parents.get(id(found.statement))
    while around is not None and around is not found.scope:
        if isinstance(around, (ast.For, ast.AsyncFor, ast.While)) and any(part is statement for part in ast.walk(around)):
            return True
        around = at.parents.get(id(around))
    return False


def _binds(scope: ast.AST, name: str) -> bool:
    is_function = isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef))
    return (is_function and name in parameters(scope)) or any(  # type: ignore[arg-type]
        isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in own_nodes(scope)
    )


def _listed(sources: tuple[str, ...]) -> str:
    return " and ".join(f"`{source}`" for source in sources)


def _move(at: Reading, found: Derivative, places: list[int], earlier: Mapping[int, Derivative], outer: list[ast.stmt]) -> None:
    """The run of statements from the input to the output, if nothing it binds is needed later. Raises Obstacle."""
    output, block, point = found.output, found.block, found.point
    reads = set(names(output).reads) - set(found.sources)
    start, end = (places[0], places[-1] + 1) if places else (point, point)
    if not isinstance(output, ast.Name) and not any(reads & set(names(block[i]).stores) for i in range(start, point)):
        start = end = point  # the output is written down in the call: what stands between has its own ends
    elif start < point:
        needed = [i for i in range(start, point) if set(names(block[i]).stores) & set(names(output).reads)]
        end = (max(needed) + 1) if needed and isinstance(output, ast.Name) else point
    moved = block[start:end]
    check(moved)
    lacking = {name for s in outer for name in names(s).stores} & {*first_reads(moved), *(reads - set(names(moved).stores))}
    if lacking := lacking | read_parts([*moved, output], {part for s in outer for part in changed_parts(s) if part.partition(".")[0] not in found.sources}):
        raise Obstacle(f"`{min(lacking)}` is computed from {_listed(found.sources)} in another block than the gradient", found.call)
    others = [d for d in taken_in(output, earlier) if d.sources != found.sources]
    if others or (moved and any(d.sources != found.sources and not d.moved for d in taken_in(moved[0], earlier))):
        raise Obstacle("the output holds a gradient by another input", found.call)  # its function has to be copied
    only_the_gradient(at, found, start, end)
    found.moved, found.start = moved, start


def only_the_gradient(at: Reading, found: Derivative, start: int, end: int) -> None:
    """What the moved statements bind must not be needed later: MindSpore's grad returns the gradient alone. Raises Obstacle."""
    block, point = found.block, found.point
    body = found.scope.body if isinstance(found.scope, (ast.FunctionDef, ast.AsyncFunctionDef)) else at.file.tree.body
    live = liveness(body, frozenset()).after.get(id(block[point]), frozenset())
    for statement in block[end:point]:
        live |= frozenset(names(statement).reads)
    inside = {id(part) for part in ast.walk(found.call)}
    live |= {n.id for n in ast.walk(block[point]) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and id(n) not in inside}
    for name in names(block[start:end]).stores:
        if name in live:
            raise Obstacle(f"`{name}` is used after the gradient was taken: compute it a second time, after it", found.call)


def copy(at: Reading, found: Derivative, before: list[ast.stmt], depending: set[str], earlier: Mapping[int, Derivative], why: Obstacle) -> None:
    """The statements that the output needs, to be computed once more. Raises `why`, with what stands in the way of that."""
    need, filled, copied = _needed(found.output, found, earlier) & depending, set[str](), list[ast.stmt]()
    for statement in reversed(before):
        if _asks_only(statement, found.sources):
            continue
        own = names(statement)
        weak = {name.partition(".")[0] for name in own.weak} - set(own.stores)
        if not (set(own.stores) | weak) & need and not set(own.stores) & filled:
            continue
        copied.insert(0, statement)
        filled |= weak & need
        need = (need - sure(statement)) | _needed(statement, found, earlier) & depending
    if unmade := filled - set(names(copied).stores) - set(found.sources):
        raise Obstacle(f"{why.message}; it cannot be, for `{min(unmade)}` is made elsewhere", why.node)
    again = set(first_reads(copied)) & set(names(copied).stores) - set(found.sources)
    if again:
        raise Obstacle(f"{why.message}; it cannot be, for `{min(again)}` is bound anew in between", why.node)
    check(copied)
    hindrance = changes(at, [*copied, found.output])
    if hindrance is not None:
        raise Obstacle(f"{why.message}; that is not done here, for {hindrance}", why.node)
    found.copied = copied
    taken = [d for node in (*copied, found.output) for d in taken_in(node, earlier)]
    found.inner = [d for d in taken if d.sources != found.sources]
    found.start = min([*(found.block.index(s) for s in copied if s in found.block), *(d.start for d in taken if d.block is found.block), found.point])


def taken_in(statement: ast.AST, earlier: Mapping[int, Derivative]) -> list[Derivative]:
    """The gradients that a statement or expression takes."""
    return [earlier[id(part)] for part in ast.walk(statement) if id(part) in earlier]


def _needed(statement: ast.AST, found: Derivative, earlier: Mapping[int, Derivative]) -> set[str]:
    """What a statement reads; of gradients their inputs, and what their functions take from around them."""
    taken = taken_in(statement, earlier)
    skipped = {id(part) for d in taken for part in ast.walk(d.call)}
    reads = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and id(n) not in skipped}
    for d in taken:
        reads |= set(d.sources)
        if d.sources != found.sources:
            around = set(first_reads(d.inside)) | set(names(d.output).reads) - set(names(d.inside).stores)
            reads |= around.union(*(_needed(s, found, earlier) for s in d.inside))
    return reads
