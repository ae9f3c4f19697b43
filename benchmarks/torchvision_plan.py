"""Which builders of torchvision.models are compared, with which arguments and inputs, and what code each one reaches."""

from __future__ import annotations

import ast
import functools
import hashlib
from pathlib import Path
from typing import Any

MODES = ("eval", "train", "jit")

#: Every builder that torchvision registers, cheap ones first within what follows.
FAMILIES = {
    "resnet": "resnet18 resnet34 resnet50 resnet101 resnet152 resnext50_32x4d resnext101_32x8d resnext101_64x4d wide_resnet50_2 wide_resnet101_2",
    "alexnet": "alexnet", "squeezenet": "squeezenet1_0 squeezenet1_1",
    "mobilenetv2": "mobilenet_v2", "mobilenetv3": "mobilenet_v3_small mobilenet_v3_large",
    "shufflenetv2": "shufflenet_v2_x0_5 shufflenet_v2_x1_0 shufflenet_v2_x1_5 shufflenet_v2_x2_0",
    "mnasnet": "mnasnet0_5 mnasnet0_75 mnasnet1_0 mnasnet1_3", "googlenet": "googlenet", "vision_transformer": "vit_b_16 vit_b_32 vit_l_16 vit_l_32 vit_h_14",
    "swin_transformer": "swin_t swin_v2_t swin_s swin_b swin_v2_s swin_v2_b", "convnext": "convnext_tiny convnext_small convnext_base convnext_large",
    "video": "r3d_18 mc3_18 r2plus1d_18 s3d mvit_v1_b mvit_v2_s swin3d_t swin3d_s swin3d_b",
    "regnet": "regnet_y_400mf regnet_x_400mf regnet_x_800mf regnet_y_800mf regnet_x_1_6gf regnet_y_1_6gf regnet_x_3_2gf regnet_y_3_2gf "
              "regnet_x_8gf regnet_y_8gf regnet_x_16gf regnet_y_16gf regnet_x_32gf regnet_y_32gf regnet_y_128gf",
    "segmentation": "lraspp_mobilenet_v3_large deeplabv3_mobilenet_v3_large fcn_resnet50 fcn_resnet101 deeplabv3_resnet50 deeplabv3_resnet101",
    "densenet": "densenet121 densenet169 densenet161 densenet201",
    "efficientnet": "efficientnet_b0 efficientnet_b1 efficientnet_b2 efficientnet_b3 efficientnet_b4 efficientnet_b5 efficientnet_b6 efficientnet_b7 "
                    "efficientnet_v2_s efficientnet_v2_m efficientnet_v2_l",
    "quantization": "quantized_resnet18 quantized_resnet50 quantized_resnext101_32x8d quantized_resnext101_64x4d quantized_mobilenet_v2 "
                    "quantized_mobilenet_v3_large quantized_shufflenet_v2_x0_5 quantized_shufflenet_v2_x1_0 quantized_shufflenet_v2_x1_5 "
                    "quantized_shufflenet_v2_x2_0 quantized_googlenet quantized_inception_v3",
    "detection": "fasterrcnn_mobilenet_v3_large_320_fpn ssdlite320_mobilenet_v3_large fasterrcnn_mobilenet_v3_large_fpn fasterrcnn_resnet50_fpn "
                 "retinanet_resnet50_fpn fcos_resnet50_fpn maskrcnn_resnet50_fpn keypointrcnn_resnet50_fpn fasterrcnn_resnet50_fpn_v2 "
                 "retinanet_resnet50_fpn_v2 maskrcnn_resnet50_fpn_v2 ssd300_vgg16",
    "vgg": "vgg11 vgg11_bn vgg13 vgg13_bn vgg16 vgg16_bn vgg19 vgg19_bn", "inception": "inception_v3", "optical_flow": "raft_small raft_large", "maxvit": "maxvit_t",
}  # fmt: skip

#: Images that keep boxes and scores apart from the thresholds of untrained detectors.
_SMALL = {"min_size": 64, "max_size": 64}
_DETECTION: dict[str, dict[str, Any]] = {
    "rcnn": {**_SMALL, "num_classes": 5, "box_score_thresh": 0.0, "rpn_post_nms_top_n_test": 30, "box_detections_per_img": 10,
             "rpn_post_nms_top_n_train": 40, "box_batch_size_per_image": 24},
    "keypointrcnn": {**_SMALL, "num_classes": 2, "box_score_thresh": 0.0, "rpn_post_nms_top_n_test": 30, "box_detections_per_img": 10,
             "rpn_post_nms_top_n_train": 40, "box_batch_size_per_image": 24},
    "retinanet": {**_SMALL, "num_classes": 5, "score_thresh": 0.0, "topk_candidates": 20, "detections_per_img": 20},
    "fcos": {**_SMALL, "num_classes": 5, "score_thresh": 0.0, "topk_candidates": 20, "detections_per_img": 20},
    "ssd": {"num_classes": 5, "score_thresh": 0.0, "topk_candidates": 20, "detections_per_img": 20},
}


def plan() -> list[tuple[str, str]]:
    """(family, builder) in the order in which they are compared: the first of each family, then the rest."""
    lists = {family: names.split() for family, names in FAMILIES.items()}
    firsts = [(family, names[0]) for family, names in lists.items()]
    return firsts + [(family, name) for family, names in lists.items() for name in names[1:]]


def job(family: str, builder: str, modes: list[str], seed: int) -> dict[str, Any]:
    """What the worker is told."""
    options: dict[str, Any] = {"weights": None}
    function = builder.removeprefix("quantized_")
    if function in ("googlenet", "inception_v3"):
        options["init_weights"] = False
    if family in ("segmentation", "detection"):
        options["weights_backbone"] = None
    if family == "detection":
        kind = next((k for k in ("keypointrcnn", "retinanet", "fcos", "ssd") if k in builder), "rcnn")
        options |= _DETECTION[kind]
    side = 32 if family == "convnext" else 96 if "alexnet" in builder else 299 if "inception" in builder else 224 if "maxvit" in builder else 64
    if family == "vision_transformer":
        options["image_size"] = side
    # Where the last layers normalise over few values, rounding grows until relu flips: the next attempts see more.
    batch = (2, 4, 8)[seed] if family not in ("vision_transformer", "swin_transformer", "convnext") else 2
    inputs = [[batch, 3, side, side]]
    if family == "video":
        inputs = [[1, 3, 14, 209, 209]] if builder == "s3d" else [[1, 3, 4, *([64, 64] if builder.startswith(("mvit", "swin")) else [32, 32])]]
        if builder.startswith("mvit"):  # the builders name their size themselves
            inputs = [[1, 3, 16, 224, 224]]
    if family == "optical_flow":
        inputs = [[1, 3, 128, 128]] * 2
    if family == "detection":
        inputs = [[3, 64, 64]] * (2, 4, 6)[seed]
    place = "" if family in dict.fromkeys(FAMILIES) and family not in ("segmentation", "video", "optical_flow", "detection", "quantization") else f".{family}"
    return {
        "family": family, "module": f"torchvision.models{place}", "function": function, "options": options, "inputs": inputs,
        "modes": modes, "seed": seed,
    }  # fmt: skip


def stamp(converted: Path, family: str, builder: str) -> str:
    """A hash over the converted code that the builder's file reaches, and how it is called; comments do not count."""
    package = converted / "torchvision"
    function = builder.removeprefix("quantized_")
    start = next(p for p in sorted((package / "models").rglob("*.py")) if function in _functions(p) and ("quantization" in p.parts) == (family == "quantization"))
    seen: set[Path] = set()
    wanted: set[str] = set()
    todo = [start]
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        files, names = _imports(path, package)
        todo += files
        wanted |= names
    total = hashlib.sha256(repr(job(family, builder, [], 0)).encode())
    for path in sorted(seen):
        total.update(_code(path).encode())
    vendored = _definitions(package / "torch_equivalents.py")
    reached: set[str] = set()
    names_left = sorted(wanted)
    while names_left:
        name = names_left.pop()
        if name in vendored and name not in reached:
            reached.add(name)
            names_left += vendored[name][1]
    for name in sorted(reached):
        total.update(vendored[name][0].encode())
    return total.hexdigest()[:16]


@functools.cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def _code(path: Path) -> str:
    return ast.unparse(_tree(path))


@functools.cache
def _functions(path: Path) -> frozenset[str]:
    return frozenset(n.name for n in _tree(path).body if isinstance(n, ast.FunctionDef))


@functools.cache
def _imports(path: Path, package: Path) -> tuple[list[Path], set[str]]:
    """The files of models/ and ops/ that a file imports (packages' own __init__ aside), and the vendored names."""
    files: list[Path] = []
    names: set[str] = set()
    for node in ast.walk(_tree(path)):
        if not isinstance(node, ast.ImportFrom):
            continue
        module = (node.module or "").split(".") if node.module else []
        if node.level:
            folder = path.parent
            for _ in range(node.level - 1):
                folder = folder.parent
        elif module[:1] == ["torchvision"]:
            folder, module = package, module[1:]
        else:
            continue
        if module[-1:] == ["torch_equivalents"]:
            names |= {a.name for a in node.names}
            continue
        base = folder.joinpath(*module)
        candidates = [base.with_suffix(".py"), *(base / f"{a.name}.py" for a in node.names)]
        found = [c for c in candidates if c.is_file()]
        if not found and (base / "__init__.py").is_file():  # a name that the package passes on
            wanted = {a.name for a in node.names}
            found = [p for p in base.glob("*.py") if p.name != "__init__.py" and wanted & _tops(p)]
        files += [f for f in found if package / "models" in f.parents or package / "ops" in f.parents]
    return files, names


@functools.cache
def _tops(path: Path) -> frozenset[str]:
    return frozenset(n.name for n in _tree(path).body if isinstance(n, ast.FunctionDef | ast.ClassDef))


@functools.cache
def _definitions(path: Path) -> dict[str, tuple[str, list[str]]]:
    """Each top-level definition of the vendored module: its text and the names in it."""
    found: dict[str, tuple[str, list[str]]] = {}
    for node in _tree(path).body:
        names = [getattr(node, "name", "")] if hasattr(node, "name") else [t.id for t in getattr(node, "targets", []) if isinstance(t, ast.Name)]
        used = sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)})
        for name in names:
            text, before = found.get(name, ("", []))
            found[name] = (text + ast.unparse(node), before + used)
    return found
