"""Libraries that are taken along: found by their names, followed by imports, never run."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from mindport.source.carried import Library, NotCarried, carry
from mindport.source.discover import Discovery, discover


def laid(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return laid(
        tmp_path / "site",
        {
            "tiny/__init__.py": "from .core import Net\n",
            "tiny/core.py": "from . import layers\nimport tiny.blocks.gate\nfrom tiny.extra import *\n\nclass Net: ...\n",
            "tiny/layers.py": "raise SystemExit('a library was run')\n",
            "tiny/extra.py": "def later():\n    from .seldom import thing\n",
            "tiny/seldom.py": "thing = 1\n",
            "tiny/unused.py": "import nothing\n",
            "tiny/blocks/__init__.py": "",
            "tiny/blocks/gate.py": "from ..layers import x\n",
            "tiny/weights/heads.bin": "0",
            "tiny/fast.so": "0",
            "tiny-1.2.dist-info/METADATA": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.2\n",
            "tiny-1.2.dist-info/RECORD": "tiny-1.2.dist-info/LICENSE,,\n",
            "tiny-1.2.dist-info/LICENSE": "Permission is hereby granted\n",
        },
    )


def taken(project: Path, *libraries: str) -> Discovery:
    found = discover(project)
    carry(found, [Library.named(text) for text in libraries])
    return found


def test_what_imports_reach_and_nothing_else(tmp_path: Path, library: Path) -> None:
    project = laid(tmp_path / "project", {"tools/train.py": "from tiny import Net\n", "notes.txt": ""})
    found = taken(project, f"tiny={library}")
    assert {str(file.relative) for file in found.files if file.library == "tiny"} == {
        "tiny/__init__.py", "tiny/core.py", "tiny/layers.py", "tiny/extra.py", "tiny/seldom.py", "tiny/blocks/__init__.py", "tiny/blocks/gate.py",
    }  # fmt: skip
    assert {str(relative) for _, relative in found.carried} == {"tiny/weights/heads.bin", "tiny/LICENSE"}
    assert found.root == project and [path.name for path in found.others] == ["notes.txt"]


@pytest.mark.parametrize("text", ["def __getattr__(name):\n    ...\n", "from importlib import import_module\nfor n in NAMES:\n    import_module(n)\n"])
def test_imports_by_names_that_only_a_run_knows_take_the_whole_package(tmp_path: Path, library: Path, text: str) -> None:
    (library / "tiny" / "blocks" / "__init__.py").write_text(text)
    (library / "tiny" / "blocks" / "spare.py").write_text("")
    found = taken(laid(tmp_path / "project", {"train.py": "import tiny\n"}), f"tiny={library}")
    names = {str(file.relative) for file in found.files}
    assert "tiny/blocks/spare.py" in names and "tiny/unused.py" not in names


@pytest.mark.parametrize("where", ["site/tiny", "site"])
def test_the_folder_is_the_packages_own_or_the_one_that_holds_it(tmp_path: Path, library: Path, where: str) -> None:
    assert Library.named(f"tiny={tmp_path / where}").path("tiny.blocks.gate") == library / "tiny" / "blocks" / "gate.py"


def test_a_renamed_folder_and_a_single_file(tmp_path: Path) -> None:
    place = laid(tmp_path, {"tiny-main/__init__.py": "", "lone/alone.py": "x = 1\n"})
    assert Library.named(f"tiny={place / 'tiny-main'}").relative(place / "tiny-main" / "__init__.py") == PurePosixPath("tiny/__init__.py")
    found = taken(laid(tmp_path / "project", {"train.py": "import alone\n"}), f"alone={place / 'lone'}")
    assert [str(file.relative) for file in found.files] == ["alone.py", "train.py"]


def test_a_library_of_this_environment_is_found_and_not_imported(tmp_path: Path) -> None:
    import sys

    assert Library.named("msgspec").path("msgspec") is not None
    before = set(sys.modules)
    found = taken(laid(tmp_path / "project", {"train.py": "import pygments.lexers\n"}), "pygments")
    assert any(file.library == "pygments" for file in found.files)
    assert set(sys.modules) == before


@pytest.mark.parametrize(
    ("files", "asked", "why"),
    [
        ({"train.py": "import tiny\n"}, "no_such_library", "no package no_such_library in this environment; name its folder: --with no_such_library=FOLDER"),
        ({"train.py": "import tiny\n"}, "tiny=/nowhere", "there is no package tiny in /nowhere"),
        ({"train.py": "import tiny\n"}, "tiny/core", "is no name of a package"),
        ({"train.py": "import torch\n"}, "torch", "torch is what is converted"),
        ({"train.py": "import torch\n"}, "tiny={library}", "no file of the project imports tiny"),
        ({"train.py": "import tiny\n", "tiny.py": ""}, "tiny={library}", "the project has a tiny of its own"),
        ({"__init__.py": "import tiny\n"}, "tiny={library}", "name the folder above it"),
    ],
)  # fmt: skip
def test_why_a_library_cannot_be_taken_along(tmp_path: Path, library: Path, files: dict[str, str], asked: str, why: str) -> None:
    with pytest.raises(NotCarried) as raised:
        taken(laid(tmp_path / "project", files), asked.format(library=library))
    assert why in str(raised.value)


def test_a_file_that_cannot_be_read_is_told_and_the_rest_goes_on(tmp_path: Path, library: Path) -> None:
    (library / "tiny" / "seldom.py").write_text("def broken(:\n")
    found = taken(laid(tmp_path / "project", {"train.py": "import tiny\n"}), f"tiny={library}")
    assert [(f.code, str(f.path)) for f in found.findings] == [("MP901", "tiny/seldom.py")]
    assert (library / "tiny" / "seldom.py", PurePosixPath("tiny/seldom.py")) in found.carried
    assert "tiny/blocks/gate.py" in {str(file.relative) for file in found.files}
