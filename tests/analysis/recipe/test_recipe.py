"""The training recipe of small projects whose answers are known because they were written with them."""

from __future__ import annotations

from pathlib import Path

from mindport import catalog
from mindport.analysis.answers import Answer
from mindport.analysis.questions import recipe
from mindport.analysis.subject import Subject
from mindport.inference.project import Project
from mindport.source.discover import discover


def rows(root: Path, **files: str) -> dict[str, list[Answer]]:
    """Title → the recipe's rows of a project that consists of these files (``train="…"`` is train.py)."""
    for name, text in files.items():
        (root / f"{name}.py").write_text(text)
    found = discover([root])
    project = Project(found.files)
    subject = Subject(found.root, {file: project.facts(file) for file in found.files}, project, catalog.load(), (), found.others)
    by_title: dict[str, list[Answer]] = {}
    for answer in recipe.section(subject).answers:
        by_title.setdefault(answer.title, []).append(answer)
    return by_title


PARSER = """\
import argparse
import torch
from net import Net
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default={lr})
args = parser.parse_args()
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
"""
NET = "import torch.nn as nn\nclass Net(nn.Module):\n    pass\n"


def test_each_script_has_its_own_command_line(tmp_path: Path) -> None:
    found = rows(tmp_path, net=NET, train=PARSER.format(lr=0.1), finetune=PARSER.format(lr=0.001))
    assert sorted(answer.value for answer in found["Optimizer"]) == ["Adam, lr=0.001", "Adam, lr=0.1"]


def test_keywords_of_a_configuration_are_settings_and_a_self_test_sets_nothing(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        hparams="from contrib import HParams\ndef create():\n    return HParams(epochs=500, learning_rate=1e-3, batch_size=64)\n",
        scaler="class Scaler:\n    pass\nif __name__ == '__main__':\n    learning_rate = 1e-6\n    epochs = 3\n",
        train="import torch\nfrom scaler import Scaler\nfrom hparams import create\n"
        "def train(model, hparams):\n    return torch.optim.Adam(model.parameters(), lr=hparams.learning_rate)\n",
    )
    assert [answer.value for answer in found["Optimizer"]] == ["Adam, lr=0.001"]
    assert [answer.value for answer in found["Learning rate"]] == ["learning_rate=0.001"]
    assert [answer.value for answer in found["Epochs, iterations"]] == ["epochs=500"]


def test_what_is_none_by_default_is_what_the_script_computes(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        net=NET,
        train=PARSER.format(lr=None).replace(
            "model = Net()",
            "parser.add_argument('--base-lr', type=float, default=0.02)\nif args.lr is None:\n    args.lr = args.base_lr * 64 / 256\nmodel = Net()",
        ),
    )
    assert [answer.value for answer in found["Optimizer"]] == ["Adam, lr=0.02 * 64 / 256"]


def test_counters_are_no_settings(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        train="def train_one_epoch(optimizer):\n    max_lr = 0.5\n    for group in optimizer.param_groups:\n"
        "        max_lr = max(max_lr, group['lr'])\n    return max_lr\n",
    )
    assert [answer.status for answer in found["Learning rate"]] == ["not found"]


def test_groups_that_a_function_makes_or_a_loop_collects(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        train="import torch\nfrom groups import layer_decay\n"
        "def a(model):\n    parts = layer_decay(model, weight_decay=0.05)\n    return torch.optim.AdamW(parts, lr=0.1)\n"
        "def b(model):\n    params = []\n    for key, value in model.named_parameters():\n        if 'bias' in key:\n"
        "            params += [{'params': [value], 'weight_decay': 0}]\n        else:\n            params += [{'params': [value], 'weight_decay': 0.01}]\n"
        "    return torch.optim.SGD(params, lr=0.2)\n",
    )
    first, second = (answer.value for answer in found["Optimizer"])
    assert first == "AdamW, groups of layer_decay(weight_decay=0.05), lr=0.1"
    assert second == "SGD, group {params=[value], weight_decay=0}, group {params=[value], weight_decay=0.01}, lr=0.2"


def test_freezing_is_seen_where_parameters_are_switched_off(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        net="import torch.nn as nn\nclass Backbone(nn.Module):\n    def __init__(self, body):\n        super().__init__()\n"
        "        for name, p in body.named_parameters():\n            if 'layer4' not in name:\n                p.requires_grad_(False)\n",
    )
    assert [quote.line for quote in found["freezing"][0].quotes] == [7]


def test_a_random_crop_is_no_multi_scale_training(tmp_path: Path) -> None:
    found = rows(tmp_path, data="class RandomResizedCrop:\n    pass\n")
    assert "multi-scale training" not in found
    assert "RandomResizedCrop" in found["Data augmentation"][0].value


def test_weights_drawn_where_they_are_constructed(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        net="import torch\nimport torch.nn as nn\nclass Linear(nn.Module):\n    def __init__(self, n):\n        super().__init__()\n"
        "        self.weight = nn.Parameter(torch.randn(n, n).div_(2))\n",
    )
    assert found["Initialisation"][0].value == "Parameter(randn)"


def test_flags_of_absl_are_settings(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        train="""\
import torch
from absl import flags
from torch import nn
FLAGS = flags.FLAGS
flags.DEFINE_float("lr", 2e-4, help="rate")
flags.DEFINE_integer("total_steps", default=800, help="steps")
net = nn.Linear(2, 2)
optimizer = torch.optim.Adam(net.parameters(), lr=FLAGS.lr)
""",
    )
    assert found["Optimizer"][0].value == "Adam, lr=0.0002"
    assert found["Epochs, iterations"][0].value == "total_steps=800"


def test_a_dictionary_that_a_loader_is_given_is_read(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        train="""\
from torch.utils.data import DataLoader
def train(data, size: int = 12):
    options = {"batch_size": 12, "shuffle": True}
    return DataLoader(data, **options)
def hidden(data, options):
    return DataLoader(data, **options)
def changed(data, split):
    options = {"num_workers": 4}
    options["shuffle"] = split == "train"
    return DataLoader(data, **options)
""",
    )
    assert found["Shuffling"][0].value == "shuffle=True; given through **; shuffle=split == 'train'"
    assert found["Batch size"][0].value == "12, batch_size=12"


def test_what_a_trainer_does_by_itself(tmp_path: Path) -> None:
    text = """\
import transformers
from datasets import load_dataset
from transformers import AutoModelForCausalLM, AutoTokenizer
data = load_dataset("some/set")
model = AutoModelForCausalLM.from_pretrained("some/model")
tokenizer = AutoTokenizer.from_pretrained("some/model")
arguments = transformers.TrainingArguments(learning_rate=1e-4, gradient_accumulation_steps=32 // 4ASKED)
trainer = transformers.Trainer(model=model, args=arguments, train_dataset=data["train"].shuffle())
trainer.train()
"""
    found = rows(tmp_path, train=text.replace("ASKED", ""))
    assert found["Learning-rate schedule"][0].value == "linear (the Trainer's default)"
    assert found["Initialisation"][0].value == "pretrained: AutoModelForCausalLM.from_pretrained"
    assert found["Shuffling"][0].value == "Trainer shuffles by itself (RandomSampler); data['train'].shuffle() on the data set"
    assert found["gradient accumulation"][0].value.startswith("gradient accumulation: TrainingArguments(gradient_accumulation_steps=32 // 4)")
    asked = rows(tmp_path, train=text.replace("ASKED", ', lr_scheduler_type="cosine"'))
    assert "default" not in asked["Learning-rate schedule"][0].value


def test_the_configuration_of_a_part_that_is_not_trained_is_not_the_recipe(tmp_path: Path) -> None:
    (tmp_path / "vocoder").mkdir()
    (tmp_path / "vocoder" / "models.py").write_text(NET)
    (tmp_path / "vocoder" / "config.json").write_text('{\n"learning_rate": 0.7,\n"batch_size": 99,\n"seed": 1234\n}\n')
    found = rows(tmp_path, net=NET, train=PARSER.format(lr=0.01))
    assert found["Learning rate"][0].value == "lr=0.01"
    assert found["Batch size"][0].status == "not found" and "exact reproducibility settings" not in found


def test_an_order_that_numpy_draws_is_a_shuffle_where_the_file_trains(tmp_path: Path) -> None:
    drawn = "\nimport numpy as np\norder = np.random.permutation(100)[:32]\n"
    assert rows(tmp_path, net=NET, train=PARSER.format(lr=1) + drawn)["Shuffling"][0].value == "order drawn by numpy.random.permutation"
    assert rows(tmp_path, net=NET + drawn, train=PARSER.format(lr=1))["Shuffling"][0].status == "not found"


def test_an_optimizer_that_a_configuration_names_is_found_with_what_is_given(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(
        "model:\n  lr: 5e-4\n  optimizer:\n    _target_: torch.optim.AdamW\n    lr: 0.002\n    weight_decay: 0.05\n"
        "  scheduler:\n    _target_: torch.optim.lr_scheduler.StepLR\n    step_size: 10\neval:\n  batch_size: 1000\ntraining:\n  batch_size: 32\n"
    )
    found = rows(tmp_path, train="import hydra\ndef main(cfg, net):\n    return hydra.utils.instantiate(cfg.model.optimizer, net.parameters())\n")
    assert [answer.value for answer in found["Optimizer"]] == ["AdamW, lr=0.002, weight_decay=0.05"]
    assert found["Learning-rate schedule"][0].value == "StepLR, step_size=10"
    assert found["Batch size"][0].value == "batch_size=32"


def test_a_python_configuration_names_its_optimizer(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        config="optimizer = dict(type='SGD', lr=0.02, momentum=0.9)\nlr_config = dict(policy='step', warmup='linear', step=[8, 11])\nruntime = dict(type='Adamant')\n",
        train="from mmcv import Config\ncfg = Config.fromfile('config.py')\n",
    )
    assert [answer.value for answer in found["Optimizer"]] == ["SGD, lr=0.02, momentum=0.9"]
    assert found["Learning-rate schedule"][0].value.startswith("step, warmup='linear', step=[8, 11]")


def test_a_default_of_none_is_what_the_configuration_file_says(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        culane="learning_rate = 0.1\nmomentum = 0.9\nepoch = 50\n",
        train="import argparse\nimport torch\nparser = argparse.ArgumentParser()\nparser.add_argument('--learning_rate', default=None, type=float)\n"
        "cfg = parser.parse_args()\ndef build(net):\n    return torch.optim.SGD(net.parameters(), lr=cfg.learning_rate)\n",
    )
    assert [answer.value for answer in found["Optimizer"]] == ["SGD, lr=0.1"]


def test_a_table_of_optimizers_is_told_with_its_names(tmp_path: Path) -> None:
    found = rows(tmp_path, train="from torch.optim import SGD, Adam\nTABLE = {'sgd': SGD, 'adam': Adam}\ndef build(name, net):\n    return TABLE[name](net.parameters())\n")
    assert found["Optimizer"][0].value == "chosen by a name from SGD, Adam"


def test_an_iterable_data_set_draws_its_own_order(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        train="from torch.utils.data import DataLoader, IterableDataset\nclass Replay(IterableDataset):\n    def __iter__(self):\n        yield 1\n"
        "def loader():\n    return DataLoader(Replay(), batch_size=8)\n",
    )
    assert found["Shuffling"][0].value == "Replay is iterable: it draws its own order"


def test_what_nothing_names_and_what_limits_nothing_take_no_part(tmp_path: Path) -> None:
    text = (
        "import torch\nclass OhemLoss(torch.nn.Module):\n    def __init__(self):\n        super(OhemLoss, self).__init__()\n"
        "def clip_grad_value_(parameters, limit):\n    return sum(p.grad.norm() for p in parameters)\n"
        "def train(net, loss):\n    loss.backward()\n    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n    clip_grad_value_(net.parameters(), {limit})\n    optimizer.step()\n"
    )
    found = rows(tmp_path, train=text.replace("{limit}", "None"))
    assert "hard negative mining" not in found and "gradient clipping" not in found
    found = rows(tmp_path, train=text.replace("{limit}", "2.0") + "    return OhemLoss()\n")
    assert "hard negative mining" in found and "gradient clipping" in found


def test_a_trainers_keywords_in_a_file_are_tricks(tmp_path: Path) -> None:
    (tmp_path / "fit.yaml").write_text("seed_everything: 42\ntrainer:\n  precision: 16\n  strategy: ddp\n  sync_batchnorm: true\n  accumulate_grad_batches: 1\n")
    found = rows(tmp_path, train="from pytorch_lightning.cli import LightningCLI\nLightningCLI()\n")
    assert found["mixed precision"][0].value == "mixed precision: Trainer(precision=16)"
    assert "data-parallel training" in found and "gradient accumulation" not in found and "exact reproducibility settings" in found


def test_weights_of_a_library_are_the_first_values(tmp_path: Path) -> None:
    found = rows(tmp_path, train="from torchvision.models import vgg16\nnet = vgg16(pretrained=True)\nother = vgg16(pretrained=False)\n")
    assert found["Initialisation"][0].value == "pretrained: vgg16(True)"
