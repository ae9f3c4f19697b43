"""Converts torchvision, runs its models on both frameworks, and writes the table in docs/torchvision.md.

    python benchmarks/torchvision_models.py                     # one model of each classification family
    python benchmarks/torchvision_models.py --all               # every classification builder
    python benchmarks/torchvision_models.py --only resnet18 vgg11

No hand edits: the package is converted, weights are moved from a seeded torch model, outputs in
evaluation mode and the gradient of a scalar are compared. Results are kept one file a model in
`benchmarks/results/torchvision/`, so an interrupted run goes on where it stopped; a result is
made again when the converted package changed.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "torchvision"
PAGE = HERE.parent / "docs" / "torchvision.md"

#: The smallest builder of each of the 17 classification families, and the input's side.
FAMILIES = {
    "alexnet": ("alexnet", 96), "convnext": ("convnext_tiny", 64), "densenet": ("densenet121", 64),
    "efficientnet": ("efficientnet_b0", 64), "googlenet": ("googlenet", 64), "inception": ("inception_v3", 128),
    "maxvit": ("maxvit_t", 224), "mnasnet": ("mnasnet0_5", 64), "mobilenetv2": ("mobilenet_v2", 64),
    "mobilenetv3": ("mobilenet_v3_small", 64), "regnet": ("regnet_y_400mf", 64), "resnet": ("resnet18", 64),
    "shufflenetv2": ("shufflenet_v2_x0_5", 64), "squeezenet": ("squeezenet1_1", 64),
    "swin_transformer": ("swin_t", 224), "vgg": ("vgg11", 64), "vision_transformer": ("vit_b_16", 224),
}  # fmt: skip

#: Further builders, by family; larger than 500 MB of float32 weights is left out, with that reason.
OTHERS = {
    "convnext": ["convnext_small", "convnext_base"], "densenet": ["densenet161", "densenet169", "densenet201"],
    "efficientnet": [f"efficientnet_b{i}" for i in range(1, 8)] + ["efficientnet_v2_s", "efficientnet_v2_m", "efficientnet_v2_l"],
    "mnasnet": ["mnasnet0_75", "mnasnet1_0", "mnasnet1_3"], "mobilenetv3": ["mobilenet_v3_large"],
    "regnet": ["regnet_y_800mf", "regnet_y_1_6gf", "regnet_y_3_2gf", "regnet_y_8gf", "regnet_y_16gf", "regnet_x_400mf",
               "regnet_x_800mf", "regnet_x_1_6gf", "regnet_x_3_2gf", "regnet_x_8gf", "regnet_x_16gf", "regnet_x_32gf"],
    "resnet": ["resnet34", "resnet50", "resnet101", "resnet152", "resnext50_32x4d", "resnext101_32x8d", "resnext101_64x4d",
               "wide_resnet50_2", "wide_resnet101_2"],
    "shufflenetv2": ["shufflenet_v2_x1_0", "shufflenet_v2_x1_5", "shufflenet_v2_x2_0"], "squeezenet": ["squeezenet1_0"],
    "swin_transformer": ["swin_s", "swin_b", "swin_v2_t", "swin_v2_s", "swin_v2_b"],
    "segmentation": ["lraspp_mobilenet_v3_large", "deeplabv3_mobilenet_v3_large", "fcn_resnet50"],
    "video": ["r3d_18", "mc3_18", "r2plus1d_18", "s3d"], "optical_flow": ["raft_small"],
    "vgg": ["vgg11_bn", "vgg13", "vgg13_bn", "vgg16", "vgg16_bn", "vgg19", "vgg19_bn"], "vision_transformer": ["vit_b_32"],
}  # fmt: skip

#: Other inputs than one image batch.
INPUTS = {
    "r3d_18": [[1, 3, 4, 32, 32]], "mc3_18": [[1, 3, 4, 32, 32]], "r2plus1d_18": [[1, 3, 4, 32, 32]], "s3d": [[1, 3, 14, 224, 224]],
    "raft_small": [[1, 3, 128, 128], [1, 3, 128, 128]],
}  # fmt: skip

#: Where an input of relu lies within rounding of zero, one flipped sign changes a gradient by far more than rounding:
#: a gradient that differs is looked at again with other weights and inputs, and every seed is shown.
SEEDS = (0, 1, 2)

#: Inputs that the smallest side of the family does not fit.
SIDES = {"swin_v2_t": 64, "vit_b_32": 224, "densenet161": 64}


class Row(msgspec.Struct):
    """What one model's comparison found. `forward` and `gradient` are shares of the output's scale."""

    family: str
    builder: str
    side: int
    digest: str
    forward: float | None = None
    forward_verdict: str = "could not run"
    gradient: float | None = None
    gradient_verdict: str = "could not run"
    layers: int = 0
    layers_equal: int = 0
    first: str | None = None
    reason: str = ""
    seconds: dict[str, float] = {}
    earlier: dict[str, float] = {}  # gradient's error by seed, for seeds that differed before this one


def main() -> int:
    """Convert, compare, write results and page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, help="an unpacked torchvision wheel (default: fetched by pip)")
    parser.add_argument("--converted", type=Path, help="an already converted package's parent folder")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--all", action="store_true", help="every classification builder, not one a family")
    parser.add_argument("--page-only", action="store_true", help="write the page from the kept results")
    arguments = parser.parse_args()
    if not arguments.page_only:
        source = arguments.source or fetch()
        with tempfile.TemporaryDirectory() as scratch:
            converted = arguments.converted or convert(source, Path(scratch))
            compare_all(source, converted, arguments.only, arguments.all)
    write_page()
    return 0


def fetch() -> Path:
    """The parent folder of torchvision's package, from the registry's wheel."""
    cache = HERE.parent / "build" / "torchvision"  # where make puts it
    if not (cache / "torchvision").is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(cache), "torchvision==0.28.0"], check=True)
        import zipfile

        zipfile.ZipFile(next(cache.glob("torchvision-*.whl"))).extractall(cache)
    return cache


def convert(source: Path, scratch: Path) -> Path:
    """Convert the package; the parent folder of the result."""
    out = scratch / "torchvision"
    subprocess.run([sys.executable, "-m", "mindport", "convert", str(source / "torchvision"), "-o", str(out)], check=True)
    return scratch


def digest(converted: Path) -> str:
    """A hash over the converted models, so that results follow the code."""
    total = hashlib.sha256()
    for folder in ("models", "ops"):
        for path in sorted((converted / "torchvision" / folder).rglob("*.py")):
            total.update(path.read_bytes())
    vendored = converted / "torchvision" / "torch_equivalents.py"
    total.update(vendored.read_bytes() if vendored.exists() else b"")
    return total.hexdigest()[:16]


def compare_all(source: Path, converted: Path, only: list[str], everything: bool) -> None:
    """Compare the chosen models that have no result for this converted package."""
    plan = [(family, builder, side) for family, (builder, side) in FAMILIES.items()]
    if everything:
        plan += [
            (family, b, SIDES.get(b, FAMILIES[family][1] if family in FAMILIES else 64))
            for family, builders in OTHERS.items() for b in builders
        ]  # fmt: skip
    if only:
        plan = [p for p in plan if p[1] in only or p[0] in only]
    RESULTS.mkdir(parents=True, exist_ok=True)
    stamp = digest(converted)
    for family, builder, side in plan:
        kept = RESULTS / f"{builder}.json"
        if kept.exists() and msgspec.json.decode(kept.read_bytes(), type=Row).digest == stamp:
            continue
        row, earlier = compare(source, converted, family, builder, side, stamp, SEEDS[0]), {}
        for seed, next_seed in zip(SEEDS, SEEDS[1:], strict=False):
            if row.gradient_verdict != "differs":
                break
            earlier[str(seed)] = row.gradient or 0.0
            row = compare(source, converted, family, builder, side, stamp, next_seed)
        row.earlier = earlier
        kept.write_bytes(msgspec.json.format(msgspec.json.encode(row), indent=1) + b"\n")
        print(f"{builder:24} forward {row.forward_verdict} {row.forward}  gradient {row.gradient_verdict} {row.gradient}  {row.reason[:200]}", flush=True)


def compare(source: Path, converted: Path, family: str, builder: str, side: int, stamp: str, seed: int) -> Row:
    """One model on both frameworks, with weights and input of one seed."""
    from mindport.verify import Spec, run

    row = Row(family, builder, side, stamp)
    options = {"weights": None}
    if builder in ("googlenet", "inception_v3"):
        options |= {"init_weights": False}
    module = "torchvision.models"
    if family in ("segmentation", "video", "optical_flow"):
        module = f"torchvision.models.{family}"
    if family == "segmentation":
        options |= {"weights_backbone": None}
    torch_side = {"target": f"{module}:{builder}", "path": [str(source)], "construct": {"kwargs": options},
                  "prelude": str(HERE.parent / "examples" / "torchvision_prelude.py")}
    mindspore_side = {"target": f"{module}:{builder}", "path": [str(converted)], "construct": {"kwargs": options}}
    spec = msgspec.convert(
        {"torch": torch_side, "mindspore": mindspore_side, "oracle": False, "timeout": 1800, "seed": seed,
         "gradient": builder in {b for b, _ in FAMILIES.values()},
         "cases": [{"name": builder, "args": [{"tensor": shape} for shape in INPUTS.get(builder, [[2, 3, side, side]])]}]}, Spec)  # fmt: skip
    with tempfile.TemporaryDirectory() as work:
        result = run(spec, Path(work))
    row.seconds = result.seconds
    row.reason = " ".join(f"{t.side}: {t.message}" for t in result.troubles)[:600]
    for case in result.cases:
        row.first = case.first
        layers = [t for t in case.tensors if t.role == "layer"]
        row.layers, row.layers_equal = len(layers), sum(t.verdict == "equal" for t in layers)
        outputs = [t for t in case.tensors if t.role == "output"]
        if outputs:
            row.forward = max(t.error for t in outputs)
            row.forward_verdict = "equal" if all(t.verdict == "equal" for t in outputs) else "differs"
        gradients = [t for t in case.tensors if t.role in ("input gradient", "parameter gradient")]
        if gradients:
            row.gradient = max(t.error for t in gradients if t.verdict != "missing")
            row.gradient_verdict = "equal" if all(t.verdict == "equal" for t in gradients) else "differs"
    return row


def write_page() -> None:
    """The table of all results, failures included."""
    rows = [msgspec.json.decode(p.read_bytes(), type=Row) for p in sorted(RESULTS.glob("*.json"))]
    order = [*FAMILIES, "segmentation", "video", "optical_flow"]
    rows.sort(key=lambda r: (order.index(r.family), r.builder))
    families = {r.family for r in rows if r.family in FAMILIES}
    forward = {r.family for r in rows if r.forward_verdict == "equal" and r.family in FAMILIES}
    gradient = {r.family for r in rows if r.gradient_verdict == "equal" and r.family in FAMILIES}
    smallest = {b for b, _ in FAMILIES.values()}
    lines = [
        "# torchvision.models on MindSpore, by conversion alone", "",
        "Made by `python benchmarks/torchvision_models.py` (MindSpore 2.10.0 and torch 2.13.0 on CPU, torchvision 0.28.0). "
        "Each model is converted without hand edits, gets the weights of a seeded torch model, and runs in evaluation mode. "
        "Forward and gradient: the largest difference as a share of the largest value of the tensor. Gradient: of a random "
        "weighting of the output, with respect to the input and all parameters; equal within 1e-4. Where an input of relu lies within rounding of zero, a flipped sign moves a gradient by more: up to three "
        "seeds are tried, and each that differed is shown.", "",
        f"Families: {len(families)} of 17 tried, **{len(forward)} equal forward, {len(gradient)} equal in the gradient**. "
        f"Builders: {len(rows)} tried, {sum(r.forward_verdict == 'equal' for r in rows)} equal forward, "
        f"{sum(r.gradient_verdict == 'equal' for r in rows)} equal in the gradient.", "",
        "| family | builder | input | forward | gradient | layers equal | first difference or reason |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]  # fmt: skip
    for r in rows:
        gradient_cell = _cell(r.gradient_verdict, r.gradient) if r.builder in smallest else "not run"
        lines.append(
            f"| {r.family} | {r.builder} | {r.side}² | {_cell(r.forward_verdict, r.forward)} | {gradient_cell} "
            f"| {r.layers_equal}/{r.layers} | {_note(r)} |"
        )
    known = {r.builder for r in rows}
    lines += ["", "## Builders that were not run", "", "One comparison takes from half a minute to several; these wait for a longer run "
              "(`--all` runs the classification, segmentation, video and optical-flow builders; quantized models need a package of "
              "their own in MindSpore; detection returns lists of dictionaries whose length depends on the data).", "",
              ", ".join(f"`{b}`" for b in builders() if b not in known)]  # fmt: skip
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{PAGE}: {len(rows)} models, forward equal in {len(forward)} families, gradient in {len(gradient)}")


def builders() -> list[str]:
    """Every function that torchvision registers as a model builder, by name."""
    found: set[str] = set()
    for path in (HERE.parent / "build" / "torchvision" / "torchvision" / "models").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any("register_model" in ast.unparse(d) for d in node.decorator_list):
                found.add(node.name)
    return sorted(found)


def _note(row: Row) -> str:
    """Why a model differs or could not run, and what other seeds gave."""
    parts = [row.first or row.reason.partition("(")[0][:160]]
    parts += [f"seed {seed}: gradient differs by {error:.1e}" for seed, error in row.earlier.items()]
    return "; ".join(part for part in parts if part).replace("|", "/")


def _cell(verdict: str, error: float | None) -> str:
    return verdict if error is None else f"{verdict}, {error:.1e}"


if __name__ == "__main__":
    sys.exit(main())
