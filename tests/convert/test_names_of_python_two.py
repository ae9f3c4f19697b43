"""``torch._six``: what old programs import from it is plain Python's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mindport.convert import convert
from mindport.source.discover import discover

TEXT = "from torch._six import inf, nan, string_classes, int_classes\nfound = [isinstance(each, string_classes) for each in ('a', b'a', 1)], isinstance(1, int_classes), inf > 1e300, nan == nan\n"


def test_names_of_old_programs(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(TEXT)
    made = convert(discover([tmp_path]))
    (text,) = (text for path, text in made.files.items() if path.name == "old.py")
    held: dict[str, Any] = {}
    exec(text, held)
    assert held["found"] == ([True, True, False], True, True, False) and not made.findings
