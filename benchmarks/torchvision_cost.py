"""How dear a builder's comparison is, from what torchvision says of its trained weights: so that cheap ones come first."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

#: Runs at full size, or in as many steps as one: more than their weights tell.
_DEAR = {"inception": 60.0, "raft": 100.0, "maxvit": 100.0, "s3d": 600.0, "detection": 40.0}


def cost(source: Path, family: str, builder: str) -> float:
    """Megabytes of weights, with operations (GFLOPs at full size) and families that need large inputs weighted in."""
    size, operations = _table(source / "torchvision" / "models").get(builder.removeprefix("quantized_"), (100.0, 10.0))
    if family in ("detection", "segmentation"):
        operations /= 20  # published for images of 800 and 520 pixels
    return size + 2 * operations + sum(extra for part, extra in _DEAR.items() if part in builder or part == family)


@functools.cache
def _table(models: Path) -> dict[str, tuple[float, float]]:
    """Builder → (`_file_size`, `_ops`) of its first weights; a quantized builder's are those of the float one."""
    found: dict[str, tuple[float, float]] = {}
    for path in sorted(models.rglob("*.py")):
        if "quantization" in path.parts:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        weights = {n.name: _numbers(n) for n in tree.body if isinstance(n, ast.ClassDef) and n.name.endswith("_Weights")}
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                named = {n.id for a in node.args.kwonlyargs if a.arg == "weights" and a.annotation for n in ast.walk(a.annotation) if isinstance(n, ast.Name)}
                for name in named & weights.keys():
                    found[node.name] = weights[name]
    return found


def _numbers(node: ast.ClassDef) -> tuple[float, float]:
    """The first `_file_size` and `_ops` in a class of weights."""
    values: dict[str, float] = {}
    for each in ast.walk(node):
        if isinstance(each, ast.Dict):
            for key, value in zip(each.keys, each.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(value, ast.Constant) and isinstance(value.value, int | float):
                    values.setdefault(str(key.value), float(value.value))
    return values.get("_file_size", 100.0), values.get("_ops", 10.0)
