"""What a converted program changes of MindSpore's process is taken back before another test sees it."""

from __future__ import annotations

import pytest

from tests.conftest import executor_given_back


@pytest.mark.frameworks
def test_the_executor_is_what_it_was(request: pytest.FixtureRequest) -> None:
    from mindspore.nn.cell import _pynative_executor

    kind = type(_pynative_executor)
    methods = {name: vars(kind)[name] for name in ("check_run", "end_graph", "grad")}
    _pynative_executor.set_grad_flag(False)  # whichever tests ran before in this process
    running = executor_given_back(request)
    next(running)
    for name in methods:
        setattr(kind, name, lambda self, *args: None)
    _pynative_executor.set_grad_flag(True)
    assert next(running, "ended") == "ended"
    assert {name: vars(kind)[name] for name in methods} == methods
    assert not _pynative_executor.grad_flag()


def test_also_behind_what_a_file_runs_once_for_its_tests(request: pytest.FixtureRequest) -> None:
    """A fixture of a file runs before a test's own: what that one has seen would be taken for MindSpore's."""
    (definition,) = request.session._fixturemanager.getfixturedefs("the_executor_behind_a_file", request.node) or ()
    assert definition.scope == "module"
    assert "the_executor_behind_a_file" in request.fixturenames
