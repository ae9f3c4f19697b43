"""Guards of equivalents: what a call decides about them."""

from __future__ import annotations

import ast

import pytest

from mindport.convert.guards import Fact, Known, Typed, decide


@pytest.mark.parametrize(
    ("test", "expected"),
    [("0 <= p <= 1", True), ("0 <= p < 0.5", False), ("0 <= q <= 1", None), ("1 <= p <= q", False), ("-1 <= p <= q", None)],
)
def test_chained_comparisons(test: str, expected: bool | None) -> None:
    def look(node: ast.expr) -> Fact:
        return Known(0.5) if isinstance(node, ast.Name) and node.id == "p" else None

    assert decide(ast.parse(test, mode="eval").body, look) is expected


@pytest.mark.parametrize(("dtype", "seen"), [("torch.float64", True), ("torch.double", True), ("torch.float32", False), (None, False)])
def test_a_dtype_that_conversion_sees(dtype: str | None, seen: bool) -> None:
    def look(node: ast.expr) -> Fact:
        return Typed(frozenset(("Tensor",)), dtype=dtype) if isinstance(node, ast.Name) and node.id == "p" else None

    assert decide(ast.parse("seen_dtype(p, ms.uint8, ms.float64)", mode="eval").body, look) is seen


@pytest.mark.parametrize(("known", "seen"), [(Typed(frozenset(("Tensor",)), axes=2), True), (Typed(frozenset(("Tensor",)), axes=2, likely=True), True), (Typed(frozenset(("Tensor",)), axes=3), False), (None, False)])
def test_axes_that_conversion_sees(known: Fact, seen: bool) -> None:
    assert decide(ast.parse("seen_axes(p, 2)", mode="eval").body, lambda node: known) is seen


@pytest.mark.parametrize(
    ("shape", "seen"),
    [("3", True), ("(2, 3)", True), ("(2, n)", True), ("[*a, n]", True), ("()", False), ("[]", False), ("(*a,)", False), ("n", False)],
)
def test_a_shape_that_conversion_sees_to_have_axes(shape: str, seen: bool) -> None:
    test = ast.parse(f"with_axes({shape})", mode="eval").body
    assert decide(test, lambda node: None) is seen
