"""``try: import torch`` / ``except ImportError: torch = None``: where the project runs the import does not fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, converted_script, equal_tensors

PROGRAM = """
try:
    import torch
    import torch.nn as nn
    from torch.nn import functional as F
except ImportError:
    torch = None
    nn = F = None


def load(name):
    return __import__(name)


try:
    import torch as th
except ImportError:
    th = load("torch")


def halved(x):
    if torch is None:
        raise RuntimeError("torch is needed")
    if torch is not None and isinstance(x, torch.Tensor):
        x = x / 2
    if not torch:
        return None
    return F.relu(x) if nn else x


kept = [halved(torch.tensor([-1.0, 3.0])), th.ones(2)]
version = str(th.__version__)
"""


@pytest.mark.frameworks
def test_both_sides_give_the_same(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, PROGRAM)
    equal_tensors(expected.kept, actual.kept)
    assert actual.version == "2.13.0"


def test_what_torch_lacks_may_be_absent(tmp_path: Path) -> None:
    text = "import torch\ntry:\n    from torch._six import string_classes\nexcept ImportError:\n    string_classes = str\nx = isinstance('a', string_classes)\n"
    assert "string_classes = str" in converted_script(tmp_path, text)


FASTER = """
import torch
from torch import nn

try:
    from apex.normalization.fused_layer_norm import FusedLayerNorm as Norm
except (ImportError, AttributeError) as error:
    from torch.nn import LayerNorm as Norm

try:
    from timm.layers import DropPath
except ImportError:
    class DropPath(nn.Module):
        def __init__(self, drop_prob=0.0):
            super().__init__()
            self.drop_prob = drop_prob

        def forward(self, x):
            return x * (1 - self.drop_prob)

try:
    from xformers.ops import memory_efficient_attention as attention
except Exception:
    def attention(q, k, v):
        return torch.softmax(q @ k.transpose(-2, -1), dim=-1) @ v
"""

USER = """
import torch
from torch import nn

from layers import DropPath as Path
from layers import Norm, attention


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = Norm(3, eps=1e-5)
        self.path = Path(0.25)

    def forward(self, x):
        x = self.norm(x)
        return self.path(attention(x, x, x))


kept = Block()(torch.arange(6.0).reshape(1, 2, 3) ** 2)
"""


def test_what_stands_in_for_another_library_is_what_a_name_means(tmp_path: Path) -> None:
    """The names were taken for apex's: told as blockers, and their imports gone (NameError)."""
    (tmp_path / "layers.py").write_text(FASTER, encoding="utf-8")
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    assert not [f for f in conversion.findings if f.code in ("MP101", "MP105", "MP107", "MP108")]
    text = {path.name: text for path, text in conversion.files.items()}["user.py"]
    assert "from layers import DropPath as Path" in text
    assert "self.norm = nn.LayerNorm(" in text


@pytest.mark.frameworks
def test_what_stands_in_computes_the_same(tmp_path: Path) -> None:
    expected, actual = both_sides(tmp_path, FASTER + USER.replace("from layers import DropPath as Path\nfrom layers import Norm, attention\n", "Path = DropPath\n"))
    assert actual.kept.flatten().tolist() == pytest.approx(expected.kept.flatten().tolist(), rel=1e-4, abs=1e-6)
