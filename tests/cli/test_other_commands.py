"""weights, verify, check, evidence: wrong input is one sentence, and results have exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mindport.verify import Comparison
from mindport.weights import Array, Entry, Layout, write
from tests.cli.commands import Ran


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    path = tmp_path / "net.safetensors"
    write(path, {"fc.weight": Array("float32", (2, 3), bytes(24))}, "torch")
    return path


def layout(path: Path, *names: str) -> Path:
    """A layout file that keeps every name and shape."""
    Layout({name: Entry(name, [2, 3]) for name in names}).save(path)
    return path


def test_weights_move(checkpoint: Path, tmp_path: Path) -> None:
    target = tmp_path / "net.ckpt"
    ran = Ran("weights", checkpoint, target, "--layout", layout(tmp_path / "l.json", "fc.weight"), "--format", "json")
    assert ran.code == 0 and target.exists()
    assert [move["source"] for move in json.loads(ran.out)["moved"]] == ["fc.weight"]


def test_weights_that_do_not_fit_say_which(checkpoint: Path, tmp_path: Path) -> None:
    target = tmp_path / "net.ckpt"
    ran = Ran("weights", checkpoint, target, "--layout", layout(tmp_path / "l.json", "fc.weight", "fc.bias"))
    assert ran.code == 1 and "fc.bias" in ran.out and not target.exists()


def test_weights_wrong_input(checkpoint: Path, tmp_path: Path) -> None:
    good = layout(tmp_path / "l.json", "fc.weight")
    (tmp_path / "odd.json").write_text("{]")
    (tmp_path / "odd.pth").write_bytes(b"\0" * 100)
    for arguments in (
        [checkpoint, checkpoint, "--layout", good], [tmp_path / "absent.pth", tmp_path / "o.ckpt", "--layout", good],
        [checkpoint, tmp_path / "o.ckpt", "--layout", tmp_path / "odd.json"], [tmp_path / "odd.pth", tmp_path / "o.ckpt", "--layout", good],
        [checkpoint, tmp_path / "o.xyz", "--layout", good],
    ):  # fmt: skip
        ran = Ran("weights", *arguments)
        assert ran.code == 2 and ran.err.startswith("mindport: ") and ran.err.count("\n") == 1, (arguments, ran.err)


def test_verify_wrong_input(tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text('{"torch": 1}')
    for spec in (tmp_path / "absent.json", tmp_path / "odd.json"):
        ran = Ran("verify", spec)
        assert ran.code == 2 and ran.err.startswith("mindport: ") and ran.err.count("\n") == 1


@pytest.mark.parametrize(("verdict", "code"), [("equal", 0), ("differs", 1), ("could not run", 2)])
def test_verify_has_the_verdicts_exit_code(verdict: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mindport.verify.load_spec", lambda path: path)
    monkeypatch.setattr("mindport.verify.run", lambda spec, workdir: Comparison(verdict))  # type: ignore[arg-type]
    (tmp_path / "spec.json").write_text("{}")
    ran = Ran("verify", tmp_path / "spec.json", "--workdir", tmp_path, "--format", "json")
    assert ran.code == code and json.loads(ran.out)["verdict"] == verdict
    assert json.loads((tmp_path / "comparison.json").read_text())["verdict"] == verdict


def test_check_and_evidence_name_what_is_near() -> None:
    ran = Ran("check", "torch.sigmiod")
    assert ran.code == 2 and "torch.sigmoid" in ran.err


def test_without_the_frameworks_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for arguments in (["check", "torch.sigmoid"], ["evidence"]):
        ran = Ran(*arguments)
        assert ran.code == 2 and "torch and mindspore" in ran.err and "mindport[verify]" in ran.err


@pytest.mark.frameworks
def test_check_runs_an_entry() -> None:
    (report,) = json.loads(Ran("check", "torch.sigmoid", "--format", "json").out)
    assert report["name"] == "torch.sigmoid" and report["entries"][0]["status"] == "verified"
