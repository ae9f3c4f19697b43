"""Writes docs/torchvision.md from the kept results."""

from __future__ import annotations

from pathlib import Path

import msgspec

PAGE = Path(__file__).parents[1] / "docs" / "torchvision.md"


class Row(msgspec.Struct):
    """What one builder's comparison in one mode found. `errors`: the largest share of a tensor's largest value, by role."""

    family: str
    builder: str
    mode: str
    digest: str
    verdict: str
    reason: str = ""
    errors: dict[str, float] = {}
    seconds: dict[str, float] = {}
    megabytes: float = 0.0
    earlier: dict[str, float] = {}  # the largest error by seed, for seeds whose gradients differed before this one


def write_page(results: Path) -> None:
    """The three counts, every failure's reason, and the table of all results."""
    from torchvision_plan import MODES, plan

    rows: dict[tuple[str, str], Row] = {}
    for path in sorted(results.glob("*-*.json")):
        row = msgspec.json.decode(path.read_bytes(), type=Row)
        rows[row.builder, row.mode] = row
    order = plan()
    titles = {"eval": "evaluation mode", "train": "training mode with gradients", "jit": "compiled by `ms.jit`"}
    counts = {m: sum(r.verdict == "equal" for (_, mode), r in rows.items() if mode == m) for m in MODES}
    tried = {m: sum(r.verdict != "skipped" for (_, mode), r in rows.items() if mode == m) for m in MODES}
    lines = [
        "# torchvision.models on MindSpore, by conversion alone", "",
        "Made by `python benchmarks/torchvision_models.py` (MindSpore 2.10.0 and torch 2.13.0 on CPU, torchvision 0.28.0). "
        "Each builder is the real one, with the weights of a seeded torch model; the converted package has no hand edits. "
        "Small inputs where the architecture allows. An error is the largest difference as a share of the tensor's largest value; "
        "equal means within 1e-4 (in training mode up to 1e-3 where torch's own float32 is that far from its float64). "
        "Training mode: outputs, running statistics, and the gradients of a random weighting of the outputs with respect to inputs and all "
        "parameters; dropout and stochastic depth are off on both sides. Where an input of relu lies within rounding of zero, a flipped sign "
        "moves a gradient by more, in torch's float32 as much as in MindSpore's: so normalisations' biases lie away from zero, agreeing with "
        "torch's float64 is agreeing, and up to three seeds are tried, each that differed being shown. Quantized builders are compared as they are "
        "by default (`quantize=False`): float models with the structure that quantisation needs; `quantize=True` is refused. "
        "Detection models get thresholds and numbers of boxes for untrained weights and statistics of their input, so that there is something to "
        "compare; in training mode they get fixed targets, their losses are the outputs, and the permutations by which they sample boxes are the "
        "same on both sides. torchvision's check that its compiled library is there (`_assert_has_ops`) is switched off on both sides, and torch's "
        "`nms` is Python.", "",
        f"Of {len(order)} builders:", "",
        *(f"* **{counts[m]} agree in {titles[m]}** ({tried[m]} tried)" for m in MODES), "",
        "## What does not agree, and why", "",
        "| builder | mode | verdict | reason |", "| --- | --- | --- | --- |",
    ]  # fmt: skip
    for _, builder in order:
        for mode in MODES:
            row = rows.get((builder, mode))
            if row is not None and row.verdict != "equal":
                lines.append(f"| {builder} | {mode} | {row.verdict} | {row.reason[:260].replace('|', '/')} |")
    for mode in MODES:
        missing = [f"`{b}`" for _, b in order if (b, mode) not in rows]
        if missing:
            lines += ["", f"Not run in {titles[mode]}: {', '.join(missing)}."]
    lines += ["", "## All builders", "", "| family | builder | weights, MB | eval | train: output | statistics | gradient | jit | seeds that differed |",
              "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]  # fmt: skip
    for family, builder in sorted(order):
        found = {m: rows.get((builder, m)) for m in MODES}
        train = found["train"]
        if not any(found.values()):
            continue
        gradient = max((train.errors.get(r, 0.0) for r in ("input gradient", "parameter gradient")), default=0.0) if train and train.errors else None
        cells = [_cell(found["eval"], "output"), _cell(train, "output"), _number(train.errors.get("statistics")) if train else "",
                 _number(gradient), _cell(found["jit"], "output"),
                 ", ".join(f"{s}: {e:.1e}" for s, e in train.earlier.items()) if train else ""]  # fmt: skip
        size = max((r.megabytes for r in found.values() if r), default=0.0)
        lines.append(f"| {family} | {builder} | {size or ''} | {' | '.join(cells)} |")
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{PAGE}: {', '.join(f'{counts[m]} {m}' for m in MODES)}")


def _cell(row: Row | None, role: str) -> str:
    if row is None:
        return "not run"
    return f"{row.verdict}{', ' + _number(row.errors[role]) if role in row.errors else ''}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1e}"
