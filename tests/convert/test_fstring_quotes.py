"""Strings that conversion writes into the fields of f-strings have other quotes than those around them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

FORMS = ["f'{%s:,} of them'", 'f"{%s:,} of them"', 'f"""{%s:,} of them"""', "f'{sum(len(f\"{%s}\") for _ in range(2)):>{4}}'"]


@pytest.mark.parametrize("form", FORMS)
def test_what_is_written_into_an_f_string_leaves_it_whole(tmp_path: Path, form: str) -> None:
    counted = "sum(p.numel() for p in net.parameters() if p.requires_grad)"
    (tmp_path / "count.py").write_text(f'import torch\n\nnet = torch.nn.Linear(2, 3)\nprint({form % counted})\n')
    conversion = convert(discover([tmp_path]))  # raises where the result is no Python
    assert [f.code for f in conversion.findings if f.code == "MP909"] == []
    text = next(iter(conversion.files.values()))
    assert "requires_grad" in text and "MP" not in text
