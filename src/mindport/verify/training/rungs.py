"""The rungs of the ladder. Each takes the pair and fills its rung; a rung is judged only where all below pass."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from mindport.verify.compare import compare_case, judge, largest, wide
from mindport.verify.result import CaseResult, TensorResult
from mindport.verify.training.band import FACTOR, SHARE, band
from mindport.verify.training.digest import same
from mindport.verify.training.journal import BY_HAND
from mindport.verify.training.metrics import last
from mindport.verify.training.pair import Pair, value
from mindport.verify.training.plan import TrainSpec
from mindport.verify.training.recorded import Root
from mindport.verify.training.result import Ladder, Rung

#: A parameter's step may differ by this share of its largest step, and by torch's own noise.
_UPDATE = 1e-3
_STATE = 1e-4
_GRADIENT = 1e-6
_RATE = 1e-6
#: A printed figure may differ by this share: it is rounded, and a counted one moves by whole samples.
_METRIC = 0.03
#: torch's layers that compute the same in either mode: a bare one keeps MindSpore's first mode.
_EITHER_MODE = frozenset(
    ["Linear", "Bilinear", "Embedding", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d", "LayerNorm",
     "GroupNorm", "RMSNorm", "PReLU", "AdaptiveLogSoftmaxWithLoss"]
)  # fmt: skip
#: torch's modules that only hold others.
_CONTAINERS = frozenset(["Sequential", "ModuleList", "ModuleDict"])
#: torch's modules without parameters that compute the same in either mode.
_PLAIN = frozenset(
    ["Identity", "ReLU", "ReLU6", "LeakyReLU", "ELU", "CELU", "SELU", "GELU", "SiLU", "Mish", "Tanh", "Sigmoid", "Hardswish", "Hardsigmoid", "Hardtanh",
     "Softplus", "Softsign", "Softmax", "LogSoftmax", "GLU", "Flatten", "Unflatten", "Upsample", "PixelShuffle",
     *(f"{kind}Pool{axes}d" for kind in ("Max", "Avg", "AdaptiveAvg", "AdaptiveMax", "LP") for axes in (1, 2, 3)),
     *(f"{kind}Pad{axes}d" for kind in ("Zero", "Constant", "Reflection", "Replication") for axes in (1, 2, 3))]
)  # fmt: skip

#: torch's modules whose inner layers are called with some rows there, with all of them by the equivalent.
_BY_ROWS = frozenset(["AdaptiveLogSoftmaxWithLoss"])


def initial_state(pair: Pair, rung: Rung) -> None:
    """The same models, the same values, the same parameters in the same optimizers."""
    kinds = [[r.kind for r in run.roots] for run in (pair.torch, pair.mindspore)]
    if len(kinds[0]) != len(kinds[1]):
        return _fail(rung, f"torch's program calls {_list(kinds[0])}, MindSpore's {_list(kinds[1])}")
    for mine, theirs in zip(pair.torch.roots, pair.mindspore.roots, strict=True):
        if mine.training != theirs.training and mine.kind.removeprefix("Parametrized") not in _EITHER_MODE and not _same_inside(mine, theirs):
            modes = {True: "training", False: "evaluation"}
            return _fail(
                rung, f"{mine.kind} is first called in {modes[mine.training]} mode by torch and in "
                f"{modes[theirs.training]} mode by MindSpore (a cell starts in evaluation mode)",
            )
    for root in pair.torch.roots:
        state = [run.arrays(f"first-root-{root.number}") for run in (pair.torch, pair.mindspore)]
        noise = [run.arrays(f"first-root-{root.number}") for run in pair.others]
        for name, one, two in pair.matched(state[0], state[1], f"{root.number}/"):
            rung.tensors.append(_tensor("buffer", f"{root.number}/{name}", one, two, SHARE * _size(one), noise, name))
    for first, second in zip(pair.torch.optimizers, pair.mindspore.optimizers, strict=False):
        expected = {pair.counterpart(name).name for name in first["parameters"]}
        found = set(second["parameters"])
        if expected != found:
            missing, more = sorted(str(n) for n in expected - found), sorted(found - expected)
            said = [f"{_list(missing)} missing"] * bool(missing) + [f"{_list(more)} too many"] * bool(more)
            return _fail(rung, f"{first['kind']} trains other parameters: {' and '.join(said)}")
    for number in range(len(pair.torch.optimizers)):
        # Parameters that no model's call shows: what the optimizer's first step starts from.
        starts = [run.arrays(f"before-{number}") for run in (pair.torch, pair.mindspore)]
        noise = [run.arrays(f"before-{number}") for run in pair.others]
        for name, one, two in pair.matched(starts[0], starts[1]):
            if name.startswith(f"optimizer {number}/"):
                rung.tensors.append(_tensor("buffer", name, one, two, SHARE * _size(one), noise, name))
    _by_tensors(rung, "values of models and optimizers' parameters are the same")


def _same_inside(mine: Root, theirs: Root) -> bool:
    """Whether two containers differ in their own mode alone, which nothing reads: what they hold has the same on both sides."""
    if mine.kind not in _CONTAINERS:
        return False
    return all(
        theirs.modes[path][1] == training for path, (kind, training) in mine.modes.items()
        if path in theirs.modes and kind not in _EITHER_MODE | _CONTAINERS | _PLAIN
    )


def data_order(pair: Pair, rung: Rung) -> None:
    """The same batches in the same order."""
    mine, theirs = pair.torch.batches, pair.mindspore.batches
    if not mine or not theirs:
        rung.verdict = "passes"
        rung.message = "no data loader on both sides: a model's inputs are compared in the forward pass"
        return
    count = min(len(mine), len(theirs))
    for number, (one, two) in enumerate(zip(mine, theirs, strict=False), 1):
        if len(one) != len(two):
            return _fail(rung, f"batch {number} has {len(one)} parts in torch and {len(two)} in MindSpore")
        for (name, leaf), (_, other) in zip(one.items(), two.items(), strict=True):
            if leaf["shape"] != other["shape"]:
                return _fail(rung, f"batch {number}, part {name}: shape {leaf['shape']} in torch, {other['shape']} in MindSpore")
            if not same(leaf, other):
                again = any(same(leaf, b.get(name, leaf | {"hash": "", "norm": None})) for b in theirs)
                hint = "; the same batch comes at another time: the order differs" if again else ""
                return _fail(rung, f"batch {number} of {count}, part {name} has other values{hint}")
    if len(mine) != len(theirs) and pair.torch.ended and pair.mindspore.ended:
        return _fail(rung, f"torch's loaders give {len(mine)} batches, MindSpore's {len(theirs)}")
    rung.verdict, rung.message = "passes", f"{count} batches are the same"


def forward(pair: Pair, rung: Rung) -> None:
    """Every layer's output in the first call of every model."""
    for root in pair.torch.roots:
        case = pair.case("forward", root.number)
        if case is None:
            return _fail(rung, f"{root.kind} was not recorded on both sides")
        _several(case[0], root.number, pair)
        _several(case[1], root.number, pair)
        result = compare_case(*case, None, {})
        _leave_inner_rows(result, root, rung)
        if root.steps:
            _after_training(result, rung, f"model {root.number} ({root.kind}) is first called after steps: its outputs are")
        rung.tensors += result.tensors
        rung.notes += result.notes
        if result.first:
            return _fail(rung, f"the first that differs is {result.first}")
    _by_tensors(rung, "all layers agree")


def first_loss(pair: Pair, rung: Rung) -> None:
    """The loss before the first step of every optimizer."""
    for number, mine, theirs in pair.first_steps():
        if theirs is None:
            return _fail(rung, f"optimizer {number} takes no step in MindSpore")
        mines, others = (mine.losses, theirs.losses) if len(mine.losses) == len(theirs.losses) else ([value(mine)], [value(theirs)])
        noise = max((abs(value(s) - value(mine)) for o in pair.others for s in o.steps if s.total == mine.total), default=0.0)
        for a, b in zip(mines, others, strict=True):
            allowed = SHARE * abs(a) + FACTOR * noise
            rung.figures |= {f"torch {number}": a, f"mindspore {number}": b, f"allowed {number}": allowed}
            if not (abs(a - b) <= allowed or (np.isnan(a) and np.isnan(b)) or a == b):
                return _fail(rung, f"torch's loss is {a:.8g}, MindSpore's {b:.8g}; {allowed:.2g} is allowed")
    if not rung.figures:
        rung.verdict, rung.message = "could not judge", "no loss was differentiated before a step on both sides"
        return
    rung.verdict = "passes"
    one, two, *_ = rung.figures.values()
    rung.message = f"{one:.8g} and {two:.8g}"


def gradients(pair: Pair, rung: Rung) -> None:
    """Every parameter's gradient as the optimizer gets it in its first step."""
    for number, step, _ in pair.first_steps():
        if number == BY_HAND:
            continue
        case = pair.case("gradients", number)
        if case is None:
            return _fail(rung, f"optimizer {number} got no gradients on both sides")
        result = compare_case(*case, pair.layout, {})
        if pair.torch.steps.index(step) >= len(pair.torch.optimizers):
            _after_training(result, rung, f"optimizer {number} first steps after others: its gradients are")
        rung.tensors += result.tensors
        if result.first:
            ratio = _ratio(pair, *case)
            rung.figures |= {"factor": ratio} if ratio is not None else {}
            known = f": every gradient is {ratio:.6g} times torch's" if ratio is not None else ""
            return _fail(rung, f"{result.first} differs{known}")
    _by_tensors(rung, "all gradients agree")


def _judge_again(result: CaseResult, tensors: list[TensorResult]) -> None:
    """The case's verdict by these tensors."""
    result.tensors, result.verdict, result.first = tensors, "equal", None
    judge(result)


def _leave_inner_rows(result: CaseResult, root: Root, rung: Rung) -> None:
    """Inside of a layer that is computed by other rows here the layer's own output is what counts."""
    owners = ("",) if root.kind in _BY_ROWS else tuple(f"{path}." for path, (kind, _) in root.modes.items() if kind in _BY_ROWS)
    inner = [t for t in result.tensors if owners and t.verdict == "shape" and t.role == "layer" and t.name.removeprefix(f"{root.number}/").startswith(owners)]
    if inner:
        _judge_again(result, [t for t in result.tensors if t not in inner])
        rung.notes.append(f"computed over other rows in MindSpore, not compared: {_list([t.name for t in inner])}")


def _after_training(result: CaseResult, rung: Rung, what: str) -> None:
    """What comes after steps of training: what these multiplied by then is in torch's own noise, whole.

    A layer makes of an input that is n times torch's noise off an output n times its noise off: inputs, which are
    allowed `FACTOR` times the noise themselves, widen what is allowed behind them by that.
    """
    inputs = [t for t in result.tensors if t.kind == "Input" and t.difference is not None and t.noise > 0]
    further = min(FACTOR, max((t.difference / t.noise for t in inputs if t.difference is not None), default=1.0))
    share = {True: FACTOR, False: FACTOR * max(1.0, further)}
    tensors = [
        msgspec.structs.replace(t, verdict="equal", message="")
        if t.verdict == "differs" and t.difference is not None and t.difference <= share[t.kind == "Input"] * t.noise else t
        for t in result.tensors
    ]  # fmt: skip
    if tensors != result.tensors:
        _judge_again(result, tensors)
        rung.notes.append(f"{what} within {share[False]:.3g} times torch's own noise")


def parameters(pair: Pair, rung: Rung) -> None:
    """What the first step of every optimizer changed."""
    for number, _, _ in pair.first_steps():
        moved = [_moved(run.arrays(f"before-{number}"), run.arrays(f"after-{number}")) for run in (pair.torch, pair.mindspore)]
        noise = [_moved(run.arrays(f"before-{number}"), run.arrays(f"after-{number}")) for run in pair.others]
        held = pair.torch.arrays(f"after-{number}")
        loose = _undecided(pair, number, moved[0])
        for name, mine, theirs in pair.matched(moved[0], moved[1]):
            ulp = 1.2e-7 * _size(held[name])
            if theirs is not None and theirs.shape == mine.shape and name in loose:
                # What rounding decides is no difference; the rest of the tensor is judged.
                theirs = mine + np.sign(theirs - mine) * np.maximum(np.abs(theirs - mine) - loose[name], 0.0)
            rung.tensors.append(_tensor(
                "parameter gradient", name, mine, theirs, _UPDATE * _size(mine) + 2 * ulp, noise, name,
            ))
    named = {name for run in pair.torch.optimizers for name in run["parameters"]}
    for root in pair.torch.roots:
        # Running statistics, and what a step changes besides.
        state = [run.arrays(f"stepped-root-{root.number}") for run in (pair.torch, pair.mindspore)]
        noise = [run.arrays(f"stepped-root-{root.number}") for run in pair.others]
        for name, mine, theirs in pair.matched(state[0], state[1], f"{root.number}/"):
            if f"{root.number}/{name}" not in named:
                rung.tensors.append(_tensor("buffer", f"{root.number}/{name}", mine, theirs, _STATE * _size(mine), noise, name))
    _by_tensors(rung, "all parameters and buffers moved alike")


def _undecided(pair: Pair, number: int, moved: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """For each parameter, how far its step may be off because its gradient is small beside the largest.

    Adam and its kin divide a gradient by its own size: one that is zero in exact arithmetic (a bias before a
    normalisation) moves by a whole step in a direction that rounding decides. With gradients good to 1e-6 of the
    largest, a step is good to the share ``1e-6 * largest / |gradient|`` of twice the longest step.
    """
    case = pair.torch.records("gradients", number)
    values = {r.name: np.abs(wide(r.values)) for r in case.records if r.values is not None} if case else {}
    top = max((_size(v) for v in values.values()), default=0.0)
    longest = max((_size(v) for v in moved.values()), default=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            name: 2.2 * longest * np.nan_to_num(np.minimum(1.0, _GRADIENT * top / value), nan=0.0)
            for name, value in values.items() if name in moved and moved[name].shape == value.shape
        }


def learning_rate(pair: Pair, rung: Rung) -> None:
    """Every group's learning rate at every step."""
    for mine, theirs in pair.paired():
        if len(mine.lr) != len(theirs.lr):
            return _fail(rung, f"step {mine.total}: {len(mine.lr)} groups in torch, {len(theirs.lr)} in MindSpore")
        for one, two in zip(mine.lr, theirs.lr, strict=True):
            if abs(one - two) > _RATE * max(abs(one), 1e-12):
                return _fail(rung, f"step {mine.total} of {len(pair.torch.steps)}: {one:.8g} in torch, {two:.8g} in MindSpore")
    rung.verdict, rung.message = "passes", f"the same in {len(pair.paired())} steps"


def loss_curve(pair: Pair, rung: Rung) -> None:
    """Every step's loss within the band of torch's own noise."""
    steps = pair.paired()
    counts = (len(pair.torch.steps), len(pair.mindspore.steps))
    if counts[0] != counts[1]:
        return _fail(rung, f"torch takes {counts[0]} steps, MindSpore {counts[1]}")
    reference = [value(mine) for mine, _ in steps]
    allowed = band(reference, [[value(s) for s in run.steps] for run in pair.others])
    worst = 0.0
    for place, (mine, theirs) in enumerate(steps):
        one, two = reference[place], value(theirs)
        if np.isnan(one) and np.isnan(two):
            continue
        difference = abs(one - two)
        if not difference <= allowed.allowed[place] and place >= allowed.known:
            rung.verdict = "could not judge"
            rung.message = f"torch {one:.8g}, MindSpore {two:.8g} at step {mine.total}; torch's runs that show its noise ended at step {allowed.known}"
            return None
        if not difference <= allowed.allowed[place]:
            return _fail(
                rung, f"it departs at step {mine.total}: torch {one:.8g}, MindSpore {two:.8g}; "
                f"{allowed.allowed[place]:.2g} is allowed (torch's own noise: {allowed.noise[place]:.2g})",
            )
        worst = max(worst, difference / allowed.allowed[place] if allowed.allowed[place] else 0.0)
    decided = allowed.horizon if allowed.horizon is not None else len(steps)
    rung.figures |= {"steps": len(steps), "decided": decided, "share of the band": worst}
    rung.verdict = "passes" if decided >= min(10, len(steps)) else "could not judge"
    rung.message = f"{len(steps)} steps within the band (at most {worst:.0%} of it)"
    if allowed.horizon is not None:
        rung.message += f"; from step {decided + 1} on torch's own noise passes a tenth, which no comparison can decide"


def metric(pair: Pair, rung: Rung, plan: TrainSpec) -> None:
    """The last figures that the programs print."""
    mine, theirs = (last(run.printed(), plan.metric) for run in (pair.torch, pair.mindspore))
    if plan.steps and not (mine and theirs):
        rung.message = f"the runs end after {plan.steps} steps (--steps 0 runs to the end)"
        return
    if not mine:
        rung.message = "the program prints no figure (--metric names a pattern)"
        return
    others = [last(run.printed(), plan.metric) for run in pair.others]
    for name, one in mine.items():
        if name not in theirs:
            return _fail(rung, f"MindSpore's program prints no {name}")
        noise = max((abs(o[name] - one) for o in others if name in o), default=0.0)
        allowed = max(_METRIC * abs(one), 1e-4) + FACTOR * noise
        rung.figures |= {f"torch {name}": one, f"mindspore {name}": theirs[name], f"allowed {name}": allowed}
        if not (abs(one - theirs[name]) <= allowed or (np.isnan(one) and np.isnan(theirs[name]))):
            return _fail(rung, f"{name} is {one:.6g} in torch and {theirs[name]:.6g} in MindSpore; {allowed:.2g} is allowed")
    rung.verdict = "passes"
    rung.message = ", ".join(f"{name} {one:.6g} and {theirs[name]:.6g}" for name, one in mine.items())


def climb(pair: Pair, ladder: Ladder, plan: TrainSpec, start: int = 0) -> None:
    """Judge rung after rung, from one on, up to the first that does not pass."""
    work: list[Callable[[Rung], None]] = [
        *(lambda rung, judge=judge: judge(pair, rung) for judge in (  # type: ignore[misc]
            initial_state, data_order, forward, first_loss, gradients, parameters, learning_rate, loss_curve,
        )),
        lambda rung: metric(pair, rung, plan),
    ]
    for rung, climb in list(zip(ladder.rungs[: len(work)], work, strict=True))[start:]:  # the last one is another run's (`as_run`)
        climb(rung)
        if rung.verdict in ("fails", "could not judge"):
            return


def _fail(rung: Rung, message: str) -> None:
    rung.verdict, rung.message = "fails", message


def _by_tensors(rung: Rung, message: str) -> None:
    bad = [t for t in rung.tensors if t.verdict != "equal"]
    if not rung.tensors:
        # A pass would say that something was compared; what the loss is made of still decides above.
        rung.message = "nothing to compare: no model's call and no optimizer shows values here"
    elif bad:
        _fail(rung, f"{bad[0].name} differs: {bad[0].message}")
    else:
        rung.verdict, rung.message = "passes", f"{message} ({len(rung.tensors)} tensors)"


def _tensor(
    role: str, name: str, mine: np.ndarray, theirs: np.ndarray | None, floor: float, noise: list[dict[str, np.ndarray]], key: str
) -> TensorResult:
    if theirs is None:
        return TensorResult(role, name, "missing", "MindSpore has none of this name")  # type: ignore[arg-type]
    if mine.shape != theirs.shape:
        return TensorResult(role, name, "shape", f"{list(mine.shape)} in torch, {list(theirs.shape)} in MindSpore")  # type: ignore[arg-type]
    apart = [np.abs(wide(n[key]) - mine) for n in noise if key in n and n[key].shape == mine.shape]
    own = max((float(np.max(a[np.isfinite(a)], initial=0.0)) for a in apart), default=0.0)
    allowed = floor + FACTOR * own
    difference, place, invalid = largest(wide(mine), wide(theirs))
    good = invalid is None and difference <= allowed
    message = "" if good else f"by {difference:.3g} at {list(place)}; {allowed:.2g} is allowed"
    return TensorResult(
        role, name, "equal" if good else "differs", message, difference=difference, scale=_size(mine),  # type: ignore[arg-type]
        error=difference / _size(mine) if _size(mine) else difference, allowed=allowed, noise=own, shape=list(mine.shape),
    )


def _several(case: object, number: int, pair: Pair) -> None:
    """Where there are several models, a layer's name says whose it is."""
    if len(pair.torch.roots) > 1:
        for record in case.records:  # type: ignore[attr-defined]
            record.name = f"{number}/{record.name}"


def _size(array: np.ndarray) -> float:
    finite = np.abs(wide(array[np.isfinite(array)])) if array.size else np.zeros(1)
    return float(np.max(finite, initial=0.0))


def _moved(before: dict[str, np.ndarray], after: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: wide(after[name]) - before[name] for name in after if name in before}


def _list(names: list[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return (", ".join(names[:most]) or "nothing") + more


def _ratio(pair: Pair, torch: object, mindspore: object) -> float | None:
    """The one factor between all gradients, where there is one (a loss scale, a mean for a sum)."""
    mine = {r.name: r.values for r in torch.records}  # type: ignore[attr-defined]
    theirs = {r.name: r.values for r in mindspore.records}  # type: ignore[attr-defined]
    largest_of_all = max((_size(v) for v in mine.values()), default=0.0)
    ratios = [
        float((other * one).sum() / (one * one).sum())
        for name, one, other in pair.matched(mine, theirs)
        if other is not None and other.shape == one.shape and _size(one) > 1e-3 * largest_of_all
    ]
    if not ratios or abs(ratios[0] - 1) < 1e-3 or max(ratios) - min(ratios) > 1e-3 * abs(ratios[0]):
        return None
    return float(np.mean(ratios))
