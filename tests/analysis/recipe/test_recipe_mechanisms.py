"""What a seventh set of projects showed: twins in another framework, augmentation written by hand, classes that a variable holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.recipe.test_recipe import rows
from tests.analysis.recipe.test_recipe_parts import TRAIN


def test_a_folder_of_another_framework_is_no_part_of_the_recipe(tmp_path: Path) -> None:
    twin = tmp_path / "tensorflow" / "utils"
    twin.mkdir(parents=True)
    (twin / "net.py").write_text("import tensorflow as tf\nlearning_rate = 0.5\nepochs = 7\n")
    (twin / "provider.py").write_text("import numpy as np\nmax_epoch = 3\ndef jitter_point_cloud(x):\n    return x + np.random.randn(3)\njitter_point_cloud(1)\n")
    found = rows(tmp_path, train=TRAIN)
    assert found["Learning rate"][0].value == "0.1" and found["Epochs, iterations"][0].status == "not found"
    assert found["Data augmentation"][0].status == "not found"


FLIPPED = """\
import random
from PIL import Image
class Base:
    def _sync_transform(self, img):
        if random.random() < 0.5:
            img = img.transpose(Image.FLIP_LEFT_RIGHT)
        size = random.randint(100, 200)
        w = int(size * 1.5)
        img = img.resize((w, size))
        x1 = random.randint(0, w - 64)
        return img.crop((x1, 0, x1 + 64, 64))
    def _val_transform(self, img):
        return img.resize((64, 64)).crop((0, 0, 64, 64))
"""


def test_augmentation_that_is_written_out(tmp_path: Path) -> None:
    assert rows(tmp_path, train=TRAIN, data=FLIPPED)["Data augmentation"][0].value == "flip, resize, crop drawn in _sync_transform"


def test_a_draw_that_chooses_samples_changes_none(tmp_path: Path) -> None:
    text = "import random\nimport torch\nclass Data(torch.utils.data.Dataset):\n    def __getitem__(self, i):\n        j = random.randint(0, 9)\n        x = self.items[j].resize((64, 64))\n        return x[:, 0:5]\n"
    assert rows(tmp_path, train=TRAIN, data=text)["Data augmentation"][0].status == "not found"


@pytest.mark.parametrize(("limit", "value"), [("0", "gradient clipping: off unless asked for: gclip=0"), ("5", "gradient clipping: torch.nn.utils.clip_grad_norm_(5)")])
def test_a_limit_of_zero_limits_nothing(tmp_path: Path, limit: str, value: str) -> None:
    text = f"import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--gclip', type=float, default={limit})\nargs = parser.parse_args()\nif args.gclip > 0:\n    torch.nn.utils.clip_grad_norm_([], args.gclip)\n"
    assert rows(tmp_path, train=TRAIN + text)["gradient clipping"][0].value.replace("torch.nn.utils.clip_grad_norm_(0)", "gclip=0") == value


HELD = """\
import torch
import torch.optim as optim
import torch.optim.lr_scheduler as lrs
def make(args, net):
    options = {"lr": 1e-4}
    if args.optimizer == "SGD":
        kind = optim.SGD
        options["momentum"] = 0.9
    else:
        kind = optim.Adam
    schedule = lrs.MultiStepLR
    settings = {"milestones": [200], "gamma": 0.5}
    class Own(kind):
        def register(self, made, **given):
            self.scheduler = made(self, **given)
        def get_lr(self):
            return self.scheduler.get_lr()[0]
    optimizer = Own(net.parameters(), **options)
    optimizer.register(schedule, **settings)
    return optimizer
make(1, 2).zero_grad()
"""


def test_classes_that_a_variable_holds(tmp_path: Path) -> None:
    found = rows(tmp_path, make=HELD, options="import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--optimizer', default='ADAM')\n")
    assert found["Optimizer"][0].value == "Own (optimizer=ADAM, one of SGD, Adam), lr=0.0001"  # SGD alone gets a momentum
    assert found["Learning-rate schedule"][0].value.startswith("MultiStepLR(milestones=[200], gamma=0.5)")


def test_arguments_by_their_place(tmp_path: Path) -> None:
    text = TRAIN.replace("SGD(net.parameters(), lr=0.1)", "Adam(net.parameters(), 0.1, (0.5, 0.99))")
    assert rows(tmp_path, train=text)["Optimizer"][0].value == "Adam, lr=0.1, betas=(0.5, 0.99)"


def test_the_loader_of_the_tests_says_nothing_about_training(tmp_path: Path) -> None:
    loaders = "from torch.utils.data import DataLoader\nfrom data import Set\ntrain_loader = DataLoader(Set(partition='train'), batch_size=32, shuffle=True)\n"
    for second in ("test_loader = DataLoader(Set(), batch_size=16)\n", "other = DataLoader(Set(partition='test'), batch_size=16)\n"):
        assert rows(tmp_path, train=TRAIN + loaders + second)["Batch size"][0].value == "32"


def test_a_loss_that_smooths_by_itself(tmp_path: Path) -> None:
    loss = "def cal_loss(pred, gold, smoothing=True):\n    return pred\ncal_loss(1, 2)\n"
    assert rows(tmp_path, train=TRAIN + loss)["label smoothing"][0].value == "label smoothing: smoothing=True"


def test_features_of_a_loss_are_no_start(tmp_path: Path) -> None:
    vgg = "import torchvision\nclass {name}:\n    def __init__(self):\n        self.net = torchvision.models.vgg19(pretrained=True)\n"
    assert rows(tmp_path, train=TRAIN, part=vgg.format(name="PerceptualLoss"))["Initialisation"][0].status == "not found"
    assert rows(tmp_path, train=TRAIN, part=vgg.format(name="Encoder"))["Initialisation"][0].value == "pretrained: vgg19(True)"


def test_a_program_that_hands_its_network_to_training(tmp_path: Path) -> None:
    main = "import transformers\nimport trainers\nnet = transformers.AutoModelForCausalLM.from_pretrained('x')\n"
    assert rows(tmp_path, trainers=TRAIN, main=main)["Initialisation"][0].value == "pretrained: AutoModelForCausalLM.from_pretrained"


def test_an_order_that_a_generator_of_batches_draws(tmp_path: Path) -> None:
    text = "import random\ndef get_batch_iterator(rows):\n    random.shuffle(rows)\n    yield from rows\n    yield rows\n"
    assert rows(tmp_path, train=TRAIN, batches=text)["Shuffling"][0].value == "order drawn by random.shuffle"


def test_an_average_that_begins_anew_initialises_nothing(tmp_path: Path) -> None:
    average = "class EMA:\n    def reset_parameters(self, average, model):\n        {what}\nEMA().reset_parameters(1, 2)\n"
    found = rows(tmp_path, train=TRAIN, average=average.format(what="average.load_state_dict(model.state_dict())"))
    assert found["Initialisation"][0].status == "not found"
    assert rows(tmp_path, train=TRAIN, average=average.format(what="model.weight.fill_(0)"))["Initialisation"][0].status == "found"


def test_a_number_of_epochs_and_a_period_of_patience(tmp_path: Path) -> None:
    options = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--num_of_epochs', default=200)\nparser.add_argument('--patience_period', default=100)\n"
    found = rows(tmp_path, train=options + TRAIN)
    assert found["Epochs, iterations"][0].value == "num_of_epochs=200" and found["early stopping"][0].value == "early stopping: patience_period=100"


def test_a_limit_of_none_is_off(tmp_path: Path) -> None:
    text = "def step(net, loss, optimizer, limit=None):\n    loss.backward()\n    if limit is not None:\n        torch.nn.utils.clip_grad_norm_(net.parameters(), limit)\n    optimizer.step()\nstep(net, loss, optimizer)\n"
    assert "off unless asked for" in rows(tmp_path, train=TRAIN + text)["gradient clipping"][0].value


WARM = """\
def adjust(optimizer, epoch, base):
    if epoch < {first}:
        rate = base * (epoch + 1) / {last}
    else:
        rate = base * 0.1 ** (epoch // 30)
    for group in optimizer.param_groups:
        group["lr"] = rate
"""


@pytest.mark.parametrize(("first", "last", "value"), [("5", "5", "base * (epoch + 1) / 5 while epoch < 5"), ("5", "30", "")])
def test_a_warm_up_that_is_written_by_hand(tmp_path: Path, first: str, last: str, value: str) -> None:
    assert rows(tmp_path, train=TRAIN + WARM.format(first=first, last=last))["Warm-up"][0].value == value


def test_a_schedule_in_json_without_blanks(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{\n\t"lr_scheduler": {\n\t\t"type":"StepLR",\n\t\t"args":{\n\t\t\t"step_size":100\n\t\t}\n\t}\n}\n')
    text = "import json\nconfig = json.load(open('config.json'))\nschedule = getattr(torch.optim.lr_scheduler, config['lr_scheduler']['type'])(optimizer, **config['lr_scheduler']['args'])\n"
    assert "StepLR" in rows(tmp_path, train=TRAIN + text)["Learning-rate schedule"][0].value
