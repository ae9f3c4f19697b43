"""What a ladder found: a verdict for each rung, and where the first failing one departs."""

from __future__ import annotations

from typing import Literal

import msgspec

from mindport.verify.result import TensorResult, Trouble

Verdict = Literal["passes", "fails", "could not judge", "not reached"]
RUNGS = (
    "initial state", "data order", "forward by layer", "loss of step 1", "gradients", "parameters after one step",
    "learning rate", "loss curve", "metric", "as run",
)


class Departure(msgspec.Struct):
    """The first place where the two part: `module` is a path in the model, `operator` and `line` in its code."""

    what: str
    module: str = ""
    kind: str = ""
    operator: str = ""
    line: str = ""
    apis: list[str] = msgspec.field(default_factory=list)


class Rung(msgspec.Struct):
    """One rung. `tensors` holds the single comparisons, `figures` numbers by name."""

    name: str
    verdict: Verdict = "not reached"
    message: str = ""
    notes: list[str] = msgspec.field(default_factory=list)
    tensors: list[TensorResult] = msgspec.field(default_factory=list)
    figures: dict[str, float] = msgspec.field(default_factory=dict)


class Ladder(msgspec.Struct):
    """The whole answer; `exit_code` is 0 where every rung passes, 1 where one fails, 2 where a side
    could not run to its end, or nothing can be judged."""

    rungs: list[Rung] = msgspec.field(default_factory=lambda: [Rung(name) for name in RUNGS])
    departure: Departure | None = None
    troubles: list[Trouble] = msgspec.field(default_factory=list)
    frameworks: dict[str, str] = msgspec.field(default_factory=dict)
    seconds: dict[str, float] = msgspec.field(default_factory=dict)
    curves: dict[str, list[float]] = msgspec.field(default_factory=dict)
    notes: list[str] = msgspec.field(default_factory=list)
    version: Literal[1] = msgspec.field(default=1, name="mindport_ladder")

    @property
    def verdict(self) -> Verdict:
        """The first verdict that is no pass; a rung without anything to compare is passed over."""
        whole: Verdict = "passes" if any(r.verdict == "passes" for r in self.rungs) else "not reached"
        return next((r.verdict for r in self.rungs if r.verdict not in ("passes", "not reached")), whole)

    @property
    def exit_code(self) -> int:
        """The process's exit code for this verdict."""
        if self.troubles:
            return 2
        return {"passes": 0, "fails": 1}.get(self.verdict, 2)
