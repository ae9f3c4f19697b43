"""The tidy form only where every parameter of the optimizer surely has a gradient; attributes that a method surely reads."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.convert.training.reading import surely_read
from mindport.source.discover import discover

PROGRAM = """import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)

    def forward(self, x):
        return F.relu(self.inner(x))


class Net(nn.Module):
    def __init__(self, down=None):
        super().__init__()
        self.first = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.blocks = nn.ModuleList([Block() for _ in range(3)])
        self.down = nn.Linear(4, 4) if down else None
        self.last = nn.Linear(4, 2)
        self.scale = 2.0

    def encode(self, x):
        return self.first(x)

    def forward(self, x):
        {body}


def train(model, optimizer, data):
    for x, y in data:
        {step}
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main(data):
    model = Net()
    optimizer = torch.optim.AdamW({given}, lr=0.1)
    train(model, optimizer, data)
"""
BODY = """x = self.encode(x) * self.scale
        for block in self.blocks:
            x = block(x)
        if self.down is not None:
            x = self.down(x)
        return self.last(x)"""
STEP = "loss = F.mse_loss(model(x), y)"
GIVEN = "model.parameters()"


def _converted(folder: Path, text: str) -> str:
    (folder / "train.py").write_text(text)
    return next(t for p, t in convert(discover(folder)).files.items() if p.name == "train.py")


def _program(body: str = BODY, step: str = STEP, given: str = GIVEN) -> str:
    return PROGRAM.format(body=body, step=step, given=given)


def test_a_model_that_reads_all_its_modules_is_tidy(tmp_path: Path) -> None:
    text = _converted(tmp_path, _program())
    assert "ms.value_and_grad(" in text and "optimizer(grads)" in text


@pytest.mark.parametrize(
    "changed",
    [
        {"body": BODY.replace("        if self.down is not None:", "        if x.shape[0] > 2:")},
        {"body": BODY.replace("        for block in self.blocks:\n            x = block(x)\n", "        x = self.blocks[0](x)\n")},
        {"body": BODY.replace("self.encode(x)", "x")},
        {"body": BODY.replace("self.encode(x)", "self.encode(x).detach()")},
        {"body": BODY.replace("return self.last(x)", "if x.sum() > 0:\n            return x\n        return self.last(x)")},
        {"body": BODY.replace("x = block(x)", "x = block(x)\n            if x.max() > 3:\n                break")},
        {"step": "out = model(x)\n        loss = F.mse_loss(out, y) + out.detach().mean()"},
        {"step": "loss = F.mse_loss(model.encode(x), y)"},
        {"step": "out, extra = model(x)\n        loss = F.mse_loss(out, y)"},
        {"body": BODY.replace("return self.last(x)", "return {'a': self.last(x), 'b': x}"), "step": "loss = F.mse_loss(model(x)['b'], y)"},
        {"given": "list(model.parameters()) + [nn.Parameter(torch.zeros(3))]"},
        {"given": "[{'params': model.first.parameters()}, {'params': model.last.parameters()}]"},
    ],
)
def test_what_may_have_no_gradient_is_not(tmp_path: Path, changed: dict[str, str]) -> None:
    text = _converted(tmp_path, _program(**changed))
    assert "ms.value_and_grad(" not in text and "value_and_gradients(" in text


@pytest.mark.parametrize(
    "call",
    [
        "try:\n        train(model, optimizer, data)\n    except RuntimeError:\n        pass",
        "with contextlib.suppress(RuntimeError):\n        train(model, optimizer, data)",
        "run = lambda: train(model, optimizer, data)\n    run()\n\n\ndef again(data):\n    for _ in range(3):\n        try:\n            main(data)\n        except ValueError:\n            print('again')",
    ],
)
def test_where_an_error_may_be_handled_it_is_not_tidy(tmp_path: Path, call: str) -> None:
    text = _converted(tmp_path, _program().replace("train(model, optimizer, data)\n", call + "\n").replace("import torch\n", "import contextlib\n\nimport torch\n", 1))
    assert "ms.value_and_grad(" not in text and "value_and_gradients(" in text


def test_a_model_of_unknown_class_is_not_tidy(tmp_path: Path) -> None:
    text = _converted(tmp_path, _program().replace("model = Net()", "model = load(data)"))
    assert "ms.value_and_grad(" not in text and "value_and_gradients(" in text


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return self.a(x) + self.b", {"a", "b"}),
        ("if x:\n        return self.a(x)\n    return self.b(self.a(x))", {"a"}),
        ("y = self.a(x) if x else self.b(self.a(x))\n    return y", {"a"}),
        ("with scope(self.c):\n        x = self.a(x)\n    return x", {"a", "c"}),
        ("for m in self.a:\n        x = m(x)\n    return x", {"a"}),
        ("for i, m in enumerate(self.a):\n        x = m(x)\n    return x", {"a"}),
        ("for m in self.a:\n        if x:\n            x = m(x)\n    return x", set()),
        ("return sum([m(x) for m in self.a])", {"a"}),
        ("return sum([m(x) for m in self.a if x])", set()),
        ("return self.a and self.b", {"a"}),
        ("return self.other(x)", {"z"}),
        ("try:\n        return self.a(x)\n    except ValueError:\n        return x", set()),
        ("while x:\n        x = self.a(x)\n    return self.b(x)", {"b"}),
        ("if x:\n        raise ValueError\n    return self.b(x)", {"b"}),
        ("return (lambda: self.a)", set()),
        ("return run(x=self.a)", {"a"}),
    ],
)
def test_surely_read(body: str, expected: set[str]) -> None:
    tree = ast.parse(f"def forward(self, x):\n    {body}\n\n\ndef other(self, x):\n    return self.z(x)\n")
    methods = {f.name: f for f in tree.body if isinstance(f, ast.FunctionDef)}
    assert surely_read(methods["forward"], methods) == expected
