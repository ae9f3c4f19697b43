"""Sections that functions are handed, layers and networks that defaults and other files bring, rates that are only set back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.recipe.test_recipe import rows
from tests.analysis.recipe.test_recipe_parts import TRAIN

SECTIONS = "cnn:\n  arch: resnet18\nnet:\n  arch: attention\noptim:\n  name: Adam\n  lr: 0.001\n"
BUILD = "import torchvision\ndef build(opt):\n    return torchvision.models.__dict__[opt['arch']](pretrained=True)\n"


@pytest.mark.parametrize(("call", "arch"), [("build(options['cnn'])", "resnet18"), ("build({'arch': options['cnn']['arch']})", "resnet18")])
def test_an_entry_of_a_section_that_a_function_is_handed(tmp_path: Path, call: str, arch: str) -> None:
    (tmp_path / "options.yaml").write_text(SECTIONS)
    found = rows(tmp_path, build=BUILD, train=f"import yaml\nfrom build import build\noptions = yaml.safe_load(open('options.yaml'))\nmodel = {call}\n" + TRAIN)
    assert found["Initialisation"][0].value == f"pretrained: {arch}(True)"


@pytest.mark.parametrize(("name", "kinds"), [("Adam", ["Adam"]), ("SGD", ["SGD"])])
def test_the_optimizer_that_a_configuration_under_a_capital_names(tmp_path: Path, name: str, kinds: list[str]) -> None:
    (tmp_path / "options.yaml").write_text(SECTIONS.replace("Adam", name))
    train = "import torch\nfrom config import C\nC.update(C.from_yaml(filename='options.yaml'))\nmodel = torch.nn.Linear(2, 2)\nif C.optim.name == 'Adam':\n    optim = torch.optim.Adam(model.parameters(), lr=C.optim.lr)\nelif C.optim.name == 'SGD':\n    optim = torch.optim.SGD(model.parameters(), lr=C.optim.lr)\n"
    found = rows(tmp_path, config="from box import Box\nC = Box()\n", train=train + "model(torch.ones(2)).sum().backward()\noptim.step()\n")
    assert [answer.value.partition(",")[0] for answer in found["Optimizer"]] == kinds


@pytest.mark.parametrize(("written", "status"), [("self.lr", "not found"), ("self.lr * 0.1", "found")])
def test_a_rate_that_is_set_back_is_no_schedule(tmp_path: Path, written: str, status: str) -> None:
    train = "import torch\nclass Model:\n    def __init__(self, net, lr):\n        self.lr = lr\n        self.optimizer = torch.optim.Adam(net.parameters(), lr=self.lr)\n    def fit(self, loss):\n        for group in self.optimizer.param_groups:\n            group['lr'] = {}\n        loss.backward()\n        self.optimizer.step()\n"
    assert rows(tmp_path, train=train.format(written))["Learning-rate schedule"][0].status == status


def test_several_rates_and_lengths_of_phases(tmp_path: Path) -> None:
    options = "".join(f"parser.add_argument('--{name}', type=float, default={value})\n" for name, value in (("meta_lr1", 0.1), ("meta_lr2", 0.2), ("pre_max_epoch", 90)))
    found = rows(tmp_path, train="import argparse\nimport torch\nmodel = torch.nn.Linear(2, 2)\nparser = argparse.ArgumentParser()\n" + options + "args = parser.parse_args()\n" + TRAIN + "print(args.meta_lr1, args.meta_lr2, args.pre_max_epoch)\n")
    assert found["Learning rate"][0].value == "meta_lr1=0.1, meta_lr2=0.2"
    assert found["Epochs, iterations"][0].value == "pre_max_epoch=90"


def test_frames_by_their_help(tmp_path: Path) -> None:
    text = "import argparse\nimport torch\nmodel = torch.nn.Linear(2, 2)\nparser = argparse.ArgumentParser()\nparser.add_argument('--frames', type=int, default=1000, help='number of frames of training (default: 1000)')\nargs = parser.parse_args()\n"
    assert rows(tmp_path, train=text + TRAIN + "print(args.frames)\n")["Epochs, iterations"][0].value == "frames=1000"


def test_edges_that_a_graph_drops(tmp_path: Path) -> None:
    net = "import torch\nfrom torch_geometric.utils import dropout_adj\nclass Net(torch.nn.Module):\n    def forward(self, x, edges):\n        edges, kinds = dropout_adj(edges, p=0.2, training=self.training)\n        return x\n"
    assert rows(tmp_path, net=net, train="from net import Net\nmodel = Net()\n" + TRAIN)["Data augmentation"][0].value == "dropout_adj"


@pytest.mark.parametrize(("given", "value"), [("pct_start=0.05", "pct_start=0.05"), ("cycle_momentum=False", "pct_start=0.3 (default)")])
def test_one_cycle_rises_first(tmp_path: Path, given: str, value: str) -> None:
    text = "import torch\nmodel = torch.nn.Linear(2, 2)\noptimizer = torch.optim.Adam(model.parameters(), lr=0.1)\nscheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, 100, {})\nmodel(torch.ones(2)).sum().backward()\noptimizer.step()\nscheduler.step()\n"
    assert rows(tmp_path, train=text.format(given))["Warm-up"][0].value == value


@pytest.mark.parametrize(("made", "shown"), [("Block(4)", True), ("Block(4, torch.nn.BatchNorm2d)", False), ("Block(4, norm=torch.nn.BatchNorm2d)", False)])
def test_a_layer_that_a_parameter_holds_by_default(tmp_path: Path, made: str, shown: bool) -> None:
    net = "import torch.nn as nn\nclass Block(nn.Module):\n    def __init__(self, n, norm=nn.InstanceNorm2d):\n        super().__init__()\n        self.norm = norm(n)\n    def forward(self, x):\n        return self.norm(x)\n"
    found = rows(tmp_path, net=net, train=f"import torch\nfrom net import Block\nmodel = Block(2)\nmodel = {made}\n".replace("model = Block(2)\n", "") + TRAIN)
    assert ("instance normalisation" in found) is shown


def test_a_network_of_a_file_that_only_the_program_imports(tmp_path: Path) -> None:
    builder = "import torch\nfrom pytorch_pretrained_bert import BertModel\nclass Bert(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.model = BertModel.from_pretrained('bert-base-uncased')\n"
    trainer = "import torch\ndef fit(model):\n    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)\n    model(1).backward()\n    optimizer.step()\n"
    found = rows(tmp_path, builder=builder, trainer=trainer, train="from builder import Bert\nfrom trainer import fit\nif __name__ == '__main__':\n    fit(Bert())\n")
    assert found["Initialisation"][0].value == "pretrained: BertModel.from_pretrained"


def test_parameters_of_a_self_test(tmp_path: Path) -> None:
    schedule = "import torch\nclass Warm(torch.optim.lr_scheduler._LRScheduler):\n    def get_lr(self):\n        return [0.1]\nif __name__ == '__main__':\n    model = [torch.nn.Parameter(torch.randn(2))]\n    optimizer = torch.optim.SGD(model, 0.1)\n    Warm(optimizer).step()\n"
    found = rows(tmp_path, schedule=schedule, train="import torch\nfrom schedule import Warm\nmodel = torch.nn.Linear(2, 2)\n" + TRAIN)
    assert found["Initialisation"][0].status == "not found"


def test_codebooks_accumulation_and_processes(tmp_path: Path) -> None:
    net = "import torch\nclass VQEmbeddingEMA(torch.nn.Module):\n    pass\n"
    text = "import argparse\nimport torch\nfrom net import VQEmbeddingEMA\ntorch.distributed.init_process_group('nccl')\nparser = argparse.ArgumentParser()\nparser.add_argument('-accum_count', type=int, default=1)\nargs = parser.parse_args()\nmodel = VQEmbeddingEMA()\nprint(args.accum_count)\n"
    found = rows(tmp_path, net=net, train=text + TRAIN)
    assert found["vector quantisation"][0].value == "vector quantisation: VQEmbeddingEMA"
    assert found["gradient accumulation"][0].value == "gradient accumulation: off unless asked for: accum_count=1"
    assert "init_process_group" in found["data-parallel training"][0].value
