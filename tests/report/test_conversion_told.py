"""What a conversion says on the terminal: the worst first, and in one line what ordinary data do not meet."""

from __future__ import annotations

import io
import json
from pathlib import Path, PurePosixPath

from rich.console import Console

from mindport.convert import convert
from mindport.findings import Finding
from mindport.report.conversion import render_json, show
from mindport.source.discover import Discovery
from mindport.source.file import SourceFile

TEXT = """import torch


def pool(x: torch.Tensor):
    y = x.sum(1) + x.var(1)
    return torch.median(y, 0)
"""


def _told() -> tuple[str, dict[str, object]]:
    conversion = convert(Discovery(Path("."), [SourceFile.of(TEXT, "module.py")], [], []))
    stream = io.StringIO()
    show(conversion, None, Console(file=stream, width=400))
    return stream.getvalue(), json.loads(render_json(conversion, None))


def test_differences_that_need_nan_or_nothing_share_a_line() -> None:
    text, told = _told()
    rare = [f for f in told["findings"] if f["rare"]]  # type: ignore[attr-defined]
    assert rare
    assert all(f["message"] not in text for f in rare)
    line = next(line for line in text.splitlines() if line.startswith("Only unusual inputs"))
    assert all(f["api"] in line for f in rare)


def test_the_others_have_their_own() -> None:
    text, told = _told()
    others = [f for f in told["findings"] if not f["rare"]]  # type: ignore[attr-defined]
    assert all(f["message"] in text for f in others)


def test_files_that_stay_as_they_are_come_first() -> None:
    many = "import torch\n" + "".join(f"torch.onnx.export(net, x, 'a{i}')\n" for i in range(20))
    unread = Finding("MP901", "the file does not parse", PurePosixPath("z.py"), None, "blocker")
    conversion = convert(Discovery(Path("."), [SourceFile.of(many, "a.py")], [unread], []))
    stream = io.StringIO()
    show(conversion, None, Console(file=stream, width=400))
    told = [line for line in stream.getvalue().splitlines() if line.startswith("blocker")]
    assert "MP901 z.py" in told[0]
    assert len(told) > 5
