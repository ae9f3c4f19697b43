"""`self.feature.forward(x)` of a part that a parameter brings: it is a module's, unless the project has others with a forward."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import Discovery
from mindport.source.file import SourceFile
from tests.convert.both_sides import both_sides, equal_tensors, printed_by_both

PROGRAM = """import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, make, width):
        super().__init__()
        self.feature = make(width)

    def forward(self, x):
        return self.feature.forward(x) * 2


def build(width):
    layer = nn.Linear(width, 3)
    layer.weight.data.fill_(0.5)
    layer.bias.data.fill_(0.25)
    return layer


def main():
    return Head(globals()["build"], 4)(torch.ones(2, 4))
"""

PLAIN = """

class Clock:
    def forward(self, seconds):
        return seconds


def advance(thing, by):
    return thing.forward(by)
"""


def converted(text: str) -> tuple[str, list[str]]:
    result = convert(Discovery(root=Path("."), files=[SourceFile.of(text, "m.py")]))
    (found,) = (text for path, text in result.files.items() if path.name == "m.py")
    return found, [f"{finding.code} {finding.risk}" for finding in result.findings if "forward" in finding.message]


def test_it_is_taken_for_a_module_and_told() -> None:
    text, findings = converted(PROGRAM)
    assert "return self.feature.construct(x) * 2" in text
    assert findings == ["MP105 style"]


def test_beside_plain_classes_with_a_forward_it_stays_and_is_told() -> None:
    text, findings = converted(PROGRAM + PLAIN)
    assert "return self.feature.forward(x) * 2" in text and "return thing.forward(by)" in text
    assert findings == ["MP105 loud"] * 2


def test_what_another_library_made_keeps_its_own() -> None:
    text, findings = converted("import torch\nimport serial\n\nport = serial.open(3)\nport.forward(torch.ones(2))\n")
    assert "port.forward(" in text and not findings


@pytest.mark.frameworks
def test_both_sides_compute_the_same(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    equal_tensors([theirs.main()], [ours.main()])


ASKED = '''
from inspect import signature

import torch
from torch import nn

CLASSES = {}


def kept(cls):
    CLASSES[cls.__name__] = cls
    return cls


class Wrapped(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer
        self.timed = len(signature(self.layer.forward).parameters) == 2
        self.call = self.layer.forward

    def forward(self, t, x):
        return self.call(t, x) if self.timed else self.call(x)


@kept
class Plain(nn.Module):
    def forward(self, x):
        return x * 2


@kept
class Timed(nn.Module):
    def forward(self, t, x):
        return x * t


for name in CLASSES:
    layer = CLASSES[name]()
    print(Wrapped(layer)(3.0, torch.ones(2)).tolist(), hasattr(layer, "forward"), list(signature(getattr(layer, "forward")).parameters))
'''


@pytest.mark.frameworks
def test_it_is_asked_for_its_signature_and_called_by_another_name(tmp_path: Path) -> None:
    """What is not called where it stands: ffjord's wrappers of layers that take the time or do not."""
    theirs, ours = printed_by_both(tmp_path, ASKED)
    assert ours == theirs


def test_a_setting_of_that_name_is_none() -> None:
    text, findings = converted("import torch\n\n\ndef run(options):\n    forward = options.forward\n    return torch.ones(2) if forward else None\n")
    assert "forward = options.forward" in text and not findings
