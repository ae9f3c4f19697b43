"""A real package, converted as a whole: what must hold whatever the package is."""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path

import pytest

from mindport.convert import Conversion, convert, write
from mindport.convert.log import TIDY
from mindport.source.discover import discover
from tests.corpus import torchvision_wheel

#: Comments that go with lines that go: pragmas on removed decorators, remarks in branches that MindSpore never takes.
MOST_LOST_COMMENTS = 0.005


@pytest.fixture(scope="module")
def source() -> Path:
    """torchvision's package folder."""
    folder = torchvision_wheel.folder()
    if folder is None:
        pytest.skip("torchvision's wheel is neither here nor in the registry")
    return folder / "torchvision"


@pytest.fixture(scope="module")
def conversion(source: Path) -> Conversion:
    """The converted package, not written."""
    return convert(discover(source))


def test_every_file_parses(conversion: Conversion) -> None:
    assert len(conversion.files) > 150
    for path, text in conversion.files.items():
        ast.parse(text, str(path))


def test_no_name_is_undefined(conversion: Conversion, tmp_path: Path) -> None:
    write(conversion, tmp_path / "torchvision")
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821", "--quiet", str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


def test_comments_are_kept(conversion: Conversion, source: Path) -> None:
    before, after = Counter[str](), Counter[str]()
    for relative, text in conversion.files.items():
        if (source / relative).exists():
            before += _comments((source / relative).read_text(encoding="utf-8"))
            after += _comments(text)
    assert sum(before.values()) > 2000
    assert sum((before - after).values()) <= MOST_LOST_COMMENTS * sum(before.values())


def test_most_calls_read_as_if_written_by_hand(conversion: Conversion) -> None:
    calls = [r for r in conversion.log if r.path.startswith("models/") and r.kind in ("call", "method", "with", "decorator")]
    converted = [r for r in calls if r.strategy != "unconverted"]
    assert len(converted) > 1500
    assert sum(r.strategy in TIDY for r in converted) >= 0.8 * len(converted)


def test_a_second_conversion_changes_nothing(conversion: Conversion, tmp_path: Path) -> None:
    write(conversion, tmp_path / "torchvision")
    again = convert(discover(tmp_path / "torchvision"))
    changed = [str(p) for p, text in again.files.items() if p in conversion.files and conversion.files[p] != text]
    assert changed == []
    assert again.log == []


def _comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(t.string for t in tokens if t.type == tokenize.COMMENT and not t.string.startswith("# mindport:"))
