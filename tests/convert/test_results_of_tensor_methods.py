"""What only a tensor's method gives is a tensor, though arrays have a `mean` as well: the text stays, nothing is asked when the program runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script

HEAD = "import torch\n\n\ndef f(run):\n    return "


@pytest.mark.parametrize(("text", "expected"), [
    ("(run.a - run.b).pow(2).mean(1)", "(run.a - run.b).pow(2).mean(1)"),
    ("run.a.unsqueeze(0).size(2)", "run.a.unsqueeze(0).shape[2]"),
    ("(run.a - run.b).mean()", 'method(run.a - run.b, "mean", tensor_mean)()'),  # which may be an array's
])  # fmt: skip
def test_the_text(tmp_path: Path, text: str, expected: str) -> None:
    assert converted_script(tmp_path, HEAD + text + "\n").endswith(f"return {expected}\n")
