"""Positions inside f-strings, found again after they were lost."""

from __future__ import annotations

import ast
import sys

import pytest

from mindport.source.file import SourceFile
from mindport.source.fstrings import place_fields

CASES = [
    'f"{torch.relu(x)}"', 'f"x.y {x.y}"', 'f"{ x.y }{x.y}"', 'f"é{x.y}张{x.y}"', 'é = ("é" f"{x.y}")', 'f"{x.y}" "{z}" f"{{ {x.y} }}"',
    "f'''x.y\n\n  é {x.y} {\n z.k\n}'''", 'f"{x.y:{w.k}}{x.y}"', 'f"{x.y!r:>{w.k}.{q.p}}"', 'f"{x.y=}{x.y = !s}"', 'f"{(lambda a: a.b)(x.y)}"',
    'rf"\\d{x.y}"', 'Rb = fr"{x.y}" f"{x.y}"', 'f"\\N{DIGIT ONE}{x.y}"', 'f"{f\'{x.y}\'} {x.y}"', 'f"{[x.y for x in z.w if x != 1 and x <= a[1:2]]}"',
    'f"{\'}{\'} {x.y}"', 'f"{d[\'k\']} {d[\'k\'].v}"', 'if a:\n    g(f"x.y", f"{x.y}", k=f"""\nx.y {x.y}""")', 'f"{x.y == z.w} {x.y != 3}"', 'f"{f(a=x.y, b=1)!r}"',
    'f"{a:{b}{c}} {a}"', "f'{2:{\"{x}}\"}>10} {x}'", 'f"{x.y,}"', 'f"\\\n{x.y}"',
]  # fmt: skip


def _expressions(tree: ast.AST) -> list[ast.expr]:
    """The nodes inside f-strings, those aside whose places belong to the string as a whole."""
    found = []
    for string in ast.walk(tree):
        if isinstance(string, ast.FormattedValue):
            found += [node for node in ast.walk(string.value) if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Compare))]
    return found


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the syntax trees of 3.12 need no correction, and have another form")
@pytest.mark.parametrize("text", CASES)
def test_lost_positions_are_found(text: str) -> None:
    tree = ast.parse(text)
    for node in _expressions(tree):
        node.lineno = node.end_lineno = 1
        node.col_offset = node.end_col_offset = 0
    place_fields(text, tree)
    for node in _expressions(tree):
        segment = ast.get_source_segment(text, node)
        assert segment and ast.unparse(ast.parse(f"({segment})", mode="eval").body) == ast.unparse(node)
    if sys.version_info >= (3, 11):
        assert [ast.dump(node, include_attributes=True) for node in _expressions(tree)] == [
            ast.dump(node, include_attributes=True) for node in _expressions(ast.parse(text))
        ]


@pytest.mark.parametrize("text", CASES)
def test_a_files_segments_inside_f_strings_are_right(text: str) -> None:
    file = SourceFile.of(text)
    places = set()
    for node in _expressions(file.tree):
        segment = file.segment(node)
        assert ast.unparse(ast.parse(f"({segment})", mode="eval").body) == ast.unparse(node)
        places.add((type(node), file.offsets(node)))
    assert len(places) == len({id(node) for node in _expressions(file.tree)})
