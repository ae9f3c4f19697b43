"""Scripts in folders of their own find the vendored module at the project's root, wherever they are run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mindport.convert import convert, write
from mindport.source.discover import discover

#: What needs the vendored module, without a framework: a tensor's `size(0)` becomes `shape`, `expand` a function of ours.
USING = "import torch\n\ndef f(x, n):\n    return torch.relu(x).index_add(0, n, x)\n"
LINE = "sys.path.append(str(Path(__file__).resolve().parents[{}]))  # torch_equivalents.py stands there\n"


def _texts(folder: Path, files: dict[str, str]) -> dict[str, str]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return {str(path): text for path, text in convert(discover(folder)).files.items()}


@pytest.mark.parametrize(("files", "changed"), [
    ({"one/script.py": USING, "two/script.py": USING}, {"one/script.py": 1, "two/script.py": 1}),
    ({"a/b/script.py": USING, "train.py": USING}, {"a/b/script.py": 2}),
    ({"one/script.py": "from model import f\nprint(f)\n", "one/model.py": USING, "train.py": USING}, {"one/script.py": 1}),
    ({"one/script.py": "from lib.model import f\nprint(f)\n", "lib/model.py": USING}, {}),  # the root is on the path
    ({"one/script.py": USING + "f(0, 1)\nfrom lib.model import f as g\n", "lib/model.py": USING}, {"one/script.py": 1}),  # f may have put it there
    ({"pkg/__init__.py": "", "pkg/model.py": USING, "train.py": "from pkg.model import f\n"}, {}),
    ({"pkg/__init__.py": "", "pkg/model.py": USING + "\nif __name__ == '__main__':\n    print(f)\n", "train.py": "from pkg.model import f\n"}, {}),
    ({"tools/__init__.py": "", "tools/train.py": USING + "\nif __name__ == '__main__':\n    print(f)\n", "train.py": USING}, {"tools/train.py": 1}),
    ({"one/script.py": "import os\nprint(os.name)\n", "train.py": USING}, {}),
    # an __init__.py in a folder that is run from inside makes no package of it
    ({"torch_side/__init__.py": "", "torch_side/script.py": "from model import f\nprint(f)\n", "torch_side/model.py": USING, "other/script.py": USING},
     {"torch_side/script.py": 1, "other/script.py": 1}),
    ({"pkg/__init__.py": "", "pkg/lone.py": "import logging\n" + USING, "pkg/logging.py": USING, "train.py": USING}, {}),  # Python's own module
])  # fmt: skip
def test_the_lines(tmp_path: Path, files: dict[str, str], changed: dict[str, int]) -> None:
    texts = _texts(tmp_path, files)
    assert "torch_equivalents.py" in texts
    for name in files:
        assert (LINE.format(changed[name]) in texts[name]) if name in changed else ("sys.path" not in texts[name]), name


@pytest.mark.parametrize(("files", "expected"), [
    # scripts in a folder that the package's own name is imported from: the folder above is on the path
    ({"pkg/__init__.py": "", "pkg/task/train.py": "from pkg.task.model import f\n" + USING, "pkg/task/model.py": USING},
     {"pkg/task/train.py": "from pkg.torch_equivalents import", "pkg/task/model.py": "from ..torch_equivalents import"}),
    # an __init__.py that nothing uses: the files import each other by plain names
    ({"__init__.py": "", "train.py": "from model import f\n" + USING, "model.py": USING},
     {"train.py": "from torch_equivalents import", "model.py": "from torch_equivalents import"}),
    ({"pkg/__init__.py": "", "pkg/train.py": "from model import f\n" + USING, "pkg/model.py": USING},
     {"pkg/train.py": "from torch_equivalents import", "pkg/model.py": "from torch_equivalents import"}),
    # nor does one that imports the parts by dots, while the scripts beside it import them by plain names
    ({"__init__.py": "from . import parts\n", "train.py": "from parts import f\n", "parts/__init__.py": "from .one import f\n", "parts/one.py": USING},
     {"parts/one.py": "from torch_equivalents import"}),
    # nor does one of a folder that holds nothing but a folder that is run from inside
    ({"__init__.py": "", "src/__init__.py": "", "src/train.py": "import nets.one as one\nprint(one.f)\n", "src/nets/__init__.py": "", "src/nets/one.py": USING},
     {"src/nets/one.py": "from torch_equivalents import"}),
    # packages inside of it may be relative within themselves
    ({"src/__init__.py": "", "src/main.py": "from nets.one import f\n", "src/nets/__init__.py": "from .one import f\n", "src/nets/one.py": USING},
     {"src/nets/one.py": "from torch_equivalents import"}),
    ({"src/__init__.py": "", "src/main.py": "from nets.one import f\n", "src/nets/__init__.py": "from ..base import g\n", "src/nets/one.py": USING, "src/base.py": USING},
     {"src/nets/one.py": "from ..torch_equivalents import"}),
    ({"__init__.py": "", "train.py": "from .model import f\n" + USING, "model.py": USING},
     {"train.py": "from .torch_equivalents import", "model.py": "from .torch_equivalents import"}),
    ({"pkg/__init__.py": "from .model import f\n", "pkg/model.py": USING, "pkg/more.py": USING}, {"pkg/model.py": "from .torch_equivalents import", "pkg/more.py": "from .torch_equivalents import"}),
])  # fmt: skip
def test_the_module(tmp_path: Path, files: dict[str, str], expected: dict[str, str]) -> None:
    texts = _texts(tmp_path, files)
    for name, line in expected.items():
        assert line in texts[name], name
        assert "sys.path" not in texts[name]


def test_a_script_in_a_package_that_nothing_points_to(tmp_path: Path) -> None:
    text = _texts(tmp_path, {"pkg/__init__.py": "", "pkg/train.py": USING + "\nif __name__ == '__main__':\n    print(f)\n"})["pkg/train.py"]
    assert LINE.format(1) in text
    assert "from pkg.torch_equivalents import" in text


def test_behind_docstring_and_future(tmp_path: Path) -> None:
    text = _texts(tmp_path, {"one/script.py": '"""What it does."""\nfrom __future__ import annotations\n\n' + USING})["one/script.py"]
    assert text.startswith('"""What it does."""\nfrom __future__ import annotations\n\nimport sys\nfrom pathlib import Path\n\n' + LINE.format(1))


def test_converting_again_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    texts = _texts(tmp_path / "first", {"one/script.py": USING, "train.py": USING})
    (tmp_path / "second").mkdir()
    again = _texts(tmp_path / "second", texts)
    assert {name: again[name] for name in texts} == texts


@pytest.mark.frameworks
def test_it_runs_from_its_own_folder_and_from_the_root(tmp_path: Path) -> None:
    source = tmp_path / "source" / "one"
    source.mkdir(parents=True)
    (source / "script.py").write_text(USING + "\nprint(f(torch.ones(2), torch.tensor([0, 0])).sum().item())\n", encoding="utf-8")
    (tmp_path / "source" / "train.py").write_text(USING, encoding="utf-8")
    write(convert(discover(tmp_path / "source")), tmp_path / "out")
    for folder, script in ((tmp_path / "out" / "one", "script.py"), (tmp_path / "out", "one/script.py")):
        run = subprocess.run([sys.executable, script], cwd=folder, capture_output=True, text=True, check=True)
        assert run.stdout.strip().endswith("4.0")
