"""Writes docs/evidence/: what is verified and what is open, from the data. ``python -m mindport.evidence.page``."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from mindport import catalog
from mindport.catalog import Entry
from mindport.evidence import store
from mindport.evidence.store import FORWARD, GRADIENT, UNCOMMON, Evidence, Failure, Outcome

ROOT = Path(__file__).parents[3]
STATUSES: tuple[store.Status, ...] = ("verified", "partial", "documented", "absent")

INTRODUCTION = """# Evidence

Measured by `mindport evidence`, never typed: each equivalent ran on torch's own sample inputs beside torch, in
worker processes that may crash. MindSpore {mindspore} on {device}, torch {torch}.

* **verified**: forward samples passed; none differs, raises or crashes; no gradient differs.
* **partial**: something differs or raises; the samples are in [open.md](open.md).
* **documented**: nothing could run on this device, or there are no samples.
* **absent**: not run since the entry changed.

Empty tensors, NaN and infinities are counted apart and do not lower a status: many of MindSpore's CPU kernels
return uninitialised memory for empty input, and drop NaN ([the list](#inputs-that-many-kernels-get-wrong)).
Second gradients in PyNative are silently wrong for many functions; take them under `ms.jit`.
"""


def entries() -> list[Entry]:
    """What can be run: all but the absent ones."""
    return [entry for entry in catalog.load().entries if entry.kind != "absent"]


def index(evidence: Evidence) -> str:
    """The overview page."""
    known = entries()
    counts: Counter[str] = Counter(evidence.status(entry) for entry in known)
    some = next((o for e in known if (o := evidence.outcome(e)) is not None), None)
    versions = some.versions if some is not None else {}
    device = evidence.directory.name.partition("-")[0].upper()
    lines = [INTRODUCTION.format(mindspore=versions.get("mindspore", "?"), torch=versions.get("torch", "?"), device=device)]
    lines += ["| status | entries |", "| --- | ---: |"]
    lines += [f"| {status} | {counts[status]} |" for status in STATUSES] + [f"| all | {len(known)} |", ""]
    lines += ["## By file of knowledge", "", f"| file | {' | '.join(STATUSES)} |", "| --- | ---: | ---: | ---: | ---: |"]
    by_file: dict[str, Counter[str]] = {}
    for entry in known:
        by_file.setdefault(entry.place.partition(":")[0], Counter())[evidence.status(entry)] += 1
    lines += [f"| {file} | {' | '.join(str(told[s] or '') for s in STATUSES)} |" for file, told in sorted(by_file.items())]
    lines += ["", "## By check", "", "| check | pass | refused | declared | differs | raises | not run here | crash | timeout |"]
    lines += ["| --- |" + " ---: |" * 8]
    lines += list(_by_check(evidence, known))
    lines += ["", "## Inputs that many kernels get wrong", ""]
    for check in ("empty", "nan and inf"):
        names = [e.name for e in known if (o := evidence.outcome(e)) is not None and o.count("differs", (check,))]
        lines += [f"**{check}**, {len(names)} names give another result without an error:", ""]
        lines += [", ".join(f"`{name}`" for name in names) or "none", ""]
    lines += ["## Second gradients", ""]
    for check, how in (("second gradient", "in PyNative"), ("second gradient, graph", "under `ms.jit`")):
        names = [e.name for e in known if (o := evidence.outcome(e)) is not None and o.count("differs", (check,))]
        lines += [f"{len(names)} names give another second gradient {how}, without an error:", ""]
        lines += [", ".join(f"`{name}`" for name in names) or "none", ""]
    return "\n".join(lines)


def _by_check(evidence: Evidence, known: list[Entry]) -> Iterator[str]:
    verdicts = ("pass", "refused", "declared", "differs", "raises", "not run here", "recompiled", "returns", "none in torch", "crash", "timeout")
    counts: dict[str, Counter[str]] = {}
    for entry in known:
        outcome = evidence.outcome(entry)
        for check, by_dtype in (outcome.counts if outcome is not None else {}).items():
            for told in by_dtype.values():
                counts.setdefault(check, Counter()).update(told)
    for check, told in sorted(counts.items()):
        yield f"| {check} | {' | '.join(str(told[v] or '') for v in verdicts)} |"


def open_page(evidence: Evidence) -> str:
    """The samples that differ without an error, worst first, then crashes, then what raises."""
    groups: dict[str, list[tuple[Entry, Outcome]]] = {"differs": [], "crash": [], "timeout": [], "raises": []}
    counted = (*FORWARD, *UNCOMMON, *GRADIENT, "graph")
    for entry in entries():
        outcome = evidence.outcome(entry)
        if outcome is not None:
            for verdict in groups:
                if outcome.count(verdict, counted):
                    groups[verdict].append((entry, outcome))
                    break
    titles = {
        "differs": "Another result, and no error", "crash": "The process dies", "timeout": "No answer in time",
        "raises": "An error that no refusal explains",
    }  # fmt: skip
    lines = ["# Open", "", "What the evidence run found and nobody has fixed, refused or declared yet.", ""]
    for verdict, found in groups.items():
        lines += [f"## {titles[verdict]} ({len(found)})", ""]
        for entry, outcome in found:
            lines += [f"* **{entry.key}** ({entry.place})", ""]
            shown = [f for f in outcome.failures if f.verdict == verdict and f.check in counted][:2]
            lines += [text for failure in shown for text in _failure(failure)]
    return "\n".join(lines)


def _failure(failure: Failure) -> list[str]:
    message = " ".join(failure.message.split())[:200].replace("|", "\\|")
    call = " ".join(failure.call.split())[:160]
    return [f"  {failure.check} {failure.dtype}: {message}", "", "  ```python", f"  {call}", "  ```", ""]


def main(argv: list[str] | None = None) -> int:
    """Write both pages."""
    parser = argparse.ArgumentParser(prog="python -m mindport.evidence.page", description=__doc__.partition("\n")[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--mindspore", default="2.10.0")
    given = parser.parse_args(argv)
    evidence = store.load(given.device, given.mindspore)
    folder = ROOT / "docs" / "evidence"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.md").write_text(index(evidence) + "\n", encoding="utf-8")
    (folder / "open.md").write_text(open_page(evidence) + "\n", encoding="utf-8")
    counts = Counter(evidence.status(entry) for entry in entries())
    print(f"{folder}: {dict(counts)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
