"""What the evidence says of gradients of gradients that a converted project takes: the user is told where one is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mindport.analysis.questions import second_order
from mindport.analysis.subject import Subject
from mindport.catalog import Catalog
from mindport.evidence import store
from mindport.findings import Finding
from mindport.inference import Project
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile

#: Calls that convert compiles: what is wrong in PyNative alone is right there.
COMPILED = (
    "torch.autograd.grad", "torch.autograd.backward", "torch.Tensor.backward",
    *second_order.NESTABLE, "torch.func.hessian", "torch.autograd.functional.hessian", "torch.autograd.functional.hvp", "torch.autograd.functional.vhp",
)  # fmt: skip


def second_gradients(root: Path, facts: Mapping[SourceFile, Facts], inference: Project, catalog: Catalog, mindspore: str) -> list[Finding]:
    """MP411 at each place whose second gradient does not work, MP412 where it works in graph mode only and nothing compiles it."""
    takers = {*second_order.TAKERS, *second_order.NESTABLE}
    if not any(use.name in takers for known in facts.values() for use in known.uses):
        return []
    subject = Subject(root, facts, inference, catalog, mindspore=mindspore, evidence=store.load("cpu", mindspore))
    places = list(second_order.taken(subject))
    if not places:
        return []
    second_order.section(subject)
    compiled = {(place.file.relative, place.file.number(place.call.lineno)) for place in places if place.name in COMPILED}
    return [
        finding for finding in subject.findings
        if finding.code != "MP412" or finding.span is None or (finding.path, finding.span.line) not in compiled
    ]  # fmt: skip
