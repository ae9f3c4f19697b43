"""Who asks a name for its items holds a mapping, and who changes an array's kind holds an array: putting something into them is no change of a tensor."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

#: A function of which the caller, or `seen`, keeps what is changed.
TEXT = """import torch


def move(given, seen, device):
    for one in given:
        seen.hold(one)
{body}
    return given
"""

MAPPINGS = [
    "for key, value in one.items():\n    if isinstance(value, torch.Tensor):\n        one[key] = value.to(device)",
    "for key in seen.names:\n    one[key] = one[key].to(device)\nprint(one['image'])",
    "one = one.astype('float32')\nkept = one[0]\nother = kept.copy()\nkept[1] = 2",
    "one.append(3)\none[seen.place] = 4",
]
TENSORS = [
    "one[seen.place] = 4",
    # another branch says nothing about this one
    "if isinstance(one, dict):\n    for key in one.keys():\n        one[key] = 1\nelse:\n    one[seen.place] = 4",
    "first = one['image'] if device else one\none[seen.place] = 4",
    "try:\n    print(one['image'])\nexcept TypeError:\n    one[seen.place] = 4",
    # the name stands for something else by then
    "part = one['image']\none = one['mask']\none[seen.place] = 4\nseen.hold(part)",
]


def found(folder: Path, body: str) -> list[str]:
    """The codes of findings about changes in place."""
    lines = "\n".join(" " * 8 + line for line in body.split("\n"))
    (folder / "a.py").write_text(TEXT.format(body=lines))
    return [finding.code for finding in convert(discover([folder])).findings if finding.code == "MP109"]


@pytest.mark.parametrize("body", MAPPINGS)
def test_no_tensor_is_changed(tmp_path: Path, body: str) -> None:
    assert found(tmp_path, body) == []


@pytest.mark.parametrize("body", TENSORS)
def test_what_may_be_a_tensor_keeps_its_finding(tmp_path: Path, body: str) -> None:
    assert found(tmp_path, body) == ["MP109"]


LOOP = """import torch


class Slow:
    def step(self, seen):
        for group in self.groups:
{body}
        seen.hold(self.groups)
"""


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ('group["count"] += 1\nif group["count"] % 5 == 0:\n    self.update(group)', []),
        ("if seen.done:\n    continue\ngroup += 1", ["MP109"]),  # nothing says what it is
        ('if seen.done:\n    continue\nprint(group["count"])\ngroup += 1', ["MP109"]),  # what comes behind may never be asked
    ],
)
def test_what_a_loop_gives_may_be_no_row(tmp_path: Path, body: str, codes: list[str]) -> None:
    lines = "\n".join(" " * 12 + line for line in body.split("\n"))
    update = "\n    def update(self, group):\n        for p in group['params']:\n            p.data.mul_(0.5)\n"
    (tmp_path / "a.py").write_text(LOOP.format(body=lines) + update)
    assert [finding.code for finding in convert(discover([tmp_path])).findings if finding.code == "MP109"] == codes


ENVIRONMENT = "import torch\nclass Reward:\n    def step(self, action):\n        state, reward, done, info = self.env.step(action)\n        if {asked}:\n            return state, 0, done, info\n        reward += 50\n        return state, reward, done, info\n"


@pytest.mark.parametrize(("asked", "codes"), [('info["score"] > 9', []), ("info > 9", ["MP109"])])
def test_what_is_taken_apart_beside_a_mapping_has_no_rows(tmp_path: Path, asked: str, codes: list[str]) -> None:
    (tmp_path / "a.py").write_text(ENVIRONMENT.format(asked=asked))
    assert [finding.code for finding in convert(discover([tmp_path])).findings if finding.code == "MP109"] == codes
