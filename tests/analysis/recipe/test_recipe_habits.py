"""What a tenth and an eleventh set of projects showed: scripts beside scripts, computed settings, classes of torch's names, lists over several lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.recipe.test_recipe import rows
from tests.analysis.recipe.test_recipe_styles import NET, TRAIN


def test_programs_of_evaluation_make_no_optimizer(tmp_path: Path) -> None:
    demo = TRAIN.replace("lr=0.1", "lr=0.5").replace("SGD", "Adam")
    assert [a.value for a in rows(tmp_path, train=TRAIN, net=NET, demo=demo)["Optimizer"]] == ["SGD, lr=0.1"]


def test_a_twin_in_another_framework_beside_pytorch(tmp_path: Path) -> None:
    flax = "import flax.linen as nn\nimport jax\ndef init_weights(net):\n    return net\ninit_weights(1)\n"
    assert rows(tmp_path, train=TRAIN, net=NET, modeling_flax=flax)["Initialisation"][0].status == "not found"


@pytest.mark.parametrize(("text", "title", "value"), [
    ("args.batch_size = int(args.envs * 128)\n", "Batch size", "batch_size=8 * 128"),
    ("args.lr *= 0.1\n", "Learning-rate schedule", "the learning rate is written by hand"),
    ("warmup_steps = args.envs * 3\n", "Warm-up", "warmup_steps=8 * 3"),
    ("from sets import Images\nImages(1, shuffle=True)\n", "Shuffling", "Images(shuffle=True)"),
    ("from sets import Images\nImages(1, augment=True)\n", "Data augmentation", "augment=True of Images"),
    ("torch.cuda.manual_seed(3)\n", "exact reproducibility settings", "exact reproducibility settings: torch.cuda.manual_seed(3)"),
    ("from sets import ReduceLROnPlateau\nReduceLROnPlateau(optimizer, factor=0.5)\n", "Learning-rate schedule", "ReduceLROnPlateau(factor=0.5)"),
    ("voc_lr = 1e-4\noptimizer = torch.optim.Adam([])\n", "Learning rate", "voc_lr=0.0001"),
])  # fmt: skip
def test_what_a_script_says_without_a_settings_name(tmp_path: Path, text: str, title: str, value: str) -> None:
    sets = "class Images:\n    def __init__(self, root, shuffle=False, augment=False):\n        pass\nclass ReduceLROnPlateau:\n    pass\n"
    parser = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--envs', type=int, default=8)\nargs = parser.parse_args()\n"
    assert rows(tmp_path, train=parser + TRAIN + text, net=NET, sets=sets)[title][0].value == value


def test_lengths_of_rollouts_and_of_another_script(tmp_path: Path) -> None:
    parser = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--num-steps', default=128, help='the number of steps to run in each environment per policy rollout')\nparser.add_argument('--epochs', default=1000)\nargs = parser.parse_args()\n"
    found = rows(tmp_path, train_vae=parser + TRAIN, train_rnn="epochs = 30\n" + TRAIN, net=NET)
    assert found["Epochs, iterations"][0].value == "epochs=1000, epochs=30"


def test_two_values_that_are_set_in_one_statement(tmp_path: Path) -> None:
    text = TRAIN.replace("optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n", "class Learner:\n    def __init__(self, lr, beta):\n        self.lr, self.beta = lr, beta\n        self.optimizer = torch.optim.Adam([], lr=self.lr, betas=(self.beta, 0.9))\noptimizer = Learner(0.2, 0.5).optimizer\n")
    assert rows(tmp_path, train=text, net=NET)["Optimizer"][0].value == "Adam, lr=0.2, betas=(0.5, 0.9)"


def test_lists_over_several_lines(tmp_path: Path) -> None:
    (tmp_path / "train.yaml").write_text("TRAIN:\n  LR_STEP:\n  - 170\n  - 200\n  LR: 0.5\n")
    text = TRAIN + "def run(cfg):\n    return torch.optim.lr_scheduler.MultiStepLR(optimizer, cfg.TRAIN.LR_STEP)\nrun(1)\n"
    found = rows(tmp_path, train=text, net=NET)
    assert found["Learning-rate schedule"][0].value.startswith("MultiStepLR([170, 200])") and found["Learning rate"][0].value == "LR=0.5"


def test_a_spectrum_is_no_spectral_normalisation(tmp_path: Path) -> None:
    names = "def spectral_normalize(x):\n    return x\nclass SNConv2d:\n    pass\nspectral_normalize(SNConv2d)\n"
    assert rows(tmp_path, train=TRAIN + names, net=NET)["spectral normalisation"][0].value == "spectral normalisation: SNConv2d"


def test_gradients_that_evaluation_and_losses_switch_off_are_no_freezing(tmp_path: Path) -> None:
    text = TRAIN + "def val(net):\n    for p in net.parameters():\n        p.requires_grad = False\nval(model)\n"
    loss = "class GeneratorLoss:\n    def __init__(self, net):\n        for param in net.parameters():\n            param.requires_grad = False\n"
    assert "freezing" not in rows(tmp_path, train=text, net=NET, losses=loss)


def test_a_device_is_no_switch_of_a_practice(tmp_path: Path) -> None:
    text = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--cuda', action='store_true')\nparser.add_argument('--lr_mlp', default=0.01, help='multiplicative factor applied to the learning rate of the mapping')\nargs = parser.parse_args()\n" + TRAIN + "if args.cuda:\n    model = torch.nn.DataParallel(model)\n"
    found = rows(tmp_path, train=text, net=NET)
    assert found["data-parallel training"][0].value == "data-parallel training: torch.nn.DataParallel" and found["Learning rate"][0].value == "0.1"


def test_the_framework_itself_as_an_argument(tmp_path: Path) -> None:
    """`hasattr(torch, "no_grad")` uses a name without a dot."""
    assert rows(tmp_path, train=TRAIN + "print(hasattr(torch, 'no_grad'))\n", net=NET)["Optimizer"][0].value == "SGD, lr=0.1"
