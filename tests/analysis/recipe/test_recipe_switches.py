"""What helpers do for a recipe: switch gradients off, and gather a loader's keywords."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.recipe.test_recipe import rows
from tests.analysis.recipe.test_recipe_parts import TRAIN

SWITCH = "def switch(network, value=False):\n    for p in network.parameters():\n        p.requires_grad = value\ndef off(network):\n    for p in network.parameters():\n        p.requires_grad = False\n"


@pytest.mark.parametrize(("calls", "frozen"), [
    ("off(net.backbone)\n", True),
    ("target = make()\ntarget.load_state_dict(net.state_dict())\noff(target)\n", False),
    ("self = make()\nself.target.part.load_state_dict(self.net.part.state_dict())\noff(self.target)\n", False),
    ("off(net)\ntarget = make()\ntarget.load_state_dict(net.state_dict())\noff(target)\n", True),
])  # fmt: skip
def test_a_helper_freezes_what_it_is_given(tmp_path: Path, calls: str, frozen: bool) -> None:
    assert ("freezing" in rows(tmp_path, train=TRAIN + SWITCH + calls)) is frozen


@pytest.mark.parametrize(("calls", "frozen"), [
    ("set_requires_grad(critic, False)\nset_requires_grad(critic, True)\n", False),
    ("set_requires_grad([one, two])\nset_requires_grad([one, two], value=True)\n", False),
    ("set_requires_grad(body, False)\n", True),
    ("set_requires_grad(critic, True)\nset_requires_grad(body, flag)\n", True),
])  # fmt: skip
def test_what_is_switched_on_again_is_not_frozen(tmp_path: Path, calls: str, frozen: bool) -> None:
    assert ("freezing" in rows(tmp_path, train=TRAIN + SWITCH.replace("switch", "set_requires_grad") + calls)) is frozen


LOADER = "from torch.utils.data import DataLoader\nimport torch\n"


@pytest.mark.parametrize(("text", "value"), [
    ("common = {'batch_size': 8}\nmore = {'num_workers': 1, 'shuffle': True}\nif torch.cuda.is_available():\n    common.update(more)\nDataLoader(data, **common)\n", "shuffle=True"),
    ("options = dict(batch_size=8)\nDataLoader(data, **dict(options, shuffle=True))\n", "shuffle=True"),
    ("options = dict(batch_size=8)\nDataLoader(data, **{**options, 'shuffle': True})\n", "shuffle=True"),
    ("options = {'num_workers': 1} if torch.cuda.is_available() else {}\nDataLoader(data, **options)\n", "shuffle=False (default)"),
    ("class Loader(DataLoader):\n    def __init__(self, data):\n        self.options = {'shuffle': True}\n        super().__init__(data, **self.options)\nLoader(data)\n", "shuffle=True"),
    ("options = dict(batch_size=8)\noptions[key] = True\nDataLoader(data, **options)\n", "given through **"),
    ("options = dict(batch_size=8)\noptions.update(read())\nDataLoader(data, **options)\n", "given through **"),
])  # fmt: skip
def test_what_a_loader_is_told_through_dictionaries(tmp_path: Path, text: str, value: str) -> None:
    assert value in rows(tmp_path, train=TRAIN + LOADER + text)["Shuffling"][0].value.split("; ")


def test_layers_of_a_rate_of_zero_are_off(tmp_path: Path) -> None:
    text = TRAIN + "import argparse\nfrom timm.layers import DropPath\np = argparse.ArgumentParser()\np.add_argument('--drop_path', type=float, default={rate})\nargs = p.parse_args()\nlayer = DropPath({given})\n"
    for rate, given, value in (("0.0", "args.drop_path", "stochastic depth: off unless asked for: drop_path=0.0"), ("0.1", "args.drop_path", "stochastic depth: drop_path=0.1, timm.layers.DropPath"), ("0.0", "0.2", "stochastic depth: drop_path=0.0, timm.layers.DropPath")):
        assert rows(tmp_path, train=text.format(rate=rate, given=given))["stochastic depth"][0].value == value


def test_a_setting_that_an_attribute_keeps_decides(tmp_path: Path) -> None:
    text = TRAIN + "import yaml\nclass Trainer:\n    def __init__(self, config):\n        self.clips = config.get('clips', False)\n    def step(self):\n        if self.clips:\n            torch.nn.utils.clip_grad_norm_([], 2.0)\nTrainer(yaml.safe_load(open('a.yaml'))).step()\n"
    for clips, value in (("false", "gradient clipping: off unless asked for: torch.nn.utils.clip_grad_norm_(2.0) (clips=false)"), ("true", "gradient clipping: torch.nn.utils.clip_grad_norm_(2.0)")):
        (tmp_path / "a.yaml").write_text(f"clips: {clips}\n")
        assert rows(tmp_path, train=text)["gradient clipping"][0].value == value


@pytest.mark.parametrize(("made", "value"), [("getattr(torchvision.models, 'resnet50')(True)", "pretrained: resnet50(True)"), ("torchvision.models.__dict__[arch](pretrained=True)", "pretrained: arch(True)"), ("getattr(torchvision.models, 'resnet50')(pretrained=False)", None)])
def test_trained_weights_of_a_network_that_a_text_chooses(tmp_path: Path, made: str, value: str | None) -> None:
    answer = rows(tmp_path, train=f"import torchvision\n{TRAIN}body = {made}\n")["Initialisation"][0]
    assert answer.value == value if value else answer.status == "not found"


@pytest.mark.parametrize(("step", "value"), [
    ("if args.adjust:\n    scheduler.step()\n", "StepLR(10) (off unless asked for: adjust=False)"), ("if args.adjust:\n    scheduler.step()\nscheduler.step()\n", "StepLR(10)"), ("fit(scheduler)\n", "StepLR(10)"),
])  # fmt: skip
def test_a_schedule_that_nothing_steps_is_off(tmp_path: Path, step: str, value: str) -> None:
    parser = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--adjust', action='store_true')\nargs = p.parse_args()\n"
    text = TRAIN + parser + f"scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)\n{step}"
    assert rows(tmp_path, train=text)["Learning-rate schedule"][0].value == value


def test_batches_that_are_drawn_without_a_loader(tmp_path: Path) -> None:
    data = "import random\nclass Data:\n    def sample(self):\n        return random.sample(self.users, self.batch_size)\n"
    assert rows(tmp_path, train="from data import Data\n" + TRAIN, data=data)["Shuffling"][0].value == "batches drawn by random.sample"
    item = "import torch\nfrom torch.utils.data import DataLoader, Dataset\nclass Clips(Dataset):\n    def __getitem__(self, index):\n        index = torch.multinomial(self.weights, 1).item()\n        return self.clips[index]\nDataLoader(Clips(), batch_size=2)\n"
    assert rows(tmp_path, train="from data import Clips\n" + TRAIN, data=item)["Shuffling"][0].value == "shuffle=False (default); Clips draws its samples by torch.multinomial"


def test_defaults_that_a_model_puts_over_the_command_lines(tmp_path: Path) -> None:
    parser = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr', type=float, default=0.1)\np.add_argument('--epochs', type=int, default=9)\np.set_defaults(lr=0.02)\nargs = p.parse_args()\n"
    assert rows(tmp_path, train=TRAIN + parser)["Learning rate"][0].value == "lr=0.1, lr=0.02"
    base = "import argparse\nimport importlib\ndef options(name):\n    p = argparse.ArgumentParser()\n    p.add_argument('--lr', type=float, default=0.1)\n    return importlib.import_module(name).change(p).parse_args()\n"
    model = "import torch\ndef made(net, opt):\n    return torch.optim.Adam(net.parameters(), lr=opt.lr)\n"
    special = "import model\ndef change(p):\n    p.set_defaults(lr=0.02)\n    return p\n"
    (tmp_path / "train.py").write_text("from model import made\ndef train(loss):\n    made(1, 2).step()\n    loss.backward()\n")
    assert rows(tmp_path, base=base, model=model, special=special)["Optimizer"][0].value in ("Adam, lr=0.02 or 0.1", "Adam, lr=0.1 or 0.02")


def test_one_value_or_another(tmp_path: Path) -> None:
    parser = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--limit', type=float, default=None)\nargs = p.parse_args()\ntorch.nn.utils.clip_grad_norm_([], args.limit or 1e9)\n"
    assert "clip_grad_norm_(1000000000.0)" in rows(tmp_path, train=TRAIN + parser)["gradient clipping"][0].value


def test_a_configuration_names_one_of_the_projects_schedules_and_groups_go_through_a_maker(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{\n  "optimizer": {\n    "type": "SGD",\n    "args": {\n      "lr": 0.01\n    }\n  },\n  "lr_scheduler": {\n    "type": "Poly"\n  }\n}\n')
    own = "from torch.optim.lr_scheduler import LRScheduler\nclass Poly(LRScheduler):\n    def get_lr(self):\n        return [r * 0.9 for r in self.base_lrs]\nclass OneCycle(LRScheduler):\n    pass\n"
    text = "import json\nimport torch\nimport schedules\nconfig = json.load(open('config.json'))\ndef made(package, name, *args):\n    return getattr(package, config[name]['type'])(*args, **config[name]['args'])\ndef train(net, loss):\n    groups = [{'params': net.head.parameters()}, {'params': net.body.parameters(), 'lr': config['optimizer']['args']['lr'] / 10}]\n    optimizer = made(torch.optim, 'optimizer', groups)\n    schedule = getattr(schedules, config['lr_scheduler']['type'])(optimizer)\n    loss.backward()\n    optimizer.step()\ntrain(1, 2)\nprint(schedules.OneCycle)\n"
    found = rows(tmp_path, train=text, schedules=own)
    assert found["Optimizer"][0].value.startswith("SGD, lr=0.01, group {params=net.head.parameters()}, group {params=net.body.parameters(), lr=0.01 / 10")
    assert found["Learning-rate schedule"][0].value == "Poly"


def test_a_class_of_a_practice_that_is_switched_off(tmp_path: Path) -> None:
    text = TRAIN + "import yaml\nclass SyncBatchNorm:\n    pass\nclass ReplayBuffer:\n    pass\nconfig = yaml.safe_load(open('a.yaml'))\nconvert(SyncBatchNorm, config['use_synch_bn'])\nReplayBuffer()\n"
    (tmp_path / "a.yaml").write_text("use_synch_bn: false\n")
    found = rows(tmp_path, train=text)
    assert found["synchronised batch normalisation"][0].value.startswith("synchronised batch normalisation: off unless asked for: use_synch_bn=false")
    assert found["replay buffer"][0].value == "replay buffer: ReplayBuffer"


@pytest.mark.parametrize(("given", "value"), [("initializer(torch.empty(3))", None), ("torch.randn(3) * 0.02", "Parameter(randn)"), ("torch.zeros(3).fill_(1)", "Parameter(zeros)")])
def test_first_values_are_what_is_stored(tmp_path: Path, given: str, value: str | None) -> None:
    answer = rows(tmp_path, train=TRAIN + f"weight = torch.nn.Parameter({given})\n")["Initialisation"][0]
    assert answer.value == value if value else answer.status == "not found"


def test_a_parameter_that_a_call_gives_by_its_place(tmp_path: Path) -> None:
    net = "import torch.nn as nn\nclass Net(nn.Module):\n    def __init__(self, freeze_bn=False):\n        super().__init__()\n        if freeze_bn:\n            for p in self.body.parameters():\n                p.requires_grad = False\n"
    (tmp_path / "a.yaml").write_text("arch:\n  freeze_bn: false\n")
    assert rows(tmp_path, train="from net import Net\nmodel = Net(True)\n" + TRAIN, net=net)["freezing"][0].value == "freezing: freeze_bn=false, requires_grad=False for p"


def test_what_scripts_give_a_program_is_what_it_runs_with(tmp_path: Path) -> None:
    parser = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr', type=float, default=0.1)\nargs = p.parse_args()\n"
    (tmp_path / "run.sh").write_text("python train.py \\\n  --lr 0.02\n")
    (tmp_path / "other.sh").write_text("python tune.py --lr 0.5\n")
    found = rows(tmp_path, train=parser + TRAIN.replace("lr=0.1", "lr=args.lr"))
    assert found["Optimizer"][0].value == "SGD, lr=0.02"


def test_a_parameter_that_neither_calls_nor_files_set_keeps_its_default(tmp_path: Path) -> None:
    net = "import torch.nn as nn\nclass Net(nn.Module):\n    def __init__(self, freeze_bn=False, **rest):\n        super().__init__()\n        if freeze_bn:\n            for p in self.body.parameters():\n                p.requires_grad = False\n"
    for said, value in (("false", "freezing: off unless asked for: requires_grad=False for p (freeze_bn="), ("true", "freezing: freeze_bn=true")):
        (tmp_path / "a.yaml").write_text(f"arch:\n  freeze_bn: {said}\n")
        assert rows(tmp_path, train="import yaml\nfrom net import Net\nmodel = Net(**yaml.safe_load(open('a.yaml'))['arch'])\n" + TRAIN, net=net)["freezing"][0].value.startswith(value)


@pytest.mark.parametrize(("taken", "told"), [("NAMES", False), ("train", True)])
def test_a_program_that_takes_a_name_from_one_that_trains(tmp_path: Path, taken: str, told: bool) -> None:
    program = f"import torch\nfrom learn import {taken}\ndef main():\n    torch.manual_seed(5)\n    print({taken})\nif __name__ == '__main__':\n    main()\n"
    found = rows(tmp_path, learn="NAMES = ['a']\n" + TRAIN.replace("train(1, 2)\n", "if __name__ == '__main__':\n    train(1, 2)\n"), interact=program)
    assert ("exact reproducibility settings" in found) is told


def test_a_factory_that_gets_a_section_makes_its_default(tmp_path: Path) -> None:
    factory = "import torch\ndef create(options, model):\n    name = options.get('name', 'Adam')\n    rate = options.get('learning_rate', 1e-3)\n    if name == 'SGD':\n        made = torch.optim.SGD(model.parameters(), lr=rate)\n    else:\n        made = torch.optim.Adam(model.parameters(), lr=rate)\n    return made\n"
    text = "import yaml\nfrom factory import create\nconfig = yaml.safe_load(open('a.yaml'))\noptimizer = create(config['optimizer'], model)\n" + TRAIN.split("\n", 1)[0] + "\ndef train(loss):\n    loss.backward()\n    optimizer.step()\ntrain(1)\n"
    for said, made in (("", ["Adam, lr=0.0002"]), ("  name: SGD\n", ["SGD, lr=0.0002"])):
        (tmp_path / "a.yaml").write_text(f"loss:\n  name: Dice\noptimizer:\n  learning_rate: 0.0002\n{said}")
        assert [answer.value for answer in rows(tmp_path, train=text, factory=factory)["Optimizer"]] == made


def test_the_patience_of_a_schedule_is_no_early_stop(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("lr_scheduler:\n  name: ReduceLROnPlateau\n  patience: 30\n")
    assert "early stopping" not in rows(tmp_path, train=TRAIN)
    (tmp_path / "a.yaml").write_text("trainer:\n  name: baseline\n  patience: 30\n")
    assert "early stopping" in rows(tmp_path, train=TRAIN)


def test_the_steps_of_a_loop_that_hands_training_on(tmp_path: Path) -> None:
    text = TRAIN + "def train_from(folder, num_train_steps=150000):\n    while model.steps < num_train_steps:\n        retry(model.train, tries=3)\ntrain_from('a')\nclass Trainer:\n    def generate_frames(self, num_steps=100):\n        pass\n"
    assert rows(tmp_path, train=text)["Epochs, iterations"][0].value == "num_train_steps=150000"


def test_a_sampler_of_one_of_two_classes(tmp_path: Path) -> None:
    text = TRAIN + LOADER + "from torch.utils.data import RandomSampler\nfrom torch.utils.data.distributed import DistributedSampler\nkind = RandomSampler if alone else DistributedSampler\nDataLoader(data, sampler=kind(data))\n"
    text += "__all__ = ['statistics']\ndef statistics(data):\n    return DataLoader(data, batch_size=1, shuffle=False)\n"
    found = rows(tmp_path, train=text)
    assert found["Shuffling"][0].value == "sampler=RandomSampler or DistributedSampler of data" and "1" not in found["Batch size"][0].value
