"""``x.select(1, i)`` is ``x[:, i]`` where the text shows the axis."""

from __future__ import annotations

from pathlib import Path

from tests.convert.both_sides import converted_script


def test_as_one_would_write_it(tmp_path: Path) -> None:
    text = converted_script(
        tmp_path, "import torch\n\n\ndef f(x: torch.Tensor, d, i):\n    return x.select(0, i), torch.select(x, 1, 0), x.select(dim=-1, index=2), x.select(2, i), (x + 1).select(-2, 0), x.select(d, 0)\n"
    )
    assert "return x[i], x[:, 0], x[..., 2], x[:, :, i], (x + 1)[..., 0, :], select(x, d, 0)" in text
