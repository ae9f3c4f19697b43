"""Finds the operator that departs inside one module: both sides run again, and every operator's result is kept.

The frameworks' operators have other names and other grain, so they are matched by what they compute: one of torch's
is *met* where some operator of MindSpore's has the same numbers. The one that departs is the first that is not met,
gets only what was met (or came from outside), and feeds nothing that is met.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from mindport.verify.training.digest import same
from mindport.verify.training.launch import watched
from mindport.verify.training.plan import TrainSpec, place


class Operator(msgspec.Struct):
    """One of torch's functions: its name, the line that called it, and its name in mindport's knowledge."""

    name: str
    line: str
    api: str


def trace(plan: TrainSpec, workdir: Path, number: int, path: str) -> Operator | None:
    """The operator that departs in the first call of the module at `path` of model `number`; None where none is found."""
    traces = []
    for label, side in (("torch", plan.torch), ("mindspore", plan.mindspore)):
        folder = workdir / f"trace-{label}"
        job: dict[str, Any] = {
            "detail": True, "steps": 1, "dropout": plan.dropout, "share": plan.share_random, "framework": label,
            "trace": {"root": number, "path": path},
        }
        if label == "mindspore":
            # torch's values stand there from the ladder's own run.
            job |= {"handshake": True, "torch": str(workdir / "torch"), "placed": str(workdir / "mindspore")}
        watched(
            [side.python, *plan.words], place(plan, side.folder), folder, job, timeout=plan.timeout,
            path=[str(place(plan, p)) for p in side.path],
            environment=side.environment | ({"MS_JIT": "0"} if label == "mindspore" else {}),
        )
        place_ = folder / "trace.json"
        if not place_.is_file():
            return None
        traces.append(json.loads(place_.read_text()))
    return departing(*traces)


def departing(torch: list[dict[str, Any]], mindspore: list[dict[str, Any]]) -> Operator | None:
    """The first of torch's operators that departs, from the two lists of results.

    Each of torch's has ``name``, ``line``, ``inputs`` and ``outputs`` (numbers of tensors), ``digests``; each of
    MindSpore's ``digests``. An operator without a name stands for the module's result.
    """
    found = [digest for operator in mindspore for digest in operator["digests"]]

    def met(operator: dict[str, Any]) -> bool:
        return all(any(_same(mine, theirs) for theirs in found) for mine in operator["digests"])

    # Only what the result is made of: a counter of batches is not.
    wanted: set[int] = set()
    needed: list[dict[str, Any]] = []
    for operator in reversed(torch):
        if not operator["name"]:
            wanted |= set(operator["inputs"])
        elif wanted & set(operator["outputs"]):
            wanted |= set(operator["inputs"])
            needed.insert(0, operator)
    unmet: set[int] = set()
    suspects: list[dict[str, Any]] = []
    for operator in needed:
        if met(operator):
            # What it was made from may differ in grain only.
            suspects = [s for s in suspects if not set(s["outputs"]) & set(operator["inputs"])]
            continue
        if not unmet & set(operator["inputs"]):
            suspects.append(operator)
        unmet |= set(operator["outputs"])
    if not suspects:
        return None
    first = suspects[0]
    return Operator(first["name"], first["line"], _api(first["name"]))


def _same(mine: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """The same numbers in the same order, whatever the shape (a reshape is no operator everywhere)."""
    elements = [_product(d["shape"]) for d in (mine, theirs)]
    return elements[0] == elements[1] and same(mine, theirs | {"shape": mine["shape"]}, 1e-4)


def _product(shape: list[int]) -> int:
    result = 1
    for length in shape:
        result *= length
    return result


def _api(name: str) -> str:
    from mindport.inference.torchfacts import canonical

    return canonical(name) or name
