"""Nearest models by what classes are built from: several uncommon builds are a reason, common ones and single ones are none."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from mindport.analysis.zoo import build
from mindport.analysis.zoo.nearest import build_of, index, nearest


def test_a_build_holds_the_layers_with_weights() -> None:
    assert build_of({"Conv2d": 2, "ReLU": 3, "BatchNorm2d": 2, "Dropout": 1}) == "BatchNorm2d 2, Conv2d 2"
    assert build_of({"Conv2d": 1, "ReLU": 1}) == ""


def test_the_index_has_models_by_folder() -> None:
    models = {(m["zoo"], m["path"]): m for m in index()["models"]}
    yolox = models["models", "official/cv/YOLOX"]
    assert yolox["name"] == "YOLOX" and "YOLOPAFPN" in yolox["classes"]
    assert {zoo["repository"] for zoo in index()["zoos"]} >= {"mindspore-ai/models", "mindspore-lab/mindformers"}
    assert not any(m["layers"] == {} and m["classes"] == [] for m in index()["models"] if m["zoo"] == "models")


def _like(model: dict[str, object]) -> tuple[dict[str, str], dict[str, int]]:
    """Classes with names of their own that are built as the model's are."""
    builds = {f"Renamed{number}": text for number, text in enumerate(sorted(set(model["builds"].values())))}  # type: ignore[attr-defined]
    return builds, dict(model["layers"])  # type: ignore[call-overload]


def test_a_renamed_copy_is_found_by_its_builds() -> None:
    common = Counter(b for m in index()["models"] for b in set(m.get("builds", {}).values()))
    model = max((m for m in index()["models"] if m["zoo"] == "models"), key=lambda m: len({b for b in m["builds"].values() if common[b] == 1}))
    builds, layers = _like(model)
    found = nearest(["quite another name"], list(builds), layers, builds=builds)
    assert found and found[0].path == model["path"]
    assert not found[0].shared and len(found[0].alike) >= len(builds) / 2 and found[0].share > 50


def test_common_builds_are_no_reason() -> None:
    builds = {"A": "Linear 2", "B": "BatchNorm2d 1, Conv2d 1", "C": "LayerNorm 1, Linear 1"}
    assert nearest(["quite another name"], list(builds), {"Linear": 2}, builds=builds) == []


def test_the_files_of_a_folder_are_one_model(tmp_path: Path) -> None:
    home = tmp_path / "official" / "cv" / "Thing" / "src"
    home.mkdir(parents=True)
    (home / "net.py").write_text("from mindspore import nn\nclass Net(nn.Cell):\n    def __init__(self):\n        self.a = nn.Dense(2, 3)\n        self.b = nn.Dense(3, 2)\n    def construct(self, x):\n        return x\n")
    (home / "parts.py").write_text("from mindspore import nn\nclass Part(nn.Cell):\n    def __init__(self):\n        self.a = nn.Conv2d(2, 3, 3)\n    def construct(self, x):\n        return x\n")
    models = [m for path in sorted(tmp_path.rglob("*.py")) if (m := build._model("models", path, tmp_path)) is not None]
    (one,) = build._by_folder(models, build._FOLDERS["models"])
    assert one["name"] == "Thing" and one["classes"] == ["Net", "Part"]
    assert one["builds"] == {"Net": "Linear 2"} and one["layers"] == {"Conv2d": 1, "Linear": 2}


def test_a_wrapper_of_one_function_and_a_part_of_a_name_are_coincidences() -> None:
    """QR-DQN was near resnet50_bam for its Flatten, DiffWave near wave_mlp for "wave"."""
    own = ["QRDQN", "Flatten", "DQNBase", "NoisyLinear", "QuantileNetwork", "CosineNetwork"]
    assert nearest(["qrdqn"], own, {"Linear": 6, "Conv2d": 3}) == []
    assert nearest(["DiffWave"], ["DiffWave", "SpectrogramUpsampler"], {"Conv1d": 5, "ConvTranspose2d": 2}) == []
    assert nearest(["ResNet"], ["ResNet"], {"Conv2d": 5, "BatchNorm2d": 5, "Linear": 1})
