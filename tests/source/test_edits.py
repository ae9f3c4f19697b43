"""Edits: what they promise about order, overlap and expected text, and files written as a whole."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindport.source.decode import decode
from mindport.source.edits import Edit, EditConflict, apply, write

texts = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\r\0"), max_size=60)


@st.composite
def text_and_edits(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    """A text with replacements of disjoint ranges, in any order."""
    text = draw(texts)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    edits = [Edit(start, end, text[start:end], draw(texts)) for start, end in pairs]
    return text, draw(st.permutations(edits))


@given(text_and_edits())
def test_edits_can_be_undone(given_: tuple[str, list[Edit]]) -> None:
    text, edits = given_
    changed = apply(text, edits)
    moved, undo = 0, []
    for edit in sorted(edits, key=lambda edit: edit.start):
        start = edit.start + moved
        undo.append(Edit(start, start + len(edit.new), edit.new, edit.old))
        moved += len(edit.new) - len(edit.old)
    assert apply(changed, undo) == text
    assert len(changed) == len(text) + moved


@given(text_and_edits())
def test_the_text_between_edits_stays(given_: tuple[str, list[Edit]]) -> None:
    text, edits = given_
    expected, done = "", 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        expected += text[done : edit.start] + edit.new
        done = edit.end
    assert apply(text, edits) == expected + text[done:]


def test_insertions_at_one_place_keep_their_order_and_precede_a_replacement() -> None:
    edits = [Edit(1, 2, "b", "B"), Edit.insert(1, "1"), Edit.insert(1, "2"), Edit.insert(2, "3")]
    assert apply("abc", edits) == "a12B3c"


@pytest.mark.parametrize(
    "edits",
    [
        pytest.param([Edit(0, 2, "ab", "x"), Edit(1, 3, "bc", "y")], id="two ranges overlap"),
        pytest.param([Edit(0, 2, "ab", "x"), Edit(0, 2, "ab", "x")], id="the same edit twice"),
        pytest.param([Edit(0, 3, "abc", "x"), Edit.insert(1, "y")], id="an insertion inside a replacement"),
        pytest.param([Edit(0, 2, "xx", "y")], id="another text stands there"),
        pytest.param([Edit(2, 5, "c", "y")], id="beyond the end"),
        pytest.param([Edit(2, 1, "", "y")], id="the end before the start"),
        pytest.param([Edit(-1, 0, "c", "y")], id="a negative offset"),
    ],
)
def test_a_conflict_is_refused(edits: list[Edit]) -> None:
    with pytest.raises(EditConflict):
        apply("abc", edits)


@given(texts, st.sampled_from(["utf-8", "utf-8-sig"]), st.sampled_from(["\n", "\r\n", "\r"]))
def test_written_text_reads_back(tmp_path_factory: pytest.TempPathFactory, text: str, encoding: str, newline: str) -> None:
    text = f"x = 1\n{text.replace('coding', '')}\n"
    path = tmp_path_factory.mktemp("written") / "folder" / "x.py"
    write(path, text, encoding, newline)
    read = decode(path.read_bytes())
    assert (read.text, read.encoding, read.newline) == (text, encoding, newline)
    assert os.listdir(path.parent) == ["x.py"]


def test_permissions_stay_and_a_link_is_replaced_by_a_file(tmp_path: Path) -> None:
    script = tmp_path / "run.py"
    script.write_text("old")
    script.chmod(0o751)
    write(script, "new")
    assert stat.S_IMODE(script.stat().st_mode) == 0o751
    link = tmp_path / "link.py"
    link.symlink_to("run.py")
    write(link, "other")
    assert (script.read_text(), link.read_text()) == ("new", "other")


def test_text_that_does_not_fit_the_encoding_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write(path, "张", "latin-1")
    assert os.listdir(tmp_path) == ["x.py"]
    assert path.read_text() == "old"


def test_a_failed_rename_leaves_no_file_behind(tmp_path: Path) -> None:
    (tmp_path / "x.py").mkdir()
    with pytest.raises(OSError):
        write(tmp_path / "x.py", "text")
    assert os.listdir(tmp_path) == ["x.py"]
