"""``e[0, :, :] = h``, whose gradient MindSpore gives e's axes."""

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

TEXT = "import torch\n\nh = torch.ones(4, 2)\ne = torch.zeros(2, 4, 2)\n{line}\nprint(e.sum())\n"


@pytest.mark.parametrize(
    ("line", "written"),
    [("e[0, :, :] = h", "e[0] = h"), ("e[0, :] = -1.0", "e[0, :] = -1.0"), ("e[1, :] = h", "e[1] = h"), ("e[:, 0, :] = h[0]", "e[:, 0, :] = h[0]"), ("e[0, :, 1] = h[:, 0]", "e[0, :, 1] = h[:, 0]")],
)
def test_whole_axes_behind_a_number_go(tmp_path: Path, line: str, written: str) -> None:
    (tmp_path / "a.py").write_text(TEXT.format(line=line))
    conversion = convert(discover([tmp_path]))
    text = next(t for name, t in conversion.files.items() if name.name == "a.py")
    assert written in text
