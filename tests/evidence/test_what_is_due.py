"""Only what changed is run, what was done is kept when a run stops, and the next run goes on there."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from rich.console import Console

from mindport import catalog
from mindport.catalog import Catalog, Entry, read_entries, read_module
from mindport.evidence import run
from mindport.evidence.fingerprint import fingerprint
from mindport.evidence.run import Lane
from mindport.evidence.runner import installed, runner_hash
from mindport.evidence.store import Evidence, Outcome, stem

pytestmark = pytest.mark.frameworks  # the versions of both belong to the hash

QUIET = Console(quiet=True)


def entries(count: int = 5) -> list[Entry]:
    return [e for e in catalog.load().entries if e.kind == "function"][:count]


def done(entry: Entry) -> Outcome:
    made = Outcome(fingerprint(entry), runner_hash(), "2026-11-21", installed())
    made.add("forward", "float32", "pass")
    return made


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    todo, ran = entries(), []

    def stopped(lane: Lane, entry: Entry) -> Outcome:
        if len(ran) == 3:
            raise KeyboardInterrupt
        ran.append(entry)
        return done(entry)

    monkeypatch.setattr(Lane, "run", stopped)
    with pytest.raises(KeyboardInterrupt):
        run.run(todo, Evidence(tmp_path), 1, QUIET)
    left = run.due(todo, Evidence(tmp_path), force=False)
    assert left == todo[3:]
    monkeypatch.setattr(Lane, "run", lambda lane, entry: done(entry))
    run.run(left, Evidence(tmp_path), 1, QUIET)
    assert run.due(todo, Evidence(tmp_path), force=False) == []
    assert run.due(todo, Evidence(tmp_path), force=True) == todo


def test_another_way_of_running_is_due(tmp_path: Path) -> None:
    evidence, entry = Evidence(tmp_path), entries(1)[0]
    evidence.read(stem(entry))[entry.key] = made = done(entry)
    assert run.due([entry], evidence, force=False) == []
    made.runner = "another"
    assert run.due([entry], evidence, force=False) == [entry]
    made.runner, made.hash = runner_hash(), "another"
    assert run.due([entry], evidence, force=False) == [entry]


def test_absent_names_are_never_due(tmp_path: Path) -> None:
    absent = [e for e in catalog.load().entries if e.kind == "absent"]
    assert absent and run.due(absent, Evidence(tmp_path), force=True) == []


def test_selection_by_name_and_file() -> None:
    assert {e.name for e in run.selected(["torch.nn.functional.relu"])} == {"torch.nn.functional.relu"}
    assert len(run.selected(["activation"])) > 10
    assert run.selected(["torch.no_such_name"]) == []
    assert {"torch.nn.functional.relu", "torch.nn.functional.relu6"} <= {e.name for e in run.selected(["torch.nn.functional.relu*"])}
    assert run.selected(["layers-vision_models-*"]) and all(".vision_models" in e.module.name for e in run.selected(["layers-vision_models-*"]))


INNER = "from mindspore import ops\nfrom mindport.declare import difference, equivalent\n\n\n{declared}def inner(x):\n    {doc}return ops.relu({inner})\n"
OUTER = (
    "from mindspore import ops\nfrom mindport.equivalents.inner import inner\nfrom mindport.declare import equivalent\n\n{comment}\n"
    '@equivalent("torch.relu"{differs})\ndef outer(input):\n    """Text."""\n    return inner(input{more})\n\n\n'
    'def unused(x):\n    return {unused}\n'
)


def hashed(folder: Path, inner: str = "x", doc: str = "", declared: str = "", comment: str = "", differs: str = "", more: str = "", unused: str = "x") -> str:
    modules = {}
    folder = folder / uuid.uuid4().hex  # a file is parsed once per process
    folder.mkdir()
    for name, text in (("inner", INNER.format(inner=inner, doc=doc, declared=declared)), ("outer", OUTER.format(comment=comment, differs=differs, more=more, unused=unused))):
        path = folder / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        modules[f"mindport.equivalents.{name}"] = read_module(path, f"mindport.equivalents.{name}")
    found = list(read_entries(modules["mindport.equivalents.outer"]))
    return fingerprint(found[0], Catalog(modules, found))


@pytest.mark.parametrize(
    "change",
    [{"more": " + 0"}, {"inner": "x * 2"}, {"differs": ", random=True"}],
    ids=["body", "an equivalent it calls", "declaration"],
)
def test_a_change_of_meaning_changes_the_hash(change: dict[str, str], tmp_path: Path) -> None:
    assert hashed(tmp_path, **change) != hashed(tmp_path)


@pytest.mark.parametrize(
    "change", [{"comment": "# words"}, {"doc": '"""Words."""\n    '}, {"unused": "x + 1"}], ids=["comment", "docstring", "another function"]
)
def test_a_change_of_words_keeps_it(change: dict[str, str], tmp_path: Path) -> None:
    assert hashed(tmp_path, **change) == hashed(tmp_path)


def test_what_another_entry_tells_of_itself_keeps_it(tmp_path: Path) -> None:
    told, other = (f'@equivalent("torch.inner", differs=[difference("it {what}")])\n' for what in ("is", "is not"))
    assert hashed(tmp_path, declared=told) == hashed(tmp_path, declared=other)
    assert hashed(tmp_path, declared=told) != hashed(tmp_path, declared='@equivalent("torch.inner", random=True)\n')
