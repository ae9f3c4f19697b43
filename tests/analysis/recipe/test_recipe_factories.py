"""Factories that a setting chooses a branch of, sections in one line, what nobody makes, and what settings leave unset."""

from __future__ import annotations

from pathlib import Path

from mindport.analysis.answers import Answer
from mindport.analysis.questions import _told_once
from tests.analysis.recipe.test_recipe import rows

NET = "import torch.nn as nn\nclass Net(nn.Module):\n    pass\n"
STEP = "def train(x, y):\n    torch.nn.functional.mse_loss(model(x), y).backward()\n    optimizer.step()\n"
FACTORY = """\
import torch
class Warmed:
    def step(self, optimizer):
        torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
class CosineSchedule:
    pass
def no_decay(model, weight_decay):
    return [{"params": model.parameters(), "weight_decay": weight_decay}]
def create(args, model):
    lowered = args.opt.lower()
    if args.weight_decay:
        parameters = no_decay(model, args.weight_decay)
    else:
        parameters = model.parameters()
    options = dict(lr=args.lr)
    if hasattr(args, "opt_eps") and args.opt_eps is not None:
        options["eps"] = args.opt_eps
    parts = lowered.split("_")
    lowered = parts[-1]
    if lowered == "sgd" or lowered == "nesterov":
        optimizer = torch.optim.SGD(parameters, nesterov=True, **options)
    elif lowered == "adamw":
        optimizer = torch.optim.AdamW(parameters, **options)
    else:
        optimizer = torch.optim.Adam(parameters, **options)
    schedule = Warmed() if args.sched == "plateau" else CosineSchedule()
    return optimizer, schedule
"""
MAIN = f"import torch\nimport yaml\nfrom factory import create\nfrom net import Net\nconfig = yaml.safe_load(open('configs/one.yaml'))\nmodel = Net()\noptimizer, _ = create(config['optimizer'], model)\n{STEP}for epoch in range(config['schedule']['epochs']):\n    train(1, 2)\n"


def test_a_factory_makes_what_every_configuration_names_and_sections_stand_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "configs").mkdir()
    for name, rate in (("one", "1e-4"), ("two", "2e-5")):
        (tmp_path / "configs" / f"{name}.yaml").write_text(f"optimizer: {{opt: AdamW, lr: {rate}, weight_decay: 0.02}}\nschedule: {{sched: cosine, epochs: 30, warmup_epochs: 20}}\n")
    found = rows(tmp_path, train=MAIN, net=NET, factory=FACTORY)
    (optimizer,) = found["Optimizer"]
    assert optimizer.value == "AdamW, groups of no_decay(weight_decay=0.02), lr=1e-4 or 2e-5"
    assert "epochs=30" in found["Epochs, iterations"][0].value and "warmup_epochs=20" in found["Warm-up"][0].value
    assert "CosineSchedule" in found["Learning-rate schedule"][0].value and "Plateau" not in found["Learning-rate schedule"][0].value


def test_an_optimizer_that_one_script_asks_for_stands_beside_the_default(tmp_path: Path) -> None:
    text = f"import argparse\nimport torch\nfrom net import Net\np = argparse.ArgumentParser()\np.add_argument('--opt', default='rmsprop')\nargs = p.parse_args()\nmodel = Net()\nif args.opt == 'rmsprop':\n    optimizer = torch.optim.RMSprop(model.parameters(), lr=0.1)\nelif args.opt == 'adam':\n    optimizer = torch.optim.Adam(model.parameters(), lr=0.2)\nelse:\n    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)\n{STEP}"
    (tmp_path / "run_a.sh").write_text("python train.py --opt adam\n")
    (tmp_path / "run_b.sh").write_text("python train.py\n")
    assert [answer.value for answer in rows(tmp_path, train=text, net=NET)["Optimizer"]] == ["RMSprop, lr=0.1", "Adam, lr=0.2"]


def test_schedules_and_data_sets_that_nobody_makes_are_no_practice(tmp_path: Path) -> None:
    text = f"import random\nimport torch\nfrom torch.utils.data import Dataset\nfrom net import Net\ndef make(params, gamma):\n    return torch.optim.lr_scheduler.StepLR(torch.optim.SGD(params, lr=1), 3, gamma)\nclass Whole(Dataset):\n    def __getitem__(self, index):\n        return self.wav\nclass Chunks(Dataset):\n    def __getitem__(self, index):\n        start = random.randint(0, 9)\n        return self.wav[start : start + 4]\nmodel, whole = Net(), Whole()\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n{STEP}"
    found = rows(tmp_path, train=text, net=NET)
    assert found["Learning-rate schedule"][0].status == "not found" and found["Data augmentation"][0].status == "not found"
    used = rows(tmp_path, train=text + "data = Chunks()\n", net=NET)
    assert "crop drawn in __getitem__" in used["Data augmentation"][0].value


def test_a_warm_up_of_something_else_is_none_of_the_rate(tmp_path: Path) -> None:
    text = f"import argparse\nimport torch\nfrom net import Net\np = argparse.ArgumentParser()\np.add_argument('--warmup', default=1, help='warm-up epochs for semi-supervision')\nargs = p.parse_args()\nmodel = Net()\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n{STEP}"
    (tmp_path / "README.md").write_text("python train.py --warmup 5\n")
    assert rows(tmp_path, train=text, net=NET)["Warm-up"][0].status == "not found"
    assert "warmup=1" in rows(tmp_path, train=text.replace("for semi-supervision", "of the learning rate"), net=NET)["Warm-up"][0].value


def test_what_a_configuration_is_asked_for_with_a_default_and_nothing_sets_is_off(tmp_path: Path) -> None:
    net = "import torch\nimport torch.nn as nn\nfrom torch.utils.checkpoint import checkpoint\nclass Net(nn.Module):\n    def forward(self, x):\n        if getattr(self.config, 'saving', False):\n            return checkpoint(self.layer, x)\n        return self.layer(x)\n"
    text = f"import torch\nfrom net import Net\nmodel = Net()\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n{STEP}"
    assert "off unless asked for" in rows(tmp_path, train=text, net=net)["activation checkpointing"][0].value
    assert "off" not in rows(tmp_path, train=text + "config = dict(saving=True)\n", net=net)["activation checkpointing"][0].value


def test_a_momentum_network_is_not_frozen_and_pretraining_has_its_own_epochs(tmp_path: Path) -> None:
    text = f"import argparse\nimport torch\nfrom net import Net\np = argparse.ArgumentParser()\np.add_argument('--pre_epochs', type=int, default=300)\np.add_argument('--mask_p', type=float, default=0.2)\nargs = p.parse_args()\nmodel, slow = Net(), Net()\nfor p, q in zip(model.parameters(), slow.parameters()):\n    q.data.copy_(p.data)\n    q.requires_grad = False\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n{STEP}for epoch in range(args.pre_epochs):\n    pretrain(epoch)\n"
    found = rows(tmp_path, train=text, net=NET)
    assert "freezing" not in found and "pre_epochs=300" in found["Epochs, iterations"][0].value
    assert "mask_p=0.2" in found["masking of the input"][0].value


SECTIONS = """\
import torch
from net import Net
def build(opt, model):
    train_opt = opt["train"]
    kind = train_opt["optim_g"].pop("type")
    if kind == "Adam":
        made = torch.optim.Adam(model.parameters(), **train_opt["optim_g"])
    elif kind == "AdamW":
        made = torch.optim.AdamW(model.parameters(), **train_opt["optim_g"])
    schedule = train_opt["scheduler"].pop("type")
    if schedule in ["StepLR", "Steps"]:
        return made, torch.optim.lr_scheduler.StepLR(made, **train_opt["scheduler"])
    elif schedule == "CosineAnnealingLR":
        return made, torch.optim.lr_scheduler.CosineAnnealingLR(made, **train_opt["scheduler"])
"""


def test_a_section_s_type_chooses_the_branch_and_its_entries_are_the_arguments(tmp_path: Path) -> None:
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "one.yml").write_text("network:\n  type: Net\ntrain:\n  warmup_iter: -1\n  optim_g:\n    type: AdamW\n    lr: !!float 3e-4\n  scheduler:\n    type: CosineAnnealingLR\n    T_max: 200\n")
    found = rows(tmp_path, train=SECTIONS + f"model = Net()\n{STEP}", net=NET)
    assert [answer.value for answer in found["Optimizer"]] == ["AdamW, lr=3e-4"]
    assert found["Learning-rate schedule"][0].value == "CosineAnnealingLR(T_max=200)"
    assert found["Warm-up"][0].value == "off: warmup_iter=-1" and found["Learning rate"][0].value == "lr=3e-4"


def test_augmentation_that_a_switch_leaves_out_is_off_unless_asked_for(tmp_path: Path) -> None:
    data = "import torch\ndef random_rotation(x):\n    return x @ torch.rand(3, 3)\nif __name__ == '__main__':\n    random_rotation(torch.ones(3, 3))\n"
    text = f"import argparse\nimport torch\nfrom net import Net\nfrom data import random_rotation\np = argparse.ArgumentParser()\np.add_argument('--turned', type=eval, default=False)\nargs = p.parse_args()\nmodel = Net()\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n{STEP}def load(x):\n    if args.turned:\n        x = random_rotation(x)\n    return x\n"
    assert rows(tmp_path, train=text, net=NET, data=data)["Data augmentation"][0].value == "off unless asked for: random_rotation (turned=False)"


def test_a_program_that_another_one_imports_and_a_task_s_folder_train(tmp_path: Path) -> None:
    (tmp_path / "property_prediction").mkdir()
    (tmp_path / "property_prediction" / "prop.py").write_text(f"import torch\nfrom net import Net\nmodel = Net()\n{STEP}if __name__ == '__main__':\n    optimizer = torch.optim.Adam(model.parameters(), lr=0.2)\n    train(1, 2)\n")
    (tmp_path / "run.sh").write_text("python train.py --betas 0.9 0.95\n")
    text = f"import argparse\nimport torch\nfrom net import Net\nfrom property_prediction import prop\np = argparse.ArgumentParser()\np.add_argument('--betas', nargs='+', type=float)\nargs = p.parse_args()\nmodel = Net()\noptimizer = torch.optim.AdamW(model.parameters(), lr=0.1, betas=args.betas)\n{STEP}"
    assert {answer.value for answer in rows(tmp_path, train=text, net=NET)["Optimizer"]} == {"Adam, lr=0.2", "AdamW, lr=0.1, betas=(0.9, 0.95)"}


def test_what_two_questions_find_of_one_thing_is_one_row() -> None:
    by_name, by_code = (Answer("B7", title, "found", value) for title, value in (("weight tying", "tie_weights"), ("Weight tying", "one parameter in two places")))
    apart = Answer("B3", "Optimizer", "found", "SGD"), Answer("B3", "Optimizer", "found", "Adam")
    assert [answer.value for answer in _told_once((by_name, *apart, by_code))] == ["one parameter in two places; tie_weights", "SGD", "Adam"]
