"""Attributes of layers that a project reads or sets: MindSpore's own class where it has them, else the vendored one, else a finding."""

from __future__ import annotations

import ast
from pathlib import Path

from mindport.convert import convert
from mindport.evidence import layer_attributes
from mindport.findings import Finding
from mindport.source.discover import discover


def converted(folder: Path, script: str) -> tuple[str, str, list[Finding]]:
    """Text, vendored module and findings of a script."""
    (folder / "script.py").write_text("import torch\nfrom torch import nn\n\n" + script, encoding="utf-8")
    conversion = convert(discover(folder))
    texts = {path.name: text for path, text in conversion.files.items()}
    return texts["script.py"], texts.get("torch_equivalents.py", ""), conversion.findings


def test_what_mindspore_has_keeps_its_class(tmp_path: Path) -> None:
    text, vendored, _ = converted(tmp_path, "c = nn.Conv2d(2, 4, 3)\nprint(c.in_channels, c.kernel_size, c.groups)\n")
    assert "nn.Conv2d(2, 4, 3" in text and "c.group)" in text and not vendored


def test_what_it_has_otherwise_vendors_the_class_and_keeps_the_argument(tmp_path: Path) -> None:
    text, vendored, _ = converted(tmp_path, "c = nn.Conv2d(2, 4, 3, padding='same')\nprint(c.padding, c.transposed)\n")
    assert "c = Conv2d(2, 4, 3, padding='same')" in text and "print(c.padding, c.transposed)" in text
    assert '@keeping(axes={"padding": 2}, transposed=False)\nclass Conv2d(nn.Conv2d):' in vendored
    assert [n.name for n in ast.parse(vendored).body if isinstance(n, (ast.FunctionDef, ast.ClassDef))].index("keeping") == 0


def test_modules_of_no_known_class_count(tmp_path: Path) -> None:
    script = "net = nn.Sequential(nn.Conv2d(1, 1, 3), nn.Linear(2, 2))\n\n\ndef pad(m: nn.Module):\n    return getattr(m, 'padding_mode', None)\n"
    _, vendored, _ = converted(tmp_path, script)
    assert '@keeping("padding_mode")\nclass Conv2d' in vendored and "class Linear" not in vendored


def test_a_child_by_its_name(tmp_path: Path) -> None:
    script = (
        "from collections import OrderedDict\n\ns = nn.Sequential(OrderedDict([('a', nn.Linear(2, 3))]))\ns.add_module('c', nn.Linear(3, 1))\n"
        "print(s.a.in_features, s.c.out_features)\n"
    )  # fmt: skip
    text, _, _ = converted(tmp_path, script)
    assert "s.a.in_channels, s.c.out_channels" in text or "Linear(2, 3)" in text


def test_setting_what_an_operator_was_made_with_vendors_a_class_that_follows(tmp_path: Path) -> None:
    _, vendored, findings = converted(tmp_path, "c = nn.Conv2d(2, 4, 3)\nc.stride = (2, 2)\nprint(c.padding)\n")
    assert '@keeping(axes={"padding": 2}, follows=("stride",))\nclass Conv2d' in vendored and not [f for f in findings if f.code == "MP101"]


def test_setting_what_no_class_follows_is_said(tmp_path: Path) -> None:
    _, _, findings = converted(tmp_path, "c = nn.Conv2d(2, 4, 3)\nc.padding_mode = 'circular'\n")
    assert [f.code for f in findings if "padding_mode" in f.message] == ["MP101"]


def test_a_layer_of_the_project_that_computes_itself_may_set_it(tmp_path: Path) -> None:
    script = (
        "class Same(nn.Conv2d):\n    def __init__(self):\n        super().__init__(1, 1, 3)\n        self.stride = (2, 2)\n\n"
        "    def forward(self, x):\n        return torch.nn.functional.conv2d(x, self.weight, self.bias, self.stride, self.padding)\n"
    )  # fmt: skip
    _, vendored, findings = converted(tmp_path, script)
    assert '@keeping(axes={"padding": 2}, follows=("stride",))' in vendored and not [f for f in findings if f.code == "MP101"]


def test_a_parameter_where_torch_has_none_is_said_where_a_layer_is_made_without(tmp_path: Path) -> None:
    loop = "n = nn.BatchNorm2d(3{})\nprint(n.weight)\n"
    _, _, with_weight = converted(tmp_path, loop.format(""))
    _, _, without = converted(tmp_path, loop.format(", affine=False"))
    assert not [f for f in with_weight if "None" in f.message] and [f.code for f in without if "None" in f.message] == ["MP103"]


def test_what_a_vendored_class_of_our_own_lacks_is_said(tmp_path: Path) -> None:
    script = "s = torch.optim.lr_scheduler.ReduceLROnPlateau(torch.optim.SGD(nn.Linear(1, 1).parameters(), 0.1))\nprint(s.patience, s.in_cooldown)\n"
    _, _, findings = converted(tmp_path, script)
    assert [(f.code, "in_cooldown" in f.message) for f in findings if f.code == "MP101"] == [("MP101", True)]


def test_the_data_names_outcomes() -> None:
    kinds = {outcome.split()[0] for outcomes in layer_attributes.load().values() for outcome in outcomes.values()}
    assert kinds <= {"plain", "vendored", "given", "axes", "constant", "filled", "follows", "none", "unknown"}


def test_asking_known_layers_by_name_takes_the_vendored_classes(tmp_path: Path) -> None:
    """``hasattr(m, "in_features")`` was false for every ``nn.Dense`` of a sequence whose layers are known."""
    script = """net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Conv2d(1, 2, 1))
widths = [m.in_features if hasattr(m, "in_features") else getattr(m, "affine", 0) for m in net]
"""
    text, vendored, _ = converted(tmp_path, script)
    assert "SequentialCell(Linear(3, 4), BatchNorm1d(4), nn.Conv2d(" in text
    assert "class Linear(nn.Dense)" in vendored
