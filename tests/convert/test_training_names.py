"""What statements read, bind and need later."""

from __future__ import annotations

import ast

import pytest

from mindport.convert.training.liveness import liveness
from mindport.convert.training.names import first_reads, names, sure


def _body(text: str) -> list[ast.stmt]:
    return ast.parse(text).body


@pytest.mark.parametrize(
    ("text", "reads", "stores", "weak"),
    [
        ("a = b + c", {"b", "c"}, {"a"}, set()),
        ("a += b", {"a", "b"}, {"a"}, set()),
        ("x[i] = y", {"x", "i", "y"}, set(), {"x"}),
        ("self.fake = net(x)", {"self", "net", "x"}, set(), {"self.fake"}),
        ("losses.append(f(x))", {"losses", "f", "x"}, set(), {"losses"}),
        ("z = [i for i in y if i > k]", {"y", "k"}, {"z"}, set()),
        ("def g(a, b=c):\n    d = a\n    return d + e", {"c", "e"}, {"g"}, set()),
        ("for i, (x, y) in enumerate(data):\n    s = s + x", {"enumerate", "data", "s", "x"}, {"i", "x", "y", "s"}, set()),
        ("with a() as b:\n    c = b", {"a", "b"}, {"b", "c"}, set()),
        ("if (n := f()) > 1:\n    pass", {"f"}, {"n"}, set()),
    ],
)
def test_names(text: str, reads: set[str], stores: set[str], weak: set[str]) -> None:
    found = names(_body(text))
    assert (set(found.reads), set(found.stores), set(found.weak)) == (reads, stores, weak)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = b\nc = a", {"b"}),
        ("with f():\n    out = g(x)\n    loss = h(out)", {"f", "g", "x", "h"}),
        ("loss = 0\nfor t in xs:\n    loss = loss + t", {"xs"}),
        ("for t in xs:\n    loss = loss + t", {"xs", "loss"}),
        ("if p:\n    a = 1\nelse:\n    a = 2\nb = a", {"p"}),
        ("if p:\n    a = 1\nb = a", {"p", "a"}),
    ],
)
def test_first_reads(text: str, expected: set[str]) -> None:
    assert set(first_reads(_body(text))) == expected


def test_sure() -> None:
    assert sure(_body("if p:\n    a = b = 1\nelse:\n    a = 2")[0]) == {"a"}
    assert sure(_body("for i in x:\n    a = 1")[0]) == set()
    assert sure(_body("try:\n    a = 1\nexcept E:\n    b = 2")[0]) == set()


def test_liveness_follows_loops_jumps_and_handlers() -> None:
    body = _body(
        "total = 0\nfor x in data:\n    a = f(x)\n    b = g(a)\n    if b:\n        continue\n    total = total + a\ntry:\n    c = h()\n    d = c\n"
        "except E:\n    print(d)\nreturn_value = total"
    )
    after = liveness(body, frozenset()).after
    loop = body[1]
    assert isinstance(loop, ast.For)
    first, second = loop.body[0], loop.body[1]
    assert {"a", "total"} <= after[id(first)] and "b" not in after[id(first)]
    assert {"a", "b", "total"} <= after[id(second)] and "x" not in after[id(second)]
    guarded = body[2]
    assert isinstance(guarded, ast.Try)
    assert "d" in after[id(guarded.body[0])]  # the handler may still read it
    assert "d" not in after[id(guarded.body[1])]  # nothing is left that could raise
    assert after[id(body[0])] >= {"total"}


def test_each_level_of_a_nest_is_read_once_a_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for each name and each level above took minutes for eight loops in one another."""
    levels = 12
    text = "".join(f"{'    ' * k}{f'for i{k} in a{k}:' if k % 2 else f'if b{k}:'}\n{'    ' * (k + 1)}a{k + 1} = b{k + 1} = a{k} + b{k}\n" for k in range(levels))
    asked = 0

    def counting(nodes: ast.AST | list[ast.AST]) -> object:
        nonlocal asked
        asked += 1
        return names(nodes)

    monkeypatch.setattr("mindport.convert.training.names.names", counting)
    assert {"a0", "b0"} <= set(first_reads(_body(text)))
    assert asked < 30 * levels**2
