"""Tensors that are formatted as numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides


@pytest.mark.parametrize(("line", "expected"), [
    ('print(f"{x.mean():.4f}")', 'print(f"{x.mean().item():.4f}")'),
    ('print(f"{x.sum() / 3:>8.2e} {n:.2f}")', 'print(f"{(x.sum() / 3).item():>8.2e} {n:.2f}")'),
    ('print(f"{x}")', 'print(f"{x}")'),
    ('print("{} {:.3f} {:d}".format(x, x.sum(), n))', 'print("{} {:.3f} {:d}".format(x, x.sum().item(), n))'),
    ('print("{a:.1f}".format(a=x.sum()))', 'print("{a:.1f}".format(a=x.sum().item()))'),
    ('msg = "{0:>6}, {1:>5.2}"\nprint(msg.format(n, x.sum()))', 'msg = "{0:>6}, {1:>5.2}"\nprint(msg.format(n, x.sum().item()))'),
    ('msg = input()\nprint(msg.format(n, x.sum()))', 'msg = input()\nprint(msg.format(n, x.sum()))'),
    ('print(format(x.sum(), ".1f"))', 'print(format(x.sum().item(), ".1f"))'),
    ('t = 0.0\nif n:\n    t = x.sum()\nprint(f"{t:.3f}")', 't = 0.0\nif n:\n    t = x.sum()\nprint(f"{number(t):.3f}")'),
])  # fmt: skip
def test_a_specification_takes_the_number(tmp_path: Path, line: str, expected: str) -> None:
    (tmp_path / "script.py").write_text(f"import torch\nn = int(input())\nx = torch.ones(3)\n{line}\n", encoding="utf-8")
    conversion = convert(discover(tmp_path))
    text = next(text for path, text in conversion.files.items() if path.name == "script.py")
    assert text.endswith(expected + "\n")


METER = """import torch


class Meter:
    def __init__(self):
        self.sum, self.avg = 0, 0

    def update(self, value):
        self.sum += value
        self.avg = self.sum / 2


def told(value):
    meter = Meter()
    meter.update(value)
    return ["{:.3f}".format(meter.avg), f"{meter.sum:8.2e}", "%.2f" % meter.avg]


def of_tensors(values):
    return told(torch.tensor(values).sum())
"""


@pytest.mark.frameworks
def test_what_a_meter_holds(tmp_path: Path) -> None:
    before, after = both_sides(tmp_path, METER)
    assert after.of_tensors([1.5, 2.0]) == before.of_tensors([1.5, 2.0]) == ["1.750", "3.50e+00", "1.75"]
    assert after.told(3.0) == before.told(3.0)


FORMS = ["'{m.avg:.3f} {0[0]:.1f}'.format([meter.sum], m=meter)", "('{avg:' + '.1f}').format(**vars(meter))"]


@pytest.mark.frameworks
@pytest.mark.parametrize("form", FORMS)
def test_fields_that_name_parts_of_what_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    import mindspore

    monkeypatch.setattr(mindspore.Tensor, "__format__", object.__format__)  # as before another converted program set it
    program = METER.partition("def told")[0] + f"def told(value):\n    meter = Meter()\n    meter.update(torch.tensor(value))\n    return {form}\n"
    before, after = both_sides(tmp_path, program)
    assert after.told(2.0) == before.told(2.0)
