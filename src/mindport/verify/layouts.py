"""Makes a weight layout by constructing the models, each in its own process; nothing is run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mindport.verify.arguments import Arguments
from mindport.verify.processes import record
from mindport.verify.result import Trouble
from mindport.verify.runner import side_job
from mindport.verify.spec import Case, Side, Spec, SpecError, check
from mindport.weights.derivation import derive
from mindport.weights.layout import Layout
from mindport.weights.tree import Tree


def layout_of(mindspore: Side, torch: Side | None, workdir: Path, folder: str = ".", timeout: float = 900) -> Layout:
    """The layout of one model: from MindSpore's cells, or (better) from both models.

    Raises `SpecError` with the reason where a model cannot be constructed, `WeightError`
    where the two do not match.
    """
    spec = Spec(torch or mindspore, mindspore, [Case()], folder=folder, timeout=timeout)
    check(spec)
    mindspore_tree = _tree("mindspore", mindspore, spec, workdir.resolve())
    return derive(mindspore_tree, _tree("torch", torch, spec, workdir.resolve()) if torch else None)


def _tree(framework: str, side: Side, spec: Spec, workdir: Path) -> Tree:
    out = workdir / framework
    out.mkdir(parents=True, exist_ok=True)
    arguments = Arguments(spec)
    job: dict[str, Any] = {
        **side_job(spec, side, arguments, out), "cases": [], "mode": "eval", "seed": spec.seed, "perturb": False,
        "weights": None, "inputs": str(out / "inputs.npz"), "cotangents": str(out / "inputs.npz"),
        "gradient": False, "layers": False, "oracle": False, "tree only": True,
    }
    arguments.save(out / "inputs.npz")
    answer = record(framework, side.python, job, out, Path(spec.folder), spec.timeout, lambda: None)
    if isinstance(answer, Trouble):
        raise SpecError(f"{framework}: {answer.message}")
    if not answer.model:
        raise SpecError(f"{framework}: {side.target} is no model; give \"construct\" if it makes one")
    return Tree.load(out / "tree.json")
