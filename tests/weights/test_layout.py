"""Deriving the layout from module trees, and moving arrays along it, strictly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindport.weights import (
    Array,
    Entry,
    Layout,
    StateMaps,
    Tree,
    WeightError,
    convert,
    convert_file,
    derive,
    files,
)
from mindport.weights.states import Slot
from mindport.weights.transfer import MismatchError
from mindport.weights.tree import Module, Tensor

BATCH_NORM = {
    "weight": Slot("gamma"), "bias": Slot("beta"), "running_mean": Slot("moving_mean"),
    "running_var": Slot("moving_variance"), "num_batches_tracked": None,
}
BATCH_NORM_3D = {name: slot and Slot(f"bn2d.{slot.name}") for name, slot in BATCH_NORM.items()}
CONV1D = {"weight": Slot("weight", 2), "bias": Slot("bias")}
STATES = StateMaps(
    by_torch={"torch.nn.BatchNorm2d": BATCH_NORM, "torch.nn.BatchNorm3d": BATCH_NORM_3D, "torch.nn.Conv1d": CONV1D},
    by_mindspore={
        "mindspore.nn.BatchNorm2d": [BATCH_NORM], "mindspore.nn.BatchNorm3d": [BATCH_NORM_3D],
        "mindspore.nn.Conv1d": [CONV1D],
    },
    by_vendored={"Conv1d": CONV1D, "Linear": {"weight": Slot("kernel")}},
)


def tensors(**shapes: Any) -> list[Tensor]:
    out = []
    for key, shape in shapes.items():
        path = key.replace("__", ".")
        path, name = path.split("|") if "|" in path else (path, path)
        out.append(Tensor(path, name, "parameter", list(shape), "float32"))
    return out


def cell(path: str, name: str) -> Module:
    return Module(path, [f"mindspore.nn.layer.anything.{name}", "mindspore.nn.cell.Cell", "builtins.object"])


def module(path: str, name: str) -> Module:
    return Module(path, [f"torch.nn.modules.anything.{name}", "torch.nn.modules.module.Module"])


MINDSPORE = Tree(
    "mindspore",
    [Module("", ["net.Net"]), cell("bn", "BatchNorm2d"), cell("b3", "BatchNorm3d"), cell("b3.bn2d", "BatchNorm2d"),
     cell("c", "Conv1d"), cell("d", "Dense"), Module("v", ["mine.equivalents.Conv1d", "mindspore.nn.cell.Cell"])],
    tensors(bn__gamma=[3], bn__beta=[3], bn__moving_mean=[3], bn__moving_variance=[3], b3__bn2d__gamma=[2],
            b3__bn2d__beta=[2], b3__bn2d__moving_mean=[2], b3__bn2d__moving_variance=[2], c__weight=[4, 3, 1, 5],
            d__weight=[2, 2], v__weight=[4, 3, 1, 5]),
)
EXPECTED = {
    "bn.weight": "bn.gamma", "bn.bias": "bn.beta", "bn.running_mean": "bn.moving_mean",
    "bn.running_var": "bn.moving_variance", "bn.num_batches_tracked": None, "b3.weight": "b3.bn2d.gamma",
    "b3.bias": "b3.bn2d.beta", "b3.running_mean": "b3.bn2d.moving_mean", "b3.running_var": "b3.bn2d.moving_variance",
    "b3.num_batches_tracked": None, "c.weight": "c.weight", "d.weight": "d.weight", "v.weight": "v.weight",
}


def test_from_the_cells_alone() -> None:
    layout = derive(MINDSPORE, states=STATES)
    assert {name: entry.name for name, entry in layout.entries.items()} == EXPECTED
    assert layout.entries["c.weight"] == Entry("c.weight", [4, 3, 5], 2)
    assert layout.entries["v.weight"].shape == [4, 3, 5]
    assert layout.mindspore_only == []


def test_from_both_trees_and_parameters_that_only_mindspore_has() -> None:
    torch = Tree(
        "torch",
        [Module("", ["net.Net"]), module("bn", "BatchNorm2d"), module("b3", "BatchNorm3d"), module("c", "Conv1d"),
         module("d", "Linear"), module("v", "Conv1d")],
        tensors(bn__running_mean=[3], bn__running_var=[3], bn__num_batches_tracked=[], b3__weight=[2], b3__bias=[2],
                c__weight=[4, 3, 5], d__weight=[2, 2], v__weight=[4, 3, 5]),
    )
    layout = derive(MINDSPORE, torch, STATES)
    assert {n: e.name for n, e in layout.entries.items()} == {t.path: EXPECTED[t.path] for t in torch.tensors}
    assert layout.mindspore_only == ["bn.gamma", "bn.beta", "b3.bn2d.moving_mean", "b3.bn2d.moving_variance"]


def test_names_fixed_by_another_parent_shared_cells_and_a_lone_layer() -> None:
    tree = Tree(
        "mindspore", [Module("", ["net.Net"]), cell("a", "Dense"), cell("b", "Dense")],
        [Tensor("a.weight", "b.weight", "parameter", [2], "float32"),
         Tensor("b.weight", "b.weight", "parameter", [2], "float32"),
         Tensor("free", "renamed", "parameter", [1], "float32")],
    )
    layout = derive(tree, states=STATES)
    assert {n: (e.name, e.path) for n, e in layout.entries.items()} == {
        "a.weight": ("b.weight", "a.weight"), "b.weight": ("b.weight", None), "free": ("renamed", "free"),
    }
    lone = Tree("mindspore", [cell("", "BatchNorm2d")], [Tensor("moving_mean", "mean", "parameter", [2], "float32")])
    assert derive(lone, states=STATES).entries["running_mean"] == Entry("mean", [2], path="moving_mean")


def test_a_user_class_named_like_a_layer_keeps_its_names() -> None:
    tree = Tree("mindspore", [Module("", ["mine.Linear"])], tensors(weight=[2]))
    assert derive(tree, states=STATES).entries == {"weight": Entry("weight", [2])}


def test_the_catalogs_maps() -> None:
    maps = StateMaps.from_catalog()
    assert maps.for_torch(["mine.Block", "torch.nn.modules.batchnorm.BatchNorm2d"])["running_var"] == Slot("moving_variance")
    assert maps.for_mindspore(["mindspore.nn.layer.conv.Conv1d", "mindspore.nn.cell.Cell"])[0]["weight"] == Slot("weight", 2)
    # A cell of the user's own that calls a parameter gamma is no normalisation.
    assert maps.for_mindspore(["mine.Scale", "mindspore.nn.cell.Cell"]) == []


def test_trees_that_do_not_match_are_an_error_with_the_nearest_names() -> None:
    torch = Tree("torch", [Module("", ["net.Net"])], tensors(d__weigth=[2, 2], c__weight=[9]))
    with pytest.raises(WeightError, match=r"(?s)d.weigth: .*nearest: d.weight.*c.weight: torch's shape is \[9\]"):
        derive(MINDSPORE, torch, STATES)
    with pytest.raises(WeightError, match="swapped"):
        derive(torch, None, STATES)


# -- moving ------------------------------------------------------------------------------------


def values(shape: list[int] | None, seed: int) -> Array:
    return Array.of(np.random.default_rng(seed).standard_normal(shape or ()).astype("float32"))


@settings(max_examples=20)
@given(seed=st.integers(0, 99), suffix=st.sampled_from([".ckpt", ".safetensors"]))
def test_there_and_back_is_exact_to_the_bit(seed: int, suffix: str, tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.mktemp("round")
    layout = derive(MINDSPORE, states=STATES)
    torch = {name: values(entry.shape, seed + i) for i, (name, entry) in enumerate(layout.entries.items())}
    torch["bn.weight"] = Array("bfloat16", (3,), bytes([0x80, 0x7F, 0xC1, 0x7F, 1, 0]))  # inf, a NaN's payload, denormal
    files.write(folder / "a.pth", torch, "torch")
    layout.save(folder / "layout.json")
    there = convert_file(folder / "a.pth", folder / f"b{suffix}", folder / "layout.json", folder / "rest.safetensors")
    assert there.to == "mindspore" and sorted(there.dropped) == ["b3.num_batches_tracked", "bn.num_batches_tracked"]
    convert_file(folder / f"b{suffix}", folder / "c.pth", layout, folder / "rest.safetensors")
    assert files.read(folder / "c.pth").arrays == torch
    back = convert_file(folder / f"b{suffix}", folder / "d.pth", layout)
    assert back.absent == ["bn.num_batches_tracked", "b3.num_batches_tracked"]


LAYOUT = Layout({"c.weight": Entry("c.weight", [4, 3, 5], 2), "bn.weight": Entry("bn.gamma", [3])}, ["bn.beta"])


def test_every_misfit_is_named_with_the_nearest_names() -> None:
    wrong = {"c.weigth": values([4, 3, 5], 0), "bn.weight": values([4], 0)}
    with pytest.raises(MismatchError) as caught:
        convert(wrong, LAYOUT, "mindspore")
    found = {(p.kind, p.name): p.message for p in caught.value.report.problems}
    assert found == {
        ("missing", "c.weight"): "the checkpoint lacks it (nearest: c.weigth)",
        ("shape", "bn.weight"): "the checkpoint has [4], the model [3]",
        ("unexpected", "c.weigth"): "the model has no such tensor (nearest: c.weight)",
    }
    with pytest.raises(MismatchError) as caught:
        convert({"c.weight": values([4, 3, 5], 0), "bn.gama": values([3], 0), "bn.beta": values([3], 0)}, LAYOUT, "torch")
    assert {(p.kind, p.name) for p in caught.value.report.problems} == {
        ("shape", "c.weight"), ("missing", "bn.gamma"), ("unexpected", "bn.gama"),
    }


def test_a_shared_parameter_needs_equal_values() -> None:
    layout = Layout({"a": Entry("w", [2]), "b": Entry("w", [2])})
    one, two = values([2], 1), values([2], 2)
    assert convert({"a": one, "b": one}, layout, "mindspore")[0] == {"w": one}
    assert convert({"b": one}, layout, "mindspore")[0] == {"w": one}
    back = convert({"w": one}, layout, "torch")[0]
    assert back["a"].data is back["b"].data
    with pytest.raises(MismatchError, match="shares it with a, but"):
        convert({"a": one, "b": two}, layout, "mindspore")


def test_data_parallel_prefix_direction_and_bad_targets(tmp_path: Path) -> None:
    torch = {"module.c.weight": values([4, 3, 5], 0), "module.bn.weight": values([3], 1)}
    files.write(tmp_path / "a.pth", torch, "torch")
    report = convert_file(tmp_path / "a.pth", tmp_path / "b.safetensors", LAYOUT)
    assert report.notes == ["the prefix 'module.' was taken off every name (DataParallel writes it)"]
    assert files.read(tmp_path / "b.safetensors").framework == "mindspore"
    assert convert_file(tmp_path / "b.safetensors", tmp_path / "c.safetensors", LAYOUT).to == "torch"
    for target, message in (("a.pth", "is the source"), ("x.pth", "nothing to convert"), ("x.npz", "suffix")):
        with pytest.raises(WeightError, match=message):
            convert_file(tmp_path / "a.pth", tmp_path / target, LAYOUT)
    with pytest.raises(WeightError, match="no layout"):
        convert_file(tmp_path / "a.pth", tmp_path / "x.ckpt", tmp_path / "missing.json")
    with pytest.raises(WeightError, match="No such file"):
        convert_file(tmp_path / "none.pth", tmp_path / "x.ckpt", LAYOUT)


def test_what_a_convolution_computes_its_weight_from_lies_as_the_weight_would() -> None:
    inside = "c.parametrizations.weight"
    shapes = {f"{inside}.original0": [8, 1, 1, 1], f"{inside}.original1": [8, 6, 1, 3], "d.weight_g": [], "d.weight_v": [8, 6, 1, 3]}
    theirs = {f"{inside}.original0": [8, 1, 1], f"{inside}.original1": [8, 6, 3], "d.weight_g": [], "d.weight_v": [8, 6, 3]}
    mindspore = Tree("mindspore", [cell("c", "Conv1d"), cell("d", "Conv1d")], tensors(**shapes))
    torch = Tree("torch", [module("c", "Conv1d"), module("d", "Conv1d")], tensors(**theirs))
    for layout in (derive(mindspore, torch, STATES), derive(mindspore, None, STATES)):
        assert {name: entry.shape for name, entry in layout.entries.items()} == theirs
        assert [entry.insert_axis for entry in layout.entries.values()] == [2, 2, None, 2]
