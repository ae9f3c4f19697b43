"""What is used and what only stands there: INI files, options that nobody reads, loaders that are only looked at, builders with trained weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.recipe.test_recipe import rows
from tests.analysis.recipe.test_recipe_parts import TRAIN

AGENT = (
    "import torch\nclass Agent:\n    def __init__(self, net, lr=1e-3, batch_size=128, clip_grad_norm=0.5):\n        self.batch_size = batch_size\n        self.clip_grad_norm = clip_grad_norm\n"
    "        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)\n    def train_model(self, loss):\n        loss.backward()\n{clip}        self.optimizer.step()\n"
)
CONFIGURED = (
    "import configparser\nimport torch\nfrom agent import Agent\nconfig = configparser.ConfigParser()\nconfig.read('run.conf')\nplain = config['DEFAULT']\nlr = float(plain['LearningRate'])\nsteps = int(plain['NumStep'])\nmini_batch = int(plain['MiniBatch'])\n"
    "batch_size = int(steps * 16 / mini_batch)\nclip_grad_norm = plain.getfloat('ClipGradNorm')\nkind = Agent\nagent = kind(torch.nn.Linear(2, 2), lr=lr, batch_size=batch_size, clip_grad_norm=clip_grad_norm)\nfor epoch in range(int(plain['Epoch'])):\n    agent.train_model(torch.ones(1))\n"
)


@pytest.mark.parametrize("clipped", [False, True])
def test_an_ini_file_and_a_limit_that_nothing_reads(tmp_path: Path, clipped: bool) -> None:
    (tmp_path / "run.conf").write_text("[DEFAULT]\nLearningRate = 1e-4\nNumStep = 128\nMiniBatch = 8\nClipGradNorm = 0.5\nEpoch = 3\nUseNoisyNet = False\n")
    clip = "        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.clip_grad_norm)\n" if clipped else "        # torch.nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)\n"
    found = rows(tmp_path, agent=AGENT.format(clip=clip), train=CONFIGURED)
    assert found["Optimizer"][0].value == "Adam, lr=1e-4" and found["Epochs, iterations"][0].value == "Epoch=3"
    assert found["Batch size"][0].value == "batch_size=128 * 16 / 8"  # eight is how many there are
    clipping = found["gradient clipping"][0]
    assert (clipping.status, clipping.value.endswith("(no code reads it)")) == (("found", False) if clipped else ("claimed only", True))


def test_sections_of_a_configparser(tmp_path: Path) -> None:
    (tmp_path / "run.ini").write_text("[train]\nlr = 0.02\namp = no\n")
    text = "import configparser\nimport torch\nconfig = configparser.ConfigParser()\nconfig.read('run.ini')\noptimizer = torch.optim.SGD([], lr=config.getfloat('train', 'lr'))\nif config.getboolean('train', 'amp'):\n    torch.manual_seed(3)\n"
    found = rows(tmp_path, train=text + TRAIN)
    assert found["Optimizer"][0].value.startswith("SGD, lr=0.02")
    assert "off unless asked for" in found["exact reproducibility settings"][0].value


def test_an_option_that_nobody_reads(tmp_path: Path) -> None:
    options = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--patience', default=7)\np.add_argument('--label_smoothing', default=0.1)\nargs = p.parse_args()\nprint(args.label_smoothing)\n"
    found = rows(tmp_path, train=options + TRAIN)
    assert found["early stopping"][0].value == "early stopping: patience=7 (no code reads it)"
    assert found["label smoothing"][0].value == "label smoothing: label_smoothing=0.1"


def test_steps_of_an_environment_and_rounds_of_clusters(tmp_path: Path) -> None:
    env = "class Env:\n    def step(self, action):\n        for _ in range(4):\n            self.env.step(action)\n"
    clusters = "import faiss\ndef centroids(x):\n    niter = 100\n    return faiss.Kmeans(4, 8, niter).train(x)\n"
    assert rows(tmp_path, env=env, clusters=clusters, train="from env import Env\nfrom clusters import centroids\nfor epoch in range(30):\n    loss.backward()\n" + TRAIN)["Epochs, iterations"][0].value == "epoch=30"


LOADERS = (
    "import torch\nfrom torch.utils.data import DataLoader\nfrom tqdm import tqdm\ndef label(model, loader):\n    bar = tqdm(loader)\n    with torch.no_grad():\n        for x in bar:\n            model(x)\n"
    "def fit(model, loader):\n    bar = tqdm(loader)\n    for x in bar:\n        model(x).sum().backward()\nloader = DataLoader([], batch_size=1)\n{used}(model, loader)\ntraining = DataLoader([], batch_size=16, shuffle=True)\nfit(model, training)\nvalloader = DataLoader([], batch_size=4)\n"
)


@pytest.mark.parametrize(("used", "value"), [("label", "16"), ("fit", "1, 16")])
def test_loaders_that_only_label(tmp_path: Path, used: str, value: str) -> None:
    assert rows(tmp_path, train=LOADERS.format(used=used) + TRAIN)["Batch size"][0].value == value


def test_loaders_of_graphs_by_a_star(tmp_path: Path) -> None:
    found = rows(tmp_path, data="from torch_geometric.data import InMemoryDataset, DataLoader\n", train="from data import *\nloader = DataLoader([], batch_size=8, shuffle=True)\n" + TRAIN)
    assert found["Shuffling"][0].value == "shuffle=True" and found["Batch size"][0].value == "8"


@pytest.mark.parametrize("loaded", [False, True])
def test_builders_of_the_project_with_trained_weights(tmp_path: Path, loaded: bool) -> None:
    load = "        net.load_state_dict(torch.load('w.pth'))\n" if loaded else "        print(net)\n"
    net = f"import torch\nimport torch.nn as nn\ndef _net(depth, pretrained):\n    net = nn.Linear(2, depth)\n    if pretrained:\n{load}    return net\ndef net50(pretrained=False):\n    return _net(50, pretrained)\n"
    found = rows(tmp_path, net=net, train="from net import net50\nzoo = {'net50': net50}\nmodel = zoo['net50'](pretrained=True)\n" + TRAIN)["Initialisation"][0]
    assert found.value == ("pretrained: zoo['net50'](True)" if loaded else "the layers' own defaults")


SEEDS = "import argparse\nimport torch\np = argparse.ArgumentParser()\np.add_argument('--manualseed', type=int, default=-1)\nopt = p.parse_args()\ndef seed(value):\n    if value == -1:\n        return\n    torch.manual_seed(value)\nseed(opt.manualseed)\n"


@pytest.mark.parametrize(("script", "value"), [
    ("", "off unless asked for: manualseed=-1, torch.manual_seed(-1) (value=-1)"),
    ("for m in $(seq 0 2)\ndo\n  python train.py --manualseed $m\ndone\n", "manualseed=-1, manualseed=(0, 1, 2), torch.manual_seed((0, 1, 2))"),
])  # fmt: skip
def test_a_seed_behind_an_early_return(tmp_path: Path, script: str, value: str) -> None:
    if script:
        (tmp_path / "run.sh").write_text(script)
    assert rows(tmp_path, train=SEEDS + TRAIN)["exact reproducibility settings"][0].value.removeprefix("exact reproducibility settings: ") == value


def test_what_help_texts_say(tmp_path: Path) -> None:
    options = (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--ramp', default=None, help='Enable a warm up phase for the learning rate')\np.add_argument('--update-every', default=2, help='update model weights every N batches, ' + 'for large batches')\n"
        "p.add_argument('--pool-size', default=20, help='size of the pool for hard negative mining')\nargs = p.parse_args()\nprint(args.ramp, args.update_every, args.pool_size)\n"
    )
    found = rows(tmp_path, train=options + TRAIN)
    assert found["Warm-up"][0].value == "off: ramp=None"
    assert found["gradient accumulation"][0].value == "gradient accumulation: update-every=2"
    assert found["hard negative mining"][0].value == "hard negative mining: pool-size=20"


def test_a_schedule_of_another_package_that_warms_up(tmp_path: Path) -> None:
    found = rows(tmp_path, train=TRAIN + "from warmup_scheduler import GradualWarmupScheduler\nwarm = GradualWarmupScheduler(optimizer, multiplier=1.0, total_epoch=5)\nwarm.step()\n")
    assert found["Warm-up"][0].value == "GradualWarmupScheduler(multiplier=1.0, total_epoch=5)"


def test_statistics_that_stay(tmp_path: Path) -> None:
    text = "def set_bn_eval(m):\n    if m.__class__.__name__.find('BatchNorm') != -1:\n        m.eval()\n"
    assert rows(tmp_path, train=TRAIN + text + "net.apply(set_bn_eval)\n")["freezing"][0].value == "freezing: statistics of batch normalisation by set_bn_eval"


def test_tests_of_units_are_no_recipe(tmp_path: Path) -> None:
    units = "import torch\nimport unittest\nbatch_size = 2\nclass Checks(unittest.TestCase):\n    def test_step(self):\n        o = torch.optim.SGD([], lr=3)\n        torch.optim.lr_scheduler.StepLR(o, 6)\n"
    found = rows(tmp_path, unit_tests=units, train="batchSizeGPU = 8\n" + TRAIN)
    assert found["Batch size"][0].value == "batchSizeGPU=8" and found["Learning-rate schedule"][0].status == "not found"


def test_a_kind_of_normalisation_that_an_option_leaves_out(tmp_path: Path) -> None:
    net = "import torch.nn as nn\nclass Net(nn.Module):\n    def __init__(self, normMode='layerNorm'):\n        super().__init__()\n        self.norm = nn.InstanceNorm1d(4) if normMode == 'instanceNorm' else nn.BatchNorm1d(4)\n"
    train = "import argparse\nfrom net import Net\np = argparse.ArgumentParser()\np.add_argument('--normMode', default='layerNorm')\nargs = p.parse_args()\nmodel = Net(args.normMode)\n"
    assert rows(tmp_path, net=net, train=train + TRAIN)["instance normalisation"][0].value == "instance normalisation: off unless asked for: torch.nn.InstanceNorm1d (normMode=layerNorm)"
