"""The linter of graph mode's syntax beside the real compiler, rule by rule."""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap
from typing import Any

import pytest

from mindport.analysis.graph_syntax import RULES, stops

#: rule → construct's body; x is a tensor of three numbers.
STOPPING = {
    "try": "try:\n    y = x + 1\nexcept ValueError:\n    y = x\nreturn y",
    "import": "import math\nreturn x * math.pi",
    "walrus": "if (n := 3) > 2:\n    return x * n\nreturn x",
    "while else": "i = 0\nwhile i < 2:\n    i = i + 1\nelse:\n    x = x + 1\nreturn x",
    "set": "s = {1, 2}\nif 1 in s:\n    return x\nreturn x + 1",
    "del": "y = x + 1\nz = y * 2\ndel y\nreturn z",
    "match": "match 1:\n    case 1:\n        return x\nreturn x + 1",
    "for else": "for i in range(2):\n    x = x + i\nelse:\n    x = x + 10\nreturn x",
    "yield": "def f():\n    yield x\ny = x\nfor v in f():\n    y = y + v\nreturn y",
    "nonlocal": "n = 1\ndef f(y):\n    nonlocal n\n    n = 2\n    return y * n\nreturn f(x)",
    "class": "class A:\n    n = 2\nreturn x * A.n",
    "map": "return sum(list(map(lambda i: x * i, [1, 2])))",
    "default": "def f(y=x):\n    return y + 1\nreturn f()",
    "with": "with open('/dev/null') as f:\n    y = x + 1\nreturn y",
}
#: rule → construct's body that compiles and gives another result.
SILENT = {"dictionary pop": "d = {'a': x, 'b': x + 1}\ny = d.pop('a')\nreturn y"}
#: rule → a loss of x whose value is right and whose gradient is 0 when it is compiled as usual; an error with fullgraph=True.
WITHOUT_GRADIENT = {
    "reversed": "y = list(reversed((x, x * 2)))\nreturn (y[0] - y[1] * 3).sum()",
    "dict": "return dict(a=x * 2)['a'].sum()",
    "sorted": "return sorted([(x * 2).sum(), (x * 3).sum()])[1]",
}
#: What only looks as if it stopped the compiler.
PASSING = {
    "loop": "for i in range(3):\n    x = x + i\nreturn x",
    "comprehension": "return sum([x * i for i in range(3)])",
    "dictionary": "d = {'a': x}\nreturn d['a']",
    "string": "s = f'{1}'\nreturn x",
    "early return": "if x.shape[0] > 2:\n    return x\nreturn x + 1",
    "inner function": "def f(y):\n    return y * 2\nreturn f(x)",
    "tensor test": "if x.sum() > 0:\n    y = x + 1\nelse:\n    y = x - 1\nreturn y",
    "assertion": "assert x.shape[0] == 3\nreturn x",
    "break": "for i in range(5):\n    if i == 2:\n        break\n    x = x + 1\nreturn x",
    "global": "global COUNT\nCOUNT = 1\nreturn x",
    "list pop": "l = [x, x + 1]\ny = l.pop(0)\nreturn y",
    "closed map": "return x * sum(list(map(lambda i: i * 2, [1, 2])))",
    "reversed range": "for i in reversed(range(3)):\n    x = x * 2 + i\nreturn x",
    "reversed by a slice": "y = x\nfor v in [x, x * 2][::-1]:\n    y = y * v\nreturn y",
    "generator expression": "return sum(x * i for i in [1, 2])",
    "inner default": "def f(y, n=2):\n    return y * n\nreturn f(x)",
    "set call": "return x * len(set([1, 2]))",
    "starred list": "l = [*[x, x + 1], x]\nreturn l[2]",
    "recursion": "def f(y, n):\n    if n == 0:\n        return y\n    return f(y + 1, n - 1)\nreturn f(x, 3)",
    "item": "n = x.sum().item()\nreturn x * n",
    "attribute counter": "self.count = 1\nself.count = self.count + 1\nreturn x * self.count",
    "raise under a test": "if x.shape[0] == 7:\n    raise ValueError('no')\nreturn x",
    "slice assignment": "x[0] = 5\nreturn x",
}


def _linted(body: str) -> set[str]:
    tree = ast.parse("def construct(self, x):\n" + textwrap.indent(body, "    "))
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    return {stop.rule for stop in stops(function, is_method=True)}


@pytest.mark.parametrize("rule", [*STOPPING, *SILENT, *WITHOUT_GRADIENT])
def test_a_rule_finds_its_construct(rule: str) -> None:
    assert rule in _linted((STOPPING | SILENT | WITHOUT_GRADIENT)[rule])
    assert rule in RULES


@pytest.mark.parametrize("name", PASSING)
def test_what_compiles_is_not_reported(name: str) -> None:
    assert not _linted(PASSING[name])


def test_the_first_parameter_has_to_be_self() -> None:
    function = ast.parse("def construct(this, x):\n    return x").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert [stop.rule for stop in stops(function, is_method=True)] == ["self"]


@pytest.mark.frameworks
def test_the_compiler_agrees(tmp_path: object) -> None:
    lines = ["import mindspore as ms", "from mindspore import nn, Tensor", "import numpy as np", "COUNT = 0", "failed = []"]
    for number, (name, body) in enumerate({**STOPPING, **SILENT, **PASSING}.items()):
        lines += [
            f"class Net{number}(nn.Cell):", "    def construct(self, x):", textwrap.indent(body, "        "),
            "try:", f"    compiled = ms.jit(Net{number}())(Tensor(np.ones(3, np.float32)))",
            f"    assert np.shape(compiled) == (3,) and np.array_equal(compiled.asnumpy(), Net{number}()(Tensor(np.ones(3, np.float32))).asnumpy())",
            "except Exception:", f"    failed.append({name!r})",
        ]  # fmt: skip
    lines.append("print('TOLD', failed)")
    assert set(_told(tmp_path, lines)) == {*STOPPING, *SILENT}


@pytest.mark.frameworks
def test_gradients_are_lost_without_a_word_unless_the_whole_is_a_graph(tmp_path: object) -> None:
    lines = ["import mindspore as ms", "from mindspore import Tensor", "import numpy as np", "told = {}", "x = Tensor(np.array([1, 2, 3], np.float32))"]
    for number, (rule, body) in enumerate(WITHOUT_GRADIENT.items()):
        lines += [
            f"def loss{number}(x):", textwrap.indent(body, "    "),
            f"right, lost = (bool(np.any(take(x).asnumpy())) for take in (ms.grad(loss{number}), ms.jit(ms.grad(loss{number}))))",
            "try:", f"    ms.jit(ms.grad(loss{number}), fullgraph=True)(x)", "    raised = False",
            "except Exception as error:", "    raised = 'in graph mode' in str(error)",
            f"told[{rule!r}] = (right, lost, raised)",
        ]  # fmt: skip
    lines.append("print('TOLD', told)")
    assert _told(tmp_path, lines) == dict.fromkeys(WITHOUT_GRADIENT, (True, False, True))


def _told(folder: object, lines: list[str]) -> Any:
    """What a program prints behind TOLD, in a process of its own."""
    path = f"{folder}/program.py"
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, env=_environment(), timeout=300)
    told = next((line for line in done.stdout.splitlines() if line.startswith("TOLD")), None)
    assert told is not None, done.stderr[-2000:]
    return ast.literal_eval(told.removeprefix("TOLD "))


def _environment() -> dict[str, str]:
    import os

    return {**os.environ, "GLOG_v": "4"}
