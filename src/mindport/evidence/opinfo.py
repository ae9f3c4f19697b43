"""How much of torch's own operator database (OpInfo) has an equivalent that agrees: ``python -m mindport.evidence.opinfo``.

Reads the list of OpInfo's entries (`data/opinfo.json`, written by ``--build`` where torch is installed), the
catalog and the stored outcomes; writes docs/evidence/opinfo.md and prints the figures. Needs no framework.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from mindport import catalog
from mindport.catalog import Entry
from mindport.evidence import store
from mindport.evidence.store import DATA, Evidence

PAGE = Path(__file__).parents[3] / "docs" / "evidence" / "opinfo.md"
ENTRIES = DATA / "opinfo.json"
INTERNAL = DATA / "opinfo-internal.json"


class OpEntry(msgspec.Struct, frozen=True):
    """One of OpInfo's entries. `dtypes`: those of float32, int64, bool, complex64 that it has on CPU, in this order."""

    name: str
    variant: str
    aliases: tuple[str, ...]
    dtypes: tuple[str, ...]
    differentiable: bool

    @property
    def title(self) -> str:
        """``div[floor_rounding]``."""
        return f"{self.name}[{self.variant}]" if self.variant else self.name


@dataclass(frozen=True)
class Standing:
    """What is known about one OpInfo entry.

    `samples`: verdict → number, of the forward check in float32 (in the first dtype that the entry has, where it
    lacks float32); `gradient`: the same of the gradient check; `recorded`: checks with any outcome.
    """

    op: OpEntry
    internal: str = ""
    found: str = ""
    absent: str = ""
    samples: Counter[str] | None = None
    gradient: Counter[str] | None = None
    recorded: frozenset[str] = frozenset()

    @property
    def agrees(self) -> bool:
        """Did every sample that has a kernel on this device pass?"""
        return _all_pass(self.samples)

    @property
    def gradient_agrees(self) -> bool:
        """Did every gradient that has a kernel on this device pass?"""
        return _all_pass(self.gradient)


def _all_pass(told: Counter[str] | None) -> bool:
    return told is not None and told["pass"] > 0 and all(v in ("pass", "not run here") or not n for v, n in told.items())


def build() -> list[OpEntry]:
    """The entries of the installed torch."""
    import warnings

    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal.common_methods_invocations import op_db
    main = (torch.float32, torch.int64, torch.bool, torch.complex64)
    return [
        OpEntry(
            op.name, op.variant_test_name, tuple(sorted(alias.name for alias in op.aliases)),
            tuple(str(dtype).removeprefix("torch.") for dtype in main if dtype in op.supported_dtypes("cpu")),
            bool(op.supports_autograd and torch.float32 in op.supported_backward_dtypes("cpu")),
        )
        for op in op_db
    ]  # fmt: skip


def standings(evidence: Evidence) -> list[Standing]:
    """One for each OpInfo entry, in OpInfo's order."""
    known = catalog.load()
    by_opinfo: dict[str, list[Entry]] = {}
    for entry in known.entries:
        if entry.opinfo:
            by_opinfo.setdefault(entry.opinfo, []).append(entry)
    internal = msgspec.json.decode(INTERNAL.read_bytes(), type=dict[str, str])
    ops = msgspec.json.decode(ENTRIES.read_bytes(), type=list[OpEntry])
    return [_standing(op, internal, known, by_opinfo, evidence) for op in ops]


def _standing(
    op: OpEntry, internal: dict[str, str], known: catalog.Catalog, by_opinfo: dict[str, list[Entry]], evidence: Evidence
) -> Standing:
    for pattern, reason in internal.items():
        if pattern == op.title or fnmatchcase(op.name, pattern):
            return Standing(op, internal=reason)
    absent = ""
    for name, entries in _candidates(op, known, by_opinfo):
        absent = absent or next((e.why for e in entries if e.kind == "absent"), "")
        entries = [e for e in entries if e.kind in ("function", "attribute")]
        if entries:
            return Standing(op, "", name, "", *_counts(op, entries, evidence))
    return Standing(op, absent=absent)


def _candidates(op: OpEntry, known: catalog.Catalog, by_opinfo: dict[str, list[Entry]]) -> list[tuple[str, list[Entry]]]:
    """The names that users call the entry by, the documented function first."""
    names = [
        form.format(name)
        for name in (op.name, *op.aliases)
        for form in ("torch.{}", "torch.Tensor.{}", "torch.{}_", "torch.Tensor.{}_", "torch.nn.functional.{}", "torch.nn.init.{}_")
    ]
    found = [(name, known.find(name)) for name in names if known.find(name)]
    return found + [(e.name, [e]) for e in by_opinfo.get(op.name, [])]


def _counts(
    op: OpEntry, entries: list[Entry], evidence: Evidence
) -> tuple[Counter[str], Counter[str], frozenset[str]]:
    samples: Counter[str] = Counter()
    gradient: Counter[str] = Counter()
    recorded: set[str] = set()
    main = op.dtypes[0] if op.dtypes else ""
    for entry in entries:
        outcome = evidence.outcome(entry)
        if outcome is None:
            continue
        recorded.update(outcome.counts)
        samples.update(outcome.counts.get("forward", {}).get(main, {}))
        gradient.update(outcome.counts.get("gradient", {}).get(main, {}))
    return samples, gradient, frozenset(recorded)


def figures(told: list[Standing]) -> dict[str, tuple[int, int]]:
    """Title → (reached, out of), in the order of the page."""
    public = [s for s in told if not s.internal]
    runnable = [s for s in public if s.samples and s.samples.total() > s.samples["not run here"]]
    one_each = {s.found: s for s in runnable}.values()
    differentiable = [s for s in public if s.op.differentiable]
    with_gradient = [s for s in differentiable if s.gradient and s.gradient.total() > s.gradient["not run here"]]
    second = [s for s in with_gradient if {"second gradient", "second gradient, graph"} <= s.recorded]
    return {
        "internal": (len(told) - len(public), len(told)),
        "with an equivalent": (sum(bool(s.found) for s in public), len(public)),
        "with a reason why there is none": (sum(bool(s.absent) for s in public), len(public)),
        "with a sample that runs here": (len(runnable), len(public)),
        "agree on every float32 sample that runs here": (sum(s.agrees for s in public), len(public)),
        "samples that agree (each equivalent once)": (
            sum(s.samples["pass"] for s in one_each if s.samples),
            sum(s.samples.total() - s.samples["not run here"] for s in one_each if s.samples),
        ),
        "agree in the gradient, of the differentiable": (sum(s.gradient_agrees for s in differentiable), len(differentiable)),
        "agree in the gradient, of those whose gradient runs here": (sum(s.gradient_agrees for s in with_gradient), len(with_gradient)),
        "second gradient recorded, of the latter (torch has none of the others)": (len(second), len(with_gradient)),
        "graph mode recorded, of those with a sample that runs here": (sum("graph" in s.recorded for s in runnable), len(runnable)),
    }


def page(told: list[Standing]) -> str:
    """The page in Markdown."""
    lines = [
        "# OpInfo", "",
        "torch tests its operators with a database of sample inputs, OpInfo. This page says for how many of its entries",
        "there is an equivalent, and how the equivalents fared on the samples (at most 30 in float32 for a name).",
        "Generated by `python -m mindport.evidence.opinfo`; *runs here*: MindSpore has a kernel on this device.", "",
        "| | entries | of | |", "| --- | ---: | ---: | ---: |",
    ]  # fmt: skip
    lines += [f"| {title} | {some} | {all_} | {some / max(all_, 1):.1%} |" for title, (some, all_) in figures(told).items()]
    public = [s for s in told if not s.internal]
    lines += ["", "## Missing", "", _listed(s.op.title for s in public if not s.found and not s.absent), ""]
    lines += ["## Absent, with a reason", ""]
    lines += [f"* `{s.op.title}`: {s.absent}" for s in public if s.absent] or ["none"]
    lines += ["", "## Not run since they changed", "", _listed(s.op.title for s in public if s.found and not s.recorded), ""]
    lines += ["## Not all float32 samples agree", ""]
    lines += [f"* `{s.op.title}` ({s.found}): {_told(s.samples)}" for s in public if s.found and s.recorded and not s.agrees]
    lines += ["", "## The gradient does not agree", ""]
    lines += [
        f"* `{s.op.title}` ({s.found}): {_told(s.gradient)}"
        for s in public if s.op.differentiable and s.found and s.recorded and not s.gradient_agrees
    ]  # fmt: skip
    lines += ["", "## Internal: left out", ""]
    by_reason: dict[str, list[str]] = {}
    for standing in told:
        if standing.internal:
            by_reason.setdefault(standing.internal, []).append(standing.op.title)
    lines += [f"* {reason}: {_listed(names)}" for reason, names in by_reason.items()]
    return "\n".join(lines) + "\n"


def _listed(names: object) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"  # type: ignore[attr-defined]


def _told(counts: Counter[str] | None) -> str:
    return ", ".join(f"{n} {verdict}" for verdict, n in (counts or Counter()).most_common()) or "no sample"


def main(argv: list[str] | None = None) -> int:
    """Write the page and print the figures; with ``--build``, write the list of entries first."""
    parser = argparse.ArgumentParser(prog="python -m mindport.evidence.opinfo", description=__doc__.partition("\n")[0])
    parser.add_argument("--build", action="store_true", help="read OpInfo's entries from the installed torch")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--mindspore", default="2.10.0")
    given = parser.parse_args(argv)
    if given.build:
        ENTRIES.write_text("[\n" + ",\n".join(msgspec.json.encode(op).decode() for op in build()) + "\n]\n", encoding="utf-8")
    told = standings(store.load(given.device, given.mindspore))
    PAGE.write_text(page(told), encoding="utf-8")
    for title, (some, all_) in figures(told).items():
        print(f"{some:5} of {all_:5}  {some / max(all_, 1):6.1%}  {title}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
