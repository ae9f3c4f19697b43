"""Which default belongs to which parameter."""

from __future__ import annotations

import ast

import pytest

from mindport.source.defaults import defaults_of, parameters_and_defaults


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        ("", []),
        ("a, b", [("a", None), ("b", None)]),
        ("a, b=1", [("a", None), ("b", "1")]),
        ("a, b=1, /, c=2", [("a", None), ("b", "1"), ("c", "2")]),
        ("a, *rest, b, c=3, **more", [("a", None), ("b", None), ("c", "3")]),
        ("a=None, *, b=0, c", [("a", "None"), ("b", "0"), ("c", None)]),
    ],
)
def test_each_parameter_has_its_own_default(signature: str, expected: list[tuple[str, str | None]]) -> None:
    function = ast.parse(f"def f({signature}): pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    found = [(parameter.arg, ast.unparse(default) if default is not None else None) for parameter, default in parameters_and_defaults(function.args)]
    assert found == expected
    assert {name: ast.unparse(default) for name, default in defaults_of(function.args).items()} == {name: text for name, text in expected if text is not None}
