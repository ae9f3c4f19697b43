"""What a comparison found: one result per tensor, per case, and the verdict."""

from __future__ import annotations

from typing import Literal

import msgspec

Verdict = Literal["equal", "differs", "could not run"]
Role = Literal["output", "layer", "input gradient", "parameter gradient", "buffer"]
TensorVerdict = Literal[
    "equal", "differs", "nan", "shape", "dtype", "missing", "unexpected", "value", "random",
]


class Trouble(msgspec.Struct, frozen=True):
    """Why something could not be run or judged: a sentence for the user. `side` is "" for both."""

    side: str
    message: str
    case: str = ""


class TensorResult(msgspec.Struct, frozen=True):
    """One tensor's comparison. `error` is the largest difference as a share of `scale`, the
    largest value in torch (for a gradient that consists of rounding: of the largest value among
    the gradients of its role); `allowed` the largest difference that counts as equal.
    """

    role: Role
    name: str
    verdict: TensorVerdict
    message: str = ""
    kind: str = ""
    dtype: str = ""
    shape: list[int] | None = None
    difference: float = 0.0
    scale: float = 0.0
    error: float = 0.0
    allowed: float = 0.0
    noise: float = 0.0


class CaseResult(msgspec.Struct):
    """One case. `first` is the first tensor that differs, in torch's order of execution."""

    name: str
    verdict: Verdict
    tensors: list[TensorResult] = msgspec.field(default_factory=list)
    first: str | None = None
    notes: list[str] = msgspec.field(default_factory=list)

    def worst(self, role: Role) -> TensorResult | None:
        """The tensor of a role with the largest error."""
        return max((t for t in self.tensors if t.role == role), key=lambda t: t.error, default=None)


class Comparison(msgspec.Struct):
    """The whole answer; `exit_code` is 0 for equal, 1 for differs, 2 for could not run."""

    verdict: Verdict
    cases: list[CaseResult] = msgspec.field(default_factory=list)
    troubles: list[Trouble] = msgspec.field(default_factory=list)
    frameworks: dict[str, str] = msgspec.field(default_factory=dict)
    seconds: dict[str, float] = msgspec.field(default_factory=dict)
    notes: list[str] = msgspec.field(default_factory=list)
    version: Literal[1] = msgspec.field(default=1, name="mindport_comparison")

    @property
    def exit_code(self) -> int:
        """The process's exit code for this verdict."""
        return {"equal": 0, "differs": 1, "could not run": 2}[self.verdict]
