"""Names of timm in programs that do not take its source along: both sides train alike, and what versions understand otherwise is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides

NETWORK = """
import numpy as np
import torch
import torch.nn as nn
from timm.data.constants import IMAGENET_DEFAULT_MEAN, IMAGENET_DEFAULT_STD
from timm.layers.helpers import make_divisible
from timm.loss import LabelSmoothingCrossEntropy
from timm.models.layers import DropPath, drop_path, to_2tuple, trunc_normal_
from timm.models.vision_transformer import Mlp
from timm.utils import AverageMeter, accuracy


class Stochastic(nn.Module):
    def __init__(self, drop_prob=None):
        super().__init__()
        self.drop_prob = drop_prob

    def forward(self, x):
        return drop_path(x, self.drop_prob, self.training)


class Block(nn.Module):
    def __init__(self, dim, rate):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.mlp = Mlp(in_features=dim, hidden_features=make_divisible(dim * 1.5), act_layer=nn.GELU)
        self.drop_path = DropPath(rate) if rate > 0.0 else nn.Identity()
        self.other = Stochastic(0.0)

    def forward(self, x):
        return self.other(x + self.drop_path(self.mlp(self.norm(x))))


class Net(nn.Module):
    def __init__(self, img_size=8, patch_size=4, dim=12):
        super().__init__()
        img_size, patch_size = to_2tuple(img_size), to_2tuple(patch_size)
        self.count = (img_size[0] // patch_size[0]) * (img_size[1] // patch_size[1])
        self.proj = nn.Conv2d(3, dim, kernel_size=patch_size, stride=patch_size)
        self.pos_embed = nn.Parameter(torch.zeros(1, self.count, dim))
        self.blocks = nn.ModuleList([Block(dim, rate) for rate in (0.0, 0.9999999)])  # all or nothing: both sides drop all
        self.head = nn.Linear(dim, 5)
        trunc_normal_(self.pos_embed, std=0.02)
        self.apply(self._init_weights)

    def _init_weights(self, m):
        if isinstance(m, nn.Linear):
            trunc_normal_(m.weight, std=0.02)
            if m.bias is not None:
                nn.init.constant_(m.bias, 0)

    def forward(self, x):
        x = self.proj(x).flatten(2).transpose(1, 2) + self.pos_embed
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(1))


net = Net()
told = [net.head.weight.std().item() > 0.01, net.head.weight.abs().max().item() < 0.1, net.pos_embed.std().item() > 0.01, DropPath(0.5).training]
rng = np.random.RandomState(0)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.from_numpy(rng.randn(*p.shape).astype("float32") * 0.3))
mean, std = (torch.tensor(value).view(1, 3, 1, 1) for value in (IMAGENET_DEFAULT_MEAN, IMAGENET_DEFAULT_STD))
images = (torch.from_numpy(rng.rand(6, 3, 8, 8).astype("float32")) - mean) / std
labels = torch.tensor([0, 4, 2, 2, 1, 3])
criterion = LabelSmoothingCrossEntropy(smoothing=0.1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
meter = AverageMeter()
net.train()
numbers = []
for _ in range(2):
    output = net(images)
    loss = criterion(output, labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    meter.update(loss.item(), images.size(0))
    numbers += [share.item() for share in accuracy(output, labels, topk=(1, 3))]
net.eval()
numbers += [meter.avg, meter.count, *net.blocks[0].mlp.fc1.weight[0].tolist(), *net.blocks[1].mlp.fc1.weight[0].tolist(), *net(images)[0].tolist()]
"""

MIXED = """
import numpy as np
import torch
import torch.nn as nn
from timm.data.mixup import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.utils import ModelEma, get_state_dict

net = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 36, 5))
rng = np.random.RandomState(0)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.from_numpy(rng.randn(*p.shape).astype("float32") * 0.2))
average = ModelEma(net, decay=0.7)
mixup = Mixup(mixup_alpha=0.8, cutmix_alpha=1.0, label_smoothing=0.1, num_classes=5)
criterion = SoftTargetCrossEntropy()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
np.random.seed(3)
numbers = []
for _ in range(4):
    images, labels = torch.from_numpy(rng.rand(6, 3, 6, 6).astype("float32")), torch.tensor([0, 4, 2, 2, 1, 3])
    samples, targets = mixup(images, labels)
    loss = criterion(net(samples), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    average.update(net)
    numbers += [loss.item(), targets.sum().item(), samples.size(0)]
told = [average.ema.training, net.training, "0.weight" in get_state_dict(average)]
with torch.no_grad():
    numbers += average.ema(images)[0].tolist()
"""

SCHEDULED = """
import torch
import torch.nn as nn
from timm.scheduler.cosine_lr import CosineLRScheduler
from torchvision import get_image_backend

net = nn.Linear(3, 2)
with torch.no_grad():
    net.weight.copy_(torch.arange(6.0).reshape(2, 3) / 7)
    net.bias.fill_(0.5)
optimizer = torch.optim.AdamW(net.parameters(), lr=0.1, weight_decay=0.05)
scheduler = CosineLRScheduler(optimizer, t_initial=6, lr_min=1e-3, warmup_t=2, warmup_lr_init=1e-4, cycle_limit=1, t_in_epochs=False)
numbers = []
for step in range(6):
    loss = nn.functional.cross_entropy(net(torch.arange(12.0).reshape(4, 3) / (step + 1)), torch.tensor([0, 1, 1, 0]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step_update(step + 1)
    numbers += [loss.item(), optimizer.param_groups[0]["lr"]]
numbers += net.weight.flatten().tolist()
told = get_image_backend()
"""

OTHERS = """
import torch.nn as nn
from timm.models.layers import Mlp, PatchEmbed

first = Mlp(8, 16, 8, nn.GELU, 0.1)
second = PatchEmbed(8, 4)
"""


@pytest.mark.frameworks
@pytest.mark.parametrize("text", [NETWORK, MIXED, SCHEDULED], ids=["network", "mixed", "scheduled"])
def test_both_sides_train_alike(tmp_path: Path, text: str) -> None:
    from mindport.evidence.timm_source import timm

    timm()
    theirs, ours = both_sides(tmp_path, text)
    assert not [name for name in vars(ours).values() if getattr(name, "__module__", "").startswith("timm")]
    assert theirs.told == ours.told
    assert ours.numbers == pytest.approx(theirs.numbers, rel=1e-4, abs=1e-5)


def test_what_versions_understand_otherwise_is_refused(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(OTHERS, encoding="utf-8")
    found = convert(discover(tmp_path)).findings
    assert any(finding.risk == "loud" and "give drop by name" in finding.message and finding.span and finding.span.line == 5 for finding in found)
    assert [finding.span.line for finding in found if finding.code == "MP108" and finding.span] == [6]
