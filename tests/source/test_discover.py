"""Which files are the project."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mindport.source.discover import Discovery, discover


def make(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def names(found: Discovery) -> list[str]:
    return [file.relative.as_posix() for file in found.files]


def others(found: Discovery) -> list[str]:
    return [path.relative_to(found.root).as_posix() for path in found.others]


def test_a_folder(tmp_path: Path) -> None:
    make(tmp_path, {"b.py": "", "a/__init__.py": "", "a/c.PY": "", "a/data.yaml": "", "README.md": "", "a/stub.pyi": ""})
    found = discover(tmp_path)
    assert found.root == tmp_path
    assert names(found) == ["a/__init__.py", "a/c.PY", "b.py"]
    assert others(found) == ["README.md", "a/data.yaml", "a/stub.pyi"]
    assert found.findings == []


def test_a_single_file_and_a_named_file_that_is_ignored(tmp_path: Path) -> None:
    make(tmp_path, {".gitignore": "*.py\n", "x.py": "", "y.py": "", "script": "#!/usr/bin/env python\n"})
    found = discover(tmp_path / "x.py")
    assert (found.root, names(found)) == (tmp_path, ["x.py"])
    found = discover([tmp_path / "script", tmp_path / "x.py"])
    assert names(found) == ["script", "x.py"]
    assert names(discover(tmp_path)) == []


def test_several_paths_are_taken_once_and_share_a_root(tmp_path: Path) -> None:
    make(tmp_path, {"a/b/x.py": "", "a/c/y.py": "", "a/z.py": ""})
    found = discover([tmp_path / "a/b", tmp_path / "a/c/y.py", tmp_path / "a/b/x.py", tmp_path / "a/b/../b"])
    assert (found.root, names(found)) == (tmp_path / "a", ["b/x.py", "c/y.py"])


def test_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, {"a/x.py": ""})
    monkeypatch.chdir(tmp_path)
    found = discover("a")
    assert (found.root, names(found)) == (tmp_path / "a", ["x.py"])
    assert names(discover(".")) == ["a/x.py"]


def test_a_path_that_does_not_exist(tmp_path: Path) -> None:
    found = discover([tmp_path / "nothing.py", "with\0nul"])
    assert [finding.code for finding in found.findings] == ["MP904", "MP904"]


@pytest.mark.parametrize(
    ("ignore", "kept"),
    [
        pytest.param({".gitignore": "/x.py\n"}, ["a/b/x.py", "a/x.py", "a/y.py"], id="anchored at its folder"),
        pytest.param({".gitignore": "x.py\n"}, ["a/y.py"], id="at every depth"),
        pytest.param({".gitignore": "b/\n"}, ["a/x.py", "a/y.py", "x.py"], id="a folder"),
        pytest.param({"a/.gitignore": "x.py\n"}, ["a/y.py", "x.py"], id="of a folder"),
        pytest.param({".gitignore": "x.py\n", "a/.gitignore": "!x.py\n"}, ["a/b/x.py", "a/x.py", "a/y.py"], id="a deeper one takes it back"),
        pytest.param({".gitignore": "a/b/\n", "a/.gitignore": "!b/x.py\n"}, ["a/x.py", "a/y.py", "x.py"], id="nothing below an ignored folder comes back"),
        pytest.param({".gitignore": "*\n!*.py\n!a/\n"}, ["a/x.py", "a/y.py", "x.py"], id="everything but"),
        pytest.param({".gitignore": "# x.py\n\n\\#\n[\n"}, ["a/b/x.py", "a/x.py", "a/y.py", "x.py"], id="comments and broken patterns"),
        pytest.param({".gitignore": "**/b/**\n"}, ["a/x.py", "a/y.py", "x.py"], id="double stars"),
    ],
)  # fmt: skip
def test_gitignore_at_every_level(tmp_path: Path, ignore: dict[str, str], kept: list[str]) -> None:
    make(tmp_path, {"x.py": "", "a/x.py": "", "a/y.py": "", "a/b/x.py": "", **ignore})
    assert names(discover(tmp_path)) == kept


def test_gitignore_above_the_root_counts_up_to_the_repository(tmp_path: Path) -> None:
    make(tmp_path, {".gitignore": "y.py\n", "repo/.gitignore": "x.py\n", "repo/.git/HEAD": "", "repo/a/x.py": "", "repo/a/y.py": ""})
    assert names(discover(tmp_path / "repo/a")) == ["y.py"]


def test_exclude_wins_over_gitignore(tmp_path: Path) -> None:
    make(tmp_path, {"x.py": "", "a/x.py": "", "a/.gitignore": "!x.py\n", "tests/t.py": ""})
    assert names(discover(tmp_path, exclude=["/a/*", "tests/"])) == ["x.py"]


def test_environments_and_caches_are_not_the_project(tmp_path: Path) -> None:
    make(tmp_path, {f"{name}/x.py": "" for name in (".git", "venv", ".venv", "node_modules", "a/__pycache__", "a/.ipynb_checkpoints")})
    make(tmp_path, {"myenv/pyvenv.cfg": "", "myenv/lib/x.py": "", "environment/x.py": ""})
    found = discover(tmp_path)
    assert (names(found), others(found)) == (["environment/x.py"], [])


def test_a_root_that_looks_like_an_environment_is_taken_when_named(tmp_path: Path) -> None:
    make(tmp_path, {"venv/x.py": ""})
    assert names(discover(tmp_path / "venv")) == ["x.py"]


def test_a_linked_file_is_read_and_a_linked_folder_is_reported(tmp_path: Path) -> None:
    make(tmp_path, {"project/a/x.py": "", "outside/y.py": "", "outside/folder/z.py": ""})
    project = tmp_path / "project"
    (project / "y.py").symlink_to(tmp_path / "outside/y.py")
    (project / "b").symlink_to("a", target_is_directory=True)
    (project / "outside").symlink_to(tmp_path / "outside", target_is_directory=True)
    (project / "venv").symlink_to(tmp_path / "outside", target_is_directory=True)
    found = discover(project)
    assert names(found) == ["a/x.py", "y.py"]
    assert [(finding.code, str(finding.path)) for finding in found.findings] == [("MP904", "b"), ("MP904", "outside")]


def test_files_that_cannot_be_parsed_are_still_copied(tmp_path: Path) -> None:
    make(tmp_path, {"broken.py": "x = (\n", "n.ipynb": "{"})
    assert others(discover(tmp_path)) == ["broken.py", "n.ipynb"]


def test_findings_are_sorted_by_place_and_independent_of_the_order_on_disk(tmp_path: Path) -> None:
    make(tmp_path, {"b.py": "(", "a.py": "(", "c/d.py": "("})
    assert [str(finding.path) for finding in discover(tmp_path).findings] == ["a.py", "b.py", "c/d.py"]
    assert os.listdir(tmp_path)


_PARTS = st.sampled_from(["*", "**", "?", "a", "b", "x.py", "*.py", "a*", "[ab]", "[!a]", "*b", "[a-x].py", "\\a", "b?"])
_PATTERNS = st.builds(
    lambda no, top, parts, end: no + top + "/".join(parts) + end,
    st.sampled_from(["", "", "!"]), st.sampled_from(["", "", "/"]), st.lists(_PARTS, min_size=1, max_size=3), st.sampled_from(["", "", "/", " "]),
)  # fmt: skip


@pytest.mark.skipif(shutil.which("git") is None, reason="compares with git, which is not installed")
@settings(max_examples=60)
@given(st.lists(_PATTERNS, max_size=5), st.lists(_PATTERNS, max_size=3))
@example(["*", "!*/", "!*.py"], [])
@example(["*", "!a/", "!x.py"], [])
@example(["a/**", "!a/b/"], ["!x.py"])
def test_ignoring_agrees_with_git(tmp_path_factory: pytest.TempPathFactory, top: list[str], below: list[str]) -> None:
    root = tmp_path_factory.mktemp("git")
    make(root, {name: "" for name in ("x.py", "a.py", "a/x.py", "a/b/x.py", "a/b/b.py", "b/a/x.py", "b/a/ab/x.py", "ab/a.py")})
    make(root, {".gitignore": "\n".join(top), "a/.gitignore": "\n".join(below)})
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    listed = subprocess.run(
        ["git", "-c", "core.excludesFile=", "ls-files", "-o", "--exclude-standard", "*.py"], cwd=root, check=True, capture_output=True, text=True
    ).stdout.split()
    assert names(discover(root)) == sorted(listed, key=lambda name: name.split("/"))


@pytest.mark.skipif(shutil.which("git") is None, reason="makes an index with git, which is not installed")
def test_what_git_tracks_is_the_projects_though_it_is_ignored(tmp_path: Path) -> None:
    make(tmp_path, {".gitignore": "config/*\nbuild/\n", "config/used.yaml": "", "config/mine.yaml": "", "build/kept.py": "", "build/made.py": "", "build/deep/x.py": "", "x.py": ""})
    for command in (["init", "-q"], ["add", "-f", "config/used.yaml", "build/kept.py", "x.py"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    found = discover(tmp_path)
    assert names(found) == ["build/kept.py", "x.py"] and others(found) == [".gitignore", "config/used.yaml"]
    assert names(discover(tmp_path, exclude=["build"])) == ["x.py"]
    (tmp_path / ".git" / "index").write_bytes(b"DIRC\0\0\0\2\0\0\0\7broken")
    assert names(discover(tmp_path)) == ["x.py"]


def test_what_is_imported_is_the_projects_where_git_does_not_say(tmp_path: Path) -> None:
    """An archive of a repository that tracks ``net/models/`` in spite of a pattern for weights."""
    files = {".gitignore": "models/\nlocal.py\n", "net/__init__.py": "", "net/train.py": "from .models.big import Net\nimport local\n", "net/models/__init__.py": "from . import deep\n"}
    make(tmp_path, {**files, "net/models/big.py": "", "net/models/deep/__init__.py": "", "net/models/unused.py": "", "net/models/big.pth": "", "local.py": "", "models/other.py": ""})
    assert names(discover(tmp_path)) == ["local.py", "net/__init__.py", "net/models/__init__.py", "net/models/big.py", "net/models/deep/__init__.py", "net/train.py"]
    assert names(discover(tmp_path, ["net/models"])) == ["local.py", "net/__init__.py", "net/train.py"]


@pytest.mark.parametrize(
    ("call", "taken"),
    [
        ('importlib.import_module("models.{}".format(name))', True), ('import_module(f"models.{name}")', True), ('import_module("models." + name)', True),
        ('__import__("models.%s" % name)', True), ('import_module("models.small")', False), ("import_module(name)", False), ('import_module("a b/\\0.c")', False),
    ],
)  # fmt: skip
def test_modules_that_are_imported_by_a_name_put_together(tmp_path: Path, call: str, taken: bool) -> None:
    """What stands before the choice is known: any file of the folder may be meant."""
    text = f"import importlib\nfrom importlib import import_module\n\n\ndef build(name):\n    return {call}\n"
    make(tmp_path, {".gitignore": "models/\n", "main.py": text, "models/small.py": "import models.parts\n", "models/large.py": "", "models/parts.py": "", "models/deep/x.py": "", "other/large.py": ""})
    found = [name for name in names(discover(tmp_path)) if name.startswith("models/")]
    assert found == (["models/large.py", "models/parts.py", "models/small.py"] if taken else ["models/parts.py", "models/small.py"] if "small" in call else [])
