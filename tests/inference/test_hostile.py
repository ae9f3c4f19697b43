"""Whatever parses is analysed: nothing raises, and nothing takes forever."""

from __future__ import annotations

import ast
import sysconfig
import time
from pathlib import Path

import pytest

from mindport.inference import Project
from mindport.source.discover import discover
from mindport.source.file import SourceFile
from tests.inference.files import facts_of, project

HOSTILE = {
    "empty": "",
    "itself as base": "class A(A): pass\nA().x",
    "bases in a circle": "class A: pass\nclass B(A): pass\nclass A(B): pass\nA().f()",
    "calls itself": "def f(x): return f(f(x))\nf(f)",
    "mutual": "def f(x): return g(x)\ndef g(x): return f([x])\nf(1)",
    "growing list": "def f(x): return [f(x)]\nf(1)",
    "growing tuple": "x = ()\nfor i in range(9):\n    x = (x, x)\n    while i:\n        x = [x, (x,)]",
    "growing dict": "d = {}\nfor i in x:\n    d['a'] = d\n    d = {'b': d}",
    "self in attribute": "class A:\n    def __init__(self): self.a = self\n    def f(self): self.a.a.a.a = self.a.f",
    "lambda in lambda": "f = lambda f: (lambda g: f(g))(lambda: f)\nf(f)",
    "global": "def f():\n    global x, torch\n    x = x + 1\n    import torch\nf()",
    "import self": "import module\nfrom module import *\nfrom . import module as m\nfrom .. import y\nfrom ...z import w",
    "match": "match x:\n    case {'a': [b, *c], **d}: b\n    case Point(x=0) | None as e if e: e\n    case _: pass",
    "async": "async def f():\n    async with a as b:\n        async for c in d: await c\n    return [x async for x in y]",
    "walrus": "while (n := f()) and (m := n): n, m\n[y := 1, y**2]",
    "star everywhere": "a, *b = *c, *d\nf(*a, *b, **c, **d)\n{**a, 'b': 1}\n[*a]",
    "decorated by anything": "@(lambda f: f)\n@x[0]\n@a.b(c)(d)\ndef f(): pass\n@f\nclass A: pass",
    "delete": "x = 1\ndel x\nx\ndel x.y, x[0], (a, b)",
    "nested functions": "def a():\n    def b():\n        def c():\n            nonlocal x\n            x = a\n            return b\n        return c\n    x = b\n    return a()()",
    "class in class": "class A:\n    class B:\n        class A(A): pass\n    x = B.A\n    def f(self, y=x): return self.B.A().f()",
    "wrong arguments": "import torch\ntorch.zeros(*[], **{}, a=1)\ntorch.relu()\ntorch.max(1, 2, 3, 4, 5)\ntorch.Tensor.view()\nsuper().f()\nisinstance()\nlen()\nmap()\nzip(*[])\nsetattr(1)\nenumerate()\nsum()\ndict(1, 2)\npartial()",
    "odd annotations": "def f(a: 'not (', b: 1, c: [int], d: lambda: 0, e: 'int' = None, *f: *g, **h: {}) -> '': pass" if hasattr(ast, "TryStar") else "",
    "strange subscripts": "import torch\nlist[0], (1, 2)[5], {}['a'], 'a'[0], None[0], torch[0], int[str][0], [][::0], (1, 2)[::0]",
    "constants": "x = 10**100 * 10**100\ny = 'a' * 10**9\nz = 1 / 0\nw = 1 % 0\nv = -True\nu = 1e308 * 1e308\nt = [0] * 10**9",
    "many branches": "x = 0\n" + "".join(f"if a{i}:\n    x = [x, {i}]\nelse:\n    x = ({i}, x)\n" for i in range(60)),
    "many constants": "x = 0\n" + "".join(f"if a{i}: x = {i}\n" for i in range(200)),
    "deep attributes": "x" + ".a" * 150,
    "deep calls": "f(" * 60 + ")" * 60,
    "deep loops": "".join("    " * i + f"for i{i} in x{i}:\n" for i in range(18)) + "    " * 18 + "x = (x, i0)",
    "deep ifs": "".join("    " * i + f"if i{i}:\n" for i in range(80)) + "    " * 80 + "x = 1",
    "unicode": "é = torch\né.zeros(1)\nclass Ω: 变 = é\nΩ().变.zeros",
    "bad names in all": "__all__ = [1, x, *y] + z\n__all__ += 3\n__all__.append('a')",
    "try finally": "def f():\n    while 1:\n        try: return 1\n        except (A, B) as e: continue\n        else: break\n        finally: x = e",
    "enum": "import enum\nclass E(enum.Enum):\n    A = 1\n    B = A\nfor e in E: e.value\nE.A.B.name",
    "metaclass": "class M(type):\n    def __call__(cls): return cls\nclass A(metaclass=M, x=1): pass\nA()().f",
    "property of itself": "class A:\n    @property\n    def x(self): return self.x\n    @x.setter\n    def x(self, v): self.x = v\nA().x.x",
    "type comments": "def f(a, b):\n    # type: (Tensor, (]) -> int\n    return a\ndef g(a):\n    # type: () -> None\n    return a",
    "module from apply": "from torch import nn\nclass N(nn.Module):\n    def forward(self, *args, **kw): return self(self.forward(*args), **kw)\nN()(N())",
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_it_is_analysed(text: str) -> None:
    start = time.perf_counter()
    facts, file = facts_of(text)
    for node in ast.walk(file.tree):
        if isinstance(node, ast.expr):
            hash(facts.value(node))
    assert time.perf_counter() - start < 10


def test_a_chain_of_calls_through_many_files_ends() -> None:
    texts = {f"m{i}": f"from m{i + 1} import f as g\ndef f(x):\n    return g(x)\nf(1)\n" for i in range(80)}
    made, files = project(**texts, m80="import torch\ndef f(x): return torch.zeros(1)\n")
    for file in files.values():
        made.facts(file)


def test_a_large_literal_is_cheap() -> None:
    facts, _ = facts_of("x = [" + "1, " * 100_000 + "]\ny = {" + "".join(f"'k{i}': {i}, " for i in range(20_000)) + "}\n")
    assert len(facts.values) < 60_000


@pytest.mark.parametrize("folder", ["json", "importlib", "email", "asyncio", "unittest"])
def test_the_standard_library_is_analysed(folder: str) -> None:
    discovery = discover([Path(sysconfig.get_path("stdlib")) / folder])
    made = Project(discovery.files)
    for file in discovery.files:
        assert made.facts(file).uses == []


def test_two_files_of_one_name() -> None:
    files = [SourceFile.of("import torch\ntorch.zeros(1)\n", "a.py") for _ in range(2)]
    made = Project(files)
    assert [len(made.facts(file).uses) for file in files] == [1, 1]
