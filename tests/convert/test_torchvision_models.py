"""Programs that begin with one of torchvision's networks: what its parts are is known, weights come from the same file, and a network is chosen by its name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.report.scan import scan
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, converted_script

FINE_TUNED = """
import numpy as np
import torch
import torch.nn as nn
from torchvision import models

model = models.resnet18(pretrained=True)
for param in model.parameters():
    param.requires_grad = False
model.fc = nn.Linear(model.fc.in_features, 3)
nn.init.constant_(model.fc.weight, 0.01)
nn.init.zeros_(model.fc.bias)
optimizer = torch.optim.SGD(model.fc.parameters(), lr=0.1)
images = torch.from_numpy(np.random.default_rng(0).normal(size=(4, 3, 64, 64)).astype(np.float32))
kept = []
for _ in range(2):
    loss = nn.CrossEntropyLoss()(model(images), torch.tensor([0, 2, 1, 1]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    kept.append(loss.detach())
model.eval()
trunk = nn.Sequential(*list(model.children())[:-2])
with torch.no_grad():
    kept += [model(images), trunk(images), model.layer1[0].conv1.weight, model.bn1.running_mean]


class Features(models.ResNet):
    def __init__(self):
        super().__init__(models.resnet.BasicBlock, [1, 1, 1, 1], num_classes=5)
        self.width = self.fc.in_features

    def forward(self, x):
        return self._forward_impl(x).sum(dim=1)


features = Features()
shapes = [tuple(features(images).shape), features.width, features.training, features.layer1[0].training, model.training]
"""

CHOSEN = """
import argparse
import torchvision.models as models

names = sorted(name for name in models.__dict__ if name.islower() and not name.startswith("__") and callable(models.__dict__[name]))
parser = argparse.ArgumentParser()
parser.add_argument("--arch", default="resnet18", choices=names)
args = parser.parse_args()
model = models.__dict__[args.arch](pretrained=False)
model.train()
other = getattr(models, args.arch)(num_classes=10)
"""


def test_parts_of_a_network_are_known(tmp_path: Path) -> None:
    text = converted_script(tmp_path, FINE_TUNED)
    assert "nn.Dense(model.fc.in_channels, 3)" in text and "self.width = self.fc.in_channels" in text
    assert "def construct(self, x):" in text and "Features().set_train()" in text
    assert "torchvision" not in text and "unconverted" not in text


def test_a_network_chosen_by_name(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(CHOSEN, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    text = next(text for path, text in conversion.files.items() if path.name == "main.py")
    assert "models = SimpleNamespace(\n" in text and "    resnet18=resnet18,\n" in text and "    wide_resnet101_2=wide_resnet101_2,\n" in text
    assert "models.__dict__[args.arch](pretrained=False)" in text and "getattr(models, args.arch)(num_classes=10)" in text
    assert "model.set_train()" in text and "import torchvision" not in text
    assert {f.code for f in conversion.findings if f.risk in ("blocker", "silent")} == set()
    assert any(f.code == "MP103" and "the families of those" in f.message for f in conversion.findings)


@pytest.mark.frameworks
def test_fine_tuning_from_the_same_file_of_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from mindport.evidence.torchvision_source import torchvision

    torch.manual_seed(1)
    weights = torchvision().models.resnet18().state_dict()
    place = tmp_path / "hub" / "checkpoints" / "resnet18-f37072fd.pth"
    place.parent.mkdir(parents=True)
    torch.save(weights, place)
    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    theirs, ours = both_sides(tmp_path, FINE_TUNED)
    assert theirs.shapes == ours.shapes == [(4,), 512, True, True, False]
    for expected, found in zip(theirs.kept, ours.kept, strict=True):
        numbers = expected.detach().numpy()
        np.testing.assert_allclose(found.asnumpy(), numbers, rtol=1e-4, atol=1e-5 * max(1.0, float(np.abs(numbers).max())))


MEMBERS = """
import torchvision.transforms as T
from torchvision.models import ResNet50_Weights, resnet50
from torchvision.models.resnet import model_urls

weights = ResNet50_Weights.DEFAULT
same = ResNet50_Weights.verify("IMAGENET1K_V2")
net = resnet50(weights=weights)
place = T.RandomCrop.get_params(image, (4, 4))
order = T.ColorJitter.get_params((0.8, 1.2), None, None, None)
address = model_urls["resnet18"]
prepare = ResNet50_Weights.DEFAULT.transforms()
names = weights.meta["categories"]
"""


def test_a_scan_knows_members_of_classes_as_a_conversion_does(tmp_path: Path) -> None:
    """``ResNet50_Weights.DEFAULT`` and ``RandomCrop.get_params(…)`` were converted, and called blockers by a scan."""
    text = converted_script(tmp_path, MEMBERS)
    assert "torchvision" not in text.replace("https://download.pytorch.org/models", "")
    assert "prepare = ResNet50_Weights.DEFAULT.transforms()" in text and 'names = meta(weights)["categories"]' in text
    assert {row.code for row in scan(discover(tmp_path)).rows} <= {None, "MP103", "MP104"}


FIELDS = """
from torchvision.models.googlenet import GoogLeNetOutputs
from torchvision.models.inception import InceptionOutputs


def scores(out):
    if isinstance(out, GoogLeNetOutputs):
        return out.logits, out.aux_logits2, out._fields
    if isinstance(out, InceptionOutputs):
        return out.logits, out.aux_logits
    return out.third if isinstance(out, InceptionOutputs) else out
"""


def test_fields_of_what_a_network_gives_in_training(tmp_path: Path) -> None:
    """After ``isinstance`` they were blockers; a name that the tuple has not still is one."""
    (tmp_path / "main.py").write_text(FIELDS, encoding="utf-8")
    found = [finding for finding in convert(discover(tmp_path)).findings if finding.code == "MP108"]
    assert ["third" in finding.message for finding in found] == [True]
