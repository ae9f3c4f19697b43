"""Whose gradients are wanted: the optimizers of a scope and what happens to them, else the modules that are called."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from mindport.convert.context import MODULE, Context, Files
from mindport.convert.training.bindings import bindings, stores
from mindport.convert.training.conditional import own_question, question
from mindport.convert.training.flow import flowing
from mindport.convert.training.holding import is_of_parameters, is_plain_loss
from mindport.convert.training.leaves import cut_off, given_by_loops, leaves, own_of_comprehensions
from mindport.convert.training.names import FUNCTIONS, key, keys_read, names, own_nodes, parameters
from mindport.convert.training.outside_modules import (
    given_leaf,
    held_outside,
    hold_parts,
    read_wholes,
    reads_wholes,
)
from mindport.convert.training.region import Obstacle, Region, block_of, scopes_around
from mindport.convert.training.seen_gradients import are_seen, is_reading, untracked
from mindport.convert.training.unlisted import unlisted
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.defaults import defaults_of

OPTIMIZER = "torch.optim.Optimizer"


@dataclass
class Optimizer:
    """One optimizer of a scope, by the text that names it, with the calls that concern it in order of the text."""

    text: str
    node: ast.expr
    steps: list[ast.Call] = field(default_factory=list)
    clears: list[ast.Call] = field(default_factory=list)
    others: list[ast.AST] = field(default_factory=list)  # scaler.step(optimizer) and the like


def is_optimizer(value: v.Value) -> bool:
    """Whether a value is an instance of a torch optimizer, or of a project class that derives from one."""
    match value:
        case v.Instance(cls=cls):
            return cls == OPTIMIZER or OPTIMIZER in torchfacts.ancestors(cls)
        case v.ProjectInstance(cls=cls):
            return OPTIMIZER in cls.scope.ancestors
    return False


def optimizers(context: Context, scope: ast.AST) -> list[Optimizer]:
    """The optimizers that a function (or the module's own statements) names."""
    found: dict[str, Optimizer] = {}
    calls = [n for n in own_nodes(scope) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    for call in sorted(calls, key=lambda n: (n.lineno, n.col_offset)):
        assert isinstance(call.func, ast.Attribute)
        receiver, method = call.func.value, call.func.attr
        if method in ("step", "zero_grad") and _names_optimizer(context, receiver):
            one = found.setdefault(ast.unparse(receiver), Optimizer(ast.unparse(receiver), receiver))
            (one.steps if method == "step" else one.clears).append(call)
        else:
            for argument in call.args:
                if _of_expression(context, argument):
                    continue  # [StepLR(o, 10) for o in (opt_g, opt_d)]: no name of the scope
                if any(is_optimizer(o) for o in v.options(context.facts.value(argument))) or (method in ("step", "unscale_") and is_called_optimizer(argument)):
                    one = found.setdefault(ast.unparse(argument), Optimizer(ast.unparse(argument), argument))
                    one.others.append(call)
    for one in found.values():
        owner = _owner(context, scope, one.node)
        if owner is not None:
            one.clears += [c for c in calls if c.func.attr == "zero_grad" and key(c.func.value) == owner]  # type: ignore[attr-defined]
    return [one for one in found.values() if one.steps or one.clears or one.others]


def _owner(context: Context, scope: ast.AST, node: ast.expr) -> str | None:
    """The module whose ``parameters()``, and nothing else, the optimizer was constructed with in this scope."""
    constructed = [n for n in own_nodes(scope) if isinstance(n, ast.Assign) and any(key(t) == key(node) for t in n.targets)]
    if len(constructed) != 1 or not isinstance(constructed[0].value, ast.Call) or not constructed[0].value.args:
        return None
    match constructed[0].value.args[0]:
        case ast.Call(func=ast.Attribute(value=module, attr="parameters"), args=[], keywords=[]):
            return key(module)
    return None


def _names_optimizer(context: Context, receiver: ast.expr) -> bool:
    kinds = v.options(context.facts.value(receiver))
    if any(is_optimizer(k) for k in kinds):
        return True
    unknown = all(isinstance(k, v.Unknown) for k in kinds)
    return unknown and is_called_optimizer(receiver)


def perhaps_own(context: Context, known: list[Optimizer]) -> Optimizer | None:
    """One that only its name shows to be an optimizer, where it may be one of a class of the project's own, which lists its parameters by any name."""
    if not context.once(_own_classes):
        return None
    return next((one for one in known if all(isinstance(kind, v.Unknown) for kind in v.options(context.facts.value(one.node)))), None)


def _own_classes(files: Files) -> bool:
    """Whether a class of the project steps and clears gradients without being one of torch's optimizers: ``class SGD: def step(self): …``."""
    found = ((facts, n) for file, facts in files for n in ast.walk(file.tree) if isinstance(n, ast.ClassDef))
    return any({"step", "zero_grad"} <= {s.name for s in n.body if isinstance(s, ast.FunctionDef)} and OPTIMIZER not in facts.ancestors.get(n, ()) for facts, n in found)


def is_called_optimizer(node: ast.expr) -> bool:
    """By its name, where nothing else is known: ``opt``, ``self.optim_g``."""
    name = (key(node) or "").rpartition(".")[2].lower()
    return ("opt" in name.split("_") or "optim" in name or name.startswith("opt")) and "sched" not in name


def groups(context: Context, region: Region, known: list[Optimizer]) -> list[str]:
    """Texts of the parameter groups that get gradients. Raises Obstacle where none is found."""
    single = {leaf.name for leaf in leaves(region.scope)} | _single_parameters(context, region)
    read = keys_read([*region.moved, *region.losses]) | _kept(context.facts, region)
    wanting = sorted(single & read - set(region.stored) - _bound_anew(context, region))
    own = [f"[{', '.join(wanting)}]"] if wanting else []
    usable = [one for one in known if made_before(context, region, one.node)]
    if usable and (len(usable) == len(known) or _hold_the_same(region, known, usable)):
        wanted = [one for one in usable if _is_read(context, region, one)] or [one for one in usable if one.steps or one.others] or usable
        held = {e.id for one in wanted for e in _listed(region, one)}
        if (outside := held_outside(context, region.scope, given=True)) is not None:
            raise Obstacle(f"`{ast.unparse(outside)}` is read, and no optimizer holds that", outside)
        if (leaf := context.once(given_leaf)) is not None:
            raise Obstacle(f"an optimizer holds `{ast.unparse(leaf)}`, which is no Parameter", region.call)
        return [_parameters_of(context, region, one) for one in wanted] + _wholes(context, region, wanted) + (own if set(wanting) - held else [])
    modules, rows = _modules(context, region), [*_outer(context, region, read), *_containers(context, region)]
    if not modules and not own and not rows:
        raise Obstacle("no optimizer and no module is known here whose parameters the gradients could belong to", region.call)
    if (outside := held_outside(context, region.scope, given=False)) is not None:
        raise Obstacle(f"`{ast.unparse(outside)}` is read, and no module counts that among its parameters", outside)
    if (other := unlisted(context, scopes_around(context, region.call), [*region.moved, *region.losses], [*modules, *rows])) is not None:
        raise Obstacle(f"no optimizer is known here, and `{ast.unparse(other)}` computes by parameters that are not named", other)
    return [_parameters_in(text, maybe) for text, maybe in modules.items()] + own + rows


def _parameters_in(text: str, maybe: bool) -> str:
    """A module's parameters; none of what may be something else than a module, too (`build(config)` gives a loss that is one, or a function)."""
    return f"{text}.get_parameters() if hasattr({text}, \"get_parameters\") else ()" if maybe else f"{text}.get_parameters()"


def _bound_anew(context: Context, region: Region) -> set[str]:
    """Names of leaves that stand for something else by now."""
    around = [context.parents.get(id(region.call))]
    while around[-1] is not None and around[-1] is not region.scope:
        around.append(context.parents.get(id(around[-1])))
    loops = given_by_loops(region.scope, [one for one in around if one is not None])
    return cut_off(region.scope, region.block[: region.start]) | loops | own_of_comprehensions([*region.moved, *region.losses])


def _wholes(context: Context, region: Region, optimizers_: list[Optimizer]) -> list[str]:
    """The parameters of modules that the region calls or whose gradients the scope reads, where they may be more than the optimizers'."""
    owners = {_owner(context, region.scope, one.node) for one in optimizers_}
    parts = context.once(hold_parts) and context.once(reads_wholes)
    read = [whole for whole in read_wholes(context.facts, region.scope) if made_before(context, region, whole)] if parts or None not in owners else []
    called = _modules(context, region, untracked([*region.moved, *region.losses]))
    wholes = [text for text in called if not any(text.startswith(f"{other}.") for other in called)]
    others = parts or len(wholes) > 1 and are_seen(context, region.block)
    found = dict.fromkeys([*map(ast.unparse, read), *(called if others else ())])
    return [_parameters_in(text, called.get(text, False)) for text in found if text not in owners]


def _kept(facts: Facts, region: Region) -> set[str]:
    """Leaves that something before the region reads, which may hold them for it: ``batch = {"image": x}``, a class's field, a lambda.

    What the loss turns out not to be computed from gets no gradient when it runs (`equivalents.gradients`).
    """
    line = region.block[region.start].lineno
    wanted = {leaf.name for leaf in leaves(region.scope) if leaf.statement.lineno < line}
    found: set[str] = set()
    for part in own_nodes(region.scope) if wanted else ():
        if isinstance(part, (*FUNCTIONS, ast.ClassDef)):
            found |= set(names(part).reads)
        elif isinstance(part, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and part.lineno < line and part.value is not None:
            found |= flowing(facts, part.value) - {key(t) for t in (part.targets if isinstance(part, ast.Assign) else [part.target])}
        elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Call) and part.lineno < line:
            found |= {name for argument in (*part.value.args, *part.value.keywords) for name in flowing(facts, argument)}
    return found & wanted


def _single_parameters(context: Context, region: Region) -> set[str]:
    """Names of the region that stand for parameters of no module: ``w = nn.Parameter(…)``."""
    line = region.block[region.start].lineno
    bound = {name for n in own_nodes(region.scope) if isinstance(n, (ast.Assign, ast.AnnAssign)) and n.lineno < line for name in names(n).stores}
    read = [n for part in [*region.moved, *region.losses] for n in ast.walk(part) if isinstance(n, ast.Name) and n.id in bound]
    return {n.id for n in read if all(isinstance(o, v.TensorValue) and o.parameter for o in v.options(context.facts.value(n)))}


def _parameters_of(context: Context, region: Region, one: Optimizer) -> str:
    """The optimizer's parameters; of an argument that may be left out (``optimizer=None``: evaluation), none, as of one that
    exists on some runs only."""
    text = f"{one.text}.parameters"
    asked = question(context, region, one.node, [*one.steps, *one.clears, *one.others])
    if asked is not None:
        return f"{text} if {asked} else ()"
    if any(isinstance(o, v.Const) and o.value is None for o in v.options(context.facts.value(one.node))):  # ``Adam(…) if critic else None``, of a function around
        return f"{text} if {one.text} is not None else ()"
    if not isinstance(region.scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return text
    optional = {name for name, default in defaults_of(region.scope.args).items() if isinstance(default, ast.Constant) and default.value is None}
    asked = f"{one.text} is not None" if one.text in optional else own_question(region, one.node)
    return f"{text} if {asked} else ()" if asked is not None else text


def _hold_the_same(region: Region, known: list[Optimizer], usable: list[Optimizer]) -> bool:
    """Whether the optimizers that are made later are made of nothing but what the usable ones hold: Adam first, then L-BFGS."""
    bound = {name for part in own_nodes(region.scope) if isinstance(part, (ast.Assign, ast.AnnAssign)) for name in names(part).stores}
    held = [{e.id for e in _listed(region, one)} & bound for one in known]
    now = set[str]().union(*(names_ for one, names_ in zip(known, held, strict=True) if one in usable))
    return all(names_ and names_ <= now for one, names_ in zip(known, held, strict=True) if one not in usable)


def _listed(region: Region, one: Optimizer) -> list[ast.Name]:
    """Names in the list that the optimizer was constructed with."""
    for node in own_nodes(region.scope):
        if isinstance(node, ast.Assign) and any(key(t) == key(one.node) for t in node.targets) and isinstance(node.value, ast.Call) and node.value.args:
            return [e for e in ast.walk(node.value.args[0]) if isinstance(e, ast.Name)]
    return []


def made_before(context: Context, region: Region, node: ast.expr) -> bool:
    """Whether the optimizer's name stands for the same thing where the gradients are computed."""
    name = key(node)
    if name is None or _of_expression(context, node):
        return False
    first = name.split(".")[0]
    line = region.block[region.start].lineno
    bindings = [n for n in own_nodes(region.scope) if first in _binds(n)]
    return all(n.lineno < line and not _inside(n, region) for n in bindings)  # type: ignore[attr-defined]


def _of_expression(context: Context, node: ast.expr) -> bool:
    """Whether a name is bound by a comprehension or a lambda around it: outside of that, it stands for nothing."""
    first = (key(node) or "").split(".")[0]
    above: ast.AST | None = context.parents.get(id(node))
    while above is not None and not isinstance(above, (ast.stmt, ast.Module)):
        if isinstance(above, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)) and any(first in names(g.target).stores for g in above.generators):
            return True
        if isinstance(above, ast.Lambda) and first in {a.arg for a in ast.walk(above.args) if isinstance(a, ast.arg)}:
            return True
        above = context.parents.get(id(above))
    return False


def _binds(node: ast.AST) -> set[str]:
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return set(names(node).stores)
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return set(names(node.target).stores)
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return {n for i in node.items if i.optional_vars is not None for n in names(i.optional_vars).stores}
    return set()


def _inside(node: ast.AST, region: Region) -> bool:
    return any(node is part for s in region.moved for part in ast.walk(s))


def _is_read(context: Context, region: Region, one: Optimizer) -> bool:
    """Whether the gradients may be used before the optimizer clears them: no only where the next thing is a clearing, and nobody else looks at gradients."""
    if are_seen(context, region.block):
        return True
    after = [*_behind(context, region), *region.block[region.point + 1 :]]
    again = region.block[: region.start] if region.loops and any(region.block is getattr(loop, "body", None) for loop in region.loops[:1]) else []
    moved = region.moved if again or (region.loops and region.start == 0) else []
    uses = {id(c) for c in (*one.steps, *one.others)}
    first = _next([*after, *again, *moved], {id(c) for c in one.clears}, uses)
    if moved and {id(n) for n in ast.walk(region.loops[0])} >= uses:  # a whole round was followed, and nothing comes after it
        return first == "read"
    return first != "cleared"


def _behind(context: Context, region: Region) -> list[ast.stmt]:
    """What runs behind the backward call inside of the statement that holds it: ``if loss > limit: loss.backward(); optimizer.step()``."""
    found: list[ast.stmt] = []
    node: ast.AST = region.call
    while node is not region.block[region.point]:
        owner = context.parents[id(node)]
        block, at = block_of(context, node) or ([], 0)
        found += [*block[at + 1 :], *(block[: at + 1] if isinstance(owner, ast.For | ast.AsyncFor | ast.While) else ())]
        node = owner
    return found


def _next(block: list[ast.stmt], clears: set[int], uses: set[int]) -> str:
    """What happens first to an optimizer's gradients on any way through a block: "read", on all ways "cleared", or ""."""
    for statement in block:
        if isinstance(statement, ast.Expr) and id(statement.value) in clears:
            return "cleared"
        if isinstance(statement, ast.If) and not _reads_gradients(statement.test, uses):
            ways = [_next(statement.body, clears, uses), _next(statement.orelse, clears, uses)]
            if "read" in ways:
                return "read"
            if ways == ["cleared", "cleared"]:
                return "cleared"
        elif _reads_gradients(statement, uses):
            return "read"
    return ""


def _reads_gradients(node: ast.AST, uses: set[int]) -> bool:
    for part in ast.walk(node):
        name = part.attr if isinstance(part, ast.Attribute) else part.id if isinstance(part, ast.Name) else ""
        if id(part) in uses or name == "grad" or name.startswith("clip_grad") or is_reading(part):
            return True
    return False


def _modules(context: Context, region: Region, apart: frozenset[int] = frozenset()) -> dict[str, bool]:
    """The modules with parameters that the region calls, or whose parameters it reads by their names, by text, in order, and whether one may be no module. `apart`: nodes that do not count."""
    found: dict[str, bool] = {}
    parts = (n for s in [*region.moved, *region.losses] for n in ast.walk(s) if isinstance(n, ast.Call | ast.Attribute) and id(n) not in apart)
    for part in sorted(parts, key=lambda n: (n.lineno, n.col_offset)):
        if isinstance(part, ast.Attribute):
            owners = [part.value] if any(map(is_of_parameters, v.options(context.facts.value(part)))) else []
        else:
            owners = [part.func, part.func.value if isinstance(part.func, ast.Attribute) else part.func, *part.args]
        for owner in owners:
            text = key(owner)
            if text is not None and is_module(context, owner) and text.split(".")[0] not in region.stored and not _of_expression(context, owner):
                found.setdefault(text, not all(_is_module(o) for o in v.options(context.facts.value(owner))) or _is_none_elsewhere(context, region, owner))
    return found


def _is_none_elsewhere(context: Context, region: Region, owner: ast.expr) -> bool:
    """Whether a name or an attribute is None at times, where a branch that asks for it shows a module: ``if teacher is not None: loss += match(teacher(x))``."""
    given: list[ast.expr | None] = []
    if isinstance(owner, ast.Name):
        given = [value for _, value in bindings(region.scope, owner.id)]
        given += [defaults_of(region.scope.args).get(owner.id)] if isinstance(region.scope, (ast.FunctionDef, ast.AsyncFunctionDef)) else []
    elif isinstance(owner, ast.Attribute):
        given = [store.value for store in stores(context.file.tree, owner.attr)]
    return any(value is not None and _gives_none(value) for value in given)


def _gives_none(value: ast.expr) -> bool:
    match value:
        case ast.IfExp(body=body, orelse=other):
            return _gives_none(body) or _gives_none(other)
        case ast.BoolOp(values=values):
            return any(map(_gives_none, values))
    return isinstance(value, ast.Constant) and value.value is None


def _outer(context: Context, region: Region, read: set[str]) -> list[str]:
    """Leaves and parameters alone that the region reads by names from around its function."""
    own = {n.id for n in own_nodes(region.scope) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    own |= set(parameters(region.scope)) if isinstance(region.scope, FUNCTIONS) else set()
    around = scopes_around(context, region.call)[1:]
    wanted = {leaf.name for scope in around for leaf in leaves(scope)}
    nodes = (n for part in [*region.moved, *region.losses] for n in ast.walk(part) if isinstance(n, ast.Name) and n.id not in own and not _of_expression(context, n))
    wanted |= {n.id for n in nodes if all(isinstance(o, v.TensorValue) and o.parameter for o in v.options(context.facts.value(n)))}
    found = sorted(name for name in wanted & read - own if "." not in name)
    return [f"[{', '.join(found)}]"] if found else []


def _containers(context: Context, region: Region) -> list[str]:
    """The lists and dictionaries of parameters that the region reads by names from around it."""
    read = {n.id: context.facts.value(n) for s in [*region.moved, *region.losses] for n in ast.walk(s) if isinstance(n, ast.Name) and n.id not in region.stored and not _of_expression(context, n)}
    kinds = {name: v.options(value) for name, value in read.items() if all(map(is_of_parameters, v.options(value)))}
    lists = [name for name, options in kinds.items() if all(isinstance(o, v.Sequence) and o.type in ("list", "tuple") for o in options)]
    return lists + [f"{name}.values()" for name, options in kinds.items() if all(isinstance(o, v.Mapping) for o in options)]


def is_module(context: Context, node: ast.expr) -> bool:
    """Whether an expression is a module that may hold parameters."""
    return any(_is_module(option) and not (isinstance(option, v.Instance) and is_plain_loss(option.cls)) for option in v.options(context.facts.value(node)))


def _is_module(option: v.Value) -> bool:
    match option:
        case v.Instance(cls=cls):
            return cls == MODULE or MODULE in torchfacts.ancestors(cls)
        case v.ProjectInstance(cls=cls):
            return MODULE in cls.scope.ancestors
    return False
