"""What looks like a module's method and is none, and the base class's constructor by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover


def converted(folder: Path, text: str) -> tuple[str, list[str]]:
    (folder / "a.py").write_text(text)
    conversion = convert(discover(folder))
    return {path.stem: text for path, text in conversion.files.items()}["a"], [f"{f.code} {f.message}" for f in conversion.findings if f.risk == "blocker"]


def test_the_base_classs_constructor(tmp_path: Path) -> None:
    text = "import torch\nfrom torch import nn\n\nclass A(nn.Module):\n    def __init__(self):\n        torch.nn.Module.__init__(self)\n\nclass B(A, nn.Module):\n    def __init__(self):\n        A.__init__(self)\n        nn.Module.__init__(self)\n"
    made, blockers = converted(tmp_path, text)
    assert made.count("nn.Cell.__init__(self)") == 2 and blockers == []


@pytest.mark.parametrize("name", ["cuda", "train", "half"])
def test_an_attribute_of_the_classs_own(tmp_path: Path, name: str) -> None:
    text = f"import torch.nn as nn\n\nclass A(nn.Module):\n    def __init__(self, {name}=False):\n        super().__init__()\n        self.{name} = {name}\n\n    def forward(self, x):\n        return x + 1 if self.{name} else x\n"
    made, blockers = converted(tmp_path, text)
    assert f"return x + 1 if self.{name} else x" in made and blockers == []


def test_a_method_that_is_read_is_still_told(tmp_path: Path) -> None:
    _, blockers = converted(tmp_path, "import torch.nn as nn\n\nclass A(nn.Module):\n    def forward(self, x):\n        return self.cuda\n")
    assert len(blockers) == 1


def test_options_called_like_methods_of_modules(tmp_path: Path) -> None:
    text = "import argparse\nimport torch\n\nargs = argparse.ArgumentParser().parse_args()\nif args.eval or args.train:\n    print(torch.ones(2))\n\n\ndef evaluated(model):\n    model.eval()\n    return model.train\n"
    made, blockers = converted(tmp_path, text)
    assert "if args.eval or args.train:" in made
    assert [b for b in blockers if "train is read" in b] and len(blockers) == 1  # of a model, by what is called


def test_asking_for_a_setting(tmp_path: Path) -> None:
    text = "import torch\n\nif hasattr(torch.backends.cudnn, 'allow_tf32'):\n    torch.backends.cudnn.allow_tf32 = True\nprint(hasattr(torch, 'compile'))\n"
    made, blockers = converted(tmp_path, text)
    assert "if False:" in made and "print(True)" in made and not any("cudnn" in b for b in blockers)
