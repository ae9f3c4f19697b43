"""What a twenty-second set of projects showed: optimizers that a loop makes anew, shifts and noise, weights that a setting names, options of two modules."""

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
