"""Fields that the attrs package declares hold anything, modules too: what declared them did not make them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

PARTS = """{imports}
from torch import nn, optim


@{mark}
class Parts:
    network = {field}()
    rule = {field}(default=None)

    def optimizer(self):
        self.network.train()
        return optim.SGD(self.network.parameters(), 0.1)
"""


@pytest.mark.parametrize(
    ("imports", "mark", "field"), [("from attr import attrs, attrib", "attrs", "attrib"), ("import attr", "attr.s", "attr.ib"), ("from attrs import define, field", "define", "field")]
)
def test_modules_in_fields_are_asked_for(tmp_path: Path, imports: str, mark: str, field: str) -> None:
    (tmp_path / "parts.py").write_text(PARTS.format(imports=imports, mark=mark, field=field))
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["parts.py"]
    assert "self.network.parameters()" not in text and "self.network.train()" not in text
