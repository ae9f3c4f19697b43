"""The official table's rows and the results of running them: data, one line a row. Needs no framework.

``mapping.tsv`` holds the facts of https://www.mindspore.cn/docs/en/r2.3.1/note/api_mapping/pytorch_api_mapping.html and of the same
page of master: PyTorch name, MindSpore name, and what each version says ("consistent", "diff", or its words; empty where the
version has no such row). ``<device>-<version>.tsv`` holds `Told` for each pair of names.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent


class Row(NamedTuple):
    """A pair of names, and what the table says about it in each version ("" where it has no such row)."""

    torch: str
    mindspore: str
    r2_3_1: str
    master: str

    @property
    def key(self) -> tuple[str, str]:
        """What the row is found by."""
        return self.torch, self.mindspore


class Told(NamedTuple):
    """What running a row came to: `verdict` is one of `VERDICTS`, `counts` text like ``pass 12, differs 3``.

    `call` is the smallest torch call of the worst kind and `message` what happened there.
    """

    torch: str
    mindspore: str
    verdict: str
    counts: str = ""
    call: str = ""
    message: str = ""


#: Verdicts on a row, worst first, and what they mean.
VERDICTS = {
    "differs": "runs and gives something else on at least one sample",
    "crash": "ends the process on at least one sample",
    "timeout": "does not end on at least one sample",
    "raises": "raises where torch does not, on at least one sample that it has a kernel for",
    "no kernel": "CPU has no kernel for it, or for none of the samples",
    "missing": "MindSpore has no such name",
    "agrees": "gives what torch gives on every sample that it has a kernel for",
    "no samples": "neither OpInfo nor the module database nor we have samples",
}


def rows() -> list[Row]:
    """All rows, sorted."""
    lines = (HERE / "mapping.tsv").read_text("utf-8").splitlines()[1:]
    return [Row(*line.split("\t")) for line in lines]


def path(device: str, mindspore: str) -> Path:
    """Where the results for a device and a MindSpore version are."""
    return HERE / f"{device}-{mindspore}.tsv"


def read(place: Path) -> dict[tuple[str, str], Told]:
    """The results by (torch, mindspore); empty where there are none."""
    if not place.exists():
        return {}
    told = [Told(*line.split("\t")) for line in place.read_text("utf-8").splitlines()[1:]]
    return {(one.torch, one.mindspore): one for one in told}


def write(place: Path, found: dict[tuple[str, str], Told]) -> None:
    """Write the results, sorted, beside and renamed."""
    lines = ["\t".join(Told._fields)]
    lines += ["\t".join(" ".join(part.split()) for part in found[key]) for key in sorted(found)]
    beside = place.with_suffix(f".{os.getpid()}.part")
    beside.write_text("\n".join(lines) + "\n", "utf-8")
    beside.replace(place)
