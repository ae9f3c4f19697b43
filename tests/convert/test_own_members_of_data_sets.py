"""What torchvision's data sets hold, read by classes of the project's own: the vendored classes hold it, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = """from torchvision.datasets import CIFAR10, ImageFolder


class Pairs(ImageFolder):
    def __getitem__(self, index):
        image = self.loader(self.{})
        return image if self.transform is None else self.transform(image)


class Mine(CIFAR10):
    def __getitem__(self, index):
        return self.data[index], self.targets[index], self.train
"""


@pytest.mark.parametrize(("member", "found"), [("imgs[index][0]", False), ("samples[index][0]", False), ("never[index]", True)])
def test_members(tmp_path: Path, member: str, found: bool) -> None:
    (tmp_path / "program.py").write_text(PROGRAM.format(member), encoding="utf-8")
    conversion = convert(discover(tmp_path))
    assert bool([f for f in conversion.findings if f.code == "MP108"]) is found
