"""A4: parameters, multiply-adds and shapes of each network, part by part: computed from the code, or unknown."""

from __future__ import annotations

from collections.abc import Iterator

from mindport.analysis.answers import Answer, Quote, Section, Table
from mindport.analysis.network_run.computed import Computed, computed
from mindport.analysis.network_run.values import Shape
from mindport.analysis.subject import Subject
from mindport.analysis.traced import Traced
from mindport.trace.reading import Layer, Network

LETTER = "A"
_COLUMNS = ("network", "constructed", "input", "part", "class", "parameters", "multiply-adds", "output shape")
_MEASURED = ("network", "part", "class", "parameters", "multiply-adds a call", "first output shape", "different shapes", "milliseconds a call", "bytes of the largest result")
_OF_RUN = "Multiply-adds are those of convolutions and linear layers, in the mean over the network's calls; times are those of the forward pass, recording included."
_CAPTION = (
    "Computed from the code, which is not run: the network in evaluation mode. Multiply-adds are those of convolutions and linear layers; FLOPs are twice "
    "as many. What the code does not decide is unknown."
)


def section(subject: Subject) -> Section:
    """One answer for each construction of a network, and a table of the parts."""
    answers: list[Answer] = []
    rows: list[tuple[str, ...]] = []
    for found in computed(subject):
        title = subject.network_tree.title(found.network)
        answers.append(_answer(found, title))
        rows += _rows(found, title)
    tables = [_told("Sizes of the networks", rows)] if rows else []
    if subject.traced is not None:
        seen = list(_of_run(subject, subject.traced))
        answers += [answer for answer, _ in seen]
        measured = tuple(row for _, rows in seen for row in rows)
        tables += [Table("Sizes of the networks, as the run had them", _MEASURED, measured, _OF_RUN)] if measured else []
    return Section(LETTER, "Reference and structure", "参考实现与结构", tuple(answers), tuple(tables))


def _told(title: str, rows: list[tuple[str, ...]]) -> Table:
    """The table without columns that say nothing of any network."""
    kept = [place for place in range(len(_COLUMNS)) if any(row[place] not in ("", "unknown") for row in rows)]
    return Table(title, tuple(_COLUMNS[place] for place in kept), tuple(tuple(row[place] for place in kept) for row in rows), _CAPTION)


def _of_run(subject: Subject, traced: Traced) -> Iterator[tuple[Answer, list[tuple[str, ...]]]]:
    """Each network that the run called, beside what the code says of it."""
    for network in traced.trace.networks:
        top, name = network.top, network.cls.rpartition(".")[2]
        if top is None or not top.calls or not (network.parameters or len(network.layers) > 1) or not network.file:
            continue
        file = traced.file(network.file)
        static = [found.sizes.parameters for found in computed(subject) if found.network.name == name and found.sizes.parameters is not None]
        size = "parameters unknown" if network.parameters is None else f"{network.parameters:,} parameters"
        if static and network.parameters is not None:
            size += ", as computed from the code" if network.parameters in static else f"; computed from the code: {' or '.join(f'{n:,}' for n in static)}"
        said = f"{size}; {top.calls} calls, {top.seconds / top.calls:.3g} s each, {_mean_work(network.layers, top.calls)} multiply-adds each"
        quotes = (Quote(str(file.relative), network.line or 1, file.line(network.line or 1).strip()[:160]),) if file is not None else ()
        conflict = bool(static) and network.parameters is not None and network.parameters not in static
        yield Answer("A4", f"Size of {name} in the run", "conflict" if conflict else "found", said, quotes, zh="网络规模（运行时）"), list(_measured(name, network))


def _measured(name: str, network: Network) -> Iterator[tuple[str, ...]]:
    for layer in network.layers:
        if layer.path.count(".") > 1 or not layer.calls:
            continue
        inside = [one for one in network.layers if one is layer or not layer.path or one.path.startswith(layer.path + ".")]
        counts = [one.parameters for one in inside]
        total = None if None in counts else sum(c for c in counts if c is not None)
        first = layer.shapes[0] if layer.shapes else None
        yield (
            name, layer.path or "(all)", layer.cls.rpartition(".")[2], _number(total), _mean_work(inside, network.top.calls if network.top else 1),
            ", ".join(shape_text(shape) for _, _, shape in first.outputs[:4]) if first is not None else "", str(layer.distinct),
            f"{layer.seconds / layer.calls * 1000:.3g}", f"{layer.out_bytes:,}",
        )  # fmt: skip


def _mean_work(layers: list[Layer], calls: int) -> str:
    """Multiply-adds of convolutions and linear layers, in the mean over the network's calls."""
    work = sum((shapes.macs or 0) * shapes.calls for layer in layers for shapes in layer.shapes)
    return f"{round(work / max(1, calls)):,}" + (" or more" if any(layer.distinct > len(layer.shapes) for layer in layers) else "")


def _answer(found: Computed, title: str) -> Answer:
    sizes, network = found.sizes, found.network
    quotes = [network.place]
    if found.plan is not None:
        quotes.append(found.plan.place)
    if found.given is not None and found.given.place is not None:
        quotes.append(found.given.place)
    if sizes.parameters is None:
        said = f"parameters unknown: {sizes.why}"
    else:
        said = f"{sizes.parameters:,} parameters"
    how = f" ({found.plan.how})" if found.plan is not None else ""
    if found.given is not None:
        entry = " and ".join(shape_text(s) for s in found.given.shapes)
        work = f"{sizes.macs:,} multiply-adds" if sizes.macs is not None else "multiply-adds unknown"
        said += f"; for {entry} ({found.given.how}): {work}, output {outputs_text(sizes.output)}"
        said += f"; {sizes.stopped}" if sizes.stopped else ""
    elif sizes.parameters is not None:
        said += "; the input's shape is not known, so neither are the shapes inside"
    status = "found" if sizes.parameters is not None else "unknown"
    return Answer("A4", f"Size of {title}{how}", status, said, tuple(dict.fromkeys(quotes)), zh="网络规模")  # type: ignore[arg-type]


def _rows(found: Computed, title: str) -> list[tuple[str, ...]]:
    if found.plan is None or (found.sizes.parameters is None and not found.sizes.parts):
        return []
    place = f"{found.plan.place.path}:{found.plan.place.line}"
    entry = " and ".join(shape_text(s) for s in found.given.shapes) if found.given is not None else "unknown"
    sizes = found.sizes
    rows: list[tuple[str, ...]] = [(title, place, entry, "(all)", found.network.name, _number(sizes.parameters), _number(sizes.macs), outputs_text(sizes.output))]
    rows += [
        (title, place, "", part.path, part.kind, _number(part.parameters), _number(part.macs), outputs_text(part.outputs))
        for part in sizes.parts
    ]
    return rows


def _number(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"


def shape_text(shape: Shape | None) -> str:
    """``1×3×224×224``."""
    if shape is None:
        return "unknown"
    return "×".join(map(str, shape)) or "one number"


def outputs_text(shapes: tuple[Shape | None, ...] | None) -> str:
    """The shapes of one result, the first few."""
    if shapes is None:
        return "unknown"
    return ", ".join(shape_text(s) for s in shapes[:4]) + (" …" if len(shapes) > 4 else "") or "no tensor"
