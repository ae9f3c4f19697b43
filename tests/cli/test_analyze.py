"""mindport analyze: every form of the answer, on a small project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commands import Ran

NET = """\
import torch.nn as nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)

    def forward(self, x):
        return nn.functional.no_such_function(self.conv(x))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "net.py").write_text(NET)
    (tmp_path / "README.md").write_text("# A network <script>alert(1)</script>\n")
    return tmp_path


def test_json_names_every_class_with_its_place(project: Path) -> None:
    done = Ran("analyze", str(project), "--format", "json")
    assert done.code == 0, done.err
    sections = {section["letter"]: section for section in json.loads(done.out)["sections"]}
    row = next(answer for answer in sections["A"]["answers"] if answer["row"] == "A5")
    assert [(quote["path"], quote["line"]) for quote in row["quotes"]] == [("net.py", 4)]


@pytest.mark.parametrize("form", ["console", "html", "markdown", "csv", "sarif"])
def test_every_form_is_made(project: Path, form: str) -> None:
    done = Ran("analyze", str(project), "--format", form)
    assert done.code == 0, done.err
    assert "net.py" in done.out
    assert "<script>alert" not in done.out


def test_nothing_to_read_is_one_sentence(tmp_path: Path) -> None:
    done = Ran("analyze", str(tmp_path / "absent"))
    assert done.code == 2
    assert "there is no file or folder" in done.err
