"""Where gradients flow through a block: which keys may carry one after each statement."""

from __future__ import annotations

import ast

from mindport.convert.training.bindings import cut_off
from mindport.convert.training.carrying import CUTTING_CALLS, Carrying, Env, cuts_by_name
from mindport.convert.training.holding import is_project_function
from mindport.convert.training.left_by_calls import left_by_call
from mindport.convert.training.names import PUTTING, held_by, key, names, root, set_by_name
from mindport.convert.training.parts import with_wholes
from mindport.inference import values as v
from mindport.inference.facts import Facts

#: Statements that hold others.
_BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)


def flow(block: list[ast.stmt], env: Env, carrying: Carrying) -> list[Env]:
    """The state after each statement of a block; `env` is the state before it and is changed."""
    states = []
    for statement in block:
        _statement(statement, env, carrying)
        states.append(dict(env))
    return states


def flow_with_functions(block: list[ast.stmt], carrying: Carrying) -> list[Env]:
    """The state after each statement of a block from its start, where functions that it makes may read what it binds behind them."""
    states = flow(block, {}, carrying)
    if states and any(isinstance(node, (ast.Lambda, ast.FunctionDef)) for statement in block for node in ast.walk(statement)):
        carrying.later = states[-1]
        states = flow(block, {}, carrying)
    return states


def flowing(facts: Facts, node: ast.AST, made: Env | None = None) -> set[str]:
    """Keys whose gradients may flow into what the node computes: reads, but those that are cut off. `made`: what carries, functions among it."""
    found: set[str] = set()
    pending: list[ast.AST] = [node]
    while pending:
        part = pending.pop()
        match part:
            case ast.Call(func=ast.Attribute(attr=name)) if name in CUTTING_CALLS and not any(map(is_project_function, v.options(facts.value(part.func)))):
                continue
            case ast.Compare():
                continue
            case ast.Call(func=ast.Name(id=name)):  # what is called holds no gradient that it does not compute, or read from around it
                if (made or {}).get(name, False) or any(map(is_project_function, v.options(facts.value(part.func)))):
                    found.add(name)
                pending += [*part.args, *part.keywords]
                continue
            case ast.Attribute() if isinstance(part.ctx, ast.Load) and cuts_by_name(facts, part):
                continue
            case ast.With() if cut_off(part):
                continue
            case ast.Name() | ast.Attribute():
                name = key(part)  # type: ignore[assignment]
                if name is not None and isinstance(part.ctx, ast.Load):
                    found.add(name)
            case ast.AugAssign(target=target):
                name = key(target)  # type: ignore[assignment]
                if name is not None:
                    found.add(name)
        pending += ast.iter_child_nodes(part)
    return found


def _statement(statement: ast.stmt, env: Env, carrying: Carrying) -> None:
    for part in ast.walk(statement) if not isinstance(statement, (ast.FunctionDef, ast.ClassDef)) else ():
        if isinstance(part, ast.NamedExpr):
            env[part.target.id] = carrying.carries(part.value, env)
        elif isinstance(part, ast.Call) and not isinstance(statement, _BLOCKS):
            if isinstance(part.func, ast.Attribute) and part.func.attr in PUTTING:
                _mutation(part, env, carrying)
            elif not (isinstance(statement, ast.Expr) and part is statement.value):
                _leaving(part, env, carrying)
    match statement:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                _assign(target, value, env, carrying)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            _assign(target, value, env, carrying)
        case ast.AugAssign(target=target, value=value):
            name = key(target) or key(root(target))
            if name is not None:
                env[name] = carrying.carries(value, env) or _now(name, target, env, carrying)
        case ast.Expr(value=value):
            _mutation(value, env, carrying)
        case ast.If(body=body, orelse=orelse):
            _ways([body, orelse], env, carrying)
        case ast.For() | ast.AsyncFor():
            carried = carrying.carries(statement.iter, env)
            for _ in range(2):
                env.update(dict.fromkeys(names(statement.target).stores, carried))
                _ways([statement.body, []], env, carrying)
            _ways([statement.orelse, []], env, carrying)
        case ast.While(body=body, orelse=orelse):
            for _ in range(2):
                _ways([body, []], env, carrying)
            _ways([orelse, []], env, carrying)
        case ast.With() | ast.AsyncWith():
            before = dict(env)
            for item in statement.items:
                if item.optional_vars is not None:
                    env.update(dict.fromkeys(names(item.optional_vars).stores, carrying.enters(item.context_expr, env)))
            flow(statement.body, env, carrying)
            if cut_off(statement):
                for name in [*names(statement.body).stores, *names(statement.body).weak]:
                    env[name] = before.get(name, False) if name not in names(statement.body).stores else False
        case ast.Try():
            flow(statement.body, env, carrying)
            _ways([statement.orelse, *(h.body for h in statement.handlers)], env, carrying)
            flow(statement.finalbody, env, carrying)
        case ast.Match():
            _ways([[], *(case.body for case in statement.cases)], env, carrying)
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            env[name] = carrying.closes_over(statement, env)
        case ast.AsyncFunctionDef(name=name):
            env[name] = False


def _now(name: str, node: ast.expr, env: Env, carrying: Carrying) -> bool:
    if name in env:
        return env[name]
    return carrying.origin(name) is not None if isinstance(node, ast.Name) else False


def _ways(blocks: list[list[ast.stmt]], env: Env, carrying: Carrying) -> None:
    ends = []
    for block in blocks:
        way = dict(env)
        flow(block, way, carrying)
        ends.append(way)
    for name in {n for way in ends for n in way}:
        env[name] = any(way.get(name, False) for way in ends)


def _assign(target: ast.expr, value: ast.expr, env: Env, carrying: Carrying) -> None:
    if isinstance(target, (ast.Tuple, ast.List)):
        pairs = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
        if pairs and not any(isinstance(e, ast.Starred) for e in [*target.elts, *value.elts]):  # type: ignore[attr-defined]
            before = dict(env)
            for item, part in zip(target.elts, value.elts, strict=True):  # type: ignore[attr-defined]
                own = dict(before)
                _assign(item, part, own, carrying)
                env.update({n: c for n, c in own.items() if before.get(n) is not c or n in names(item).stores})
            return
        for item in target.elts:
            _assign(item.value if isinstance(item, ast.Starred) else item, value, env, carrying)
        return
    carried = carrying.carries(value, env)
    name = key(target)
    if name is not None:
        for longer in [n for n in env if n.startswith(name + ".")]:
            del env[longer]
        env[name] = carried
    elif carried:
        holder = key(root(target)) if not isinstance(target, ast.Subscript) else key(target.value) or key(root(target))
        if holder is not None:
            env.update(dict.fromkeys(with_wholes([holder], carrying.wholes), True))


def _mutation(value: ast.expr, env: Env, carrying: Carrying) -> None:
    """A call may put what it gets into its receiver, or what it computes into lists it gets, or where the function that it calls leaves it."""
    if not isinstance(value, ast.Call):
        return
    given = [*value.args, *(k.value for k in value.keywords)]
    _leaving(value, env, carrying)
    if (attribute := set_by_name(value)) is not None:
        env[attribute] = carrying.carries(value.args[2], env)
    if isinstance(value.func, ast.Attribute) and any(carrying.carries(a, env) for a in given):
        name = held_by(value.func.value)
        if name is not None and not _is_plain_receiver(value.func, carrying):
            env.update(dict.fromkeys(with_wholes([name], carrying.wholes), True))
    if carrying.carries(value, env):
        for argument in given:
            name = key(argument)
            kinds = v.options(carrying.facts.value(argument))
            if name is not None and any(isinstance(k, (v.Sequence, v.Mapping)) for k in kinds):
                env.update(dict.fromkeys(with_wholes([name], carrying.wholes), True))


def _leaving(call: ast.Call, env: Env, carrying: Carrying) -> None:
    """Where the functions that a call runs leave what they compute."""
    given = [*call.args, *(k.value for k in call.keywords)]
    for place in left_by_call(carrying.facts, carrying.module, call, any(carrying.carries(a, env) for a in given)):
        env[place] = True  # an attribute of what nobody names: for functions that read one of its name
        owner = key(call.func.value) if place.startswith(".") and isinstance(call.func, ast.Attribute) else None
        if owner is not None:
            env[f"{owner}{place}"] = True


def _is_plain_receiver(func: ast.Attribute, carrying: Carrying) -> bool:
    """Optimizers, schedulers and modules keep no tensors that they are given."""
    kinds = v.options(carrying.facts.value(func.value))
    return func.attr in ("backward", "step", "zero_grad") or all(isinstance(k, v.Api) or (isinstance(k, v.Instance) and k.cls.startswith("torch.")) for k in kinds)
