"""H1, H3, H8: shapes from stage to stage, and what a run saw: the loaders' batches, and which of the changing shapes changed."""

from __future__ import annotations

from collections.abc import Iterator

from mindport.analysis.answers import Answer, Quote, Section, Snippet, Table
from mindport.analysis.dynamic_shape.estimate import SECONDS_EACH
from mindport.analysis.network_run.computed import computed
from mindport.analysis.questions.network_sizes import outputs_text, shape_text
from mindport.analysis.subject import Subject
from mindport.analysis.traced import Traced, different
from mindport.trace.reading import Loader, Tensor

LETTER = "H"
_RECORD = "mindport trace --steps 200 -- python train.py\nmindport analyze . --trace trace.jsonl\n"


def section(subject: Subject) -> Section:
    """Without a trace, how to record one; with it, what it shows."""
    stages = list(_stages(subject))
    traced = subject.traced
    if traced is None:
        answer = Answer("H3", "Shapes of the loaders' batches", "unknown", "only a run shows them", (), "Record a run: mindport trace, then analyze --trace.", "数据批次的 shape")
        return Section(LETTER, "Dynamic shape", "动态 shape", (*stages, answer), (Snippet("Recording the shapes of a run", "text", _RECORD),))
    answers = [*stages, _batches(subject, traced), _sources(subject, traced), _missed(subject, traced)]
    return Section(LETTER, "Dynamic shape", "动态 shape", tuple(answers), tuple(_tables(subject, traced)))


def _stages(subject: Subject) -> Iterator[Answer]:
    """The shapes from stage to stage, where the code says what the network is called with."""
    for found in computed(subject):
        if found.given is None or found.plan is None:
            continue
        stages = [f"{part.path} {outputs_text(part.outputs)}" for part in found.sizes.parts if "." not in part.path and part.outputs]
        said = " → ".join([" and ".join(shape_text(shape) for shape in found.given.shapes), *stages[:12]]) + (" → …" if len(stages) > 12 else "")
        quotes = (found.network.place, *((found.given.place,) if found.given.place is not None else ()))
        yield Answer("H1", f"Shapes per stage of {found.network.name}", "found" if stages else "unknown", said if stages else found.sizes.stopped, quotes, zh="各阶段的 shape")


def _batches(subject: Subject, traced: Traced) -> Answer:
    loaders = traced.trace.loaders
    quotes = tuple(q for q in (_quote(subject, traced, loader.file, loader.line) for loader in loaders) if q is not None)
    if not loaders:
        return Answer("H3", "Shapes of the loaders' batches", "not found", "the run used no DataLoader", zh="数据批次的 shape")
    said = "; ".join(f"{loader.dataset.rpartition('.')[2]}: {_range(loader)}" for loader in loaders)
    return Answer("H3", "Shapes of the loaders' batches", "found", said, tuple(dict.fromkeys(quotes)), zh="数据批次的 shape")


def _range(loader: Loader) -> str:
    """``2 shapes, float32 16…2×3×224×224``."""
    counted = f"{loader.distinct} shape" + ("s" if loader.distinct != 1 else "")
    return counted + ("" if not loader.batches else ", " + ", ".join(_span([batch.tensors for batch in loader.batches])))


def _span(batches: list[tuple[Tensor, ...]]) -> list[str]:
    """Each tensor of a batch with the range of every dimension."""
    found = []
    for place, (_, dtype, shape) in enumerate(batches[0][:6]):
        same = [b[place][2] for b in batches if len(b) > place and len(b[place][2]) == len(shape)]
        sizes = [(min(n), max(n)) for n in zip(*same, strict=True)]
        found.append(f"{dtype} " + ("×".join(str(a) if a == b else f"{a}…{b}" for a, b in sizes) or "one number"))
    return found


def _sources(subject: Subject, traced: Traced) -> Answer:
    sources = subject.shape_sources
    seen = [traced.of_source(source).seen for source in sources]
    quotes = tuple(subject.quote(s.file, s.node) for s, what in zip(sources, seen, strict=True) if what == "confirmed")
    inputs = [layer for layer in traced.inputs() if layer.distinct]
    shapes = max((len({s.inputs for s in layer.shapes}) for layer in inputs), default=0)
    said = (
        f"{len(sources)} places where the code lets a shape change: {seen.count('confirmed')} confirmed by the run, {seen.count('not seen')} ran and gave one shape, "
        f"{seen.count('not exercised')} did not run while the trace looked, {seen.count('not visible')} ran outside of the networks' calls"
        if sources
        else "the code lets no shape change"
    )
    said += f"; the network got {shapes} different input shapes in {traced.trace.iterations} {traced.trace.unit}" if inputs else ""
    advice = f"Under ms.jit {shapes} input shapes are {shapes} compilations, {shapes * SECONDS_EACH:g} s and more." if shapes > 1 else ""
    return Answer("H8", "What a run saw", "found", said, quotes[:40], advice, "运行时观察")


def _missed(subject: Subject, traced: Traced) -> Answer:
    found = missed(subject, traced)
    said = "; ".join(text for text, _ in found[:8]) or "none: every change that the run saw is among the places above"
    quotes = tuple(dict.fromkeys(quote for _, quote in found if quote is not None))
    return Answer("H8", "Changes that the code does not show", "conflict" if found else "not found", said, quotes, zh="静态分析未发现的变化")


def missed(subject: Subject, traced: Traced) -> list[tuple[str, Quote | None]]:
    """Changes of shapes that the run saw and no source explains: where no source is in the same function, and in the inputs."""
    found: list[tuple[str, Quote | None]] = []
    for file, place in traced.starting():
        function = next((f for f in _functions(subject, file, place.line)), (0, 0))
        if not any(s.file is file and function[0] <= getattr(s.node, "lineno", 0) <= function[1] for s in subject.shape_sources):
            quote = Quote(str(file.relative), place.line, file.line(place.line).strip()[:160])
            found.append((f"{quote.path}:{quote.line} {place.name} gave up to {place.most} shapes for inputs of one shape", quote))
    # What changes outside of a network's calls may be what it is called with next.
    outer = [s for s in subject.shape_sources if s.code == "MP201" or traced.of_source(s).seen == "not visible"]
    if not any(s.cause != "batch" for s in outer):
        for layer, count in traced.beyond_batch():
            said = f"{layer.cls.rpartition('.')[2]} was called with {count} shapes that differ in more than the batch's size"
            found.append((said, _quote(subject, traced, layer.file or "", layer.line or 1)))
    if not outer:
        for layer in traced.inputs():
            count = different(layer)
            if count > 1 and not any(layer.cls.rpartition(".")[2] in said for said, _ in found):
                found.append((f"{layer.cls.rpartition('.')[2]} was called with {count} shapes", _quote(subject, traced, layer.file or "", layer.line or 1)))
    return found


def _functions(subject: Subject, file: object, line: int) -> list[tuple[int, int]]:
    import ast

    from mindport.source.file import SourceFile

    assert isinstance(file, SourceFile)
    around = subject.function_around(file, ast.Pass(lineno=line, col_offset=0))
    return [(around.lineno, around.end_lineno or 0)] if around is not None else []


def _tables(subject: Subject, traced: Traced) -> list[Table]:
    tables = []
    rows = []
    for source in subject.shape_sources:
        witness = traced.of_source(source)
        rows.append((f"{source.file.relative}:{getattr(source.node, 'lineno', 1)}", source.message, witness.seen, witness.said))
    if rows:
        tables.append(Table("Changing shapes, beside a run", ("place", "why", "in the run", "seen"), tuple(rows), "A run shows what happened in it: what was not seen may still happen with other data."))
    layers = sorted((layer for layer in traced.trace.layers if layer.distinct > 1 and layer.path), key=lambda layer: -layer.distinct)
    shown = tuple(
        (layer.path, layer.cls.rpartition(".")[2], str(layer.distinct), str(layer.calls), f"{layer.shapes[-1].first}", ", ".join(_span([s.inputs for s in layer.shapes])) if layer.shapes and layer.shapes[0].inputs else "")
        for layer in layers[:40]
    )
    if shown:
        tables.append(Table("Layers whose shapes changed", ("layer", "class", "different shapes", "calls", "last new one at iteration", "inputs"), shown))
    return tables


def _quote(subject: Subject, traced: Traced, path: str, line: int) -> Quote | None:
    file = traced.file(path)
    return Quote(str(file.relative), line, file.line(line).strip()[:160]) if file is not None else None
