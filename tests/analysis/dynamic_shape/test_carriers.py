"""Whatever holds or passes on a value, its level arrives with it: each carrier with three kinds of values that change, and with constants."""

from __future__ import annotations

import re

import pytest

from tests.analysis.dynamic_shape.reading import FOLDER, ONLY_FILE
from tests.analysis.dynamic_shape.running import found_in

_HEAD = "import collections, copy, dataclasses, functools, itertools, random, types, typing\nimport torch\nfrom torch import nn\n"
#: What makes a value, what uses it as a size or an index, and a constant in its place.
_KINDS = {
    "a number of data": ("int(mask.sum())", "x[:, :{}]", "8"),
    "a list of changing length": ("[i for i in range(x.size(0)) if x[i].max().item() > 0]", "x[{}]", "[0, 1, 2]"),
    "a drawn number": ("random.randint(3, 9)", "torch.zeros({}, 4) + x[:1].sum()", "8"),
}
_CARRIERS = dict(part.split("\n", 1) for part in (FOLDER / "carriers.txt").read_text(encoding="utf-8").split("\n=== ")[1:])


def _program(carrier: str, made: str, used: str, constant: str) -> str:
    text, at = _CARRIERS[carrier], 0
    while (found := re.compile(r"SINK\(").search(text, at)) is not None:
        deep, end = 1, found.end()
        while deep:
            deep += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = f"{text[: found.start()]}({used.format(text[found.end() : end - 1])}){text[end:]}"
        at = found.start()
    return _HEAD + text.replace("SRC", made).replace("CONST", constant) + "\n"


@pytest.mark.parametrize("carrier", _CARRIERS)
@pytest.mark.parametrize("kind", _KINDS)
def test_what_changes_is_seen_where_it_is_used(carrier: str, kind: str) -> None:
    assert any(code == "MP204" for _, _, code in found_in({ONLY_FILE: _program(carrier, *_KINDS[kind])}))


@pytest.mark.parametrize("carrier", _CARRIERS)
@pytest.mark.parametrize("kind", _KINDS)
def test_what_is_constant_stays_so(carrier: str, kind: str) -> None:
    _, used, constant = _KINDS[kind]
    assert not found_in({ONLY_FILE: _program(carrier, constant, used, constant)})
