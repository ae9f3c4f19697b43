"""Where the frameworks are not installed, files of tests that need them are left out, and named in the header.

Needed are they, and numpy, by the rooms that compute; the static rooms' tests run everywhere.

Hypothesis makes the same programs in every run, so that a red test is a change's doing; `make fuzz` draws new ones.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import pytest
from hypothesis import settings

from mindport.findings import DEBUG

settings.register_profile("repeatable", derandomize=True)
settings.register_profile("fuzz", derandomize=False, database=None, print_blob=True)
settings.load_profile("repeatable")  # --hypothesis-profile=fuzz on the command line comes later

os.environ[DEBUG] = "1"  # in tests a defect is an error, never a finding about a file

_MISSING = [name for name in ("torch", "mindspore", "numpy") if importlib.util.find_spec(name) is None]
_COMPUTING = ["mindport.verify", "mindport.weights", "mindport.evidence", "mindport.equivalents", "mindport.layers"]
_NEEDS = "|".join(re.escape(name) for name in _MISSING + _COMPUTING)
_IMPORT = re.compile(rf"^(?:import|from) (?:{_NEEDS})\b", re.MULTILINE) if _MISSING else None


def _is_left_out(path: Path) -> bool:
    return _IMPORT is not None and path.suffix == ".py" and _IMPORT.search(path.read_text(encoding="utf-8")) is not None


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """True for a file that cannot be imported here; None leaves the decision to pytest."""
    return True if _is_left_out(collection_path) else None


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


#: What a converted project replaces that computes of nothing as torch does (equivalents/computing_of_none.py, rows_of_none.py), by its owner's name in MindSpore.
_POOLS = [f"nn.{kind}Pool{n}d" for kind in ("Avg", "Max", "AdaptiveAvg", "AdaptiveMax") for n in (1, 2, 3)]
_REPLACED_FOR_NOTHING = {
    "ops": ("sum", "mean", "prod", "nansum", "mm", "bmm", "matmul", "addmm", "dense", "mv", "baddbmm", "l1_loss", "mse_loss", "huber_loss", "binary_cross_entropy",
            "avg_pool2d", "avg_pool3d", "pad", "max_pool2d", "max_pool3d", "adaptive_avg_pool2d", "adaptive_max_pool2d", "adaptive_max_pool3d", "max", "min", "tile"),
    "Tensor": ("sum", "mean", "prod", "nansum", "__matmul__", "matmul", "bmm"),
    "nn.Dense": ("construct",), "nn.LayerNorm": ("construct",), "nn.Embedding": ("construct",), "nn.HuberLoss": ("construct",), "nn.LossBase": ("get_loss",),
    "nn.PReLU": ("construct",), **dict.fromkeys(_POOLS, ("construct",)),
}  # fmt: skip
_KEPT_FOR_NOTHING = ("of_elements", "loss_of_elements", "of_rows")


@pytest.fixture(autouse=True)
def nothing_is_computed_by_mindspore() -> Iterator[None]:
    """Such a project's functions stay in the process, and the graphs of later tests would look for a vendored module that is gone."""
    mindspore = sys.modules.get("mindspore")
    before = _replaced_for_nothing(mindspore) if mindspore is not None and hasattr(mindspore, "nn") else None
    yield
    if before is None or not hasattr(mindspore.nn.Dense, "of_elements"):  # type: ignore[union-attr]
        return
    for (owner, name), value in before.items():
        setattr(_part(mindspore, owner), name, value)
    for owner in _REPLACED_FOR_NOTHING:
        for name in _KEPT_FOR_NOTHING:
            if name in vars(_part(mindspore, owner)):
                delattr(_part(mindspore, owner), name)


def _replaced_for_nothing(mindspore: object) -> dict[tuple[str, str], object]:
    return {(owner, name): getattr(_part(mindspore, owner), name) for owner, names in _REPLACED_FOR_NOTHING.items() for name in names}


def _part(mindspore: object, owner: str) -> object:
    for name in owner.split("."):
        mindspore = getattr(mindspore, name)
    return mindspore
