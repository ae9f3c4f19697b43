"""Scripts of the ladder's tests run as forks."""

from __future__ import annotations

import pytest

from tests.verify.forked import fork_scripts


@pytest.fixture(autouse=True)
def scripts_are_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """In all files of this folder."""
    fork_scripts(monkeypatch)
