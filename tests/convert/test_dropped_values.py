"""``x.device`` is a text in MindSpore: it is said where a program does something with it, and not where it is only handed to what drops devices."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

_HEAD = "import torch\nfrom torch import Tensor, nn\n\n\n"
_HANDED_ON = {
    "to a factory": "def f(x: Tensor):\n    return torch.arange(3, device=x.device)\n",
    "to a move": "def f(x: Tensor, y: Tensor):\n    return y.to(x.device)\n",
    "to a layer's move": "def f(x: Tensor):\n    return nn.Linear(2, 2).to(x.device)\n",
    "by a name": "def f(x: Tensor):\n    d = x.device\n    return torch.zeros(3, device=d), torch.ones(2).to(d)\n",
    "by a choice": "def f(x: Tensor, y: Tensor):\n    d = x.device if len(x) else y.device\n    return torch.zeros(3, device=d)\n",
}
_USED = {
    "printed": "def f(x: Tensor):\n    print(x.device)\n",
    "compared": "def f(x: Tensor):\n    return x.device == torch.device('cpu')\n",
    "asked": "def f(x: Tensor):\n    return x.device.type\n",
    "by a name that is asked": "def f(x: Tensor):\n    d = x.device\n    y = torch.zeros(3, device=d)\n    return y, d.type\n",
    "returned": "def f(x: Tensor):\n    d = x.device\n    return d\n",
    "kept": "def f(self, x: Tensor):\n    self.d = x.device\n",
    "a module's name": "x = torch.ones(2)\nd = x.device\ny = torch.zeros(3, device=d)\n",
    "handed to a function of the project": "def g(d):\n    return d.type\n\n\ndef f(x: Tensor):\n    return g(x.device)\n",
    "a name that a function inside binds anew": "def f(x: Tensor):\n    d = x.device\n\n    def g():\n        nonlocal d\n        d = 1\n    return g\n",
}


def _told(folder: Path, text: str) -> bool:
    (folder / "program.py").write_text(_HEAD + text, encoding="utf-8")
    return any(f.code == "MP103" and f.api == "torch.Tensor.device" for f in convert(discover(folder)).findings)


@pytest.mark.parametrize("text", _HANDED_ON.values(), ids=_HANDED_ON)
def test_what_is_dropped_is_not_told(tmp_path: Path, text: str) -> None:
    assert not _told(tmp_path, text)


@pytest.mark.parametrize("text", _USED.values(), ids=_USED)
def test_what_is_used_is_told(tmp_path: Path, text: str) -> None:
    assert _told(tmp_path, text)
