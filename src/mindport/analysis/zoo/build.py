"""Builds the index from checked-out zoos: ``python -m mindport.analysis.zoo.build NAME=FOLDER@COMMIT …``

Facts only: for each file that defines cells, its path, the names of its classes, the names of the zoo's classes that it
imports, and how many layers of each kind it constructs, under torch's names. A zoo of which only a list of paths is at
hand is given as ``NAME=LIST.txt@COMMIT``: its models have names and places, and no counts.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

OUT = Path(__file__).parent / "data" / "models.json"
#: MindSpore's names of layers under torch's.
_RENAMED = {"Dense": "Linear", "Conv2dTranspose": "ConvTranspose2d", "Conv1dTranspose": "ConvTranspose1d", "SequentialCell": "Sequential", "CellList": "ModuleList", "GELU": "GELU", "BatchNorm": "BatchNorm2d", "Swish": "SiLU", "MultiheadAttention": "MultiheadAttention"}
_LAYER = re.compile(r"^(Conv\w*|Dense|Linear|\w*Norm\w*|Embedding|LSTM|GRU|RNN|\w*Pool\w*|Dropout\w*|ReLU\w*|LeakyReLU|PReLU|GELU|SiLU|Swish|HSwish|HSigmoid|Sigmoid|Tanh|Softmax|Upsample|MultiheadAttention|PixelShuffle)$")
_LIBRARIES = ("nn", "mint.nn", "ms.nn", "mindspore.nn", "ms_nn", "mnn")
_SKIPPED = re.compile(r"(^|/)(tests?|examples?/.*/data|docs|tools|scripts|data|utils|datasets?|loss(es)?|optim|scheduler|transforms|tokeniz\w*)/|test_|__init__|configuration_|tokenization_|processing_")
#: Tasks by the words of a path.
_TASKS = (
    ("object detection", r"yolo|detr|rcnn|ssd|det_"), ("text recognition and detection", r"mindocr|/rec_|crnn"), ("speech and audio", r"mindaudio|wav2vec|whisper|hubert|speech|audio|conformer|tasnet"),
    ("diffusion", r"diffus|unet|vae|autoencoder|controlnet|dit|flux"), ("segmentation", r"seg|deeplab|unet"), ("language", r"mindnlp|bert|gpt|llama|t5"), ("image classification", r"mindcv"),
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
        zoos.append({"name": name, "repository": f"mindspore-lab/{name}", "commit": commit, "models": len(found)})
        models += found
    text = json.dumps({"zoos": zoos, "models": models}, indent=None, separators=(",", ":"), sort_keys=True)
    OUT.write_text(text.replace('},{"classes"', '},\n{"classes"') + "\n", encoding="utf-8")


def _model(zoo: str, path: Path, root: Path) -> dict[str, Any] | None:
    relative = path.relative_to(root).as_posix()
    if _SKIPPED.search(relative):
        return None
    made: dict[str, Any] = {"zoo": zoo, "path": relative, "name": path.stem.removeprefix("modeling_"), "task": _task(f"{zoo}/{relative}"), "classes": [], "layers": {}}
    if root.is_file():
        made["path"], made["name"] = (relative := "/".join(path.parts[len(root.parts) :])), path.stem
        return None if _SKIPPED.search(relative) else made
    tree = ast.parse(path.read_text("utf-8", "replace"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and any(_cell(base) for base in node.bases)]
    if not any(isinstance(item, ast.FunctionDef) and item.name in ("construct", "forward") for node in classes for item in node.body):
        return None
    layers: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _LAYER.match(node.func.attr) and ast.unparse(node.func.value) in _LIBRARIES:
            layers[_RENAMED.get(node.func.attr, node.func.attr)] += 1
    imported = {
        alias.name for node in tree.body if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith(zoo))
        for alias in node.names if alias.name[:1].isupper() and not alias.name.isupper()
    }  # fmt: skip
    made["classes"] = sorted({node.name for node in classes} | {name for name in imported if not name.endswith(("Config", "Output", "Mixin"))})
    made["layers"] = dict(sorted(layers.items()))
    return made


def _cell(base: ast.expr) -> bool:
    return bool(re.search(r"(Cell|Module|Model|Net|Head|Layer|Block|Base|Preset\w*|Attention)$", ast.unparse(base)))


def _task(path: str) -> str:
    return next((task for task, words in _TASKS if re.search(words, path.lower())), "other")


if __name__ == "__main__":
    main(sys.argv[1:])
