"""docs/official-table.md: what running the official mapping table showed, from the stored results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mindport.evidence.official.rows import VERDICTS, Row, Told

_LONGEST = 160
#: What a version says of a row, in one word.
_CONSISTENT = "consistent"


def page(rows: list[Row], results: dict[tuple[str, str], Told]) -> str:
    """The page's Markdown."""
    return "\n".join(_lines(rows, results)) + "\n"


def _lines(rows: list[Row], results: dict[tuple[str, str], Told]) -> Iterator[str]:
    yield "# What the official mapping table says, and what running it shows"
    yield ""
    yield "Made by `python -m mindport.evidence.official_table --jobs 1` from `src/mindport/evidence/official/`: MindSpore 2.10.0 and torch 2.13.0 on CPU. "
    yield "Each row of MindSpore's [PyTorch mapping table](https://www.mindspore.cn/docs/en/r2.3.1/note/api_mapping/pytorch_api_mapping.html) (r2.3.1 and master) is"
    yield "called as the row suggests: torch's sample arguments, positions as positions, keywords under their own name or under MindSpore's name"
    yield "at the same position; layers in evaluation mode with torch's weights, moved by their order. Values, shape and dtype must agree (docs/evidence tells the tolerances)."
    yield "This is the naive port. What mindport writes instead is tested apart: `mindport api NAME`."
    yield ""
    yield "| what running shows | meaning | r2.3.1 says consistent | r2.3.1 says different | master says consistent | master says different |"
    yield "| --- | --- | ---: | ---: | ---: | ---: |"
    counts = {version: _counts(rows, results, version) for version in ("r2_3_1", "master")}
    for verdict, meaning in VERDICTS.items():
        row_of_counts = [str(counts[version][said, verdict]) for version in ("r2_3_1", "master") for said in (True, False)]
        yield f"| {verdict} | {meaning} | {' | '.join(row_of_counts)} |"
    totals = [str(sum(n for (one, _), n in counts[version].items() if one is said)) for version in ("r2_3_1", "master") for said in (True, False)]
    yield f"| all | | {' | '.join(totals)} |"
    yield ""
    groups = (
        ("Called consistent, and silently different", lambda row, told: told.verdict == "differs" and consistent(row)),
        ("Called consistent, and raises or crashes", lambda row, told: told.verdict in ("raises", "crash", "timeout") and consistent(row)),
        ("Called different, and agrees on every sample", lambda row, told: told.verdict == "agrees" and not consistent(row)),
        ("Called different, and is", lambda row, told: told.verdict in ("differs", "raises", "crash", "timeout") and not consistent(row)),
        ("No such name in MindSpore 2.10.0", lambda row, told: told.verdict == "missing"),
    )
    for title, belongs in groups:
        chosen = [(row, results[row.key]) for row in rows if row.key in results and belongs(row, results[row.key])]
        yield f"## {title}: {len(chosen)}"
        yield ""
        yield "| PyTorch | MindSpore | r2.3.1 | master | samples | smallest call | what happens |"
        yield "| --- | --- | --- | --- | --- | --- | --- |"
        for row, told in chosen:
            cells = (f"`{row.torch}`", f"`{row.mindspore}`", _said(row.r2_3_1), _said(row.master), told.counts, _code(told.call), _text(told.message))
            yield f"| {' | '.join(cells)} |"
        yield ""
    for verdict, title in (("agrees", "Agrees, as the table says"), ("no kernel", "No kernel on CPU"), ("no samples", "Without samples")):
        names = [f"`{row.torch}` → `{row.mindspore}`" for row in rows if row.key in results and results[row.key].verdict == verdict and (verdict != "agrees" or consistent(row))]
        yield f"## {title}: {len(names)}"
        yield ""
        yield ", ".join(names) + "."
        yield ""


def consistent(row: Row) -> bool:
    """Whether the newest version that has the row calls it consistent (in function; names of parameters may differ)."""
    return _is_consistent(row.master or row.r2_3_1)


def _is_consistent(said: str) -> bool:
    return _CONSISTENT in said.lower() and "inconsistent in function" not in said.lower()


def _counts(rows: list[Row], results: dict[tuple[str, str], Told], version: str) -> Counter[tuple[bool, str]]:
    found: Counter[tuple[bool, str]] = Counter()
    for row in rows:
        said = getattr(row, version)
        if said and row.key in results:
            found[_is_consistent(said), results[row.key].verdict] += 1
    return found


def _said(said: str) -> str:
    return "" if not said else "consistent" if said == _CONSISTENT else "different" if said == "diff" else _text(said)


def _code(text: str) -> str:
    shown = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return f"`{shown}`".replace("|", "\\|") if shown else ""


def _text(text: str) -> str:
    shown = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return shown.replace("|", "\\|").replace("<", "&lt;")
