"""Changes that reach nobody else, in forms that were once told: MP109 stays for what others may hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

_HEAD = "import torch\nfrom torch import Tensor, nn\n\n\n"
_QUIET = {
    "a table": "import pandas as pd\n\n\ndef main():\n    data = pd.read_csv('x.csv')\n    names = ['a']\n    data[names] = data[names].fillna(0)\n    for name in names:\n        data[name] = run(data[name])\n    data[names] = run(data[names])\n",
    "a tensor of a list": "def f(rows):\n    boxes = [row['box'] for row in rows]\n    boxes = torch.as_tensor(boxes, dtype=torch.float32).reshape(-1, 4)\n    boxes[:, 2:] += boxes[:, :2]\n    boxes[:, 0::2].clamp_(min=0, max=3)\n    return boxes, rows\n",
    "a mean of something unknown": "def f(model):\n    cam = model.scores()[0]\n    cam = cam.mean(dim=0).unsqueeze(0)\n    cam[:, 0] = 0\n    return cam[0]\n",
    "a layer behind another one in somebody's sequence": (
        "class Block(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.conv = nn.Conv2d(3, 3, 1)\n        self.relu = nn.ReLU(inplace=True)\n\n"
        "    def forward(self, x):\n        x = self.conv(x)\n        return self.relu(x)\n\n\ndef base(block: Block):\n    return nn.Sequential(block.conv, block.relu)\n"
    ),
    "a place of a configuration": (
        "def override(config, text):\n    path, _, value = text.partition('=')\n    *parents, leaf = path.split('.')\n    node = config\n    for parent in parents:\n        node = node.setdefault(parent, {})\n    node[leaf] = value\n    return leaf\n"
    ),
    "a layer behind another one in a class of sequences": (
        "class Block(nn.Sequential):\n    def __init__(self, n):\n        super(Block, self).__init__(\n            nn.Conv2d(n, n, 1),\n            nn.BatchNorm2d(n),\n            nn.ReLU6(inplace=True))\n"
    ),
    "a row at a place that the command line bounds": (
        "import argparse\n\n\nclass Storage:\n    def __init__(self, n):\n        self.rows = torch.zeros(n, 3)\n        self.n = n\n        self.at = 0\n\n"
        "    def insert(self, row: Tensor):\n        self.rows[self.at].copy_(row)\n        self.at = (self.at + 1) % self.n\n\n\n"
        "parser = argparse.ArgumentParser()\nparser.add_argument('--n', type=int, default=3)\nstorage = Storage(parser.parse_args().n)\nstorage.insert(torch.ones(3))\n"
    ),
    "a row where the file sets a backend": (
        "class Storage:\n    def __init__(self):\n        self.rows = torch.zeros(2, 3)\n\n\ndef main():\n    torch.backends.cudnn.benchmark = True\n    s = Storage()\n"
        "    s.rows[0].copy_(torch.ones(3))\n    return s.rows\n"
    ),
    "layers of a list that a function returns for sequences": (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n\n        def block(n, norm=True):\n            layers = [nn.Conv2d(n, n, 1)]\n            if norm:\n                layers.append(nn.BatchNorm2d(n))\n"
        "            layers.append(nn.LeakyReLU(0.2, inplace=True))\n            return layers\n\n        self.model = nn.Sequential(*block(3, norm=False), *block(3), nn.Conv2d(3, 1, 1), *self.tail(3))\n\n"
        "    def tail(self, n):\n        return [nn.Conv2d(1, n, 1), nn.ReLU(True)]\n\n    def forward(self, x):\n        return self.model(x)\n"
    ),
    "a layer behind one of an outer block": (
        "def mlp(sizes, norm):\n    seq = []\n    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):\n        seq.append(nn.Linear(a, b))\n        if i < len(sizes) - 2:\n            if norm:\n"
        "                seq.append(nn.BatchNorm1d(b))\n            seq.append(nn.LeakyReLU(0.2, inplace=True))\n    return nn.Sequential(*seq)\n"
    ),
}
_TOLD = {
    "a layer that may be the first, behind one of another block": (
        "def mlp(sizes, norm):\n    seq = []\n    if norm:\n        seq.append(nn.BatchNorm1d(sizes[0]))\n    if len(sizes) > 2:\n        seq.append(nn.LeakyReLU(0.2, inplace=True))\n    return nn.Sequential(*seq)\n"
    ),
    "layers of a list that a function returns, and that is looped over": (
        "def block(n):\n    layers = [nn.Conv2d(n, n, 1)]\n    layers.append(nn.LeakyReLU(0.2, inplace=True))\n    return layers\n\n\ndef base():\n    for layer in block(4):\n        print(layer)\n    return nn.Sequential(*block(3))\n"
    ),
    "a layer first in a list that a function returns": (
        "def block(n):\n    return [nn.LeakyReLU(0.2, inplace=True), nn.Conv2d(n, n, 1)]\n\n\ndef base():\n    return nn.Sequential(*block(3))\n"
    ),
    "a tensor of an array": "import numpy as np\n\n\ndef f(rows: np.ndarray):\n    boxes = torch.as_tensor(rows)\n    boxes[:, 0::2].clamp_(min=0, max=3)\n    return boxes, rows\n",
    "a layer first in somebody's sequence": (
        "class Block(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.conv = nn.Conv2d(3, 3, 1)\n        self.relu = nn.ReLU(inplace=True)\n\n"
        "    def forward(self, x):\n        return self.relu(self.conv(x))\n\n\ndef base(block: Block):\n    return nn.Sequential(block.relu, block.conv)\n"
    ),
    "a layer first in a class of sequences": (
        "class Block(nn.Sequential):\n    def __init__(self, n):\n        super().__init__(nn.ReLU6(inplace=True), nn.Conv2d(n, n, 1))\n"
    ),
    "a layer that a class of sequences calls itself": (
        "class Block(nn.Sequential):\n    def __init__(self, n):\n        super().__init__(nn.Conv2d(n, n, 1), nn.ReLU6(inplace=True))\n\n    def forward(self, x):\n        return self[0](self[1](x)) + x\n"
    ),
    "a row at a place that nothing tells": (
        "class Storage:\n    def __init__(self, at):\n        self.rows = torch.zeros(4, 3)\n        self.at = at\n\n    def insert(self, row: Tensor):\n        self.rows[self.at].copy_(row)\n"
    ),
}


def _told(folder: Path, text: str) -> list[str]:
    (folder / "program.py").write_text(_HEAD + text, encoding="utf-8")
    return [f.message for f in convert(discover(folder)).findings if f.code == "MP109"]


@pytest.mark.parametrize("text", _QUIET.values(), ids=_QUIET)
def test_what_reaches_nobody_is_not_told(tmp_path: Path, text: str) -> None:
    assert not _told(tmp_path, text)


@pytest.mark.parametrize("text", _TOLD.values(), ids=_TOLD)
def test_what_may_reach_somebody_is_told(tmp_path: Path, text: str) -> None:
    assert _told(tmp_path, text)
