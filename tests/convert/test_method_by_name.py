"""Methods of tensors that are chosen by a name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides


@pytest.mark.parametrize(("line", "expected"), [
    ('y = getattr(x, "std")()', "y = partial(std, x)()"),
    ('y = getattr(x, "shape")', 'y = getattr(x, "shape")'),
    ('y = getattr(x, "grad", None)', 'y = getattr(x, "grad", None)'),
    ('y = getattr(3, "real")', 'y = getattr(3, "real")'),
    ('import operator\ny = operator.methodcaller("std", dim=0)(x)', "y = (lambda it: std(it, dim=0))(x)"),
    ('import operator\ny = operator.methodcaller("sort", 0)(x)', "y = (lambda it: sort(it, 0))(x)"),
    ('import operator\ny = operator.methodcaller("split", ",")("a,b")', 'y = operator.methodcaller("split", ",")("a,b")'),
])  # fmt: skip
def test_the_text(tmp_path: Path, line: str, expected: str) -> None:
    (tmp_path / "script.py").write_text(f"import torch\nx = torch.ones(3)\n{line}\n", encoding="utf-8")
    text = next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "script.py")
    assert text.endswith(expected + "\n")


def test_a_name_that_nothing_tells_is_reported(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import torch\n\n\ndef f(x: torch.Tensor, name):\n    return getattr(x, name)()\n", encoding="utf-8")
    assert [f.code for f in convert(discover(tmp_path)).findings] == ["MP105"]


@pytest.mark.parametrize("called", ["operator.methodcaller('std', of())(x)", "operator.methodcaller('add_', 1)(x)", "list(map(operator.methodcaller('std', k), [x]))"])
def test_a_method_called_by_name_on_what_is_not_known_is_reported(tmp_path: Path, called: str) -> None:
    """Where its arguments would be computed at another time, or the tensor is changed."""
    (tmp_path / "script.py").write_text(f"import operator\nimport torch\n\n\ndef f(x, k, of):\n    return {called}\n", encoding="utf-8")
    assert [f.code for f in convert(discover(tmp_path)).findings] == ["MP107"]


def test_a_default_that_is_a_tensor_makes_the_parameter_one_that_may_be(tmp_path: Path) -> None:
    source = 'import torch\n\n\ndef f(x=torch.ones(3)):\n    return getattr(x, "put")(torch.tensor([1]), torch.tensor([2.0]), False)\n'
    (tmp_path / "script.py").write_text(source, encoding="utf-8")
    text = next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "script.py")
    assert 'method(x, "put", put)(' in text


PROGRAM = """import operator

import torch

REDUCTIONS = ["std", "sum", "max", "relu", "median"]


def reduced(x):
    x = torch.from_numpy(x)
    for name in REDUCTIONS:
        yield getattr(x, name)()
    yield getattr(x, "var")(1)
    yield operator.methodcaller("std", dim=1)(x)
    yield later(x)
    yield getattr(held(x)["x"], "tril")(1)
    yield Own().of()
    yield from map(operator.methodcaller("argmax", 0), [x])


def held(x):
    return eval("{'x': x}")


class Own:
    def tril(self, k):
        return torch.ones(k)

    def of(self):
        return applied(self)


def applied(something):
    return getattr(something, "tril")(2)


def later(x):
    return operator.methodcaller("std", 0)(x)
"""


@pytest.mark.frameworks
def test_the_program_computes_the_same(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    x = np.array([[0.5, -1.0, 2.0], [0.1, 0.3, -0.7]], np.float32)
    for left, right in zip(torch_side.reduced(x), mindspore_side.reduced(x), strict=True):
        np.testing.assert_allclose(right.asnumpy(), left.numpy(), rtol=1e-6)


def test_a_method_in_place_of_something_unknown_is_reported(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import torch\n\n\ndef f(batch):\n    getattr(batch.x, 'tril_')(1)\n    return getattr(batch, 'size_')\n", encoding="utf-8")
    assert [f.code for f in convert(discover(tmp_path)).findings] == ["MP107"]


@pytest.mark.parametrize("line", ['getattr(x, "resize_")((2, 5))', 'operator.methodcaller("resize_", 2, 5)(x)', "x.resize_(2, 5)"])
def test_what_is_declared_of_the_method_is_told(tmp_path: Path, line: str) -> None:
    (tmp_path / "script.py").write_text(f"import operator\nimport torch\n\nx = torch.ones(4, 2)\ny = {line}\n", encoding="utf-8")
    assert any("resize_: what shares the tensor's memory" in finding.message for finding in convert(discover(tmp_path)).findings)
