"""Which of a project's files and functions say something about its training, and what says it without a setting's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.recipe.test_recipe import rows

STEP = "    optimizer.zero_grad()\n    loss.backward()\n    optimizer.step()\n"
TRAIN = "import torch\ndef train(net, loss):\n    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n" + STEP + "train(1, 2)\n"


def test_a_kit_for_evaluation_sets_nothing_where_another_file_trains(tmp_path: Path) -> None:
    kit = tmp_path / "SentEval" / "tools"
    kit.mkdir(parents=True)
    probe = "import torch\ndef probe(net, loss, max_epoch=15):\n    optimizer = torch.optim.Adam(net.parameters())\n    early_stop = True\n    loss.backward()\nprobe(1, 2)\n"
    (kit / "classifier.py").write_text(probe)
    assert [a.value for a in rows(tmp_path, train=TRAIN)["Optimizer"]] == ["SGD, lr=0.1"]
    (tmp_path / "train.py").unlink()
    assert [a.value for a in rows(tmp_path)["Optimizer"]] == ["Adam"]


def test_a_function_that_nothing_names_makes_no_optimizer(tmp_path: Path) -> None:
    unused = "def create_optimizer(net):\n    return torch.optim.Adam(net.parameters(), lr=3e-4)\n"
    assert [a.value for a in rows(tmp_path, train=TRAIN + unused)["Optimizer"]] == ["SGD, lr=0.1"]


def test_a_class_of_arguments_and_a_subclass_of_the_trainer(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        train="from transformers import Trainer, TrainingArguments, HfArgumentParser\nclass Own(TrainingArguments):\n    pass\nclass Contrastive(Trainer):\n    pass\n"
        "args, = HfArgumentParser((Own,)).parse_args_into_dataclasses()\nContrastive(args=args).train()\n",
    )
    assert found["Optimizer"][0].value == "AdamW (the Trainer's default)"
    assert found["Learning-rate schedule"][0].value == "linear (the Trainer's default)"
    assert found["Shuffling"][0].value == "Trainer shuffles by itself (RandomSampler)"


def test_a_schedule_of_another_package(tmp_path: Path) -> None:
    text = TRAIN.replace("    optimizer.zero", "    from cosine_annealing_warmup import CosineAnnealingWarmupRestarts\n    schedule = CosineAnnealingWarmupRestarts(optimizer, max_lr=0.1, warmup_steps=2000)\n    optimizer.zero")
    found = rows(tmp_path, train=text)
    assert found["Learning-rate schedule"][0].value == "CosineAnnealingWarmupRestarts(max_lr=0.1, warmup_steps=2000)"
    assert found["Warm-up"][0].value == "warmup_steps=2000"
    assert found["Learning rate"][0].value == "0.1"


def test_a_warm_up_of_something_else_is_none_of_the_rate(tmp_path: Path) -> None:
    noise = "def warmup_noise(start, end, n):\n    return [start + (end - start) * i / n for i in range(n)]\nwarmup_noise(0, 1, 2)\n"
    assert rows(tmp_path, train=TRAIN + noise)["Warm-up"][0].status == "not found"
    rate = "def warmup(step):\n    return min(step / 10, 1)\ntorch.optim.lr_scheduler.LambdaLR(1, lr_lambda=warmup)\n"
    assert rows(tmp_path, train=TRAIN + rate)["Warm-up"][0].value == "warmup"


@pytest.mark.parametrize(
    ("loop", "value"),
    [("range(start, start + 200)", "epoch=200"), ("trange(1, 90)", "epoch=90"), ("tqdm(range(args.T_max))", "T_max=50000000")],
)
def test_the_length_of_a_loop_that_trains(tmp_path: Path, loop: str, value: str) -> None:
    parser = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--T-max', type=int, default=int(50e6))\nargs = parser.parse_args()\n"
    text = TRAIN.replace("train(1, 2)\n", f"{parser}start = 0\nfor epoch in {loop}:\n    train(1, 2)\n")
    assert rows(tmp_path, train=text)["Epochs, iterations"][0].value == value


def test_a_template_decides_as_the_command_line_does(tmp_path: Path) -> None:
    template = (
        "def set_template(args):\n    if args.template == 'bert':\n        size = 128\n        args.batch_size = size\n        args.num_epochs = 100 if args.small else 200\n"
        "    if args.debug:\n        args.num_epochs = 2\n"
    )
    parser = "import argparse\nfrom templates import set_template\nparser = argparse.ArgumentParser()\nparser.add_argument('--batch_size', type=int, default=64)\nset_template(parser.parse_args())\n"
    found = rows(tmp_path, templates=template, options=parser, train=TRAIN)
    assert found["Epochs, iterations"][0].value == "num_epochs=100, num_epochs=200"
    assert found["Batch size"][0].value == "batch_size=64, batch_size=128"


def test_a_batch_that_is_shared_among_processes(tmp_path: Path) -> None:
    loader = "from torch.utils.data import DataLoader\nglobal_batch_size = 256\nDataLoader([], batch_size=int(global_batch_size // torch.distributed.get_world_size()), shuffle=True)\n"
    assert rows(tmp_path, train=TRAIN + loader)["Batch size"][0].value.startswith("256 // torch.distributed.get_world_size()")


def test_the_rate_that_a_script_stores_on_the_model(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        model="import torch\nclass Model(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n    def configure_optimizers(self):\n        lr = self.learning_rate\n        return torch.optim.Adam(self.parameters(), lr=lr)\n",
        main="import os\nfrom model import Model\nmodel = Model()\nbase_lr = 4.5e-6\ngpus = int(os.environ['GPUS'])\nmodel.learning_rate = gpus * base_lr\n",
    )
    assert found["Optimizer"][0].value == "Adam, lr=os.environ['GPUS'] * 4.5e-06"


def test_the_rate_that_a_table_gives(tmp_path: Path) -> None:
    text = TRAIN.replace("lr=0.1", "lr={'small': 5e-4, 'large': 4e-4}[name]")
    assert rows(tmp_path, train=text)["Learning rate"][0].value == "0.0004 or 0.0005"


def test_copies_of_a_network_are_not_frozen_parts_of_it(tmp_path: Path) -> None:
    frozen = "    for p in {over}.parameters():\n        p.requires_grad = False\n"
    part = TRAIN.replace("    loss.backward", frozen.format(over="net.backbone") + "    loss.backward")
    assert "freezing" in rows(tmp_path, train=part)
    target = TRAIN.replace("    loss.backward", "    target = make()\n    target.load_state_dict(net.state_dict())\n" + frozen.format(over="target") + "    loss.backward")
    assert "freezing" not in rows(tmp_path, train=target)


def test_an_augmentation_draws(tmp_path: Path) -> None:
    wrapper = "def _augment_time_step(step):\n    return dict(step, discount=1.0)\n_augment_time_step({})\n"
    assert rows(tmp_path, train=TRAIN + wrapper)["Data augmentation"][0].status == "not found"
    points = "import numpy as np\ndef shift_point_cloud(x):\n    return x + np.random.uniform(-1, 1, 3)\nshift_point_cloud(1)\n"
    assert rows(tmp_path, train=TRAIN + points)["Data augmentation"][0].value == "shift_point_cloud"


def test_a_tool_beside_the_project_shows_no_structure(tmp_path: Path) -> None:
    tool = "def generate_anchors():\n    return [8, 16]\ndef count():\n    print(generate_anchors())\ncount()\n"
    assert "anchors" not in rows(tmp_path, train=TRAIN, count_boxes=tool)
    assert "anchors" in rows(tmp_path, train="import count_boxes\n" + TRAIN, count_boxes=tool)


def test_layers_of_other_libraries_are_structure(tmp_path: Path) -> None:
    text = "from timm.models.vision_transformer import Attention\nblock = Attention(8)\n"
    assert rows(tmp_path, train=TRAIN + text)["attention"][0].value == "attention: timm.models.vision_transformer.Attention"


def test_weights_in_few_bits(tmp_path: Path) -> None:
    text = "from transformers import BitsAndBytesConfig\nBitsAndBytesConfig(load_in_4bit=True)\n"
    assert "weights in few bits" in rows(tmp_path, train=TRAIN + text)


def test_a_program_that_trains_is_no_self_test_though_another_file_imports_it(tmp_path: Path) -> None:
    system = "from pytorch_lightning import LightningModule, Trainer\nclass System(LightningModule):\n    pass\ndef picture(x):\n    return x\n"
    found = rows(
        tmp_path, train=system + "if __name__ == '__main__':\n    Trainer(precision=16, strategy='ddp').fit(System())\n",
        gui="from train import picture\nprint(picture(1))\n",
    )  # fmt: skip
    assert [a.value for a in found["mixed precision"]] == ["mixed precision: Trainer(precision=16)"]
    assert [a.value for a in found["data-parallel training"]] == ["data-parallel training: Trainer(strategy='ddp')"]


def test_a_group_for_each_of_several_networks(tmp_path: Path) -> None:
    text = "import torch\ndef train(nets, loss, base=None):\n    groups = [{'params': net.parameters(), 'lr': 2e-4 / net.width} for net in nets]\n    optimizer = torch.optim.Adam(groups)\n" + STEP + "train(1, 2)\n"
    assert "group {params=net.parameters(), lr=0.0002 / net.width}" in rows(tmp_path, train=text)["Optimizer"][0].value


def test_a_data_set_that_draws_a_batch_for_an_item(tmp_path: Path) -> None:
    text = TRAIN + "import numpy as np\nfrom torch.utils.data import Dataset, DataLoader\nclass Rays(Dataset):\n    def __getitem__(self, i):\n        return np.random.choice(len(self.rays), {})\nloader = DataLoader(Rays(), batch_size=None)\n"
    assert "Rays draws samples by numpy.random.choice" in rows(tmp_path, train=text.format("self.n"))["Shuffling"][0].value
    assert "draws" not in rows(tmp_path, train=text.format("2"))["Shuffling"][0].value
