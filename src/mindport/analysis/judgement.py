"""What one use of an API would become: the answer that conversion gives, as data.

`api` asks a *judge*, so that analysis and conversion cannot disagree: the judge that a scan
uses runs the conversion's own binding and specialisation (`mindport.report.judge`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from mindport.catalog import Entry
from mindport.declare import Difference
from mindport.findings import Risk
from mindport.inference.facts import Facts, Unresolved, Use

Becomes = Literal["same", "inlined", "vendored", "rewritten", "left"]


@dataclass(frozen=True)
class Judgement:
    """What a use becomes.

    `same`: its name changes or nothing does; `inlined`: one MindSpore expression; `vendored`: a
    function or class that is copied into the project; `rewritten`: a construct that conversion
    writes anew; `left`: nothing, for the reason `why` under `code`. `differs` holds the declared
    differences that the call hits, with True where it certainly does; `risk` is given where the code's own is not meant;
    `unread`: what the place gives goes nowhere, as the device does in ``x.to(y.device)``.
    """

    becomes: Becomes
    entry: Entry | None = None
    code: str = ""
    why: str = ""
    differs: tuple[tuple[Difference, bool], ...] = ()
    risk: Risk | None = None
    unread: bool = False


Judge = Callable[[Use, Facts], Judgement]
#: What becomes of a place whose receiver's type is unknown: `same`, `vendored` (chosen when the program runs) or `left`.
JudgeUnknown = Callable[[Unresolved, Facts], Judgement]
