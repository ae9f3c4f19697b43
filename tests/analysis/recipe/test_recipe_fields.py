"""What a twenty-second and twenty-third set of projects showed: optimizers that a loop makes anew, shifts and noise, weights that a setting names, options of two modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.recipe.test_recipe import rows
from tests.analysis.recipe.test_recipe_parts import TRAIN

ANEW = """\
import torch
def learn(net, rates, steps):
    optimizer = torch.optim.SGD(net.parameters(), lr=rates[0])
    for step in range(90):
        net(step).backward()
        optimizer.step()
        if step in steps:
            optimizer = torch.optim.SGD(net.parameters(), lr={rate})
learn(1, 2, 3)
"""


@pytest.mark.parametrize(("rate", "shown"), [("rates[step // 30]", True), ("rates[0]", False)])
def test_an_optimizer_that_is_made_anew_with_another_rate_is_a_schedule(tmp_path: Path, rate: str, shown: bool) -> None:
    schedule = rows(tmp_path, train=ANEW.format(rate=rate))["Learning-rate schedule"][0]
    assert schedule.value == (f"the optimizer is made anew with lr={rate}" if shown else "")


RECORDINGS = """\
import random
import numpy as np
import torch
class Words(torch.utils.data.Dataset):
    def moved(self, wave):
        shift = random.randint(-9, 9)
        return np.pad(wave, (max(shift, 0), max(-shift, 0)))[:64]
    def __getitem__(self, index):
        noise = random.choice(self.noises)
        start = random.randint(0, len(noise) - 64)
        noise = noise[start : start + 64]
        wave = self.waves[index]
        amount = random.random() * 0.1
        return {given}
"""


@pytest.mark.parametrize(("given", "drawn"), [("amount * noise + wave", "noise"), ("(amount * noise, wave)", "crop")])
def test_shifts_and_what_is_mixed_in(tmp_path: Path, given: str, drawn: str) -> None:
    found = rows(tmp_path, train=TRAIN, data=RECORDINGS.format(given=given))["Data augmentation"][0]
    assert found.value == f"shift drawn in moved, {drawn} drawn in __getitem__"


def test_what_is_added_behind_fills_up_and_shifts_nothing(tmp_path: Path) -> None:
    text = RECORDINGS.format(given="wave").replace("(max(shift, 0), max(-shift, 0))", "(0, 64 + shift - shift)")
    assert rows(tmp_path, train=TRAIN, data=text)["Data augmentation"][0].value == "crop drawn in __getitem__"


@pytest.mark.parametrize(("body", "shown"), [("t.normal_(std=0.1)", "fill_in"), ("return t.mean()", None)])
def test_a_function_that_fills_a_weight(tmp_path: Path, body: str, shown: str | None) -> None:
    text = f"import torch.nn as nn\ndef fill_in(t):\n    {body}\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(2, 2)\n        fill_in(self.a.weight.data)\n"
    found = rows(tmp_path, train="from net import Net\nmodel = Net()\n" + TRAIN, net=text)["Initialisation"][0]
    assert found.value == (shown or "the layers' own defaults")


@pytest.mark.parametrize(("default", "shown"), [("'zoo/net.pth'", True), ("''", False), ("None", False)])
def test_weights_that_a_setting_names(tmp_path: Path, default: str, shown: bool) -> None:
    text = f"import argparse\np = argparse.ArgumentParser()\np.add_argument('--pretrain_path', default={default})\nargs = p.parse_args()\nif args.pretrain_path:\n    model.load_state_dict(torch.load(args.pretrain_path))\n"
    assert ("pretrained: pretrain_path='zoo/net.pth'" in rows(tmp_path, train=TRAIN + text)["Initialisation"][0].value) is shown


def test_options_and_training_of_two_modules_that_a_program_imports(tmp_path: Path) -> None:
    options = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr', type=float, default=0.02)\n"
    trainer = "import torch\nclass Trainer:\n    def __init__(self, state, net):\n        self.optimizer = torch.optim.Adam(net.parameters(), lr=state.lr)\n    def train(self, loss):\n        loss.backward()\n        self.optimizer.step()\n"
    (tmp_path / "README.md").write_text("```\npython main.py --lr 0.5\n```\n")
    program = "from options import p\nfrom trainer import Trainer\nif __name__ == '__main__':\n    Trainer(p.parse_args(), 1).train(2)\n"
    assert rows(tmp_path, options=options, trainer=trainer, main=program)["Optimizer"][0].value == "Adam, lr=0.02"


@pytest.mark.parametrize(("call", "shown"), [("CrossEntropyLoss(weight=counts)", True), ("CrossEntropyLoss(weight=None)", False), ("BCEWithLogitsLoss(pos_weight=counts)", True), ("BCELoss(weight=counts)", False)])
def test_classes_that_are_weighted(tmp_path: Path, call: str, shown: bool) -> None:
    assert ("class weights" in rows(tmp_path, train=TRAIN + f"counts = torch.ones(3)\nloss = torch.nn.{call}\n")) is shown


@pytest.mark.parametrize("leave", ["break", "done = True"])
def test_rounds_of_a_loop_that_trains_nothing_are_no_length(tmp_path: Path, leave: str) -> None:
    text = f"def colours(graph):\n    max_iter = 2\n    count, done = 0, False\n    while not done:\n        count += 1\n        if count == max_iter:\n            {leave}\n    return graph\ncolours(1)\n"
    assert rows(tmp_path, train=TRAIN, graph=text)["Epochs, iterations"][0].status == "not found"


def test_a_self_test_initialises_nothing(tmp_path: Path) -> None:
    text = "import torch\nimport torch.nn as nn\nclass Net(nn.Module):\n    pass\nif __name__ == '__main__':\n    x = torch.zeros(3)\n    nn.init.normal_(x)\n    Net()(x)\n"
    assert rows(tmp_path, train="from net import Net\nmodel = Net()\n" + TRAIN, net=text)["Initialisation"][0].status == "not found"


PHYSIO = "import torch\n{first}\nif __name__ == '__main__':\n    batch_size = 16\n    net = torch.nn.Linear(2, 2)\n    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)\n    for epoch in range(40):\n        loss = net(torch.ones(2)).sum()\n        loss.backward()\n        optimizer.step()\n"


@pytest.mark.parametrize(("name", "first", "trains"), [
    ("test_physio", "", True), ("test_physio", "import pytest", False), ("test_physio", "def test_one():\n    pass", False), ("tests/physio", "", False),
])  # fmt: skip
def test_a_program_that_is_called_like_a_test_and_trains(tmp_path: Path, name: str, first: str, trains: bool) -> None:
    (tmp_path / "tests").mkdir()
    found = rows(tmp_path, **{name: PHYSIO.format(first=first)})
    assert (found["Optimizer"][0].value == "Adam, lr=0.001") is trains and (found["Epochs, iterations"][0].value == "epoch=40") is trains
    assert (found["Batch size"][0].value == "batch_size=16") is trains


def test_epochs_of_a_loop_whose_function_goes_backward(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("num_epochs: 90\n")
    text = "import torch\nimport flags\noptimizer = torch.optim.SGD([], lr=0.1)\ndef run_one(loader):\n    for x in loader:\n        x.sum().backward()\n        optimizer.step()\nfor epoch in range(1, flags.num_epochs):\n    run_one([])\n"
    assert rows(tmp_path, train=text)["Epochs, iterations"][0].value == "num_epochs=90"


def test_groups_that_a_loop_makes_under_a_name(tmp_path: Path) -> None:
    text = TRAIN + "groups = []\nfor p in net.parameters():\n    decay = 0.01 if p.dim() > 1 else 0\n    item = {'params': p, 'weight_decay': decay, 'lr': 0.5}\n    groups.append(item)\ntorch.optim.SGD(groups)\n"
    values = [answer.value for answer in rows(tmp_path, train=text)["Optimizer"]]
    assert "SGD, group {params=p, weight_decay=0 or 0.01 (decay), lr=0.5}" in values


MOVED = "import numpy as np\nclass Moved:\n    def __call__(self, cloud):\n        scale = np.random.uniform(0.5, 1.5, size=[3])\n        offset = np.random.uniform(-1, 1, size=[3])\n        return {given}\n"


@pytest.mark.parametrize(("program", "given", "value"), [
    ("train", "cloud * scale + offset", "shift, scale drawn in Moved"), ("train", "cloud * 2, offset", None), ("evaluate", "cloud * scale + offset", None),
])  # fmt: skip
def test_a_transform_that_scales_and_shifts_by_draws(tmp_path: Path, program: str, given: str, value: str | None) -> None:
    user = "from moved import Moved\nmove = Moved()\n"
    files = {"train": user + TRAIN} if program == "train" else {"train": TRAIN, program: user + "print(move)\n"}
    assert rows(tmp_path, moved=MOVED.format(given=given), **files)["Data augmentation"][0].value == (value or "")


def test_a_tau_of_something_else_is_no_target_network(tmp_path: Path) -> None:
    text = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--tau', type=float, default=0.9)\nargs = p.parse_args()\n"
    assert "target network" not in rows(tmp_path, train=text + TRAIN)
    assert "target network" in rows(tmp_path, train=text + TRAIN + "target_net = make()\n")


def test_an_early_stop_among_the_settings_of_a_trainer(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("trainer:\n  type: SpecTrainer\n  early_stop: 20\nscheduler:\n  type: Plateau\n  patience: 7\n")
    text = "import yaml\ntrainer = yaml.safe_load(open('a.yaml'))['trainer']\nlimit = trainer.get('early_stop', 9)\n"
    assert rows(tmp_path, train=text + TRAIN)["early stopping"][0].value == "early stopping: early_stop=20"


def test_an_initialiser_that_a_default_holds_and_writes_past_gradients(tmp_path: Path) -> None:
    net = "import torch.nn as nn\ndef conv(init=nn.init.kaiming_normal):\n    made = nn.Conv2d(1, 1, 1)\n    init(made.weight)\n    made.bias.detach().zero_()\n    return made\n"
    assert rows(tmp_path, train="from net import conv\nmodel = conv()\n" + TRAIN, net=net)["Initialisation"][0].value == "kaiming_normal, bias.zero_()"


def test_the_floor_of_a_rate_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("base_lr: 0.01\nlr_clip: 0.0001\n")
    assert rows(tmp_path, train=TRAIN)["Learning rate"][0].value == "base_lr=0.01"
