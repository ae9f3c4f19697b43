"""What a thirteenth set of projects showed: optimizers chosen by name, steps of loops that train nothing, rates of groups, orders drawn in files without PyTorch."""

from __future__ import annotations

from pathlib import Path

from tests.analysis.recipe.test_recipe import rows

NET = "import torch.nn as nn\nclass Net(nn.Module):\n    pass\n"
STEP = "def train(x, y):\n    torch.nn.functional.mse_loss(model(x), y).backward()\n    optimizer.step()\n"
HEAD = "import torch\nfrom net import Net\nmodel = Net()\n"


def test_an_optimizer_taken_out_of_the_package_by_its_name(tmp_path: Path) -> None:
    settings = "class Cfg:\n    NAME = 'AdamW'\n    BASE_LR = 3e-4\ncfg = Cfg()\n"
    text = HEAD + "from settings import cfg\noptimizer = getattr(torch.optim, cfg.NAME)(model.parameters(), lr=cfg.BASE_LR)\n" + STEP + "train(1, 2)\n"
    assert rows(tmp_path, train=text, net=NET, settings=settings)["Optimizer"][0].value == "AdamW, lr=0.0003"


def _chain(tmp_path: Path, *names: str) -> list[str]:
    for index, name in enumerate(names):
        (tmp_path / f"{index}.yaml").write_text(f'optim:\n  kind: "{name}"\n  lr: 0.01\n')
    made = "import torch.optim as optim\ndef make(config, parameters):\n    if config.optim.kind == 'Adam':\n        return optim.Adam(parameters, lr=config.optim.lr)\n    elif config.optim.kind == 'SGD':\n        return optim.SGD(parameters, lr=config.optim.lr)\n"
    text = HEAD + "from make import make\nimport yaml\nconfig = yaml.safe_load(open('0.yaml'))\noptimizer = make(config, model.parameters())\n" + STEP + "train(1, 2)\n"
    return [answer.value.partition(",")[0] for answer in rows(tmp_path, train=text, net=NET, make=made)["Optimizer"]]


def test_what_every_configuration_names_is_the_optimizer(tmp_path: Path) -> None:
    assert _chain(tmp_path, "Adam", "Adam") == ["Adam"]


def test_two_names_leave_both(tmp_path: Path) -> None:
    assert _chain(tmp_path, "Adam", "SGD") == ["Adam", "SGD"]


def test_rounds_of_a_loop_that_trains_nothing_are_no_iterations(tmp_path: Path) -> None:
    settings = "class Hp:\n    n_iter = 50\n    num_epochs = 100\n"
    sound = "from settings import Hp\ndef griffin(x):\n    for _ in range(Hp.n_iter):\n        x = x * 0.5\n    return x\n"
    text = HEAD + "from settings import Hp\nfrom sound import griffin\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n" + STEP + "for epoch in range(Hp.num_epochs):\n    train(1, griffin(2))\n"
    assert rows(tmp_path, train=text, net=NET, settings=settings, sound=sound)["Epochs, iterations"][0].value == "num_epochs=100"


def test_catching_up_with_a_schedule_is_no_training(tmp_path: Path) -> None:
    text = HEAD + "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nlr_scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 3)\nbegin, most = 4, 30\nfor _ in range(begin - 1):\n    lr_scheduler.step()\n" + STEP + "for epoch in range(begin, most):\n    train(1, 2)\n"
    assert "begin" not in rows(tmp_path, train=text, net=NET)["Epochs, iterations"][0].value


def test_rates_of_groups(tmp_path: Path) -> None:
    text = "import argparse\n" + HEAD + "p = argparse.ArgumentParser()\np.add_argument('--learning-rate-weights', default=0.2, type=float)\np.add_argument('--learning-rate-decay-epochs', default=9, type=int)\nargs = p.parse_args()\noptimizer = torch.optim.SGD(model.parameters(), lr=0)\n" + STEP + "train(1, 2)\n"
    assert rows(tmp_path, train=text, net=NET)["Learning rate"][0].value == "learning-rate-weights=0.2"


def test_an_order_drawn_in_a_file_without_pytorch(tmp_path: Path) -> None:
    batches = "import numpy as np\nclass Rows:\n    def __init__(self, rows, mix):\n        self.rows, self.mix = rows, mix\n    def next_batches(self, n):\n        order = np.arange(len(self.rows))\n        if self.mix:\n            np.random.shuffle(order)\n        return np.split(order, len(order) // n)\n"
    text = HEAD + "from batches import Rows\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n" + STEP + "for part in Rows([1, 2], True).next_batches(2):\n    train(part, 2)\n"
    assert rows(tmp_path, train=text, net=NET, batches=batches)["Shuffling"][0].value == "order drawn by numpy.random.shuffle"


def test_first_values_that_a_library_is_asked_for(tmp_path: Path) -> None:
    text = "import torch\nimport torchvision\nmodel = torchvision.models.resnet50(zero_init_residual=True)\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n" + STEP + "train(1, 2)\n"
    assert "zero_init_residual=True" in rows(tmp_path, train=text)["Initialisation"][0].value


def test_an_optimizer_that_is_bound_early_beside_ones_that_no_setting_asks_for(tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_text("optim:\n  kind: adam_cycle\n  lr: 0.01\n")
    made = "import torch.optim as optim\nfrom functools import partial\ndef make(config, parameters, wrap):\n    if config.optim.kind == 'sgd':\n        return optim.SGD(parameters, lr=config.optim.lr)\n    elif config.optim.kind == 'adam_cycle':\n        return wrap(partial(optim.Adam, betas=(0.9, 0.99)), parameters)\n"
    text = HEAD + "from make import make\nimport yaml\nconfig = yaml.safe_load(open('run.yaml'))\noptimizer = make(config, model.parameters(), print)\n" + STEP + "train(1, 2)\n"
    assert [answer.value for answer in rows(tmp_path, train=text, net=NET, make=made)["Optimizer"]] == ["Adam, betas=(0.9, 0.99)"]


def test_a_method_that_keeps_a_rate_is_no_schedule(tmp_path: Path) -> None:
    text = HEAD + "class Trainer:\n    def set_lr_decay(self, lr_decay):\n        self.lr_decay = lr_decay\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n" + STEP + "Trainer().set_lr_decay(0)\ntrain(1, 2)\n"
    assert "set_lr_decay" not in rows(tmp_path, train=text, net=NET)["Learning-rate schedule"][0].value
