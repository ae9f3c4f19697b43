"""Writes the tables of docs/unseen-second.md from the plan and the results.

    python benchmarks/unseen_second_page.py    # what stands between the two markers of each table is replaced
"""

from __future__ import annotations

import collections
import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "unseen-second.md"
RESULTS = ROOT / "benchmarks" / "results" / "unseen_second"
#: What cannot be compared, with the reason; the classes are of the harness.
APART = {
    ("attentions", "MlpMixer"): "its blocks stand in a plain list: torch's state does not have their weights",
    ("attentions", "S2Attention"): "writes a tensor into an overlapping part of itself: torch's own result hangs on the order of its copy",
}
WORDS = {
    "agrees": "agrees in evaluation and in training",
    "announced": "does not run; convert had said so at that line",
    "refused at run": "does not run; the equivalent refuses with a reason",
    "unannounced": "does not run, nothing had said so",
    "announced, gradient only": "evaluation agrees; the training step stops where convert had said so",
    "unannounced, gradient only": "evaluation agrees; the training step raises, nothing had said so",
    "SILENT": "outputs differ",
    "SILENT, gradient only": "outputs agree, gradients differ",
    "crash": "no answer in time",
    "not compared": "not compared",
}


def main() -> None:
    """Replace the tables."""
    plan = json.loads((ROOT / "benchmarks" / "plans" / "unseen_second.json").read_text())
    batch_of = {_key(row): row["batch"] for row in plan}
    first, after = (_read(RESULTS / name, batch_of) for name in ("first.jsonl", "after.jsonl"))
    text = PAGE.read_text(encoding="utf-8")
    for name, table in (("batches", _batches(first, after, batch_of)), ("packages", _packages(first, after, batch_of))):
        text = re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda m, t=table: f"{m[1]}{t}{m[2]}", text, flags=re.DOTALL)
    PAGE.write_text(text, encoding="utf-8")


def _key(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["package"], row["module"], row["make"]


def _read(path: Path, known: dict[tuple[str, str, str], str]) -> dict[tuple[str, str, str], str]:
    found = {}
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        if _key(row) in known:
            apart = (row["package"], row["make"].partition("(")[0]) in APART
            found[_key(row)] = "not compared" if apart else row["class"]
    return found


def _batches(first: dict[Any, str], after: dict[Any, str], batch_of: dict[Any, str]) -> str:
    batches = sorted(set(batch_of.values()))
    lines = ["| outcome | " + " | ".join(f"{b} first | {b} after" for b in batches) + " |", "| --- |" + " --- |" * 2 * len(batches)]
    for kind, words in WORDS.items():
        counts = [str(sum(found.get(k) == kind for k in batch_of if batch_of[k] == b)) for b in batches for found in (first, {**first, **after})]
        if any(c != "0" for c in counts):
            lines.append(f"| {words} | " + " | ".join(counts) + " |")
    shares = []
    for b in batches:
        for found in (first, {**first, **after}):
            compared = [found[k] for k in batch_of if batch_of[k] == b and k in found and found[k] != "not compared"]
            shares.append(f"{sum(c == 'agrees' for c in compared)} of {len(compared)}")
    lines.append("| **agree, of those compared** | " + " | ".join(f"**{s}**" for s in shares) + " |")
    return "\n".join(lines) + "\n"


def _packages(first: dict[Any, str], after: dict[Any, str], batch_of: dict[Any, str]) -> str:
    lines = ["| package | batch | networks | first contact | after |", "| --- | --- | --- | --- | --- |"]
    groups: dict[tuple[str, str], list[Any]] = collections.defaultdict(list)
    for key, batch in batch_of.items():
        if key in first:
            groups[batch, key[0]].append(key)
    for (batch, package), keys in sorted(groups.items()):
        sides = [collections.Counter(found[k] for k in keys) for found in (first, {**first, **after})]
        words = [", ".join(f"{n} {kind}" for kind, n in side.most_common()) for side in sides]
        lines.append(f"| {package} | {batch} | {len(keys)} | {words[0]} | {words[1] if words[1] != words[0] else 'the same'} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
