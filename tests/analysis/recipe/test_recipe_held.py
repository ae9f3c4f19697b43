"""What a name holds until it is used: classes of optimizers, loops over a bar; and settings that every file leaves empty."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.recipe.test_recipe import rows

TRAINER = (
    "import torch\nimport tqdm\nimport yaml\nfrom data import Data\nopt = yaml.safe_load(open('run.yaml'))\nclass Model:\n    def setup(self, opt, graph):\n        kind = getattr(torch.optim, opt.optim.algo)\n"
    "        self.optim = kind([dict(params=graph.parameters(), lr=opt.optim.lr)])\n    def train(self, opt, graph):\n        bar = tqdm.trange(opt.max_iter)\n        for self.it in bar:\n"
    "            if opt.optim.warmup_pose:\n                self.optim.param_groups[0]['lr'] *= min(1, self.it / opt.optim.warmup_pose)\n            graph(Data(opt)[0]).sum().backward()\n            self.optim.step()\n"
    "    def evaluate(self, opt, graph):\n        refine = torch.optim.SGD(graph.parameters(), lr=0.5)\n        refine.step()\n    def frames(self, opt):\n        for step in range(0, opt.max_iter, 10):\n            print(step)\n"
)
DATA = "class Data:\n    def __init__(self, opt):\n        self.augment = opt.data.augment\n    def __getitem__(self, i):\n        return self.apply_color_jitter(i) if self.augment else i\n    def apply_color_jitter(self, x):\n        return jitter(x)\n"


@pytest.mark.parametrize("augment", ["{}", "{hue: 0.1}"])
def test_a_class_of_optimizers_a_bar_and_empty_settings(tmp_path: Path, augment: str) -> None:
    (tmp_path / "run.yaml").write_text(f"max_iter: 2000\ndata:\n    augment: {augment}\noptim:\n    algo: Adam\n    lr: 1.e-3\n    warmup_pose:       # linear warm-up\n")
    found = rows(tmp_path, model=TRAINER, data=DATA)
    assert [answer.value for answer in found["Optimizer"]] == ["Adam, group {params=graph.parameters(), lr=1.e-3 (opt.optim.lr)}"]  # the one of `evaluate` trains nothing
    assert found["Epochs, iterations"][0].value == "max_iter=2000"
    assert found["Warm-up"][0].value == "off: warmup_pose=null (nothing gives it)"
    assert found["Data augmentation"][0].value == ("off unless asked for: apply_color_jitter (augment={})" if augment == "{}" else "apply_color_jitter")


def test_a_loss_is_no_augmentation_and_a_number_of_steps_no_rate(tmp_path: Path) -> None:
    options = "import argparse\nimport torch\np = argparse.ArgumentParser()\np.add_argument('--lr', type=float, default=0.01)\np.add_argument('--lr_sh_rate', type=int, default=150)\nargs = p.parse_args()\n"
    loss = "def photometric_reconstruction_loss(image, warped):\n    return torch.nn.functional.grid_sample(image, warped).mean()\n"
    found = rows(tmp_path, train=options + loss + "optimizer = torch.optim.SGD([], lr=args.lr)\nphotometric_reconstruction_loss(1, 2).backward()\noptimizer.step()\n")
    assert found["Data augmentation"][0].status == "not found" and found["Learning rate"][0].value == "lr=0.01"
