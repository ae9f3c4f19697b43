"""A4: parameters, multiply-adds and shapes of each network, part by part: computed from the code, or unknown."""

from __future__ import annotations

from mindport.analysis.answers import Answer, Section, Table
from mindport.analysis.network_run.computed import Computed, computed
from mindport.analysis.network_run.values import Shape
from mindport.analysis.subject import Subject

LETTER = "A"
_COLUMNS = ("network", "constructed", "input", "part", "class", "parameters", "multiply-adds", "output shape")
_CAPTION = (
    "Computed from the code, which is not run: the network in evaluation mode. Multiply-adds are those of convolutions and linear layers; FLOPs are twice "
    "as many. What the code does not decide is unknown."
)


def section(subject: Subject) -> Section:
    """One answer for each construction of a network, and a table of the parts."""
    answers, rows = [], []
    for found in computed(subject):
        answers.append(_answer(found))
        rows += _rows(found)
    tables = (Table("Sizes of the networks", _COLUMNS, tuple(rows), _CAPTION),) if rows else ()
    return Section(LETTER, "Reference and structure", "参考实现与结构", tuple(answers), tables)


def _answer(found: Computed) -> Answer:
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
    return Answer("A4", f"Size of {network.name}{how}", status, said, tuple(dict.fromkeys(quotes)), zh="网络规模")  # type: ignore[arg-type]


def _rows(found: Computed) -> list[tuple[str, ...]]:
    if found.plan is None or (found.sizes.parameters is None and not found.sizes.parts):
        return []
    place = f"{found.plan.place.path}:{found.plan.place.line}"
    entry = " and ".join(shape_text(s) for s in found.given.shapes) if found.given is not None else "unknown"
    sizes = found.sizes
    rows: list[tuple[str, ...]] = [(found.network.name, place, entry, "(all)", found.network.name, _number(sizes.parameters), _number(sizes.macs), outputs_text(sizes.output))]
    rows += [
        (found.network.name, place, "", part.path, part.kind, _number(part.parameters), _number(part.macs), outputs_text(part.outputs))
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
