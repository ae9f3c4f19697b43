"""Compares what the two recorders wrote, tensor by tensor, in torch's order of execution."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mindport.convert.rewrites.cell_names import as_torch
from mindport.verify import tolerance
from mindport.verify.recordings import CaseRecord, Record
from mindport.verify.result import CaseResult, Role, TensorResult, TensorVerdict, Trouble
from mindport.weights.layout import Layout

_ROLES = ("layer", "output", "buffer", "input gradient", "parameter gradient")


def compare_case(
    torch: CaseRecord, mindspore: CaseRecord, layout: Layout | None, chosen: Mapping[str, float]
) -> CaseResult:
    """The result of one case that ran on both sides; `chosen` overrides tolerances by dtype."""
    result = CaseResult(torch.name, "equal")
    theirs = {(r.role, _in_torch(r)): r for r in mindspore.records}
    scales: dict[str, float] = {}
    for record in torch.records:
        # A gradient may be zero in exact arithmetic; what rounding is then follows from the others of its role.
        if record.values is not None and record.role.endswith("gradient"):
            scales[record.role] = max(scales.get(record.role, 0.0), _scale(record.values))
    matched: set[tuple[Role, str]] = set()
    apart: list[str] = []
    for record in sorted(torch.records, key=lambda r: _ROLES.index(r.role)):
        key, axis = _counterpart(record, layout)
        if key is None:
            continue
        other = theirs.get(key)
        if other is None:
            if record.role == "layer":
                apart.append(f"{record.name} ({record.kind})")
            elif not (record.role in ("input gradient", "parameter gradient") and mindspore.gradient_error):
                result.tensors.append(_absent(record, "missing", f"MindSpore gives no {record.role} {record.name}"))
            continue
        matched.add(key)
        result.tensors.append(_tensor(record, other, axis, scales.get(record.role), chosen))
    known = _known_extra(layout)
    whole = {r.name.partition("#")[0].partition(":")[0] for r in torch.records if r.role == "layer"}
    whole = {path for path in whole if not any(other.startswith(f"{path}.") for other in whole)}
    for record in mindspore.records:
        if (record.role, _in_torch(record)) in matched or record.role == "buffer":
            continue
        if record.role == "layer":
            # What MindSpore builds one library layer from is not news.
            if not any(record.name.startswith(f"{path}.") for path in whole):
                apart.append(f"{record.name} ({record.kind}, MindSpore)")
        elif not (record.role == "parameter gradient" and record.name in known) and not torch.gradient_error:
            result.tensors.append(_absent(record, "unexpected", f"torch gives no {record.role} {record.name}"))
    if apart:
        more = f" and {len(apart) - 8} more" if len(apart) > 8 else ""
        result.notes.append(f"layers on one side only, not compared: {', '.join(apart[:8])}{more}")
    judge(result)
    return result


def _in_torch(record: Record) -> str:
    """What MindSpore's record is called; a layer by torch's path."""
    return as_torch(record.name) if record.role == "layer" else record.name


def judge(result: CaseResult) -> None:
    """Set the case's verdict and the first difference from its tensors."""
    bad = [t for t in result.tensors if t.verdict not in ("equal", "random")]
    random = [t for t in result.tensors if t.verdict == "random"]
    if bad:
        result.verdict = "differs"
        result.first = f"{bad[0].role} {bad[0].name}" + (f" ({bad[0].kind})" if bad[0].kind else "")
    elif random:
        result.verdict = "could not run"
        result.notes.append(
            f"{random[0].role} {random[0].name} depends on random numbers, so it cannot be compared: "
            "compare in eval mode, or set the probability of dropout to 0"
        )
    elif not result.tensors:
        result.verdict = "could not run"
        result.notes.append("there is nothing to compare: the call returned no tensor")


def _counterpart(record: Record, layout: Layout | None) -> tuple[tuple[Role, str] | None, int | None]:
    """The key of MindSpore's record, None where there is none by design; and the axis inserted there."""
    if record.role not in ("parameter gradient", "buffer"):
        return (record.role, record.name), None
    entry = layout.entries.get(record.name) if layout else None
    if entry is None:
        # A buffer that is not saved belongs to nobody's checkpoint; a parameter always does.
        return ((record.role, record.name) if record.role == "parameter gradient" else None), None
    if entry.name is None:
        return None, None
    return (record.role, entry.name), entry.insert_axis


def _known_extra(layout: Layout | None) -> set[str]:
    return set(layout.mindspore_only) if layout else set()


def _absent(record: Record, verdict: TensorVerdict, message: str) -> TensorResult:
    return TensorResult(record.role, record.name, verdict, message, record.kind, record.dtype or "", record.shape)


def _scale(values: np.ndarray) -> float:
    finite = np.abs(values[np.isfinite(values)]) if np.issubdtype(values.dtype, np.inexact) else np.abs(
        values.astype(np.float64)
    )
    return float(np.max(finite, initial=0.0))


def _tensor(
    torch: Record, mindspore: Record, axis: int | None, role_scale: float | None, chosen: Mapping[str, float]
) -> TensorResult:
    def result(verdict: TensorVerdict, message: str = "", **figures: Any) -> TensorResult:
        return TensorResult(
            torch.role, torch.name, verdict, message, torch.kind, torch.dtype or "", torch.shape, noise=noise, **figures
        )

    noise = max(torch.rerun, torch.oracle)
    mine, theirs = torch.values, mindspore.values
    if mine is None or theirs is None:
        if torch.text == mindspore.text:
            return result("equal")
        sides = [r.text if r.values is None else f"a tensor {r.shape}" for r in (torch, mindspore)]
        return result("value", f"torch gives {sides[0]}, MindSpore {sides[1]}")
    if axis is not None and theirs.ndim == mine.ndim + 1 and theirs.shape[axis] == 1:
        theirs = np.squeeze(theirs, axis)
    if mine.shape != theirs.shape:
        return result("shape", f"torch's shape is {list(mine.shape)}, MindSpore's {list(theirs.shape)}")
    if torch.dtype != mindspore.dtype:
        return result("dtype", f"torch's dtype is {torch.dtype}, MindSpore's {mindspore.dtype}")
    scale = _scale(mine)
    bound = tolerance.allowed(torch.dtype or "", scale, scale if role_scale is None else role_scale, noise, chosen)
    if torch.rerun > bound:
        return result("random", "it depends on random numbers", scale=scale)
    difference, place, invalid = largest(mine, theirs)
    figures: dict[str, Any] = {"difference": difference, "scale": scale, "allowed": bound}
    # Where the whole tensor is rounding, its share of itself says nothing.
    whole = role_scale if role_scale and bound > tolerance.relative(torch.dtype or "", chosen) * scale else scale
    figures["error"] = difference / whole if whole else difference
    if invalid is not None:
        values = f"torch has {_show(mine, invalid)}, MindSpore {_show(theirs, invalid)}"
        return result("nan", f"at {_index(invalid)} {values}", **figures)
    if difference > bound:
        values = f"torch {_show(mine, place)}, MindSpore {_show(theirs, place)}"
        return result("differs", f"by {difference:.3g} at {_index(place)} ({values}); {bound:.2g} is allowed", **figures)
    return result("equal", **figures)


def wide(values: np.ndarray) -> np.ndarray:
    """The values in a type that holds their differences: complex numbers keep their imaginary part."""
    return values.astype(np.complex128 if np.issubdtype(values.dtype, np.complexfloating) else np.float64)


def largest(mine: np.ndarray, theirs: np.ndarray) -> tuple[float, tuple[int, ...], tuple[int, ...] | None]:
    """The largest difference and its place; and the first place where one side is NaN or infinite and the other not."""
    if mine.size == 0:
        return 0.0, (), None
    if not np.issubdtype(mine.dtype, np.inexact):
        # Integers are compared as they are: a float64 does not hold every int64.
        unequal = mine != theirs
        if not unequal.any():
            return 0.0, (), None
        apart = max(abs(int(a) - int(b)) for a, b in zip(mine[unequal][:1000], theirs[unequal][:1000], strict=True))
        return float(apart), _place(unequal), None
    with np.errstate(invalid="ignore"):
        same = (mine == theirs) | (np.isnan(mine) & np.isnan(theirs))
        broken = ~same & ~(np.isfinite(mine) & np.isfinite(theirs))
        difference = np.where(same | broken, 0.0, np.abs(mine - theirs))
    place = _place(difference)
    return float(difference[place]), place, _place(broken) if broken.any() else None


def _place(values: np.ndarray) -> tuple[int, ...]:
    """The index of the largest value."""
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(values)), values.shape))


def _show(values: np.ndarray, place: tuple[int, ...]) -> str:
    value: Any = values[place]
    return f"{value:.6g}" if np.issubdtype(values.dtype, np.inexact) else str(value)


def _index(place: tuple[int, ...]) -> str:
    return str(list(place))


def trouble_of(side: str, case: str, error: Mapping[str, str], doing: str) -> Trouble:
    """A recorded exception as one sentence."""
    place = f" ({error['place']})" if error.get("place") else ""
    message = error["message"] or "no message"
    return Trouble(side, f"{doing}: {error['type']}: {message}{place}", case)
