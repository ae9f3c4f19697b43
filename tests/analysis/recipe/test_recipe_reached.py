"""What training reaches: networks of a loss, branches that constructors leave out, networks that nobody names, helpers that get drawn numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.recipe.test_recipe import rows
from tests.analysis.recipe.test_recipe_parts import TRAIN

PERCEPTUAL = (
    "import torch\nimport torchvision\nnet = torch.nn.Linear(2, 2)\nparams = list(net.parameters()){more}\noptimizer = torch.optim.Adam(params, lr=0.1)\nvgg = torchvision.models.vgg16(pretrained=True)\n"
    "features = torch.nn.Sequential(*list(vgg.children())[0][:22])\nfor param in features.parameters():\n    param.requires_grad = False\nloss = features(net(torch.ones(2))).sum()\nloss.backward()\noptimizer.step()\n"
)


@pytest.mark.parametrize("trained", [False, True])
def test_a_network_that_no_optimizer_gets_only_measures(tmp_path: Path, trained: bool) -> None:
    text = PERCEPTUAL.format(more=" + list(features.parameters())" if trained else "")
    if trained:  # the optimizer is made behind it
        text = text.replace("params = list", "features = None\nparams = list")
    found = rows(tmp_path, train=text)
    assert ("pretrained: vgg16(True)" in found["Initialisation"][0].value, "freezing" in found) == (trained, trained)


def test_a_network_that_a_method_puts_into_the_trained_one(tmp_path: Path) -> None:
    text = "import torch\nimport torchvision\nencoder = torchvision.models.alexnet(pretrained=True)\nlayers = list(encoder.features.children())\nmodel = torch.nn.Module()\nmodel.add_module('encoder', torch.nn.Sequential(*layers))\n"
    assert "pretrained: alexnet(True)" in rows(tmp_path, train=text + "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nloss.backward()\noptimizer.step()\n")["Initialisation"][0].value


NET = (
    "import torch\nimport torch.nn as nn\nclass Block(nn.Module):\n    def __init__(self, n, norm='batch', freeze=False):\n        super(Block, self).__init__()\n        self.fc = nn.Linear(n, n)\n        self.norm = norm\n"
    "        if self.norm == 'instance':\n            self.bn = nn.InstanceNorm1d(n)\n        if freeze:\n            self.fc.weight.requires_grad = False\n    def forward(self, x):\n        return self.fc(x)\n"
    "class Pixels(nn.Module):\n    def __init__(self):\n        super(Pixels, self).__init__()\n        self.up = Upsampler()\n    def forward(self, x):\n        return self.up(x)\n"
    "class Upsampler(nn.Module):\n    def __init__(self):\n        super(Upsampler, self).__init__()\n        self.shuffle = nn.PixelShuffle(2)\n    def forward(self, x):\n        return self.shuffle(x)\n"
)


@pytest.mark.parametrize(("made", "titles"), [("Block(4)", []), ("Block(4, norm='instance')", ["instance normalisation"]), ("Block(4, freeze=True)", ["freezing"]), ("(Block(4), Pixels())", ["pixel shuffle"])])
def test_branches_of_a_constructor_and_networks_that_nobody_names(tmp_path: Path, made: str, titles: list[str]) -> None:
    found = rows(tmp_path, net=NET, train=f"from net import *\nnet = {made}\n" + TRAIN)
    shown = [title for title in ("instance normalisation", "freezing", "pixel shuffle") if title in found and "off unless asked for" not in found[title][0].value]
    assert shown == titles


def test_a_network_under_another_name(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("x")
    net = "import torch\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = torch.nn.Linear(2, 2)\n        torch.nn.init.kaiming_normal_(self.fc.weight)\n"
    assert rows(tmp_path, net=net, train="from net import Net as Small\nmodel = Small()\n" + TRAIN)["Initialisation"][0].value == "kaiming_normal_"


def test_first_values_of_an_option_and_copied_vectors(tmp_path: Path) -> None:
    net = "import torch\nclass Gen(torch.nn.Module):\n    def __init__(self, n, oracle_init=False):\n        super(Gen, self).__init__()\n        self.emb = torch.nn.Embedding(n, n)\n        if oracle_init:\n            for p in self.parameters():\n                torch.nn.init.normal_(p, 0, 1)\n"
    assert rows(tmp_path, net=net, train="from net import Gen\nmodel = Gen(4)\n" + TRAIN)["Initialisation"][0].value == "the layers' own defaults"
    copied = "from net import Gen\nmodel = Gen(4)\nmodel.emb.weight.data.copy_(torch.load('glove.pth'))\n"
    assert rows(tmp_path, net=net, train="import torch\n" + copied + TRAIN)["Initialisation"][0].value == "emb.weight copied"


def test_updates_after_several_backward_passes(tmp_path: Path) -> None:
    loop = "import argparse\nimport torch\np = argparse.ArgumentParser()\np.add_argument('--batchsize', type=int, default=25)\np.add_argument('--bs', type=int, default=128, help='test batch size')\np.add_argument('--local_ep', type=int, default=5, help='the number of local epochs: E')\nargs = p.parse_args()\n"
    loop += "loader = torch.utils.data.DataLoader([], batch_size=64)\noptimizer = torch.optim.SGD([], lr=0.1)\nfor _ in range(args.local_ep):\n    for i, x in enumerate(loader):\n        x.backward()\n        if i % args.batchsize == 0:\n            optimizer.step()\n"
    found = rows(tmp_path, train=loop)
    assert found["gradient accumulation"][0].value == "gradient accumulation: optimizer steps once for 25 backward passes"
    assert "bs=128" not in found["Batch size"][0].value and found["Epochs, iterations"][0].value == "local_ep=5"


FRAMES = (
    "import random\nimport torch\ndef load(path, area=None, flip=0):\n    image = read(path)\n    cut = image.crop(area) if area is not None else image\n    return cut.transpose(Image.FLIP_LEFT_RIGHT) if flip else cut\n"
    "class Frames(torch.utils.data.Dataset):\n    def __getitem__(self, i):\n        x = random.randint(0, 9)\n        area = (x, x, x + 8, x + 8)\n        flip = random.randint(0, 1)\n        return load(self.paths[i], area=area, flip=flip)\n"
)


def test_helpers_that_get_drawn_numbers_and_an_order_of_pairs(tmp_path: Path) -> None:
    helpers = "import torch\ndef prepare(pos, neg):\n    x = torch.cat((pos, neg), 0)\n    y = torch.ones(len(x))\n    order = torch.randperm(len(x))\n    x = x[order]\n    y = y[order]\n    return x, y\n"
    found = rows(tmp_path, frames=FRAMES, helpers=helpers, train="from frames import Frames\nfrom helpers import prepare\ndata = Frames()\nx, y = prepare(data[0], data[1])\n" + TRAIN)
    assert found["Data augmentation"][0].value == "crop, flip drawn in __getitem__" and found["Shuffling"][0].value == "order drawn by torch.randperm"
