"""``torch.set_default_dtype(torch.float64)``: what is made has it, and the converted program computes in it; where one statement does not settle all, the call is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover

HEAD = "import torch\nfrom torch import nn\n\ntorch.set_default_dtype(torch.float64)\n\n"


def converted(folder: Path, **files: str) -> tuple[dict[str, str], list[str]]:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    made = convert(discover(folder))
    return {path.stem: text for path, text in made.files.items()}, [f"{f.path}:{f.span.line if f.span else 0} {f.code} {f.api}" for f in made.findings if not f.rare]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        pytest.param("x = torch.zeros(2, 3)", "dtype=ms.float64", id="a maker"),
        pytest.param("x = torch.ones(\n    2,\n    3,\n)", "dtype=ms.float64", id="over lines"),
        pytest.param("x = torch.tensor([1.0, 2])", "dtype=ms.float64", id="floats"),
        pytest.param("x = torch.tensor([])", "dtype=ms.float64", id="nothing"),
        pytest.param("x = torch.arange(0, 1, 0.1)", "ms.float64", id="a range of floats"),
        pytest.param("x = torch.Tensor(2, 3)", "float64", id="the class"),
        pytest.param("net = nn.Linear(2, 3)", "dtype=ms.float64", id="a layer that takes it"),
        pytest.param("net = nn.Embedding(5, 3)", "ms.float64", id="a layer that is cast"),
        pytest.param("n = torch.arange(3)\nx = n * 0.1", "ms.float64", id="whole numbers beside a float"),
        pytest.param("n = torch.arange(3)\nx = torch.sqrt(n)", "n.double()", id="a root of whole numbers"),
        pytest.param("x = torch.get_default_dtype()", "x = ms.float64", id="asked for"),
        pytest.param("def f(x: torch.Tensor):\n    return x + 0.1\n\n\ny = f(torch.ones(2))", "ms.tensor(0.1, ms.float64)", id="a float beside what nothing tells"),
    ],
)
def test_the_dtype_is_written(tmp_path: Path, text: str, written: str) -> None:
    files, told = converted(tmp_path, program=HEAD + text + "\n")
    assert written in files["program"].split("import", 1)[1] and "set_default_dtype" not in files["program"]
    assert not [line for line in told if "MP103" in line or "MP102" in line]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x = torch.tensor([1, 2])", id="whole numbers"),
        pytest.param("x = torch.zeros(2, dtype=torch.float32)", id="another dtype"),
        pytest.param("import numpy as np\nx = torch.tensor(np.ones(2, dtype=np.float32))", id="an array"),
        pytest.param("x = torch.full((2,), 3)", id="filled with a whole number"),
    ],
)
def test_what_has_a_dtype_of_its_own_keeps_it(tmp_path: Path, text: str) -> None:
    files, _ = converted(tmp_path, program=HEAD + text + "\n")
    assert "float64" not in files["program"].replace("# float64 throughout", "") and "set_default_dtype" not in files["program"]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"program": "import sys\nimport torch\n\nif len(sys.argv) > 1:\n    torch.set_default_dtype(torch.float64)\nx = torch.zeros(2)\n"}, id="a condition"),
        pytest.param({"program": "import torch\n\nx = torch.zeros(2)\ntorch.set_default_dtype(torch.float64)\n"}, id="something before"),
        pytest.param({"program": "import torch\n\n\ndef make():\n    return torch.zeros(2)\n\n\nx = make()\ntorch.set_default_dtype(torch.float64)\ny = make()\n"}, id="a function called before"),
        pytest.param({"program": "import torch\n\n\ndef main(x):\n    torch.set_default_dtype(torch.float64)\n    return x + torch.zeros(2)\n\n\nif __name__ == '__main__':\n    main(torch.ones(2))\n"}, id="made above main"),
        pytest.param({"program": HEAD + "def make(layer):\n    return layer(2)\n\n\nnet = make(nn.LayerNorm)\n"}, id="a layer handed on"),
        pytest.param({"program": HEAD + "import net\n", "net": "import torch\n\nSTART = torch.zeros(2)\n"}, id="made at import"),
        pytest.param(
            {"train": HEAD + "import net\nnet.make()\n", "net": "import torch\n\n\ndef make():\n    return torch.zeros(2)\n", "test": "import net\n\nnet.make()\n"},
            id="a program without it",
        ),
        pytest.param({"program": HEAD + "x = torch.zeros(2)\ntorch.set_default_dtype(torch.float32)\n"}, id="set back"),
    ],
)
def test_what_one_statement_does_not_settle_is_refused(tmp_path: Path, files: dict[str, str]) -> None:
    made, told = converted(tmp_path, **files)
    assert any("set_default_dtype" in text for text in made.values())
    assert any("torch.set_default_dtype" in line for line in told)


def test_what_nobody_can_tell_is_told(tmp_path: Path) -> None:
    _, told = converted(tmp_path, program=HEAD + "import json\n\nx = torch.tensor(json.load(open('x.json')))\n")
    assert told == ["program.py:8 MP103 torch.tensor"]


def test_a_package_of_one_program(tmp_path: Path) -> None:
    files, told = converted(
        tmp_path, train="import torch\nfrom net import Net\n\n\ndef main():\n    torch.set_default_tensor_type('torch.DoubleTensor')\n    net = Net()\n    return net(torch.ones(1, 2))\n\n\nif __name__ == '__main__':\n    print(main())\n",
        net="from torch import nn\nimport torch\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.f = nn.Linear(2, 1)\n        self.b = nn.Parameter(torch.zeros(1))\n\n    def forward(self, x):\n        return self.f(x) + self.b\n",
    )  # fmt: skip
    assert files["net"].count("float64") == 2 and "float64" in files["train"] and not told


def test_a_program_beside_keeps_its_dtype(tmp_path: Path) -> None:
    files, told = converted(tmp_path, train=HEAD + "x = torch.zeros(2)\n", plot="import torch\n\n\ndef f(x: torch.Tensor):\n    return x + 0.1\n\n\nprint(f(torch.zeros(2)))\n")
    assert "float64" in files["train"] and "float64" not in files["plot"] and not told
