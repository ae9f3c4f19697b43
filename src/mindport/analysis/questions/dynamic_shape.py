"""H: which shapes change between steps, why, what lies behind them, how often that recompiles, and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mindport.analysis.answers import Answer, Section, Snippet, Table
from mindport.analysis.dynamic_shape.abstract import Source
from mindport.analysis.dynamic_shape.estimate import SECONDS_EACH, shapes_of
from mindport.analysis.dynamic_shape.workarounds import ADVICE, difference
from mindport.analysis.subject import Subject

LETTER = "H"
#: Places shown behind one source; the table says how many more there are.
_MOST_PLACES, _MOST_QUOTES = 6, 40
#: APIs that change a shape with the values, whatever they are given (H5); the rest of the ten rows is H4.
_ALWAYS = ("Unique", "MaskedSelect", "NonZero")


def section(subject: Subject) -> Section:
    """H1: the verdict; H2, H4, H5, H7: the causes; H6: what lies behind each; H9: what to do."""
    sources = subject.shape_sources
    for source in sources:
        subject.report(
            source.code, source.file, source.node, source.message, certainty="likely" if source.likely else "certain", advice=ADVICE[source.cause]
        )
    groups = (
        ("H2", "Inputs whose shape is not fixed", "输入 shape 不固定", [s for s in sources if s.code == "MP201"]),
        ("H4", "Sizes, indices and axes that change", "可变的尺寸、下标与轴", [s for s in sources if s.code in ("MP202", "MP204") and s.row not in _ALWAYS]),
        ("H5", "APIs whose result's shape depends on values", "结果 shape 取决于数值的接口", [s for s in sources if s.code == "MP202" and s.row in _ALWAYS]),
        ("H7", "Branches and loops that data decide", "由数据决定的分支与循环", [s for s in sources if s.code in ("MP203", "MP205")]),
    )
    answers = [_verdict(subject, sources)]
    answers += [_group(subject, row, title, zh, found) for row, title, zh, found in groups]
    return Section(LETTER, "Dynamic shape", "动态 shape", tuple(answers), tuple(_parts(subject, sources)))


def _verdict(subject: Subject, sources: Sequence[Source]) -> Answer:
    quotes = tuple(subject.quote(s.file, s.node) for s in sources[:_MOST_QUOTES])
    if not sources:
        return Answer("H1", "Static or dynamic", "not found", "no place was found where a shape changes between steps: the shapes are static", zh="静态或动态")
    inner = [s for s in sources if s.code != "MP201"]
    what = "only the inputs' shapes change" if not inner else f"dynamic: {_counted(len(sources))} where a shape begins to change, {len(inner)} of them in the computation"
    return Answer("H1", "Static or dynamic", "found", what, quotes, f"Under ms.jit each new shape compiles again: {SECONDS_EACH} s for a small network, more for a large one.", "静态或动态")


def _counted(number: int) -> str:
    return f"{number} place" if number == 1 else f"{number} places"


def _group(subject: Subject, row: str, title: str, zh: str, found: list[Source]) -> Answer:
    quotes = tuple(subject.quote(s.file, s.node) for s in found[:_MOST_QUOTES])
    kinds = list(dict.fromkeys(s.cause for s in found))
    value = _counted(len(found)) if found else "none found"
    return Answer(row, title, "found" if found else "not found", value, quotes, " ".join(ADVICE[kind] for kind in kinds), zh)


def _parts(subject: Subject, sources: Sequence[Source]) -> Iterator[Table | Snippet]:
    if not sources:
        return
    rows, behind = [], []
    for source in sources:
        place = _place(source)
        shapes = shapes_of(source, subject.facts[source.origin.file if source.origin else source.file])
        rows.append((place, source.code, source.row, source.message, shapes.text, shapes.cost, ADVICE[source.cause]))
        if source.downstream or source.fixed_by:
            behind.append((place, _places(source.downstream), _places(source.fixed_by) or "not seen"))
    yield Table(
        "Where shapes begin to change", ("place", "code", "row of the guide", "why", "shapes", "cost under ms.jit", "what to do"), tuple(rows)
    )
    if behind:
        yield Table(
            "What lies behind them", ("source", "shapes that change with it", "fixed again by"), tuple(behind),
            "A shape is uncertain from its source on, until something makes one number or a fixed size of it.",
        )  # fmt: skip
    for source in sources:
        shown = difference(source, subject.facts[source.file])
        if shown is not None:
            yield shown


def _place(source: Source) -> str:
    return f"{source.file.relative}:{getattr(source.node, 'lineno', 1)}"


def _places(found: dict[tuple[str, int], str]) -> str:
    shown = [f"{path}:{line} {what}" for (path, line), what in sorted(found.items())[:_MOST_PLACES]]
    rest = len(found) - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest > 0 else "")
