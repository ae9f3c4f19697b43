"""A module handed on as a value: what its members' names in code and settings say it has to offer."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

PROGRAM = '''
import json
import torch
import torch.nn as nn

config = json.load(open("config.json"))


def built(name, module, *args):
    return getattr(module, config[name])(*args)


def setup(net, act="GELU"):
    return built("optimizer", torch.optim, net.parameters()), getattr(nn, act)()
'''


def test_the_namespace_holds_what_texts_name(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "config.json").write_text('{"optimizer": "AdamW", "other": "Unheard"}', encoding="utf-8")
    conversion = convert(discover(tmp_path))
    text = next(text for path, text in conversion.files.items() if path.name == "train.py")
    assert "SimpleNamespace(AdamW=AdamW)" in text and "getattr(SimpleNamespace(GELU=GELU), act)()" in text
    said = [f.message for f in conversion.findings if "as a value offers" in f.message]
    assert any("torch.optim" in s and "AdamW" in s for s in said) and len(said) == 2


def test_a_module_whose_members_nobody_names_stays_a_finding(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import torch\n\ndef pick(name):\n    return getattr(torch.optim, name)\n", encoding="utf-8")
    conversion = convert(discover(tmp_path))
    assert any(f.code == "MP101" and "torch.optim" in f.message for f in conversion.findings)


def test_dtypes_are_chosen_by_name(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import torch\n\ndef pick(name='float16'):\n    return getattr(torch, name)\n", encoding="utf-8")
    text = next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "train.py")
    assert "getattr(SimpleNamespace(float16=ms.float16), name)" in text


def test_a_text_that_is_taken_apart_holds_names(tmp_path: Path) -> None:
    """``json.loads("…")`` and ``"GELU Tanh".split()`` are settings, too: their words were not asked, and the namespace lacked them."""
    (tmp_path / "train.py").write_text(
        "import json\nimport torch.nn as nn\n\nconfig = json.loads('{\"act\": \"GELU\"}')\nnames = 'Tanh Mish'.split()\n'SELU is no setting'\n\n\ndef pick(name):\n    return getattr(nn, name)\n",
        encoding="utf-8",
    )
    text = next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "train.py")
    assert "GELU=GELU" in text and "Tanh=Tanh" in text and "Mish=Mish" in text and "SELU" not in text.replace("'SELU is no setting'", "")


def test_settings_that_a_text_of_the_code_holds(tmp_path: Path) -> None:
    """JSON and YAML in the code, whoever reads them; a sentence is no settings."""
    (tmp_path / "train.py").write_text(
        "import torch.nn as nn\n\nONE = '{\"act\": \"GELU\"}'\nTWO = '''\nact:  # of the hidden layers\n  - Tanh\nlast: Mish\n'''\n'SELU: no setting'\n\n\n"
        "def pick(name):\n    '''Hardtanh is what\n    it may be: one of many\n    '''\n    return getattr(nn, name)\n",
        encoding="utf-8",
    )
    text = next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "train.py")
    assert "GELU=GELU" in text and "Tanh=Tanh" in text and "Mish=Mish" in text and "SELU=" not in text and "Hardtanh=" not in text


def test_the_text_of_a_dtype_is_read_again(tmp_path: Path) -> None:
    """What ``str(x.dtype)`` wrote names any dtype, though no text of the project does."""
    (tmp_path / "program.py").write_text(
        "import json\nimport torch\n\n\ndef saved(x):\n    return json.dumps({\"dtype\": str(x.dtype)})\n\n\ndef loaded(text):\n"
        "    return torch.zeros(2, dtype=getattr(torch, json.loads(text)[\"dtype\"].split(\".\")[-1]))\n\n\nprint(loaded(saved(torch.ones(2))))\n",
        encoding="utf-8",
    )
    (text,) = convert(discover(tmp_path)).files.values()
    assert "float32=ms.float32" in text and "int64=ms.int64" in text


@pytest.mark.parametrize("name", ['"Conv%dd" % n', 'f"Conv{n}d"', '"Conv{}d".format(n)', '"Conv" + str(n) + "d"'])
def test_a_name_with_a_hole_stands_for_a_few(name: str, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(f"from torch import nn\n\ndef layer(n, i, o):\n    return getattr(nn, {name})(i, o, 3)\n", encoding="utf-8")
    conversion = convert(discover(tmp_path))
    text = next(text for path, text in conversion.files.items() if path.name == "net.py")
    assert "SimpleNamespace(Conv1d=Conv1d, Conv2d=Conv2d, Conv3d=Conv3d)" in text
    assert not [f for f in conversion.findings if f.code == "MP101"]


@pytest.mark.parametrize("name", ['f"{n}Loss"', 'f"{n}_"', 'f"{n}{n}"', "n + n", '"%s" % n', 'f"Unheard{n}d"', '"a b %d" % n', '"\\0%d" % n'])
def test_a_name_that_could_be_anything_stays_a_finding(name: str, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(f"from torch import nn\n\ndef layer(n):\n    return getattr(nn, {name})()\n", encoding="utf-8")
    assert any(f.code == "MP101" for f in convert(discover(tmp_path)).findings)


@pytest.mark.parametrize("name", ['f"{c.loss}_loss"', 'c.loss + "_loss"', '"%s_loss" % c.loss', '"{}_loss".format(c.loss)'])
def test_words_of_the_project_fill_a_hole(name: str, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(f'import torch.nn.functional as F\n\nKINDS = ["smooth_l1", "huber", "unheard"]\n\ndef chosen(c):\n    return getattr(F, {name})\n', encoding="utf-8")
    conversion = convert(discover(tmp_path))
    text = next(text for path, text in conversion.files.items() if path.name == "net.py")
    assert "huber_loss=huber_loss" in text and "smooth_l1_loss=" in text and "mse_loss" not in text


def test_a_namespace_has_a_name_of_its_own(tmp_path: Path) -> None:
    """``nn.__dict__[name]`` beside ``class Net(nn.Module)``: one `nn` stood for both."""
    (tmp_path / "net.py").write_text(
        'from torch import nn\n\nclass Net(nn.Module):\n    def __init__(self, name="MSELoss"):\n        super().__init__()\n        self.loss = nn.__dict__[name]()\n', encoding="utf-8"
    )
    text = next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "net.py")
    assert "class Net(nn.Cell)" in text and "from mindspore import nn" in text
    assert "\nnn = " not in text and "\nnn_ = SimpleNamespace(" in text
