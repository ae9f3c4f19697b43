"""The shipped tables: what they say about names that matter, and that reading them needs no MindSpore and little time."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from mindport.targets import load, versions
from mindport.targets.load import DATA, TargetApi


def api(name: str, version: str = "2.10.0") -> TargetApi:
    found = load(version).get(name)
    assert found is not None
    return found


def names(name: str) -> list[str]:
    return [p.name for p in api(name).parameters or []]


@pytest.mark.parametrize("version", versions())
def test_every_version_is_whole(version: str) -> None:
    target = load(version)
    assert len(target.names()) > 4000
    for name in target.names():
        entry = target.get(name)
        assert entry is not None and entry.name == name


def test_versions_are_ordered_by_number() -> None:
    found = versions()
    assert "2.10.0" in found
    assert found == sorted(found, key=lambda v: [int(p) for p in v.split(".")])


def test_unknown_version_names_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"no table for MindSpore 9\.9\.9; there are .*2\.10\.0"):
        load("9.9.9")


def test_unknown_name_is_none() -> None:
    assert load().get("mindspore.ops.no_such_operator") is None
    assert "mindspore.ops.no_such_operator" not in load()


@pytest.mark.parametrize(
    ("name", "wanted", "source"),
    [
        ("mindspore.ops.relu", ["input", "inplace"], "inspect"),
        ("mindspore.ops.less", ["input", "other"], "docstring"),  # inspect knows only (*args, **kwargs)
        ("mindspore.nn.AdaMax", ["params", "learning_rate", "beta1", "beta2", "eps", "weight_decay", "loss_scale"], "source"),
        ("mindspore.mint.kthvalue", ["input", "k", "dim", "keepdim"], "arguments"),
    ],
)
def test_signatures_from_all_sources(name: str, wanted: list[str], source: str) -> None:
    assert names(name) == wanted
    assert api(name).source == source


def test_defaults_are_source_text() -> None:
    defaults = {p.name: p.default_text for p in api("mindspore.nn.Conv2d").parameters or []}
    assert defaults["pad_mode"] == "'same'"
    assert defaults["has_bias"] == "False"
    assert defaults["in_channels"] is None


def test_keyword_only_and_overloads() -> None:
    total = api("mindspore.Tensor.sum")
    assert [(p.name, p.kind) for p in total.parameters or []][-1] == ("dtype", "KEYWORD_ONLY")
    assert [[p.name for p in other] for other in total.overloads] == [["axis", "dtype", "keepdims", "initial"]]


def test_platforms() -> None:
    assert api("mindspore.ops.relu").platforms == ["Ascend", "GPU", "CPU"]
    assert api("mindspore.mint.nn.Conv2d").platforms == ["Ascend"]
    assert "CPU" not in (api("mindspore.ops.roll").platforms or [])


def test_deprecated_is_said_of_the_api_and_not_of_its_parameters() -> None:
    assert "deprecated" in (api("mindspore.Tensor.det").deprecated or "")
    for name in ("mindspore.ops.relu", "mindspore.nn.Conv2d", "mindspore.ops.conv2d", "mindspore.Tensor.view", "mindspore.jit"):
        assert api(name).deprecated is None, name


def test_first_look_up_is_quick() -> None:
    best = min(_seconds() for _ in range(3))
    assert best < 0.060


def _seconds() -> float:
    load.cache_clear()
    began = time.perf_counter()
    assert load().get("mindspore.ops.relu") is not None
    return time.perf_counter() - began


def test_needs_no_framework() -> None:
    code = "import sys, mindport.targets as t; t.load().get('mindspore.ops.relu'); print({'mindspore', 'torch', 'numpy'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"


def test_tables_stay_small() -> None:
    assert all(path.stat().st_size < 150_000 for path in DATA.glob("*.gz"))
