"""Finds the first module and operator that departs, from the rung that fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from mindport.verify.result import TensorResult
from mindport.verify.training.operators import trace
from mindport.verify.training.pair import Pair
from mindport.verify.training.plan import TrainSpec
from mindport.verify.training.result import Departure, Ladder, Rung
from mindport.weights.tree import Tree

Say = Callable[[str], None]


def find(pair: Pair, ladder: Ladder, plan: TrainSpec, workdir: Path, say: Say) -> Departure | None:
    """Where the two part, as far down as the recordings tell; None where a rung fails for a reason that has no place."""
    rung = next(r for r in ladder.rungs if r.verdict == "fails")
    if rung.name == "forward by layer":
        return _forward(pair, rung, plan, workdir, say)
    if rung.name == "gradients":
        return _gradients(pair, rung)
    if rung.name == "parameters after one step":
        return _optimizer(pair, rung)
    if rung.name == "learning rate":
        return Departure("the learning rate's schedule", apis=_scheduler(pair))
    if rung.name == "loss of step 1":
        return Departure("what is computed from the models' outputs: the loss", apis=[])
    if rung.name == "data order":
        return Departure("the data, before any model", apis=["torch.utils.data.DataLoader"])
    if rung.name == "loss curve":
        return _curve(pair, rung)
    if rung.name == "as run":
        return Departure(f"what is compiled and called at {', '.join(pair.mindspore.compiled[:3])}: operator by operator the same code agrees with torch")
    return None


def _forward(pair: Pair, rung: Rung, plan: TrainSpec, workdir: Path, say: Say) -> Departure | None:
    bad = next((t for t in rung.tensors if t.verdict != "equal"), None)
    if bad is None:
        return None
    number, path = _split(pair, bad.name)
    if bad.kind == "Input":
        return Departure(f"the input {bad.name.partition(' ')[2].rstrip(')')} of model {number + 1}, before its first layer")
    path = path.partition("#")[0].partition(":")[0] if bad.role == "layer" else ""
    kind = bad.kind or pair.torch.roots[number].kind
    departure = Departure(f"the output of {path or 'the model'} ({kind})", path, kind, apis=_apis(pair, number, path))
    say("looking for the operator")
    # The module's inputs may differ already, by what stands between it and the layer before: so the module around it.
    found = trace(plan, workdir, number, path.rpartition(".")[0])
    if found is not None:
        departure.operator, departure.line = found.name, found.line
        departure.apis = [found.api] if found.api else departure.apis
    return departure


def _gradients(pair: Pair, rung: Rung) -> Departure | None:
    """A backward pass runs from the last layer to the first: of the wrong gradients the last layer's came first."""
    wrong = [t for t in rung.tensors if t.verdict != "equal"]
    if not wrong:
        return None
    if (factor := rung.figures.get("factor")) is not None:
        return Departure(
            f"all gradients, by the factor {factor:.6g}: a loss scale, an accumulation, clipping, or a mean in place of a sum",
            apis=["torch.Tensor.backward"],
        )
    order: dict[str, int] = {}
    for root in pair.torch.roots:
        case = pair.torch.records("forward", root.number)
        for record in case.records if case else []:
            order[f"{root.number}/{record.name.partition('#')[0].partition(':')[0]}"] = len(order)

    def when(tensor: TensorResult) -> int:
        return order.get(tensor.name.rpartition(".")[0], -1)

    last = max(wrong, key=when)
    number, path = _split(pair, last.name, always=True)
    module = path.rpartition(".")[0]
    kind = _kind(pair, number, module)
    after = [name for name, place in order.items() if place > when(last)]
    hint = f", or what comes after it ({_after(pair, after)})" if after else ", or the loss"
    return Departure(f"the gradient of {last.name} ({kind}){hint}", module, kind, apis=_apis(pair, number, module))


def _optimizer(pair: Pair, rung: Rung) -> Departure:
    wrong = [t for t in rung.tensors if t.verdict != "equal"]
    kind = pair.torch.optimizers[0]["kind"] if pair.torch.optimizers else "Optimizer"
    every = "every parameter" if len(wrong) == len(rung.tensors) else f"{len(wrong)} of {len(rung.tensors)} parameters"
    return Departure(f"the step of {kind}, for {every}", kind=kind, operator=f"{kind}.step", apis=[f"torch.optim.{kind}"])


def _curve(pair: Pair, rung: Rung) -> Departure | None:
    """The state that moved furthest from torch's, measured by how far it moved at all."""
    worst: tuple[float, str] = (0.0, "")
    for root in pair.torch.roots:
        last = [run.arrays(f"last-root-{root.number}") for run in (pair.torch, pair.mindspore)]
        first = pair.torch.arrays(f"first-root-{root.number}")
        for name, mine, theirs in pair.matched(last[0], last[1], f"{root.number}/"):
            if theirs is None or theirs.shape != mine.shape or mine.dtype.kind != "f":
                continue
            way = float(abs(mine - first[name]).max(initial=0.0)) if name in first else 0.0
            apart = float(abs(mine - theirs).max(initial=0.0))
            share = apart / way if way else apart
            if share > worst[0]:
                worst = (share, f"{root.number}/{name}")
    if not worst[1]:
        return None
    number, path = _split(pair, worst[1], always=True)
    module = path.rpartition(".")[0]
    kind = _kind(pair, number, module)
    return Departure(
        f"one step agrees and several do not; at the end {worst[1]} is furthest from torch's ({worst[0]:.0%} of its way)",
        module, kind, apis=_apis(pair, number, module),
    )


def _split(pair: Pair, name: str, always: bool = False) -> tuple[int, str]:
    """A model's number and the path in it."""
    head, slash, rest = name.partition("/")
    if slash and head.isdigit() and (always or len(pair.torch.roots) > 1):
        return int(head), rest
    return 0, name


def _tree(pair: Pair, number: int) -> Tree | None:
    place = pair.torch.folder / "roots" / str(number) / "tree.json"
    return Tree.load(place) if place.is_file() else None


def _kind(pair: Pair, number: int, path: str) -> str:
    tree = _tree(pair, number)
    classes = next((m.classes for m in tree.modules if m.path == path), []) if tree else []
    return classes[0].rpartition(".")[2] if classes else ""


def _apis(pair: Pair, number: int, path: str) -> list[str]:
    """The framework's layer that stands at a path: the nearest of its classes that is torch's."""
    from mindport.inference.torchfacts import canonical

    tree = _tree(pair, number)
    for module in tree.modules if tree else []:
        if module.path == path:
            name = next((c for c in module.classes if c.startswith("torch.nn.") and not c.endswith(".Module")), None)
            return [canonical(name) or name] if name else []
    return []


def _scheduler(pair: Pair) -> list[str]:
    return ["torch.optim.lr_scheduler"] if pair.torch.optimizers else []


def _after(pair: Pair, names: list[str], most: int = 3) -> str:
    shown = [n.partition("/")[2] for n in names[:most]]
    return ", ".join(shown) + (f" and {len(names) - most} more" if len(names) > most else "")
