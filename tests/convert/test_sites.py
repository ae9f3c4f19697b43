"""Converted code computes what the original computes, in every place where a call can stand.

Each expression is put into each context; its arguments log their evaluation. The original runs
on torch, the converted program on MindSpore; values and logs must be equal.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover

EXPRESSIONS = {
    "function": "F.relu(a('x', x))",
    "keyword": "F.relu(input=a('x', x))",
    "two arguments": "torch.add(a('x', x), a('y', y))",
    "scaled": "torch.add(a('x', x), a('y', y), alpha=2)",
    "shuffled keywords": "torch.add(other=a('y', y), alpha=a('alpha', 3), input=a('x', x))",
    "list": "torch.cat([a('x', x), a('y', y)], dim=a('dim', 1))",
    "list, positional": "torch.cat((a('x', x), a('y', y)), 1)",
    "method": "a('x', x).view(a('n', 6))",
    "method, sizes": "a('x', x).view(a('n', 3), a('m', 2))",
    "method, unpacked": "a('x', x).view(*a('sizes', (3, 2)))",
    "chain": "a('x', x).sum(dim=a('dim', 1)).mean()",
    "chain with keyword": "a('x', x).mean(a('dim', 1), keepdim=True).squeeze(1)",
    "size": "x + a('x', x).size(0) + a('y', y).size(-1)",
    "swap": "a('x', x).transpose(0, 1)",
    "permute": "a('x', x).permute(a('p', 1), 0)",
    "flatten": "torch.flatten(a('x', x), 0)",
    "flatten method": "a('x', x).flatten()",
    "softmax": "F.softmax(a('x', x), dim=a('dim', -1))",
    "where": "torch.where(a('x', x) > 0, a('y', y), a('z', 0.0))",
    "clamp": "torch.clamp(a('x', x), min=a('low', -0.5), max=a('high', 0.5))",
    "matmul": "torch.matmul(a('x', x), a('y', y).t())",
    "precedence": "-torch.square(a('x', x) - a('y', y)) * 2",
    "arithmetic argument": "torch.exp(a('x', x) - 1)",
    "division": "torch.div(a('x', x), a('y', y) + 2)",
    "standard deviation": "a('x', x).std(dim=1)",
    "variance, biased": "torch.var(a('x', x), dim=1, unbiased=False)",
    "expand": "a('x', x)[:, :1].expand(a('n', 2), a('m', 5))",
    "split": "torch.split(a('x', x), a('n', 2), dim=1)[a('i', 1)]",
    "chunk": "a('x', x).chunk(a('n', 3), a('dim', 1))[0]",
    "maximum": "torch.max(a('x', x), a('y', y))",
    "maximum along": "torch.max(a('x', x), dim=1)[0]",
    "arg max": "a('x', x).argmax(dim=a('dim', 1))",
    "stack": "torch.stack([a('x', x), a('y', y)], a('dim', 0))",
    "zeros": "torch.zeros(a('n', 2), 3) + a('x', x)",
    "zero-dimensional": "torch.ones(a('s', ())) + torch.zeros([]) + torch.empty(()).isnan() * 0 + a('x', x)",
    "zeros like": "torch.zeros_like(a('x', x)) + 1",
    "cast": "a('x', x).float().to(torch.float64)",
    "one hot": "F.one_hot(a('i', i), num_classes=a('n', 4)).float()",
    "loss": "F.cross_entropy(a('x', x), a('i', i), reduction='sum')",
    "linear": "F.linear(a('x', x), a('y', y))",
    "pad": "F.pad(a('x', x), (1, a('right', 2)))",
    "normalise": "F.normalize(a('x', x), dim=1)",
}

CONTEXTS = {
    "statement": "result = {}",
    "lambda": "result = (lambda: {})()",
    "conditional": "result = {} if a('test', True) else None",
    "conditional, not taken": "result = x if a('test', True) else {}",
    "while test": "count = 0\n    while ({}).sum() < 1e9 and count < 2:\n        count += 1\n    result = x",
    "comprehension": "result = [{} for _ in range(2)][-1]",
    "and": "result = a('first', 1) and {}",
    "argument of a function": "result = a('outer', {})",
    "operand": "result = 1 - {} * 2",
    "subscript": "result = ({})[..., None]",
    "keyword of a dict": "result = dict(key={})['key']",
    "default": "def inner(value={}):\n        return value\n    result = inner()",
    "f-string": "f'{{{}}}'\n    result = x",
    "statement over lines": "result = (\n        {}  # why\n    )",
}

PROGRAM = """import torch
import torch.nn.functional as F


def run(x: torch.Tensor, y: torch.Tensor, i: torch.Tensor, log):
    def a(name, value):
        log.append(name)
        return value

    {}
    return result
"""


def _quotes(context: str, expression: str) -> str:
    return expression.replace("'", '"') if "f'" in context else expression


def _run(text: str, wrap: Any, folder: Path) -> tuple[np.ndarray, list[str]]:
    import sys

    x = np.array([[0.5, -1.0, 2.0], [-0.25, 0.75, 1.5]], dtype=np.float32)
    y = np.array([[1.0, 0.5, -0.5], [0.25, -2.0, 3.0]], dtype=np.float32)
    i = np.array([2, 0], dtype=np.int64)
    log: list[str] = []
    scope: dict[str, Any] = {}
    sys.modules.pop("torch_equivalents", None)
    sys.path.insert(0, str(folder))
    try:
        exec(compile(text, "program", "exec"), scope)
        result = scope["run"](wrap(x), wrap(y), wrap(i), log)
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("torch_equivalents", None)
    return np.asarray(result.asnumpy() if hasattr(result, "asnumpy") else result), log


@pytest.mark.frameworks
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_values_and_order_of_evaluation(tmp_path: Path, name: str) -> None:
    import mindspore
    import torch

    from mindport.convert import write

    programs = {
        context: PROGRAM.format(template.format(_quotes(template, EXPRESSIONS[name])))
        for context, template in CONTEXTS.items()
    }
    source = tmp_path / "source"
    source.mkdir()
    for number, text in enumerate(programs.values()):
        (source / f"p{number}.py").write_text(text, encoding="utf-8")
    write(convert(discover(source)), tmp_path / "out")
    for number, (context, text) in enumerate(programs.items()):
        converted = (tmp_path / "out" / f"p{number}.py").read_text(encoding="utf-8")
        expected, order = _run(text, torch.from_numpy, source)
        got, got_order = _run(converted, mindspore.Tensor, tmp_path / "out")
        message = f"{context}\n{converted}"
        assert "unconverted" not in converted, message
        assert got_order == order, message
        assert got.dtype == expected.dtype and got.shape == expected.shape, message
        np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5, err_msg=message)
