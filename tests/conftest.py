"""Where the frameworks are not installed, files of tests that need them are left out, and named in the header.

Needed are they, and numpy, by the rooms that compute; the static rooms' tests run everywhere.

Hypothesis makes the same programs in every run, so that a red test is a change's doing; `make fuzz` draws new ones.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from mindport.findings import DEBUG

#: No test is a matter of the clock: a busy machine makes examples slowly.
_PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("repeatable", derandomize=True, **_PATIENT)
settings.register_profile("fuzz", derandomize=False, database=None, print_blob=True, **_PATIENT)
settings.load_profile("repeatable")  # --hypothesis-profile=fuzz on the command line comes later

os.environ[DEBUG] = "1"  # in tests a defect is an error, never a finding about a file

#: Few tests that take a minute or more: begun last, they would keep one worker busy while the other has nothing left. They compute in other processes:
#: what MindSpore keeps of a file that computes here (views that share nothing, after an error) would meet those behind it.
_LONG = re.compile(r"/(verify/training|trace|examples)/test_\w+\.py$|/test_(isolation|worker_start|optimizer_program|data_end_to_end)\.py$|/convert/test_(torchvision|training)\.py$")

_MISSING = [name for name in ("torch", "mindspore", "numpy") if importlib.util.find_spec(name) is None]
_COMPUTING = ["mindport.verify", "mindport.weights", "mindport.evidence", "mindport.equivalents", "mindport.layers"]
_NEEDS = "|".join(re.escape(name) for name in _MISSING + _COMPUTING)
_IMPORT = re.compile(rf"^(?:import|from) (?:{_NEEDS})\b", re.MULTILINE) if _MISSING else None


def _is_left_out(path: Path) -> bool:
    return _IMPORT is not None and path.suffix == ".py" and _IMPORT.search(path.read_text(encoding="utf-8")) is not None


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """True for a file that cannot be imported here; None leaves the decision to pytest."""
    return True if _is_left_out(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first, then those of many tests (which is xdist's own order, but for the long ones)."""
    tests = Counter(item.path for item in items)
    items.sort(key=lambda item: (not _LONG.search(item.path.as_posix()), -tests[item.path]))


def pytest_report_header() -> list[str]:
    """What is missing, and what that leaves out."""
    if not _MISSING:
        return []
    left_out = [path.name for path in sorted(Path(__file__).parent.rglob("test_*.py")) if _is_left_out(path)]
    return [f"not installed: {', '.join(_MISSING)}", f"left out: {', '.join(left_out)}"]


@pytest.fixture(autouse=True)
def labels_are_picked_by_mindspore() -> Iterator[None]:
    """A converted program that differentiates gradients has MindSpore pick labels and gather its own way, in the whole process."""
    yield
    for name in ("nn_func", "array_func"):
        functions = sys.modules.get(f"mindspore.ops.function.{name}")
        if isinstance(getattr(functions, "gather_d_", None), FunctionType):
            from mindspore.ops.auto_generate import GatherD

            functions.gather_d_ = GatherD()  # type: ignore[union-attr]


@pytest.fixture(autouse=True)
def cells_are_as_mindspore_has_them(request: pytest.FixtureRequest) -> Iterator[None]:
    """A converted project whose modules decide about their mode has all cells born in training, one that seeds has dropout draw by the seed, in the whole process."""
    nn = getattr(_mindspore(request), "nn", None)
    before = (nn.Cell.__init__, nn.Dropout.construct) if nn is not None else None
    yield
    if nn is not None and before != (nn.Cell.__init__, nn.Dropout.construct):
        nn.Cell.__init__, nn.Dropout.construct = before


@pytest.fixture(autouse=True)
def nothing_is_computed_by_mindspore(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a converted project replaces that computes of nothing as torch does stays in the process, and the graphs of later tests would look for a vendored module that is gone."""
    mindspore = _mindspore(request)
    before = _functions(mindspore) if mindspore is not None and hasattr(mindspore, "nn") else None
    yield
    if before is None or not hasattr(mindspore.nn.Dense, "of_elements"):  # type: ignore[union-attr]
        return
    for owner, found in before.items():
        for name, value in _of(owner).items():
            if name not in found:
                delattr(owner, name)
            elif found[name] is not value:
                setattr(owner, name, found[name])


@pytest.fixture(autouse=True, scope="module")
def the_executor_behind_a_file(request: pytest.FixtureRequest) -> Iterator[None]:
    """A program that a file converts once for all its tests is run before what follows has seen the process as it was."""
    yield from executor_given_back(request)


@pytest.fixture(autouse=True)
def the_executor_behind_a_test(request: pytest.FixtureRequest) -> Iterator[None]:
    """A converted program on the tape records, and has that go on behind derivatives of functions, in the whole process; derivatives of cells raise where it is on."""
    yield from executor_given_back(request)


def executor_given_back(request: pytest.FixtureRequest) -> Iterator[None]:
    if not hasattr(_mindspore(request), "nn"):
        yield
        return
    executor = _mindspore(request).nn.cell._pynative_executor
    recording, methods = executor.grad_flag(), {name: vars(type(executor))[name] for name in ("check_run", "end_graph", "grad")}
    yield
    executor.set_grad_flag(recording)
    for name, method in methods.items():
        setattr(type(executor), name, method)


def _mindspore(request: pytest.FixtureRequest) -> Any:
    """MindSpore as it is before a test: a test that needs the frameworks would import it, and change it, out of sight."""
    if request.node.get_closest_marker("frameworks") is not None:
        importlib.import_module("mindspore")
    return sys.modules.get("mindspore")


def _functions(mindspore: Any) -> dict[Any, dict[str, FunctionType]]:
    """The functions of MindSpore that a project may replace: of `ops`, of tensors, of each layer, and of two operators."""
    layers = [kind for kind in vars(mindspore.nn).values() if isinstance(kind, type)]
    return {owner: _of(owner) for owner in (mindspore.ops, mindspore.Tensor, mindspore.ops.LayerNorm, mindspore.ops.LSTM, *layers)}


def _of(owner: object) -> dict[str, FunctionType]:
    return {name: value for name, value in vars(owner).items() if isinstance(value, FunctionType)}
