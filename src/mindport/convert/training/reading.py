"""Which attributes of `self` a method reads on every way through it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Method = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Ways:
    """What all ways through a run of statements have read: those that go on after it, and those that leave the method."""

    on: set[str] | None  # None: nothing goes on
    left: list[set[str]] = field(default_factory=list)


def surely_read(method: Method, methods: Mapping[str, Method], seen: frozenset[str] = frozenset()) -> set[str]:
    """Attributes read whenever the method runs to its end; those that `methods` it calls read included."""
    found = _Reading(methods, seen | {method.name}).block(method.body, set())
    ends = found.left + ([found.on] if found.on is not None else [])
    return set.intersection(*ends) if ends else set()


class _Reading:
    def __init__(self, methods: Mapping[str, Method], seen: frozenset[str]) -> None:
        self.methods, self.seen = methods, seen

    def block(self, statements: Iterable[ast.stmt], before: set[str]) -> Ways:
        on: set[str] | None = set(before)
        left: list[set[str]] = []
        for statement in statements:
            if on is None:
                break
            ways = self.statement(statement, on)
            left += ways.left
            on = ways.on
        return Ways(on, left)

    def statement(self, statement: ast.stmt, before: set[str]) -> Ways:
        match statement:
            case ast.Return(value=value):
                return Ways(None, [before | (self.expression(value) if value is not None else set())])
            case ast.Raise():
                return Ways(None)
            case ast.If(test=test, body=body, orelse=orelse):
                # `if self.down is not None`: where the module is there, it is read.
                start = before | self.expression(test) | {a for a in _attributes(test)}
                ways = [self.block(body, start), self.block(orelse, start)]
                going = [w.on for w in ways if w.on is not None]
                return Ways(set.intersection(*going) if going else None, ways[0].left + ways[1].left)
            case ast.For(target=target, iter=iterated, body=body):
                inside = self.block(body, set(before))
                whole = inside.on is not None and not any(isinstance(n, (ast.Break, ast.Continue)) for s in body for n in ast.walk(s))
                return Ways(before | (self.expression(iterated) if whole and _surely_named(target, body) else set()), inside.left)
            case ast.While(body=body) | ast.Try(body=body):
                return Ways(before, self.block(body, set(before)).left)
            case ast.With(items=items, body=body):
                start = before.union(*(self.expression(item.context_expr) for item in items))
                return self.block(body, start)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Break() | ast.Continue():
                return Ways(before)
        return Ways(before.union(*(self.expression(n) for n in ast.iter_child_nodes(statement) if isinstance(n, ast.expr))))

    def expression(self, node: ast.expr) -> set[str]:
        match node:
            case ast.Lambda():
                return set()
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.expression(test) | set(_attributes(test)) | (self.expression(body) & self.expression(orelse))
            case ast.BoolOp(values=[first, *_]):
                return self.expression(first)
            case ast.Subscript(value=value, slice=index):
                # One of a list: what is not chosen is not read.
                return (set() if _own(value) else self.expression(value)) | self.expression(index)
            case ast.ListComp(elt=result, generators=[one]) | ast.GeneratorExp(elt=result, generators=[one]) if not one.ifs:
                return self.expression(one.iter) if _surely_named(one.target, [ast.Expr(result)]) else set()
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
                return set()
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name)):
                return set[str]().union({f"super().{name}"}, *(self.expression(a) for a in _given(node)))
        own = _own(node)
        if own is not None:
            return self.attribute(own)
        return set[str]().union(
            *(self.expression(n) for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr)),
            *(self.expression(k.value) for k in getattr(node, "keywords", ())),
        )

    def attribute(self, name: str) -> set[str]:
        """What reading an attribute reads: a method that is named is taken for called."""
        method = self.methods.get(name)
        if method is None or name in self.seen:
            return {name}
        return surely_read(method, self.methods, self.seen)


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(k.value for k in call.keywords)]


def _own(node: ast.AST) -> str | None:
    """`x` of ``self.x``, where it is read."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Load()):
            return name
    return None


def _attributes(test: ast.expr) -> list[str]:
    """Attributes that a test asks about themselves: ``self.down``, ``self.down is not None``."""
    match test:
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return [name] if (name := _own(left)) else []
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _attributes(operand)
    return [name] if (name := _own(test)) else []


def _surely_named(target: ast.expr, body: list[ast.stmt]) -> bool:
    """Whether every name of a loop's target but counters is read on every way through the body."""
    names = {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
    read: set[str] = set()
    for statement in body:
        if isinstance(statement, (ast.If, ast.While, ast.Try, ast.For, ast.With)):
            continue
        skipped = {
            id(inner) for n in ast.walk(statement) if isinstance(n, (ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.Subscript))
            for inner in ast.walk(n)
        }  # fmt: skip
        read |= {n.func.id for n in ast.walk(statement) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and id(n) not in skipped}
    if isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Name):
        return bool(names & read) and names - read <= {target.elts[0].id, "_"}
    return names <= read
