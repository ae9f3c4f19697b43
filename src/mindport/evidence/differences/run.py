"""Runs the differences and writes docs/differences/measured.md: ``python -m mindport.evidence.differences.run``.

A process runs rows one after another and writes each result at once; when it dies, that is the row's result and another
process goes on behind it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

from mindport.evidence.differences.rows import ROWS, Difference

PAGE = Path(__file__).parents[4] / "docs" / "differences" / "measured.md"
RESULTS = Path(__file__).parent / "cpu-2.10.0.json"
SECONDS = 600
_SHOWN = 110


def measure(first: int) -> None:
    """Run the rows from number `first` on; one JSON line on standard output for each."""
    out = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    warnings.simplefilter("ignore")
    from mindport.evidence.differences.inputs import names

    for row in ROWS:
        if row.number >= first and not row.why:
            out.write(json.dumps({"begin": row.number}) + "\n")
            theirs, ours = _evaluated(row.torch, names()), _evaluated(row.mindspore, names())
            out.write(json.dumps({"number": row.number, **_judged(theirs, ours)}) + "\n")


def _evaluated(program: str, names: dict[str, Any]) -> Any:
    """What a program of ours gives; an error is a value, too."""
    try:
        value = eval(program, names)
        if hasattr(value, "asnumpy"):
            value.asnumpy()
        return value
    except Exception as error:
        return error


def _judged(theirs: Any, ours: Any) -> dict[str, str]:
    from mindport.evidence.compare import difference

    if isinstance(ours, Exception):
        return {"verdict": "raises", "torch": _shown(theirs), "mindspore": f"{type(ours).__name__}: {' '.join(str(ours).split())}"[:_SHOWN], "by": ""}
    if isinstance(theirs, Exception):
        return {"verdict": "torch raises", "torch": f"{type(theirs).__name__}: {' '.join(str(theirs).split())}"[:_SHOWN], "mindspore": _shown(ours), "by": ""}
    if isinstance(theirs, tuple) and hasattr(theirs, "numel"):
        theirs = tuple(theirs)
    told = difference(theirs, ours, sequences_alike=True)
    return {"verdict": "differs" if told else "same", "torch": _shown(theirs), "mindspore": _shown(ours), "by": told}


def _shown(value: Any) -> str:
    import mindspore as ms
    import torch

    if isinstance(value, torch.Tensor | ms.Tensor):
        numbers = [f"{n:.4g}" for n in (value.detach().numpy() if isinstance(value, torch.Tensor) else value.asnumpy()).reshape(-1)[:4]]
        return f"{tuple(value.shape)} {str(value.dtype).rpartition('.')[2].lower()}: {', '.join(numbers)}"
    text = ", ".join(_shown(each) for each in value) if isinstance(value, tuple) and not hasattr(value, "numel") else repr(value)
    return " ".join(text.split())[:_SHOWN]


def collect() -> dict[int, dict[str, str]]:
    """The results of all rows that have programs, by number."""
    found: dict[int, dict[str, str]] = {}
    first, place = 1, tempfile.mkdtemp()
    while first <= ROWS[-1].number:
        environment = dict(os.environ, GLOG_v="4", OMP_NUM_THREADS="1")
        ran = subprocess.run([sys.executable, "-m", __spec__.name if __spec__ else __name__, str(first)], capture_output=True, text=True, env=environment, cwd=place, timeout=SECONDS)
        events = [json.loads(line) for line in ran.stdout.splitlines()]
        for event in events:
            if "number" in event:
                found[event.pop("number")] = event
        begun = [event["begin"] for event in events if "begin" in event]
        if ran.returncode == 0:
            return found
        if not begun:
            raise RuntimeError(f"the rows cannot be run: {ran.stderr[-500:]}")
        found[begun[-1]] = {"verdict": "crash", "torch": "", "mindspore": f"the process ended with {ran.returncode}", "by": ""}
        first = begun[-1] + 1
    return found


MEANINGS = {
    "differs": "holds: MindSpore gives something else", "raises": "holds: MindSpore raises", "torch raises": "holds: torch raises and MindSpore does not",
    "crash": "holds: MindSpore ends the process", "same": "no longer holds: both give the same", "": "not run",
}  # fmt: skip


def page(results: dict[int, dict[str, str]]) -> str:
    """The page's Markdown."""
    lines = ["# 100 differences between PyTorch and a port by name, measured", ""]
    lines += ["Made by `python -m mindport.evidence.differences.run` with MindSpore 2.10.0 and torch 2.13.0 on CPU, from `src/mindport/evidence/differences/rows.py`."]
    lines += ["Each row is an expression for either side over equal inputs (`inputs.py`); the columns show what they gave. What mindport writes instead: `mindport api NAME`.", ""]
    told = [results.get(row.number, {}).get("verdict", "") for row in ROWS]
    lines += [f"- {told.count(verdict)} {meaning}" for verdict, meaning in MEANINGS.items()]
    for area in dict.fromkeys(row.area for row in ROWS):
        lines += ["", f"## {area.capitalize()}", "", "| # | difference | PyTorch | gives | MindSpore | gives | measured |", "| ---: | --- | --- | --- | --- | --- | --- |"]
        lines += [_line(row, results.get(row.number)) for row in ROWS if row.area == area]
    return "\n".join(lines) + "\n"


def _line(row: Difference, result: dict[str, str] | None) -> str:
    if result is None:
        return f"| {row.number} | {row.what} |  |  |  |  | not run: {row.why} |"
    measured = MEANINGS[result["verdict"]] + (f" ({result['by']})" if result["by"] else "")
    cells = (f"`{row.torch}`", result["torch"], f"`{row.mindspore}`", result["mindspore"], measured)
    return f"| {row.number} | {row.what} | {' | '.join(cell.replace('|', chr(92) + '|').replace('<', '&lt;') for cell in cells)} |"


def main() -> int:
    """Run everything and write the results and the page; ``--page`` writes the page from the stored results."""
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        measure(int(sys.argv[1]))
        return 0
    if "--page" not in sys.argv:
        RESULTS.write_text(json.dumps(collect(), indent=1, sort_keys=True) + "\n", "utf-8")
    results = {int(number): told for number, told in json.loads(RESULTS.read_text("utf-8")).items()}
    PAGE.write_text(page(results), "utf-8")
    print(f"{PAGE}: {len(results)} of {len(ROWS)} rows run")
    return 0


if __name__ == "__main__":
    sys.exit(main())
