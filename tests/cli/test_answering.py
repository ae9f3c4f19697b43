"""How commands end: codes and one sentence."""

from __future__ import annotations

import pytest
import typer

from mindport.cli.answering import InputError, answering


def ended(error: BaseException | None, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    @answering("half of it is in the cellar")
    def command() -> int:
        if error is not None:
            raise error
        return 1

    with pytest.raises(typer.Exit) as exit:
        command()
    return exit.value.exit_code, capsys.readouterr().err


def test_a_command_returns_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(None, capsys) == (1, "")


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (InputError("there is no\nsuch thing"), 2, "there is no such thing"),
        (KeyboardInterrupt(), 130, "half of it is in the cellar"),
        (PermissionError(13, "Permission denied", "/x/y"), 2, "/x/y: Permission denied"),
        (OSError(28, "No space left on device"), 2, "No space left"),
        (ModuleNotFoundError("No module named 'numpy'", name="numpy"), 2, "needs numpy"),
        (ModuleNotFoundError("No module named 'mindport.x'", name="mindport.x"), 3, "defect of mindport"),
        (ValueError("odd"), 3, "defect of mindport"),
    ],
)
def test_errors_are_one_sentence(error: BaseException, code: int, words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MINDPORT_DEBUG")
    got, said = ended(error, capsys)
    assert got == code and words in said
    assert said.startswith("mindport: ") and said.count("\n") == 1


def test_defects_can_be_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINDPORT_DEBUG", "1")

    @answering("")
    def command() -> int:
        raise ValueError("odd")

    with pytest.raises(ValueError, match="odd"):
        command()
