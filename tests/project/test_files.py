"""Habits that hold for every file: size, names, nothing left over, reasons beside skips, living links."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from mindport.source.walking import walk
from tests.project.layout import ROOT, each, name, pages, python_files

MOST_LINES = 400
NAMELESS = frozenset(("utils", "util", "helpers", "helper", "manager", "base", "common", "misc", "tools"))
#: Written apart, so that this file does not find itself.
LEFT_OVER = re.compile("|".join(rf"\b{word}\b" for word in ("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")))


@each(python_files(), name)
def test_a_file_is_short_and_has_a_name(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines <= MOST_LINES, f"{lines} lines: one idea a file"
    assert not set(path.relative_to(ROOT).with_suffix("").parts) & NAMELESS, "name the idea"
    assert not any(part.endswith(("_utils", "_helpers", "_util", "_helper")) for part in path.with_suffix("").parts)


@each([*python_files(), *pages(), ROOT / "Makefile", ROOT / "pyproject.toml"], name)
def test_nothing_is_left_over(path: Path) -> None:
    found = LEFT_OVER.search(path.read_text(encoding="utf-8"))
    assert found is None, f"{found.group()}: file an issue, or do it now"


@each(python_files(), name)
def test_no_error_is_swallowed_whole(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for node in walk(ast.parse(text)) if "except" in text else ():
        if isinstance(node, ast.ExceptHandler):
            wide = node.type is None or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException"))
            silent = all(isinstance(statement, (ast.Pass, ast.Continue)) for statement in node.body)
            assert not (wide and silent), f"line {node.lineno}: say which error, and what it means"


def _skip_without_reason(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        written = ast.unparse(node.func)
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        if written in ("pytest.mark.skip", "pytest.mark.skipif", "pytest.mark.xfail", "pytest.importorskip"):
            reason = keywords.get("reason")
            return reason is None or (isinstance(reason, ast.Constant) and not reason.value)
        if written in ("pytest.skip", "pytest.xfail"):
            return not node.args and not keywords.get("reason")
    return False


@each([path for path in python_files() if "tests" in path.parts], name)
def test_every_skip_has_a_reason(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    nodes = walk(ast.parse(text)) if "skip" in text or "xfail" in text else []
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        assert not _skip_without_reason(node), f"line {node.lineno}"  # type: ignore[attr-defined]
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("pytest.mark.skip", "pytest.mark.xfail"):
            assert id(node) in called, f"line {node.lineno}: a mark without a reason"


_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)(?: \"[^\"]*\")?\)")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


@each(pages(), name)
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    text = _CODE.sub("", path.read_text(encoding="utf-8"))
    for target in _LINK.findall(text):
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            continue
        assert (path.parent / target.partition("#")[0]).exists(), f"{target} does not exist"


def test_versions_are_pinned_once_and_alike() -> None:
    pins = re.compile(r"(?:torch|mindspore|torchvision)==[\d.]+|numpy<\d")
    declared = set(pins.findall((ROOT / "pyproject.toml").read_text()))
    used = set(pins.findall(re.sub(r"(?m)^#.*", "", (ROOT / "Makefile").read_text())))
    assert declared and declared <= used
    assert {pin for pin in used if not pin.startswith("torchvision")} <= declared


def test_ci_runs_the_readmes_command() -> None:
    assert "make test" in (ROOT / ".ci" / "run").read_text()
    assert (ROOT / "LICENSE").read_text().lstrip().startswith("Apache License")
