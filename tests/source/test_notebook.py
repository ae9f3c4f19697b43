"""Notebooks: cells as text, magics out of sight, and everything back where it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindport.source import magics
from mindport.source.discover import discover
from mindport.source.edits import EditConflict
from mindport.source.notebook import restore


def make(path: Path, *sources: Any, indent: int = 1) -> Path:
    cells = [{"cell_type": "markdown", "metadata": {}, "source": ["# Prosa\n", "ü"]}]
    for source in sources:
        cells.append(
            {"cell_type": "code", "execution_count": 7, "id": "x", "metadata": {}, "outputs": [{"text": "old"}], "source": source}
        )
    document = {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(document, indent=indent, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def test_the_text_is_the_code_cells(tmp_path: Path) -> None:
    path = make(tmp_path / "n.ipynb", ["import torch\n", "x = 1"], "", "y = torch.relu(x)\n")
    (file,) = discover(path).files
    assert file.text == "# %% cell 1\nimport torch\nx = 1\n# %% cell 2\n\n# %% cell 3\ny = torch.relu(x)\n\n"
    assert file.cell_place(3) == (1, 2)
    assert file.cell_place(7) == (3, 1)
    assert file.cell_place(1) is None
    assert file.line(7) == "y = torch.relu(x)"


def test_changes_go_back_into_their_cells(tmp_path: Path) -> None:
    path = make(tmp_path / "n.ipynb", ["%matplotlib inline\n", "import torch"], "y = 1", ["# é\n", "!ls"], indent=2)
    (file,) = discover(path).files
    changed = "import new\n" + file.text.replace("import torch", "import mindspore\nimport more")
    written = restore(path, changed)
    assert '\n  "cells"' in written and "Prosa" in written and "ü" in written
    before, after = json.loads(path.read_text(encoding="utf-8")), json.loads(written)
    assert after["cells"][1]["source"] == ["import new\n", "%matplotlib inline\n", "import mindspore\n", "import more"]
    assert (after["cells"][1]["outputs"], after["cells"][1]["execution_count"]) == ([], None)
    del before["cells"][1], after["cells"][1]
    assert before == after


def test_an_import_added_on_top_goes_into_the_first_python_cell(tmp_path: Path) -> None:
    path = make(tmp_path / "n.ipynb", "%%bash\nls", "\n%%time\nx = 1", "y = 1")
    (file,) = discover(path).files
    written = json.loads(restore(path, "import new\n" + file.text))
    assert [cell["source"] for cell in written["cells"][1:]] == ["%%bash\nls", "\n%%time\nimport new\nx = 1", "y = 1"]


def test_half_characters_in_outputs_survive(tmp_path: Path) -> None:
    path = make(tmp_path / "n.ipynb", "x = 1", "y = 'é'")
    path.write_text(path.read_text(encoding="utf-8").replace('"old"', '"\\ud800"'), encoding="utf-8")
    (file,) = discover(path).files
    written = restore(path, file.text.replace("x = 1", "x = 2"))
    written.encode()
    assert json.loads(written)["cells"][2]["outputs"] == [{"text": "\ud800"}]


def test_a_notebook_that_changed_since_is_not_written(tmp_path: Path) -> None:
    path = make(tmp_path / "n.ipynb", "x = 1", "y = 2")
    (file,) = discover(path).files
    make(path, "x = 1")
    with pytest.raises(EditConflict):
        restore(path, file.text)
    path.write_text("{")
    with pytest.raises(EditConflict):
        restore(path, file.text)


@pytest.mark.parametrize(
    ("cell", "marked"),
    [
        pytest.param("x = (a\n% b)\ny = 5 \\\n % 3", 0, id="the modulo operator is no magic"),
        pytest.param("x = '''\n%time\n!ls\n'''\n%time f()", 1, id="a magic in a string is text"),
        pytest.param("x = [\n  '(',  # (\n]\n!pip install \\\n   torch\ny = 1", 2, id="a shell command over two lines"),
        pytest.param("if a:\n    !ls\nelse:\n\t%cd x", 2, id="inside blocks"),
        pytest.param("files = !ls *.py\nt = %timeit -o f()", 2, id="results of magics"),
        pytest.param("torch.nn?\n?torch\nf()??", 3, id="help"),
        pytest.param("%%time\nx = f()", 1, id="a cell magic over Python"),
        pytest.param("\n%%bash\nls\nfi fi", 4, id="a cell magic over another language"),
        pytest.param("%%writefile x.py\nimport torch", 2, id="a cell that is written to a file"),
        pytest.param("a = 1\nb != 2\nc = a if b else d", 0, id="not equal"),
        pytest.param("s = 'it''s'; t = \"\"\" % \"\"\"\n%x", 1, id="quotes on one line"),
        pytest.param("x = '\\'' + '''\\''' \n%a '''\n%b", 1, id="escaped quotes"),
    ],
)
def test_magics(cell: str, marked: int) -> None:
    code, count = magics.neutralise(cell)
    assert count == marked
    assert code.count("\n") == cell.count("\n")
    assert magics.parses(code)
    assert magics.restore(code) == cell


@given(st.lists(st.sampled_from(["%time x", "!ls \\", "  y", "x = '''", "'''", "if a:", "    !x", "(", ")", "?f", "", "\t%q"])).map("\n".join))
def test_neutralising_is_undone_exactly(cell: str) -> None:
    assert magics.restore(magics.neutralise(cell)[0]) == cell
    assert magics.restore(magics.mark_all(cell)) == cell


@given(st.lists(st.text(st.sampled_from("ab =\n%!(')é张"), max_size=20), max_size=4))
def test_any_cells_come_back_unchanged(tmp_path_factory: pytest.TempPathFactory, cells: list[str]) -> None:
    path = make(tmp_path_factory.mktemp("notebook") / "n.ipynb", *cells)
    (file,) = discover(path).files
    assert restore(path, file.text) == path.read_text(encoding="utf-8")


def test_findings_name_the_cell_and_the_line_of_the_text(tmp_path: Path) -> None:
    path = make(tmp_path / "n.ipynb", "x = 1\n", "y = 1\nprint 'x'\n", "!ls")
    found = discover(path)
    (file,) = found.files
    broken, magic = sorted(found.findings, key=lambda finding: finding.code)
    assert (broken.code, magic.code) == ("MP901", "MP907")
    assert broken.message.startswith("cell 2: ")
    assert broken.span is not None and "print 'x'" in file.line(broken.span.line)
    assert magic.span is not None and "!ls" in file.line(magic.span.line)
