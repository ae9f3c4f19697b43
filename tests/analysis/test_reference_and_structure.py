"""Reference, structure, data, nearest models, the order of work, and the verdict: small projects with known answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mindport.analysis.answers import Answer, Section, Table
from mindport.analysis.network_parts import role_of
from mindport.analysis.zoo.nearest import index, nearest
from mindport.report.analysis import Analysis, analyze
from mindport.report.analysis_text import json_text, markdown, schema_text
from mindport.report.html import render
from mindport.source.discover import discover

DETECTOR = """
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class CSPDarknet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3)

    def forward(self, x):
        return self.stem(x)


class PAFPN(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = CSPDarknet()
        self.lateral = nn.Conv2d(8, 4, 1, bias=False)

    def forward(self, x):
        return self.lateral(self.backbone(x))


class BoxHead(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.cls_convs = nn.ModuleList()
        self.reg_convs = nn.ModuleList()
        self.cls_convs.append(nn.Conv2d(4, width, 3))
        self.reg_convs.append(nn.Conv2d(4, width, 3))

    def decode(self, out, grids, strides):
        return torch.exp(out[..., 2:4]) * strides

    def forward(self, x):
        return self.cls_convs[0](x), self.reg_convs[0](x)

    def initialize_biases(self, p):
        self.cls_convs[0].bias.data.fill_(p)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = PAFPN()
        self.head = BoxHead(16)

    def forward(self, x):
        return self.head(self.backbone(x))


class Boxes(Dataset):
    def __getitem__(self, i):
        return i


class Exp:
    def __init__(self):
        self.weight_decay = 5e-4

    def optimizer(self, model):
        normal, decayed = [], []
        for m in model.modules():
            if isinstance(m, nn.BatchNorm2d):
                m.eps = 1e-3
                m.momentum = 0.03
                normal.append(m.weight)
            elif hasattr(m, "weight"):
                decayed.append(m.weight)
        optimizer = torch.optim.SGD(normal, lr=0.01, momentum=0.9)
        optimizer.add_param_group({"params": decayed, "weight_decay": self.weight_decay})
        return optimizer
"""
README = """# Official implementation of our detector
See https://arxiv.org/abs/2107.08430.

| Model | size | mAP val | weights |
| --- | --- | --- | --- |
| small | 640 | 40.5 | [link](https://example.org/small.pth) |

Data set: https://example.org/boxes.zip
"""


def analysed(folder: Path, files: dict[str, str]) -> Analysis:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return analyze(discover([folder]))


@pytest.fixture(scope="module")
def detector(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    log = "\n".join(f"step {i} loss: {9.5 - i}" for i in range(6))
    files = {"net.py": DETECTOR, "train.py": "from net import Detector\nnet = Detector()\n", "README.md": README, "run.log": log, "LICENSE": "MIT License\n"}
    return analysed(tmp_path_factory.mktemp("detector"), files)


def section(analysis: Analysis, letter: str) -> Section:
    return next(section for section in analysis.sections if section.letter == letter)


def answer(analysis: Analysis, title: str) -> Answer:
    return next(a for s in analysis.sections for a in s.answers if a.title == title)


def parts_table(analysis: Analysis) -> dict[str, tuple[str, ...]]:
    table = next(p for p in section(analysis, "A").parts if isinstance(p, Table) and p.title.startswith("Parts"))
    return {row[1]: row for row in table.rows}


def test_backbone_neck_and_head_by_class_before_attribute(detector: Analysis) -> None:
    parts = parts_table(detector)
    assert {role: row[2] for role, row in parts.items()} == {"backbone": "CSPDarknet", "neck": "PAFPN", "head": "BoxHead"}
    assert parts["neck"][3:5] == ("net.py:16", "net.py:47")
    assert "decoupled head" in parts["head"][7]


def test_parameters_where_constant_and_formula_elsewhere(detector: Analysis) -> None:
    parts = parts_table(detector)
    assert parts["neck"][6] == "32 in 1 layers of constant size"  # the backbone inside it has its own row
    assert parts["backbone"][6].startswith("224 in 1")


def test_a_picture_has_no_style_and_no_script(detector: Analysis) -> None:
    picture = next(p for p in section(detector, "A").parts if p.__class__.__name__ == "Picture")
    assert "style" not in picture.svg and "script" not in picture.svg and "CSPDarknet" in picture.svg  # type: ignore[union-attr]


def test_the_reference_is_judged_from_its_text(detector: Analysis) -> None:
    assert answer(detector, "Licence").value == "MIT"
    own = answer(detector, "The authors' own")
    assert own.status == "claimed only" and own.quotes[0].line == 1
    assert "mAP val 40.5" in answer(detector, "Results are stated").value


def test_data_weights_and_losses(detector: Analysis) -> None:
    assert "Boxes" in answer(detector, "Data sets").value
    assert "boxes.zip" in answer(detector, "Where data comes from").value
    assert "small.pth" in answer(detector, "Weights").value
    losses = answer(detector, "Losses on record")
    assert "9.5 → 4.5 over 6 lines" in losses.value and losses.quotes[1].line == 6


def test_groups_settings_by_attribute_and_own_initialisation(detector: Analysis) -> None:
    optimizer = answer(detector, "Optimizer").value
    assert "weight_decay=0.0005 (self.weight_decay)" in optimizer and "not (isinstance(m, nn.BatchNorm2d))" in optimizer
    settings = answer(detector, "Layer settings by attribute")
    assert "BatchNorm2d.momentum=0.03" in settings.value and "0.97" in settings.advice
    assert "initialize_biases" in answer(detector, "Initialisation").value
    assert answer(detector, "Decoupled head").quotes and answer(detector, "Anchor free").quotes[0].line == 35


def test_the_verdict_orders_work_leaves_first_and_counts_effort(detector: Analysis) -> None:
    verdict = detector.verdict
    assert 1 <= len(verdict.why) <= 3 and verdict.effort.low < verdict.effort.high
    assert len(verdict.effort.rationale) >= 2
    assert verdict.order[0].path == "net.py"
    risks = [danger.risk for danger in verdict.dangers]
    assert risks == sorted(risks, key=["blocker", "silent", "loud", "style"].index)


def test_every_form_shows_the_verdict(detector: Analysis) -> None:
    assert "Order of work" in markdown(detector)
    assert "Order of work" in render(detector.report, detector.sections, detector.verdict)
    assert json.loads(json_text(detector))["verdict"]["order"][0]["path"] == "net.py"


def test_the_schema_is_the_models() -> None:
    kept = Path(__file__).parents[2] / "docs" / "schema" / "analysis-1.json"
    assert kept.read_text(encoding="utf-8") == schema_text()


def test_nothing_at_all_gets_the_third_way(tmp_path: Path) -> None:
    made = analysed(tmp_path, {"notes.md": "no code here\n"})
    assert answer(made, "No reference implementation").status == "not found"
    assert made.verdict.effort.high == 0


def test_a_parameter_takes_what_its_caller_gives_and_a_group_is_no_setting(tmp_path: Path) -> None:
    text = """
import torch
weight_decay = 0.1
def make(model, weight_decay):
    return torch.optim.AdamW([{"params": model.a, "weight_decay": weight_decay}, {"params": model.b, "weight_decay": 0.0}], lr=1e-3)
def run(model):
    return make(model, weight_decay)
"""
    value = answer(analysed(tmp_path, {"t.py": text}), "Optimizer").value
    assert "weight_decay=0.1 (weight_decay)" in value and "weight_decay=0.0}" in value


def test_a_scheduler_of_the_projects_own_is_no_optimizer(tmp_path: Path) -> None:
    text = """
import torch
class Warm(torch.optim.lr_scheduler.LRScheduler):
    pass
opt = torch.optim.SGD([], lr=0.1)
Warm(opt, warm=3)
"""
    made = analysed(tmp_path, {"t.py": text})
    assert [a.value for a in section(made, "B").answers if a.title == "Optimizer"] == ["SGD, lr=0.1"]
    assert "Warm(warm=3)" in answer(made, "Learning-rate schedule").value


@pytest.mark.parametrize(
    ("name", "role"),
    [("YOLOPAFPN", "neck"), ("BottleNeck", ""), ("CSPDarknet", "backbone"), ("YOLOXHead", "head"), ("Down", "encoder"), ("up3", "decoder"), ("Block", ""), ("number", "")],
)
def test_roles(name: str, role: str) -> None:
    assert role_of(name) == role


def test_the_nearest_model_by_name_and_classes_and_none_where_nothing_agrees() -> None:
    found = nearest(["YOLOX"], ["YOLOX", "YOLOXHead"], {"Conv2d": 9})
    assert found[0].zoo == "mindyolo" and found[0].name == "yolox" and found[0].share == 100.0
    assert nearest(["zzzq"], ["Qqqz"], {"Conv2d": 9}) == []
    assert {zoo["name"] for zoo in index()["zoos"]} >= {"mindcv", "mindyolo", "mindocr", "mindnlp", "mindaudio", "mindone", "mindformers", "models"}


def test_parts_that_functions_make_and_heads_of_several_layers(tmp_path: Path) -> None:
    body = "import torch.nn as nn\nclass ResNet(nn.Module):\n    def __init__(self, bias):\n        super().__init__()\n        if bias:\n            self.conv = nn.Conv2d(3, 8, 3)\n        else:\n            self.conv = nn.Conv2d(3, 8, 3, bias=False)\ndef build(name):\n    sizes = {'out': 8}\n    return ResNet(name == 'a'), sizes\ndef plain():\n    return ResNet(True)\n"
    net = "import torch.nn as nn\nfrom body import build, plain\nclass Net(nn.Module):\n    def __init__(self, name):\n        super().__init__()\n        self.backbone, self.sizes = build(name)\n        self.encoder = plain()\n        self.final_fc = nn.Sequential(nn.Dropout(0.5), nn.Linear(8, 3))\n"
    made = analysed(tmp_path, {"body.py": body, "net.py": net, "train.py": "from net import Net\nmodel = Net('a')\n"})
    parts = parts_table(made)
    assert {role: (row[2], row[5]) for role, row in parts.items()} == {"backbone": ("ResNet", "Conv2d ×2"), "head": ("Sequential", "Dropout, Linear")}
    classes = next(p for p in section(made, "A").parts if isinstance(p, Table) and p.title == "Module classes")
    assert {row[0]: row[2] for row in classes.rows} == {"ResNet": "conv: Conv2d", "Net": "backbone: ResNet, encoder: ResNet, final_fc: Sequential"}
