"""Which uses a file makes: names, kinds, certainty, places; and what could not be resolved."""

from __future__ import annotations

import pytest

from tests.inference.files import facts_of, project, uses_of

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nfrom torch import Tensor\nx = torch.zeros(1)\n"
FIRST = ["5 torch.zeros call certain"]

ONE_LINE = {
    "F.relu(x)": ["torch.nn.functional.relu call certain"],
    "torch.nn.functional.relu(x)": ["torch.nn.functional.relu call certain"],
    "torch.conv2d(x, x)": ["torch.nn.functional.conv2d call certain"],
    "x.view(-1)": ["torch.Tensor.view method certain"],
    "x.shape[0]": ["torch.Tensor.shape attribute certain"],
    "x.view": ["torch.Tensor.view attribute certain"],
    "x.data = x": ["torch.Tensor.data store certain"],
    "x.requires_grad = False": ["torch.Tensor.requires_grad store certain"],
    "x.float().mean()": ["torch.Tensor.float method certain", "torch.Tensor.mean method certain"],
    "y = torch.float32": ["torch.float32 value certain"],
    "y = torch.half": ["torch.float16 value certain"],
    "x.to(torch.long)": ["torch.Tensor.to method certain", "torch.int64 value certain"],
    "f(norm=nn.BatchNorm2d)": ["torch.nn.BatchNorm2d value certain"],
    "isinstance(y, nn.Conv2d)": ["torch.nn.Conv2d check certain"],
    "isinstance(y, (nn.Conv2d, Tensor))": ["torch.nn.Conv2d check certain", "torch.Tensor check certain"],
    "issubclass(y, nn.Module)": ["torch.nn.Module check certain"],
    "def f(a: Tensor): pass": ["torch.Tensor type certain"],
    "def f(a: 'torch.Tensor'): pass": ["torch.Tensor type certain"],
    "def f(a: 'Optional[Tensor]' = None) -> nn.Module: pass": ["torch.Tensor type certain", "torch.nn.Module type certain"],
    "a: list[Tensor] = []": ["torch.Tensor type certain"],
    "def f(a=nn.ReLU): pass": ["torch.nn.ReLU value certain"],
    "class A(nn.Module): pass": ["torch.nn.Module base certain"],
    "class A(torch.autograd.Function): pass": ["torch.autograd.Function base certain"],
    "@torch.no_grad()\ndef f(): pass": ["torch.no_grad decorator certain"],
    "@torch.jit.export\ndef f(): pass": ["torch.jit.export decorator certain"],
    "with torch.no_grad(): pass": ["torch.no_grad with certain"],
    "with torch.no_grad(), open(p) as f: pass": ["torch.no_grad with certain"],
    "nn.Conv2d(1, 2, 3).weight": ["torch.nn.Conv2d call certain", "torch.nn.Conv2d.weight attribute certain"],
    "nn.Conv2d(1, 2, 3).parameters()": ["torch.nn.Conv2d call certain", "torch.nn.Module.parameters method certain"],
    "nn.Linear(1, 1)(x)": ["torch.nn.Linear call certain"],
    "nn.LSTM(1, 1).flatten_parameters()": ["torch.nn.LSTM call certain", "torch.nn.RNNBase.flatten_parameters method certain"],
    "torch.max(x, 1).indices": ["torch.max call certain", "torch.return_types.max.indices attribute certain"],
    "[t.view(1) for t in x]": ["torch.Tensor.view method certain"],
    "lambda a: torch.relu(a)": ["torch.relu call certain"],
    "torch.Tensor.view(x, 1)": ["torch.Tensor.view call certain"],
    "getattr(torch, name)": ["torch value certain"],
    "torch.backends.cudnn.benchmark = True": ["torch.backends.cudnn.benchmark store certain"],
    "if False:\n    torch.relu(1)": ["torch.relu call certain"],
    "torch.__version__.split('.')": ["torch.__version__ value certain"],
    "torch.version.cuda is None": ["torch.version.cuda value certain"],
    "print(x)": [],
    "x + 1": [],
    "(x + 1).view(1)": ["torch.Tensor.view method certain"],
    "super": [],
    "int(x.sum())": ["torch.Tensor.sum method certain"],
    "f'{x.shape}'": ["torch.Tensor.shape attribute certain"],
    "torch.nn.init.zeros_(x)": ["torch.nn.init.zeros_ call certain"],
    "torch.optim.SGD([x], lr=0.1).step()": ["torch.optim.SGD call certain", "torch.optim.SGD.step method certain"],
    "assert x.dim() == 2": ["torch.Tensor.dim method certain"],
    "del x.grad": ["torch.Tensor.grad attribute certain"],
}


@pytest.mark.parametrize(("text", "expected"), ONE_LINE.items(), ids=list(ONE_LINE))
def test_one_statement_makes_these_uses(text: str, expected: list[str]) -> None:
    found = uses_of(HEAD + text)
    assert found[: len(FIRST)] == FIRST
    assert sorted(use.partition(" ")[2] for use in found[len(FIRST) :]) == sorted(expected)


def test_import_styles_lead_to_one_name() -> None:
    for head in (
        "import torch\nc = torch.nn.Conv2d", "import torch.nn as n\nc = n.Conv2d", "from torch import nn\nc = nn.Conv2d",
        "from torch.nn import Conv2d as C\nc = C", "from torch.nn.modules.conv import Conv2d\nc = Conv2d",
        "import torch.nn.modules.conv\nc = torch.nn.modules.conv.Conv2d", "from torch.nn import *\nc = Conv2d",
        "import torch as t\nc = t.nn.modules.Conv2d", "try:\n    from torch.nn import Conv2d\nexcept ImportError:\n    Conv2d = None\nc = Conv2d",
    ):  # fmt: skip
        assert [use.split(" ", 1)[1] for use in uses_of(head)] == ["torch.nn.Conv2d value certain"], head


def test_a_variable_is_not_a_direct_use() -> None:
    facts, _ = facts_of("import torch.nn.functional as F\nact = F.relu\nact(1)\n")
    assert [(u.node.lineno, u.name, u.kind) for u in facts.uses] == [(2, "torch.nn.functional.relu", "value")]
    assert [(u.node.lineno, u.name) for u in facts.indirect] == [(3, "torch.nn.functional.relu")]


def test_a_local_name_hides_an_import() -> None:
    assert uses_of("from torch import relu\ndef f(relu):\n    return relu(1)\n") == []


def test_project_modules_are_not_uses() -> None:
    text = """
    import torch.nn as nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(1, 1, 1)
            self.register_buffer("b", None)

        def helper(self):
            return self.training

        def forward(self, x):
            return self.conv(x)

    net = Net()
    net(1)
    net.eval()
    net.helper()
    net.training = False
    """
    assert uses_of(text) == [
        "4 torch.nn.Module base certain", "7 torch.nn.Conv2d call certain", "8 torch.nn.Module.register_buffer method certain",
        "11 torch.nn.Module.training attribute certain", "18 torch.nn.Module.eval method certain",
        "20 torch.nn.Module.training store certain",
    ]  # fmt: skip


def test_assumed_receivers_are_likely() -> None:
    text = """
    import torch
    from torch import nn

    class Net(nn.Module):
        def forward(self, x):
            return x.view(-1)

    def loss(pred):
        return pred.sigmoid().mean()

    def maybe(flag, known: torch.Tensor):
        y = known if flag else unknown()
        return y.view(1)

    def none(y: torch.Tensor = None):
        return y.view(1)
    """
    assert [use for use in uses_of(text) if "method" in use] == [
        "7 torch.Tensor.view method likely", "10 torch.Tensor.mean method likely", "10 torch.Tensor.sigmoid method likely",
        "14 torch.Tensor.view method likely", "17 torch.Tensor.view method certain",
    ]  # fmt: skip


def test_several_classes_are_several_uses() -> None:
    text = "from torch import nn\nfor m in nn.Sequential().modules():\n    if isinstance(m, (nn.Conv2d, nn.Linear)):\n        m.weight\n"
    assert uses_of(text)[-2:] == ["4 torch.nn.Conv2d.weight attribute certain", "4 torch.nn.Linear.weight attribute certain"]


def test_scope_names_the_function_around() -> None:
    facts, _ = facts_of("import torch\nclass A:\n    def f(self):\n        torch.zeros(1)\ntorch.ones(1)\n")
    assert [use.scope for use in facts.uses] == ["A.f", ""]


def test_libraries_built_on_torch_are_listed_and_others_are_not() -> None:
    text = "import numpy as np\nimport torchvision\nimport os\nfrom timm.models import create_model\nnp.zeros(1)\ntorchvision.ops.nms(1)\nos.path.join('a')\ncreate_model('x')\n"
    assert [use.split()[1] for use in uses_of(text)] == ["torchvision.ops.nms", "timm.models.create_model"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import torch\ndef f(a): return a.view(1)", [".view"]),
        ("import torch\ndef f(a): return a.permute(1)", []),  # tensor-only: a likely use
        ("import torch\ndef f(a): return a.b.permute(1)", [".permute"]),
        ("import torch\ndef f(a): return a.children()", [".children"]),
        ("import torch\nimport numpy\ndef f(a): return a.view(1)", []),
        ("import torch\nimport numpy\ndef f(a): return a['x'].size", []),
        ("import torch\nimport numpy\ndef f(a, d): return a['x'].size(0), a['x'].size()", [".size", ".size"]),  # called: no array's
        ("import torch\nimport numpy\ndef f(a): return a.any(), (a > 0).any(), ((a > 0) & a).any()", [".any"]),  # of numbers MindSpore's tensors read the low byte
        ("import numpy\ndef f(a): return a.any()", []),
        ("import torch\nimport numpy\ndef f(a): return a.repeat(2, 1), a.repeat(2), a.repeat(2, axis=1)", [".repeat"]),
        ("import torch\ndef f(a): return a.append(1), a.items(), a.split(','), a.copy(), a.format()", []),
        ("import torch\ndef f(a): return a.anything()", []),
        ("def f(a): return a.view(1)", []),
        ("import torch, numpy as np\ndef f(a): return np.load(a).view(1)", []),
    ],
)
def test_unresolved_places(text: str, expected: list[str]) -> None:
    facts, _ = facts_of(text)
    assert [place.text for place in facts.unresolved] == expected
    assert all(place.candidates and place.why for place in facts.unresolved)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("a.sort(descending=True)", ["torch.Tensor.sort"]),
        ("a.nonzero(as_tuple=True)", ["torch.Tensor.nonzero"]),
        ("a.cumsum(dim=0)", ["torch.Tensor.cumsum"]),
        ("a.sort(key=len)", []),
        ("a.cumsum(axis=0)", []),
        ("a.split(sep=',')", []),
        ("(a > b).int().cumsum(1)", ["torch.Tensor.cumsum", "torch.Tensor.int"]),
        ("(a * b).sum(0)", []),
    ],
)
def test_a_call_that_no_array_and_no_list_takes_is_a_tensors(call: str, expected: list[str]) -> None:
    facts, _ = facts_of(f"import torch\nimport numpy\ndef f(a, b): return {call}\n")
    assert sorted(use.name for use in facts.uses) == expected


def test_a_string_annotation_has_the_strings_place() -> None:
    facts, file = facts_of("import torch\ndef f(a: 'list[torch.Tensor]'): pass\n")
    (use,) = [use for use in facts.uses if use.kind == "type"]
    assert file.segment(use.node) == "'list[torch.Tensor]'"


def test_every_expression_that_runs_has_a_value() -> None:
    import ast

    facts, file = facts_of("import torch\ndef f(a, *b):\n    c = [a, *b]\n    return c[0].x(torch.relu(a), k=1)\nf(1)\n")
    for node in ast.walk(file.tree):
        if isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), ast.Store):
            assert id(node) in facts.values or isinstance(node, ast.Constant), ast.dump(node)


def test_ancestors_through_the_project() -> None:
    made, files = project(
        a="from torch import nn\nclass Base(nn.Sequential): pass\n",
        b="import abc\nfrom a import Base as B\nclass Net(B, abc.ABC): pass\nclass Plain: pass\n",
    )
    found = {node.name: names for node, names in made.facts(files["b"]).ancestors.items()}
    assert found["Net"] == ("torch.nn.Sequential", "abc.ABC", "torch.nn.Module") and found["Plain"] == ()
