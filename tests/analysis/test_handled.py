"""What a handler catches at once does not block a project; what ends the work, or catches something else, does."""

from __future__ import annotations

import ast

import pytest

from mindport.analysis.api import assess
from mindport.analysis.judgement import Judgement
from mindport.inference.facts import Facts, Use
from mindport.source.file import SourceFile


def risk_in(text: str) -> str | None:
    """The risk of the call of `start` in a program, of which nothing is known."""
    file = SourceFile.of(text)
    node = next(n for n in file.nodes if isinstance(n, ast.Call) and ast.unparse(n.func) == "start")
    known = Facts(uses=[Use(node, "torch.start", "call", "certain", "")])
    left = Judgement("left", None, "MP101", "no equivalent is known")
    (found,) = assess({file: known}, lambda use, facts: left, lambda entry: "", lambda place, facts: left)
    return found.risk


@pytest.mark.parametrize(
    "text",
    [
        "try:\n    start('spawn')\nexcept Exception:\n    pass\n",
        "try:\n    import other\n    start('spawn')\nexcept:\n    print('without')\n",
        "try:\n    made = start()\nexcept (OSError, RuntimeError) as error:\n    made = None\n",
        "from contextlib import suppress\nwith suppress(Exception):\n    start()\n",
    ],
)
def test_the_program_goes_on_without(text: str) -> None:
    assert risk_in(text) == "silent"


@pytest.mark.parametrize(
    "text",
    [
        "start()\n",
        "try:\n    start()\nexcept KeyboardInterrupt:\n    pass\n",
        "try:\n    start()\nexcept Exception as error:\n    raise RuntimeError from error\n",
        "import sys\ntry:\n    start()\nexcept Exception:\n    sys.exit(1)\n",
        "try:\n    pass\nexcept Exception:\n    start()\n",
        "try:\n    pass\nfinally:\n    start()\n",
        "try:\n    for epoch in range(3):\n        start()\nexcept Exception as error:\n    print(error)\n",
        "with open('x') as file:\n    start()\n",
    ],
)
def test_the_program_stops(text: str) -> None:
    assert risk_in(text) == "blocker"
