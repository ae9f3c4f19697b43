"""Which value trains: what files leave at a default, a program's own command line, functions of one name, sections that are unpacked, folders that only show."""

from __future__ import annotations

from pathlib import Path

from tests.analysis.recipe.test_recipe import rows

NET = "import torch.nn as nn\nclass Net(nn.Module):\n    pass\n"
STEP = "def train(x, y):\n    torch.nn.functional.mse_loss(model(x), y).backward()\n    optimizer.step()\ntrain(1, 2)\n"
YACS = "from yacs.config import CfgNode as CN\n_C = CN()\n_C.TRAIN = CN()\n_C.TRAIN.EPOCHS = 300\n_C.TRAIN.BASE_LR = 5e-4\ndef get(path):\n    config = _C.clone()\n    config.merge_from_file(path)\n    return config\n"
OF_YACS = f"import torch\nfrom net import Net\nfrom config import get\nconfig = get('a.yaml')\nmodel = Net()\noptimizer = torch.optim.SGD(model.parameters(), lr=config.TRAIN.BASE_LR)\n{STEP}for epoch in range(config.TRAIN.EPOCHS):\n    train(1, 2)\n"


def _files(folder: Path, **texts: str) -> None:
    (folder / "configs").mkdir()
    for name, text in texts.items():
        (folder / "configs" / f"{name}.yaml").write_text(text)


def test_what_one_of_the_files_leaves_has_its_default(tmp_path: Path) -> None:
    _files(tmp_path, base="MODEL:\n  TYPE: swin\n", long="TRAIN:\n  EPOCHS: 90\n  BASE_LR: 1.25e-4\n")
    found = rows(tmp_path, train=OF_YACS, net=NET, config=YACS)
    assert "EPOCHS=90" in found["Epochs, iterations"][0].value and "EPOCHS=300" in found["Epochs, iterations"][0].value
    assert "0.0005" in found["Learning rate"][0].value


def test_what_every_file_sets_has_no_default(tmp_path: Path) -> None:
    _files(tmp_path, base="TRAIN:\n  EPOCHS: 30\n", long="TRAIN:\n  EPOCHS: 90\n")
    assert "300" not in rows(tmp_path, train=OF_YACS, net=NET, config=YACS)["Epochs, iterations"][0].value


OWN = f"import argparse\nimport torch\nfrom net import Net\np = argparse.ArgumentParser()\np.add_argument('--momentum', type=float, default=0.5)\nargs = p.parse_args()\nmodel = Net()\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=args.momentum)\n{STEP}"


def test_a_program_s_own_command_line_comes_before_files_that_it_does_not_read(tmp_path: Path) -> None:
    _files(tmp_path, other="momentum: 0.9\n")
    assert rows(tmp_path, train=OWN, net=NET)["Optimizer"][0].value == "SGD, lr=0.1, momentum=0.5"


def test_a_command_line_that_names_a_file_says_what_the_file_says(tmp_path: Path) -> None:
    _files(tmp_path, other="momentum: 0.9\n")
    text = OWN.replace("args = p", "p.add_argument('--config')\nargs = p")
    assert "momentum=0.9" in rows(tmp_path, train=text, net=NET)["Optimizer"][0].value


def test_sections_of_files_that_a_call_unpacks(tmp_path: Path) -> None:
    _files(tmp_path, one="optimizer: sgd\noptimizer_kwargs:\n   lr: 0.4\n   momentum: 0.9\n", other="optimizer: adam\noptimizer_kwargs:\n   lr: 0.0001\n")
    text = f"import torch\nimport yaml\nfrom net import Net\np = yaml.safe_load(open('configs/one.yaml'))\nmodel = Net()\nif p['optimizer'] == 'sgd':\n    optimizer = torch.optim.SGD(model.parameters(), **p['optimizer_kwargs'])\nelse:\n    optimizer = torch.optim.Adam(model.parameters(), **p['optimizer_kwargs'])\n{STEP}"
    assert [answer.value for answer in rows(tmp_path, train=text, net=NET)["Optimizer"]] == ["SGD, lr=0.4, momentum=0.9", "Adam, lr=0.0001"]


def test_another_function_of_the_same_name_gives_no_batch_size(tmp_path: Path) -> None:
    training = "from torch.utils.data import DataLoader\ndef loader(name, batch_size):\n    return DataLoader([name], batch_size)\n"
    other = "def loader(name, is_test, size):\n    return [name]\n"
    text = f"import torch\nimport training\nimport other\nfrom net import Net\nmodel = Net()\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\ndata = training.loader('a', 64)\ntest = other.loader('a', True, 32)\n{STEP}"
    assert rows(tmp_path, train=text, net=NET, training=training, other=other)["Batch size"][0].value == "64"


def test_folders_that_show_results_train_nothing(tmp_path: Path) -> None:
    (tmp_path / "visualize" / "src").mkdir(parents=True)
    (tmp_path / "visualize" / "src" / "fit.py").write_text("import torch\nclass Fit:\n    def __init__(self, step=0.01):\n        self.step = step\n    def __call__(self, pose, loss):\n        optimizer = torch.optim.LBFGS([pose], lr=self.step)\n        optimizer.step(loss)\n")
    (tmp_path / "visualize" / "shown.py").write_text("from visualize.src.fit import Fit\ndef shown(pose, loss):\n    return Fit()(pose, loss)\n")
    text = f"import torch\nfrom net import Net\nfrom visualize.shown import shown\nmodel = Net()\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n{STEP}shown(1, 2)\n"
    assert [answer.value for answer in rows(tmp_path, train=text, net=NET)["Optimizer"]] == ["SGD, lr=0.1"]
