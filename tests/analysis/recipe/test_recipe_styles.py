"""What a ninth set of projects showed: branches that settings leave out, entries that no code reads, gin, Fabric, help texts, programs beside training."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.recipe.test_recipe import rows

TRAIN = "import torch\nfrom net import Net\nmodel = Net()\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\ndef train(x, y):\n    torch.nn.functional.mse_loss(model(x), y).backward()\n    optimizer.step()\ntrain(1, 2)\n"
NET = "import torch.nn as nn\nclass Net(nn.Module):\n    pass\n"
FROZEN = 'def freeze_most(opt):\n    if opt["model"]["finetune"]:\n        for p in model.parameters():\n            p.requires_grad = False\nfreeze_most({})\n'


@pytest.mark.parametrize(("finetune", "value"), [("false", "freezing: off unless asked for: requires_grad=False for p (finetune=false)"), ("true", "freezing: requires_grad=False for p")])
def test_what_a_setting_leaves_out_is_off(tmp_path: Path, finetune: str, value: str) -> None:
    (tmp_path / "config.json").write_text(f'{{\n    "model": {{ // the network\n        "finetune": {finetune} // or not\n    }}\n}}\n')
    assert rows(tmp_path, train=TRAIN + FROZEN.replace("freeze_most", "prepare"), net=NET)["freezing"][0].value == value


def test_two_answers_of_configurations_decide_nothing(tmp_path: Path) -> None:
    for name, finetune in (("a", "true"), ("b", "false")):
        (tmp_path / f"{name}.json").write_text(f'{{\n    "model": {{\n        "finetune": {finetune}\n    }}\n}}\n')
    assert rows(tmp_path, train=TRAIN + FROZEN.replace("freeze_most", "prepare"), net=NET)["freezing"][0].value == "freezing: requires_grad=False for p"


def test_entries_that_no_code_reads_are_claims(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{\n    "train": {\n        "averaging": { // not used now\n            "ema_decay": 0.999\n        }\n    }\n}\n')
    found = rows(tmp_path, train=TRAIN, net=NET)["exponential moving average of weights"][0]
    assert found.status == "claimed only" and found.value.endswith("ema_decay=0.999 (no code reads it)")
    read = rows(tmp_path, train=TRAIN + 'import json\naveraging = json.load(open("config.json"))["train"]["averaging"]\n', net=NET)
    assert read["exponential moving average of weights"][0].status == "found"


def test_a_name_that_stands_for_an_optimizer(tmp_path: Path) -> None:
    text = TRAIN.replace("optimizer = torch.optim.SGD(", "Kind = torch.optim.AdamW\noptimizer = Kind(")
    assert rows(tmp_path, train=text, net=NET)["Optimizer"][0].value == "AdamW, lr=0.1"


def test_loaders_that_a_function_of_the_project_makes(tmp_path: Path) -> None:
    data = "import torch\nfrom torch.utils.data import DataLoader\ndef loader(data, shuffle=False, klass=DataLoader, **more):\n    return klass(data, shuffle=shuffle, **more)\n"
    text = TRAIN + "import data\ntraining = data.loader([1], shuffle=True)\n"
    assert rows(tmp_path, train=text, net=NET, data=data)["Shuffling"][0].value == "shuffle=True"


def test_augmentation_as_objects_in_a_list(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("remix: false\nshift: 8000\n")
    augment = "import torch\nclass Remix(torch.nn.Module):\n    def forward(self, x):\n        return x[torch.randperm(len(x))]\nclass Shift(torch.nn.Module):\n    def forward(self, x):\n        return x.roll(1)\n"
    text = TRAIN + "from augment import Remix, Shift\ndef build(args):\n    augments = []\n    if args.remix:\n        augments.append(Remix())\n    if args.shift:\n        augments.append(Shift())\n    return augments\nbuild(1)\n"
    assert rows(tmp_path, train=text, net=NET, augment=augment)["Data augmentation"][0].value == "Shift, off unless asked for: Remix (remix=false)"


def test_augmentation_that_a_configuration_names(tmp_path: Path) -> None:
    config = "batch_size = 8\ntrain_process = [dict(type='RandomRotation', degree=2), dict(type='Aug', transforms=(dict(name='HorizontalFlip', p=0.5),))]\nval_process = [dict(type='RandomCrop'), dict(type='Resize')]\n"
    assert rows(tmp_path, train=TRAIN, net=NET, config=config)["Data augmentation"][0].value == "RandomRotation, HorizontalFlip"


def test_a_layers_iterations_and_a_schedules_patience(tmp_path: Path) -> None:
    config = "aggregator = dict(type='RESA', iter=4)\nscheduler = dict(type='ReduceLROnPlateau', patience=10)\nepochs = 12\n"
    found = rows(tmp_path, train=TRAIN, net=NET, config=config)
    assert found["Epochs, iterations"][0].value == "epochs=12" and "early stopping" not in found


def test_gin(tmp_path: Path) -> None:
    (tmp_path / "v1.gin").write_text("PHASE = 1000\nmodel.Model:\n    warm = %PHASE\n    rate = 0.5\n    loss = @core.hinge\ntrain.run.epochs = 7\n")
    text = TRAIN + "class Model:\n    def __init__(self, warm, rate):\n        self.total = warm\n    def schedule(self):\n        return torch.optim.lr_scheduler.LinearLR(optimizer, total_iters=self.total)\nModel(**{}).schedule()\n"
    found = rows(tmp_path, train=text, net=NET)
    assert found["Learning-rate schedule"][0].value == "LinearLR(total_iters=1000)" and found["Epochs, iterations"][0].value == "epochs=7"


def test_fabric_and_its_methods(tmp_path: Path) -> None:
    text = TRAIN + "import lightning as L\nfabric = L.Fabric(precision='bf16-mixed')\nfabric.seed_everything(1337)\nfabric.clip_gradients(model, optimizer, max_norm=1.0)\nimport numpy as np\nnp.random.seed(3)\n"
    found = rows(tmp_path, train=text, net=NET)
    assert found["mixed precision"][0].value == "mixed precision: Fabric(precision='bf16-mixed')"
    assert found["gradient clipping"][0].value == "gradient clipping: fabric.clip_gradients(1.0)"
    assert found["exact reproducibility settings"][0].value == "exact reproducibility settings: fabric.seed_everything(1337), numpy.random.seed(3)"


def test_what_deepspeed_switches_on(tmp_path: Path) -> None:
    text = TRAIN + "settings = {'bfloat16': {'enabled': True}, 'fp16': {'enabled': False}}\n"
    assert rows(tmp_path, train=text, net=NET)["mixed precision"][0].value == "mixed precision: bfloat16 enabled"


def test_arguments_by_their_help(tmp_path: Path) -> None:
    text = TRAIN + "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--N_rand', type=int, default=1024, help='batch size (number of random rays)')\nparser.add_argument('--lrate', type=float, default=5e-4, help='learning rate')\nparser.add_argument('--decay', default=250, help='learning rate decay')\n"
    found = rows(tmp_path, train=text.replace("lr=0.1", "lr=None"), net=NET)
    assert found["Batch size"][0].value == "N_rand=1024" and found["Learning rate"][0].value == "lrate=0.0005"


def test_another_programs_command_line(tmp_path: Path) -> None:
    tool = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--seed', default=7)\nparser.add_argument('--batch_size', default=1)\nif __name__ == '__main__':\n    print(parser.parse_args())\n"
    text = TRAIN + "import transformers\nargs = transformers.HfArgumentParser(()).parse_args_into_dataclasses()\ntorch.manual_seed(args.seed)\n"
    found = rows(tmp_path, train=text, net=NET, enhance=tool)
    assert found["exact reproducibility settings"][0].value == "exact reproducibility settings: torch.manual_seed"


def test_rates_stored_on_a_block_later(tmp_path: Path) -> None:
    text = TRAIN.replace("optimizer = torch.optim.SGD(model.parameters(), lr=0.1)", "c = EasyDict()\nc.G_opt_kwargs = dict(class_name='torch.optim.Adam', eps=1e-8)\nc.G_opt_kwargs.lr = 0.002\noptimizer = build(**c.G_opt_kwargs)")
    found = rows(tmp_path, train=text, net=NET)
    assert found["Optimizer"][0].value == "Adam, eps=1e-08, lr=0.002"


def test_a_file_that_does_not_parse_is_told(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("from fcn import FCN\nif True\n    pass\n")
    text = NET + "if __name__ == '__main__':\n    import torch\n    torch.optim.SGD(Net().parameters(), lr=1e-3)\n"
    found = rows(tmp_path, fcn=text)
    assert found["Files that do not parse"][0].value.startswith("train.py:") and found["Optimizer"][0].status == "not found"


@pytest.mark.parametrize(("text", "value"), [
    ("order = np.random.permutation(9)\nfake = feats[:, order, :]\n", ""),
    ("order = np.random.permutation(9)\nfeats = feats[order]\n", "order drawn by numpy.random.permutation"),
    ("import random\nclass ReplayBuffer:\n    def sample(self, n):\n        return random.sample(self.all, n)\n", "ReplayBuffer draws samples by random.sample"),
])  # fmt: skip
def test_orders_of_samples(tmp_path: Path, text: str, value: str) -> None:
    assert rows(tmp_path, train=TRAIN + "import numpy as np\nfeats = np.zeros((9, 9))\n" + text, net=NET)["Shuffling"][0].value == value


def test_shell_variables_and_overrides(tmp_path: Path) -> None:
    (tmp_path / "launch.sh").write_text("REAL=2\npython train.py \\\n  --batch_size $REAL \\\n  optim.lr=0.3 shift=8000 \\\n  --epochs 9\n")
    found = rows(tmp_path, train=TRAIN, net=NET)
    assert found["Batch size"][0].value == "batch_size=2" and found["Learning rate"][0].value == "lr=0.3" and found["Epochs, iterations"][0].value == "epochs=9"


def test_a_data_set_that_shuffles_itself(tmp_path: Path) -> None:
    text = TRAIN + "from torch.utils.data import DataLoader\nfrom streaming import Packed\ndef make(shuffle):\n    parts = []\n    parts.append(Packed('a', shuffle=shuffle))\n    return DataLoader(Packed(datasets=parts), shuffle=False)\nmake(True)\n"
    assert rows(tmp_path, train=text.replace("Packed(datasets=parts)", "Joined(datasets=parts)"), net=NET)["Shuffling"][0].value == "shuffle=False, Packed(shuffle=True)"


def test_weights_that_are_scaled_and_merged(tmp_path: Path) -> None:
    net = NET + "    def __init__(self):\n        self.conv.weight.data /= 2\n    def merge(self):\n        self.conv.weight.data += self.delta\n"
    assert rows(tmp_path, train=TRAIN, net=net)["Initialisation"][0].value == "weight scaled"
