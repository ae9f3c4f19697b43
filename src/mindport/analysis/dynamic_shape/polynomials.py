"""Whether the width of ``x[a:b]`` is the same at every turn: a and b as polynomials of names, subtracted."""

from __future__ import annotations

import ast

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


def added(left: Polynomial, right: Polynomial, sign: int) -> Polynomial:
    """left + sign · right, without terms that cancel."""
    total = dict(left)
    for term, factor in right.items():
        total[term] = total.get(term, 0) + sign * factor
    return {term: factor for term, factor in total.items() if factor}


def width(lower: ast.expr | None, upper: ast.expr) -> list[str] | None:
    """The names on which ``upper - lower`` depends; None where it could not be worked out."""
    end = polynomial(upper)
    start: Polynomial | None = {} if lower is None else polynomial(lower)
    if end is None or start is None:
        return None
    return sorted({name for term in added(end, start, -1) for name in term})
