"""Names across files: imports in all their forms, cycles, re-exports, classes and calls of other files."""

from __future__ import annotations

import ast

from mindport.inference.describe import describe
from tests.inference.files import project


def _last(texts: dict[str, str], name: str) -> str:
    made, files = project(**texts)
    statement = files[name].tree.body[-1]
    assert isinstance(statement, ast.Expr)
    return describe(made.facts(files[name]).value(statement.value))


NET = "from torch import nn\nclass Net(nn.Module):\n    def forward(self, x: 'torch.Tensor'):\n        return nn.functional.relu(x)\n"


def test_relative_imports_and_packages() -> None:
    texts = {"pkg__init": "from .net import Net\n__all__ = ['Net']\n", "pkg__net": NET, "main": "from pkg import Net\nNet()\n"}
    assert _last(texts, "main") == "Net()"
    assert _last(texts | {"pkg__b": "from . import net\nnet.Net\n"}, "pkg__b") == "class Net"
    assert _last(texts | {"pkg__sub__init": "", "pkg__sub__c": "from ..net import Net as N\nN\n"}, "pkg__sub__c") == "class Net"
    assert _last(texts | {"pkg__d": "import pkg.net\npkg.net.Net\n"}, "pkg__d") == "class Net"
    assert _last(texts | {"pkg__e": "import pkg.net as n\nn.Net()(1)\n"}, "pkg__e") == "Tensor"


def test_star_imports_respect_all() -> None:
    texts = {"a": "import torch\n__all__ = ['f']\ndef f(): return torch.zeros(1)\ndef g(): return 1\n"}
    assert _last(texts | {"b": "from a import *\nf()\n"}, "b") == "Tensor"
    assert _last(texts | {"b": "from a import *\ng()\n"}, "b") == "unknown"
    texts = {"a": "import torch\ndef f(): return torch.zeros(1)\ndef _g(): return 1\n"}
    assert _last(texts | {"b": "from a import *\nf()\n"}, "b") == "Tensor"


def test_an_unknown_star_import_is_a_finding() -> None:
    made, files = project(a="from somewhere import *\nfrom torch.nn import *\nConv2d\n")
    assert [finding.code for finding in made.facts(files["a"]).findings] == ["MP908"]


def test_cyclic_imports_end() -> None:
    texts = {
        "a": "import torch\nfrom b import g\ndef f(n): return g(n) if n else torch.zeros(1)\n",
        "b": "import a\ndef g(n): return a.f(n - 1)\ng(1)\n",
    }
    assert _last(texts, "b") in ("Tensor", "unknown", "Tensor | unknown")


def test_a_folder_that_is_not_the_root() -> None:
    texts = {"work__models__net": NET, "work__train": "from models.net import Net\nNet\n"}
    assert _last(texts, "work__train") == "class Net"


def test_modules_of_a_folder_without_init_are_reached_by_its_name() -> None:
    texts = {"work__nets": NET, "work__sub__more": "from torch import nn\nlayer = nn.ReLU\n"}
    assert _last(texts | {"a": "import work.nets\nwork.nets.Net\n"}, "a") == "class Net"
    assert _last(texts | {"a": "import work.sub.more\nwork.sub.more.layer\n"}, "a") == "torch.nn.ReLU"
    assert _last(texts | {"a": "import work.nets\nwork.net\n"}, "a") == "unknown"


def test_a_folder_is_no_module_where_a_file_of_its_name_stands_beside_the_script() -> None:
    texts = {"work__work": NET, "work__train": "from work import Net\nNet\n", "other": "from work.work import Net\nNet\n"}
    assert _last(texts, "work__train") == "class Net"  # Python's search goes on past a folder without __init__
    assert _last(texts, "other") == "class Net"
    assert _last(texts | {"work__init": "from .work import Net\n", "work__train": "from work import Net\nNet\n"}, "work__train") == "class Net"


def test_the_project_does_not_hide_libraries() -> None:
    texts = {"utils__torch": "", "a__types": "x = 1\n", "a__b": "import types\ntypes\n"}
    assert _last(texts, "a__b") == "types"


def test_a_part_of_a_package_does_not_hide_the_library_of_its_name() -> None:
    texts = {"pkg__init": "", "pkg__torch__init": "from .cell import Cell\n", "pkg__torch__cell": "from torch import nn\nclass Cell(nn.Module):\n    pass\nnn.Module\n"}
    assert _last(texts, "pkg__torch__cell") == "torch.nn.Module"
    assert _last(texts | {"pkg__torch__b": "import torch\ntorch.nn.Linear(1, 2)\n"}, "pkg__torch__b") == "torch.nn.Linear()"
    del texts["pkg__init"]
    assert _last(texts, "pkg__torch__cell") == "torch.nn.Module"
    assert _last({"src__timm__init": "", "src__timm__layers": "def mish(): pass\n", "src__timm__net": "from timm.layers import mish\nmish\n"}, "src__timm__net") == "def mish"
    assert _last({"pkg__init": "", "pkg__logging__init": "", "pkg__logging__a": "from logging import x\nx\n"}, "pkg__logging__a") != "module pkg.logging"


def test_calls_say_what_unannotated_parameters_hold() -> None:
    texts = {
        "a": "def scale(t, k):\n    return t.view(-1)\n",
        "b": "import torch\nfrom a import scale\nscale(torch.zeros(1), k=2)\n",
    }
    made, files = project(**texts)
    (use,) = made.facts(files["a"]).uses
    assert (use.name, use.certainty) == ("torch.Tensor.view", "likely")


def test_attributes_set_elsewhere_and_in_subclasses() -> None:
    texts = {
        "a": "from torch import nn\nclass Base(nn.Module):\n    def __init__(self):\n        self.conv = nn.Conv2d(1, 1, 1)\n        self.x = None\n",
        "b": "import torch\nfrom a import Base\nclass Net(Base):\n    def setup(self):\n        self.x = torch.zeros(1)\nnet = Net()\nnet.conv, net.x\n",
    }
    assert _last(texts, "b") == "tuple(torch.nn.Conv2d(), None | Tensor)"


def test_reexports() -> None:
    made, files = project(
        layers="import torch.nn as nn\nfrom torch.nn import Conv2d\nNorm = nn.BatchNorm2d\nclass Own: pass\n",
        net="from layers import nn, Conv2d as C, Norm, Own\nC(1, 1, 1)\nNorm(1)\nnn.ReLU()\n",
    )
    assert made.reexports(files["net"]) == {(1, "nn"), (1, "C")}
    facts = made.facts(files["net"])
    assert [use.name for use in facts.uses] == ["torch.nn.Conv2d", "torch.nn.ReLU"]
    assert [use.name for use in facts.indirect] == ["torch.nn.BatchNorm2d"]


def test_a_circle_of_imports_binds_what_stands_further_down() -> None:
    made, files = project(
        **{
            "blocks__init": "from .fpn import Fpn\nfrom .dense import Dense\n",
            "blocks__dense": "import torch.nn as nn\nclass Dense(nn.Sequential): pass\n",
            "blocks__fpn": "from nets import nothing\nclass Fpn: pass\n",
            "nets__init": "from .net import Net\n",
            "nets__net": "from blocks import Dense\nclass Net(Dense): pass\n",
        }
    )
    ancestors = made.facts(files["nets__net"]).ancestors
    assert [names[-1] for names in ancestors.values()] == ["torch.nn.Module"]


def test_two_modules_that_import_a_name_from_each_other_end() -> None:
    made, files = project(a="from b import x\n", b="from a import x\nx\n")
    assert made.facts(files["b"]).uses == []


def test_a_plain_class_knows_the_modules_that_it_is_mixed_into() -> None:
    made, files = project(a="import torch.nn as nn\nclass Twice: pass\nclass Conv(Twice, nn.Conv2d): pass\nclass Alone: pass\n")
    mixed = {node.name: names for node, names in made.facts(files["a"]).mixed_into.items()}
    assert set(mixed) == {"Twice"} and "torch.nn.Module" in mixed["Twice"]


def test_torch_is_an_attribute_of_itself() -> None:
    made, files = project(a="import torch\ntorch.torch.torch.deg2rad(1)\ntorch.sparse.torch.eye(3)\n")
    assert [use.name for use in made.facts(files["a"]).uses] == ["torch.deg2rad", "torch.eye"]


def test_a_name_that_either_of_two_imports_brings_is_passed_on() -> None:
    made, files = project(
        inner="try:\n    from .own import load_url\nexcept ImportError:\n    from torch.hub import load_state_dict_from_url as load_url\n",
        use="from inner import load_url\nload_url('a')\n",
    )
    assert made.reexports(files["use"]) == {(1, "load_url")}


def test_a_name_with_a_stand_in_for_older_versions_is_passed_on() -> None:
    made, files = project(
        inner="try:\n    from torch import _assert\nexcept ImportError:\n    def _assert(condition, message): assert condition, message\n",
        use="from inner import _assert\n_assert(True, 'a')\n",
    )
    assert made.reexports(files["use"]) == {(1, "_assert")}
    assert [use.name for use in made.facts(files["use"]).uses] == ["torch._assert"]


def test_the_same_question_twice_has_the_same_answer() -> None:
    made, files = project(a=NET, b="from a import Net\nNet()(1)\n")
    first = made.facts(files["b"])
    count = len(first.uses)
    assert made.facts(files["b"]) is first and len(first.uses) == count
    again, files = project(a=NET, b="from a import Net\nNet()(1)\n")
    assert [(u.name, u.node.lineno) for u in again.facts(files["a"]).uses] == [
        (u.name, u.node.lineno) for u in made.facts(next(f for f in made._by_file.values() if f.name == "a").file).uses
    ]
