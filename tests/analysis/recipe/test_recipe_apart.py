"""What takes no part in training: definitions that nobody names, files that only demonstrations reach, self-tests, settings that are off or drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.recipe.test_recipe import rows
from tests.analysis.recipe.test_recipe_parts import TRAIN

UNUSED = "import torch.nn as nn\ndef poly_lr(optimizer, lr):\n    for group in optimizer.param_groups:\n        group['lr'] = lr\nclass Critic(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(2, 2)\n        nn.init.xavier_normal_(self.fc.weight)\n        self.fc.bias.data.fill_(3)\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(2, 2)\n        self.fc.weight.data.normal_(0, 0.02)\n"


@pytest.mark.parametrize("used", [False, True])
def test_definitions_that_nobody_names(tmp_path: Path, used: bool) -> None:
    schedule = "torch.optim.lr_scheduler.StepLR(optimizer, 30)\n"
    found = rows(tmp_path, net=UNUSED, train="from net import *\nmodel = Net()\n" + TRAIN + schedule + "critic = Critic()\npoly_lr(optimizer, 0.1)\n" * used)
    assert found["Learning-rate schedule"][0].value == ("StepLR(30), poly_lr, the learning rate is written by hand" if used else "StepLR(30)")
    assert found["Initialisation"][0].value == ("xavier_normal_, bias.fill_(3), weight.normal_(0, 0.02)" if used else "weight.normal_(0, 0.02)")


FITTING = "import torch\ndef fit(x):\n    optimizer = torch.optim.LBFGS([x], lr=1.0)\n    x.sum().backward()\n    optimizer.step()\n"


@pytest.mark.parametrize(("program", "shown"), [("demo", False), ("main", True)])
def test_optimizers_that_only_a_demonstration_reaches(tmp_path: Path, program: str, shown: bool) -> None:
    files = {program: "import torch\nfrom fitting import fit\nif __name__ == '__main__':\n    fit(torch.ones(2))\n"}
    values = [answer.value for answer in rows(tmp_path, fitting=FITTING, train=TRAIN + "if __name__ == '__main__':\n    print(net)\n", **files)["Optimizer"]]
    assert ("LBFGS, lr=1.0" in values) is shown and len(values) == 1 + shown


def test_batch_sizes_of_a_self_test(tmp_path: Path) -> None:
    data = "from torch.utils.data import DataLoader\ndef loaders(batch_size):\n    return DataLoader([], batch_size=batch_size, shuffle=True)\ndef test():\n    for x in loaders(3):\n        print(x)\nif __name__ == '__main__':\n    test()\n"
    assert rows(tmp_path, data=data, train="from data import loaders\nloader = loaders(16)\n" + TRAIN)["Batch size"][0].value == "16"


@pytest.mark.parametrize(("setting", "test", "value"), [
    ("seed_value: -1\n", "cfg.seed_value >= 0", "off unless asked for: torch.manual_seed(-1) (seed_value=-1), random.seed(-1) (seed_value=-1)"),
    ("seed_value:\nepochs: 3\n", "cfg.seed_value is not None", "off unless asked for: torch.manual_seed (seed_value=null), random.seed(null) (seed_value=null)"),
    ("seed_value: 7\n", "cfg.seed_value is not None", "torch.manual_seed(7), random.seed(7)"),
])  # fmt: skip
def test_seeds_that_settings_leave_out(tmp_path: Path, setting: str, test: str, value: str) -> None:
    (tmp_path / "a.yaml").write_text(setting)
    text = f"import random\nimport torch\nfrom settings import cfg\nif {test}:\n    torch.manual_seed(cfg.seed_value)\n    random.seed(cfg.seed_value)\n"
    assert rows(tmp_path, train=text + TRAIN)["exact reproducibility settings"][0].value == f"exact reproducibility settings: {value}"


def test_a_section_of_yaml_is_no_empty_setting(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("manual_seed:\n  value: 3\nsteps:\n- 4\n# steps\n")
    text = "import torch\nfrom settings import cfg\nif cfg.manual_seed is not None:\n    torch.manual_seed(cfg.manual_seed)\n"
    assert "off" not in rows(tmp_path, train=text + TRAIN)["exact reproducibility settings"][0].value


def test_a_seed_that_is_drawn(tmp_path: Path) -> None:
    text = "import argparse\nimport random\nimport torch\nopt = argparse.ArgumentParser().parse_args()\nopt.seed = random.randint(1, 10000)\ntorch.manual_seed(opt.seed)\n"
    assert rows(tmp_path, train=text + TRAIN)["exact reproducibility settings"][0].value == "exact reproducibility settings: torch.manual_seed(a number drawn in each run)"


def test_parameters_under_names_of_their_own_and_weights_by_entries(tmp_path: Path) -> None:
    net = "import torch\nimport torch.nn as nn\ndef fill_up(up):\n    w = up.weight.data\n    for i in range(4):\n        w[0, 0, i, i] = 0.5\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.v = nn.Parameter(torch.FloatTensor(4))\n        self.v.data.uniform_(-1, 1)\n        self.seen = torch.Tensor(4)\n        self.seen.data.uniform_(-1, 1)\n        fill_up(nn.ConvTranspose2d(1, 1, 4))\n"
    assert rows(tmp_path, net=net, train="from net import Net\nmodel = Net()\n" + TRAIN)["Initialisation"][0].value == "fill_up, v.uniform_(-1, 1)"


def test_words_of_settings(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("end_epoch: 30\nnum_iters_per_epoch: 500\nlearning_rate_schedule: warmup_linear\nbn_sync: true\nbase_lr: 0.1\n")
    found = rows(tmp_path, train="import torch\nfrom settings import cfg\nnames = cfg.end_epoch, cfg.num_iters_per_epoch, cfg.learning_rate_schedule, cfg.bn_sync\ncommon_lr = [0, 0, 1, 1]\n" + TRAIN)
    assert found["Epochs, iterations"][0].value.startswith("end_epoch=30, num_iters_per_epoch=500")
    assert "learning_rate_schedule=warmup_linear" in found["Learning-rate schedule"][0].value
    assert found["synchronised batch normalisation"][0].value == "synchronised batch normalisation: bn_sync=true"
    assert found["Learning rate"][0].value == "base_lr=0.1"


def test_an_order_that_a_method_of_data_draws(tmp_path: Path) -> None:
    data = "import random\nclass Data:\n    def shuffle_sequences(self):\n        order = list(range(9))\n        random.shuffle(order)\n        self.rows = [self.rows[i] for i in order]\n"
    assert rows(tmp_path, data=data, train="from data import Data\nrows = Data()\nrows.shuffle_sequences()\n" + TRAIN)["Shuffling"][0].value == "order drawn by random.shuffle"


@pytest.mark.parametrize("imported", [False, True])
def test_a_program_that_reads_its_options_in_the_block_and_lends_names(tmp_path: Path, imported: bool) -> None:
    train = (
        "import argparse\nimport torch\nmean = 3\ndef main(args):\n    optimizer = torch.optim.SGD([], lr=args.lr)\n    for epoch in range(args.epochs):\n        step(optimizer)\ndef step(optimizer):\n    loss = torch.ones(1)\n    loss.backward()\n    optimizer.step()\n"
        "if __name__ == '__main__':\n    p = argparse.ArgumentParser()\n    p.add_argument('--lr', type=float, default=0.1)\n    p.add_argument('--epochs', type=int, default=7)\n    main(p.parse_args())\n"
    )
    found = rows(tmp_path, train=train, **({"caption": "from train import mean\nprint(mean)\n"} if imported else {}))
    assert found["Optimizer"][0].value == "SGD, lr=0.1" and found["Epochs, iterations"][0].value == "epochs=7"


def test_networks_and_settings_that_are_called_after_an_augmentation(tmp_path: Path) -> None:
    net = "import random\nimport torch.nn as nn\nclass AugmentCell(nn.Module):\n    pass\nclass AugmentConfig:\n    pass\nclass Augment:\n    def __call__(self, x):\n        return x + random.random()\n"
    assert rows(tmp_path, net=net, train="from net import *\nparts = AugmentCell(), AugmentConfig(), Augment()\n" + TRAIN)["Data augmentation"][0].value == "Augment"
