"""Gradients that differ because a value lies within rounding of a kink: a ReLU's input at zero, two equal candidates of a maximum.

On either side of a kink a function has another slope. Where a program's first values happen to put an element of some layer
within rounding of one, the two sides may take different slopes, and a gradient is off by ``sqrt(flips / elements)`` of its norm with both
sides right. That is no reason to allow such differences: a wrong gradient can be as small. So two things are asked of measurements.

1. torch's own gradients, from parameters moved by about a millionth of themselves, must move as far (`REACH`, `TRIALS`).
   Zeros stay zeros: a fault at an exact corner moves nothing here.
2. From parameters moved by a thousandth (`START`), where no element is near the kink any more, both sides must agree with the usual
   allowances. What is wrong at all is wrong there, too.

Then the ladder goes on from those moved parameters, on both sides.
"""

from __future__ import annotations

from mindport.verify.compare import compare_case
from mindport.verify.training.pair import Pair
from mindport.verify.training.result import Rung

#: A difference may be this share of the tensor's largest value: one flipped sample of a small batch makes a good part of a unit's gradient;
#: where candidates of a maximum are equal by design, whole gradients go elsewhere.
MOST = 0.5
#: torch's own gradients, moved this far, must move by this share of the difference at least.
REACH, TRIALS, SHOWN = 2e-6, 4, 0.5
#: How far the first values are moved for the second comparison, and how often that is tried.
START, STARTS = 1e-3, 2


def suspected(rung: Rung) -> bool:
    """Whether the gradients rung failed by what a kink could do: small differences, of values alone, without one common factor."""
    wrong = [t for t in rung.tensors if t.verdict != "equal"]
    return bool(wrong) and rung.verdict == "fails" and "factor" not in rung.figures and all(
        t.verdict == "differs" and t.difference is not None and t.scale is not None and t.difference <= MOST * t.scale for t in wrong
    )


def torch_jumps(pair: Pair, rung: Rung) -> bool:
    """Whether torch's own gradients jump as far as the two sides differ. `pair` holds torch's runs from parameters moved by `REACH`."""
    moved: dict[str, float] = {}
    for number, _, _ in pair.first_steps():
        case = pair.case("gradients", number)
        if case is not None:
            moved |= {t.name: t.noise for t in compare_case(*case, pair.layout, {}).tensors}
    return all(moved.get(t.name, 0.0) >= SHOWN * (t.difference or 0.0) for t in rung.tensors if t.verdict != "equal")


def flipped(pair: Pair, most: int = 3) -> list[str]:
    """The recorded layers with elements that are above zero on one side only, as "conv1 (Conv2d): 1 of 4096"."""
    found = []
    for root in pair.torch.roots:
        case = pair.case("forward", root.number)
        theirs = {(r.role, r.name): r.values for r in case[1].records} if case else {}
        for record in case[0].records if case else []:
            other = theirs.get((record.role, record.name))
            if record.role == "layer" and record.values is not None and other is not None and other.shape == record.values.shape:
                count = int(((record.values > 0) != (other > 0)).sum())
                if count:
                    found.append(f"{record.name} ({record.kind}): {count} of {record.values.size}")
    return found[:most] + ([f"and {len(found) - most} more"] if len(found) > most else [])
