"""Imports of other libraries that stay do not decide whether a file can be imported; star imports of known names go."""

from __future__ import annotations

from pathlib import Path

from mindport.convert import convert
from mindport.source.discover import discover


def converted(folder: Path, **files: str) -> tuple[dict[str, str], list[str]]:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    conversion = convert(discover(folder))
    return {path.stem: text for path, text in conversion.files.items()}, [f"{f.code} {f.message}" for f in conversion.findings]


def test_what_stays_is_tried(tmp_path: Path) -> None:
    text = '''"""Text."""
from torchvision import datasets, models as m
import timm.layers, os
import torchvision.transforms as T
import torch

def f(x):
    return m.list_models(), timm.layers.PatchEmbed(3), datasets.MNIST("x"), T.ToTensor()(x), T.ElasticTransform(3.0), os.sep
'''
    files, findings = converted(tmp_path, a=text)
    made = files["a"]
    assert """
try:
    from torchvision import models as m
except ImportError:
    m = unconverted("torchvision.models")
""" in made
    assert """
try:
    import timm.layers
except ImportError:
    timm = unconverted("timm")
""" in made
    assert 'T = unconverted("torchvision.transforms")' in made
    assert made.count("import os\n") == 1 and "datasets" not in made.partition("def f")[0]
    assert sum(finding.startswith("MP108") for finding in findings) == 3


def test_nothing_is_touched_that_is_tried_or_inside(tmp_path: Path) -> None:
    text = """try:
    import timm
except ImportError:
    timm = None

def f():
    from torchvision.models import swin_t
    return swin_t(), timm.create_model("x")
"""
    files, _ = converted(tmp_path, a=text)
    assert files["a"].count("except ImportError") == 1 and "unconverted" not in files["a"]


def test_known_names_by_a_star(tmp_path: Path) -> None:
    own = "from torchvision.transforms import *\n\n\nclass Grey:\n    def __call__(self, image):\n        return image.convert('L')\n"
    user = "import own\nfrom torchvision.transforms import *\n\nchain = own.Compose([own.ToTensor(), own.Grey()]), Compose([])\n"
    other = "from torchvision.transforms import *\nfrom unknown_library import *\n\nchain = Compose([]), ElasticTransform()\n"
    files, findings = converted(tmp_path, own=own, user=user, other=other)
    assert "torchvision" not in files["own"] + files["user"]
    assert "Compose([ToTensor(), own.Grey()]), Compose([])" in files["user"]
    assert [finding for finding in findings if "MP908" in finding] == [
        "MP908 `from unknown_library import *` brings names that cannot be seen without running unknown_library"
    ]


def test_the_project_itself_may_be_such_a_library(tmp_path: Path) -> None:
    (tmp_path / "timm").mkdir()
    (tmp_path / "timm" / "__init__.py").write_text("from timm.loss import missing\n")
    (tmp_path / "timm" / "loss.py").write_text("import torch\nfrom timm.data import *\nx = torch.ones(3)\n")
    made = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}
    assert "try:" not in made.get("__init__.py", "") and "try:" not in made["loss.py"]


def test_modules_that_nothing_names_go(tmp_path: Path) -> None:
    """Half of all scripts import torchvision and its modules beside the one that they use."""
    text = """import torch
import torchvision
import torchvision.transforms as transforms
from torchvision import datasets, utils
from torchvision.models import resnet18
import timm

net = resnet18()
"""
    made = converted(tmp_path, a=text)[0]["a"]
    assert "torchvision" not in made and made.count("except ImportError") == 1 and "import timm" in made
