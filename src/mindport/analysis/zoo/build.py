"""Builds the index from checked-out zoos: ``python -m mindport.analysis.zoo.build NAME=FOLDER@COMMIT …``

Facts only: for each file that defines cells, its path, the names of its classes, the names of the zoo's classes that it
imports, how many layers of each kind it constructs, under torch's names, and for each class its *build*: the layers with weights that it
constructs itself (`nearest.build_of`). A zoo of which only a list of paths is at
hand is given as ``NAME=LIST.txt@COMMIT``: its models have names and places, and no counts.
"""

from __future__ import annotations

import ast
import gzip
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from mindport.analysis.zoo.nearest import build_of

OUT = Path(__file__).parent / "data" / "models.json.gz"
#: Who publishes a zoo, where it is not mindspore-lab.
_PUBLISHERS = {"models": "mindspore-ai"}
#: Zoos in which a folder is a model: its files are one entry.
_FOLDERS = {"models": re.compile(r"^(?:official|research|community)/[^/]+/([^/]+)/"), "mindformers": re.compile(r"^(?:mindformers/models|research)/([^/]+)/")}
#: MindSpore's names of layers under torch's.
_RENAMED = {"Dense": "Linear", "Conv2dTranspose": "ConvTranspose2d", "Conv1dTranspose": "ConvTranspose1d", "SequentialCell": "Sequential", "CellList": "ModuleList", "GELU": "GELU", "BatchNorm": "BatchNorm2d", "Swish": "SiLU", "MultiheadAttention": "MultiheadAttention"}
_LAYER = re.compile(r"^(Conv\w*|Dense|Linear|\w*Norm\w*|Embedding|LSTM|GRU|RNN|\w*Pool\w*|Dropout\w*|ReLU\w*|LeakyReLU|PReLU|GELU|SiLU|Swish|HSwish|HSigmoid|Sigmoid|Tanh|Softmax|Upsample|MultiheadAttention|PixelShuffle)$")
_LIBRARIES = ("nn", "mint.nn", "ms.nn", "mindspore.nn", "ms_nn", "mnn")
_SKIPPED = re.compile(r"^mindnlp/core/|(^|/)(tests?|examples?/.*/data|docs|tools|toolkit|scripts|data|utils|datasets?|loss(es)?|optim|scheduler|transforms|tokeniz\w*|ascend310_infer|third_party|pretrain\w*|preprocess\w*)/|test_|__init__|configuration_|tokenization_|processing_|(^|/)(train|eval|export|infer|dataset|loss|lr_\w*|\w*_loss|optimi[sz]er|callback|metric)\w*\.py$")
#: Tasks by the words of a path.
_TASKS = (
    ("object detection", r"yolo|detr|rcnn|ssd|det_"), ("text recognition and detection", r"mindocr|/rec_|crnn"), ("speech and audio", r"mindaudio|wav2vec|whisper|hubert|speech|audio|conformer|tasnet"),
    ("diffusion", r"diffus|mindone|autoencoder_kl|controlnet|/dit|flux"), ("recommendation", r"recommend"), ("graphs", r"gnn|gcn|graph"), ("segmentation", r"seg|deeplab|unet"), ("language", r"mindnlp|bert|gpt|llama|t5"), ("image classification", r"mindcv"),
)  # fmt: skip


def main(arguments: list[str]) -> None:
    """Write the index of all zoos named."""
    zoos: list[dict[str, Any]] = []
    models: list[dict[str, Any]] = []
    for argument in arguments:
        name, _, rest = argument.partition("=")
        folder, _, commit = rest.partition("@")
        root = Path(folder)
        paths = [root / line for line in root.read_text().split()] if root.is_file() else sorted(root.rglob("*.py"))
        found = [model for path in paths if (model := _model(name, path, root)) is not None]
        if name in _FOLDERS:
            found = _by_folder(found, _FOLDERS[name])
        zoos.append({"name": name, "repository": f"{_PUBLISHERS.get(name, 'mindspore-lab')}/{name}", "commit": commit, "models": len(found)})
        models += found
    text = json.dumps({"zoos": zoos, "models": models}, indent=None, separators=(",", ":"), sort_keys=True)
    OUT.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def _by_folder(found: list[dict[str, Any]], folder: re.Pattern[str]) -> list[dict[str, Any]]:
    """The files of a model's folder as one; files elsewhere are the zoo's own layers, and no model."""
    merged: dict[str, dict[str, Any]] = {}
    for model in found:
        place = folder.match(model["path"])
        if place is None:
            continue
        whole = merged.setdefault(place[0], {**model, "path": place[0].rstrip("/"), "name": place[1], "classes": [], "layers": {}, "builds": {}})
        whole["classes"] = sorted({*whole["classes"], *model["classes"]})
        whole["layers"] = dict(sorted((Counter(whole["layers"]) + Counter(model["layers"])).items()))
        whole["builds"] |= model["builds"]
        whole["task"] = model["task"] if whole["task"] == "other" else whole["task"]
    return list(merged.values())


def _model(zoo: str, path: Path, root: Path) -> dict[str, Any] | None:
    relative = path.relative_to(root).as_posix()
    if _SKIPPED.search(relative):
        return None
    made: dict[str, Any] = {"zoo": zoo, "path": relative, "name": path.stem.removeprefix("modeling_"), "task": _task(f"{zoo}/{relative}"), "classes": [], "layers": {}}
    if root.is_file():
        made["path"], made["name"] = (relative := "/".join(path.parts[len(root.parts) :])), path.stem
        return None if _SKIPPED.search(relative) else made
    try:
        tree = ast.parse(path.read_text("utf-8", "replace"))
    except SyntaxError:
        print("not parsed:", relative, file=sys.stderr)
        return None
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and any(_cell(base) for base in node.bases)]
    if not any(isinstance(item, ast.FunctionDef) and item.name in ("construct", "forward") for node in classes for item in node.body):
        return None
    layers = _layers(tree)
    made["builds"] = {node.name: build for node in classes if (build := build_of(_layers(node)))}
    imported = {
        alias.name for node in tree.body if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith(zoo))
        for alias in node.names if alias.name[:1].isupper() and not alias.name.isupper()
    }  # fmt: skip
    if not layers and not imported:
        return None  # a wrapper around a loss or a training step
    made["classes"] = sorted({node.name for node in classes} | {name for name in imported if not name.endswith(("Config", "Output", "Mixin"))})
    made["layers"] = dict(sorted(layers.items()))
    return made


def _layers(tree: ast.AST) -> Counter[str]:
    """The layers constructed inside, by torch's names: ``nn.Dense(…)``, and ``Dense(…)`` where a zoo has its own."""
    found: Counter[str] = Counter()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) in _LIBRARIES else node.func.id if isinstance(node.func, ast.Name) else ""
        if _LAYER.match(name):
            found[_RENAMED.get(name, name)] += 1
    return found


def _cell(base: ast.expr) -> bool:
    return bool(re.search(r"(Cell|Module|Model|Net|Head|Layer|Block|Base|Preset\w*|Attention)$", ast.unparse(base)))


def _task(path: str) -> str:
    return next((task for task, words in _TASKS if re.search(words, path.lower())), "other")


if __name__ == "__main__":
    main(sys.argv[1:])
