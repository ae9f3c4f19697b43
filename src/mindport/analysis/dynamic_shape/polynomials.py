"""Whether the width of ``x[a:b]`` is the same at every turn: a and b as polynomials of names, subtracted."""

from __future__ import annotations

import ast
import copy

from mindport.source.walking import walk

Polynomial = dict[tuple[str, ...], float]
#: Products of longer sums are left alone.
_MOST_TERMS = 24


def polynomial(node: ast.expr) -> Polynomial | None:
    """Sums and products of names and numbers; any other expression counts as one name."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return {(): node.value} if node.value else {}
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = polynomial(node.operand)
        return None if inner is None else {term: -factor for term, factor in inner.items()}
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        left, right = polynomial(node.left), polynomial(node.right)
        if left is None or right is None or len(left) * len(right) > _MOST_TERMS:
            return None
        if isinstance(node.op, ast.Mult):
            product: Polynomial = {}
            for a, x in left.items():
                for b, y in right.items():
                    term = tuple(sorted(a + b))
                    product[term] = product.get(term, 0) + x * y
            return product
        return added(left, right, 1 if isinstance(node.op, ast.Add) else -1)
    return {(ast.unparse(node),): 1}


def definitions(function: ast.AST) -> dict[str, ast.expr]:
    """Names that a function binds once, by an assignment, and what they are bound to."""
    found: dict[str, list[ast.expr | None]] = {}
    for node in walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
                values: list[ast.expr | None] = [node.value] if parts == [target] else [None] * len(parts)
                if parts != [target] and isinstance(node.value, ast.Tuple) and len(node.value.elts) == len(parts):
                    values = list(node.value.elts)
                for part, value in zip(parts, values, strict=True):
                    for name in (n.id for n in walk(part) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)):
                        found.setdefault(name, []).append(value if isinstance(part, ast.Name) else None)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id, [])
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found.setdefault(node.target.id, []).append(None)
        elif isinstance(node, (ast.For, ast.comprehension)):
            for inner in walk(node.target):
                if isinstance(inner, ast.Name):
                    found.setdefault(inner.id, []).append(None)
        elif isinstance(node, ast.arg):
            found.setdefault(node.arg, []).append(None)
    return {name: values[0] for name, values in found.items() if len(values) == 1 and values[0] is not None}


def earlier(function: ast.AST, name: ast.Name) -> ast.expr | None:
    """What the assignment just before binds, or the one that a name is an operand of: ``xs`` in ``xs = cat(xs)`` behind ``xs = [...]``."""
    made = [
        s for s in walk(function)
        if isinstance(s, ast.Assign) and (s.end_lineno or 0) < name.lineno and any(isinstance(t, ast.Name) and t.id == name.id for t in s.targets)
    ]  # fmt: skip
    last = max(made, key=lambda s: s.lineno, default=None)
    return last.value if last is not None else None


def expanded(node: ast.expr, known: dict[str, ast.expr], deep: int = 8) -> ast.expr:
    """An end of a slice in terms of what its names are bound to; ``max(end - n, 0)`` is ``end - n`` as long as the input has n elements."""
    if isinstance(node, ast.Name) and deep and node.id in known:
        return expanded(known[node.id], known, deep - 1)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "max" and len(node.args) == 2:
        rest = [a for a in node.args if not (isinstance(a, ast.Constant) and a.value == 0)]
        if len(rest) == 1 and isinstance(rest[0], ast.BinOp) and isinstance(rest[0].op, ast.Sub):
            return expanded(rest[0], known, deep)
    if isinstance(node, ast.BinOp):
        made = copy.copy(node)
        made.left, made.right = expanded(node.left, known, deep), expanded(node.right, known, deep)
        return made
    return node


def added(left: Polynomial, right: Polynomial, sign: int) -> Polynomial:
    """left + sign · right, without terms that cancel."""
    total = dict(left)
    for term, factor in right.items():
        total[term] = total.get(term, 0) + sign * factor
    return {term: factor for term, factor in total.items() if factor}


def width(lower: ast.expr | None, upper: ast.expr, step: ast.expr | None = None) -> list[str] | None:
    """The names on which the number of elements in ``[lower:upper:step]`` depends; None where it could not be worked out."""
    end = polynomial(upper)
    start: Polynomial | None = {} if lower is None else polynomial(lower)
    if end is None or start is None:
        return None
    terms = [term for term in added(end, start, -1) if term]
    apart = ast.unparse(step) if isinstance(step, (ast.Name, ast.Attribute)) else ""
    if apart and all(apart in term for term in terms):  # (n - 1) * step + 1 in steps: n
        terms = [tuple(name for place, name in enumerate(term) if place != term.index(apart)) for term in terms]
    return sorted({name for term in terms for name in term})
