"""Names that torch had in other versions, imported with a way out: ``try: from torch.nn.modules.linear import _LinearWithBias``."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import Discovery
from mindport.source.file import SourceFile
from tests.convert.both_sides import printed_by_both

PROGRAM = """import torch
try:
    from torch.nn.modules.linear import _LinearWithBias
except ImportError:
    _LinearWithBias = None
try:
    from torch._six import (
        container_abcs,
        inf,
    )
except ImportError:
    import collections.abc as container_abcs
    from math import inf
try:
    from torch.nn.modules.linear import NonDynamicallyQuantizableLinear as Out
except ImportError:
    Out = torch.nn.Linear
from torch.overrides import has_torch_function, handle_torch_function


class Projection(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = _LinearWithBias(2, 2) if _LinearWithBias is not None else torch.nn.Linear(2, 2)
        self.outer = Out(2, 2)

    def forward(self, x, y=None):
        if not torch.jit.is_scripting():
            if any(type(t) is not torch.Tensor for t in (x,)) and has_torch_function((x,)):
                return handle_torch_function(self.forward, (x,), x)
        y = torch.jit._unwrap_optional(x if y is None else y)
        return self.outer(self.inner(x)) + y


net = Projection()
for p in net.parameters():
    p.data.fill_(0.5)
print(net(torch.ones(1, 2)).tolist(), isinstance([], container_abcs.Sequence), inf)
"""


@pytest.mark.frameworks
def test_the_way_out_is_taken(tmp_path: Path) -> None:
    """What copies of torch's attention begin with."""
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs


def converted(text: str) -> tuple[str, list[tuple[str, int]]]:
    result = convert(Discovery(root=Path("."), files=[SourceFile.of(text, "m.py")]))
    (found,) = (text for path, text in result.files.items() if path.name == "m.py")
    return found, [(finding.code, finding.span.line) for finding in result.findings]


def test_lines_keep_their_numbers() -> None:
    _, findings = converted(PROGRAM.replace("net = Projection()", "torch.nn.nothing_known(3)"))
    assert ("MP101", PROGRAM.split("\n").index("net = Projection()") + 1) in findings


def test_without_a_way_out_it_is_told() -> None:
    text, findings = converted("import torch\ntry:\n    from torch.nn.modules.linear import _LinearWithBias\nexcept ImportError:\n    print('none')\nlayer = _LinearWithBias(2, 2)\n")
    assert ("MP101", 6) in findings and "raise ImportError" not in text
