"""Scenarios of optimizers' and schedulers' methods, loss scaling, autocast and L-BFGS."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from mindport.evidence.scenarios import Side, scenario

O = "torch.optim."  # noqa: E741
S = "torch.optim.lr_scheduler."
AMP = "torch.amp."
CLASSES = ("SGD", "Adam", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam", "RMSprop", "Rprop", "ASGD", "Adafactor", "Muon")


def leaves(side: Side, dtype: torch.dtype = torch.float32) -> list[Any]:
    """Two parameters with gradients, and one without."""
    values = [torch.linspace(-1, 2, 6, dtype=dtype).reshape(2, 3), torch.linspace(1, 3, 3, dtype=dtype).reshape(3, 1), torch.ones(2, 2, dtype=dtype)]
    if side.declared is None:
        found: list[Any] = [torch.nn.Parameter(value.clone()) for value in values]
    else:
        from mindspore import Parameter

        found = [Parameter(side.value(value), name=f"leaf{i}") for i, value in enumerate(values)]
    for p, value in zip(found[:2], values, strict=False):
        p.grad = side.value(value * 0.5 + 1)
    return found


def told(values: Any) -> list[Any]:
    """Tensors as numbers, rounded where the sixth digit is noise; None stays."""
    return [None if v is None else [round(x, 5) for x in np.asarray(v.detach() if hasattr(v, "grad_fn") else v.asnumpy()).reshape(-1).tolist()] for v in values]


def plain(value: Any) -> Any:
    """A saved state without tensors."""
    if isinstance(value, dict):
        return [(str(key), plain(item)) for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return told([value])[0] if hasattr(value, "dtype") else value


@scenario(O + "Optimizer.step")
def step_of_the_base(side: Side) -> Any:
    """the base class computes no update"""
    try:
        side.call(side.make(O + "Optimizer", leaves(side), {"lr": 0.1}))
    except NotImplementedError:
        return "not implemented"
    return "stepped"


@scenario(*(f"{O}{name}.step" for name in CLASSES))
def steps(side: Side) -> Any:
    """a step without and with a closure; what has no gradient stays"""
    kind = side.name.split(".")[-2]
    members = leaves(side)
    optimizer = side.make(O + kind, members, lr=0.1)
    return [side.call(optimizer), side.call(optimizer, lambda: 3.5), side.call(optimizer, closure=lambda: 2), told(members)]


@scenario(O + "Optimizer.zero_grad")
def clearing(side: Side) -> Any:
    """gradients forgotten, or set to zero"""
    members = leaves(side)
    optimizer = side.make(O + "SGD", members)
    side.call(optimizer, set_to_none=False)
    seen = [told([p.grad for p in members])]
    side.call(optimizer)
    return [*seen, [p.grad is None for p in members]]


@scenario(O + "Optimizer.state_dict", O + "Optimizer.load_state_dict", O + "Optimizer.add_param_group", O + "Optimizer.param_groups", O + "Optimizer.defaults")
def groups_and_state(side: Side) -> Any:
    """groups added, state saved and taken over by another optimizer, options of groups and defaults"""
    last = side.name.rpartition(".")[2]

    def do(name: str, *args: Any) -> Any:
        return side.call(*args) if last == name else side.make(f"{O}Optimizer.{name}", *args)

    members = leaves(side)
    first = side.make(O + "Adam", members[:1], lr=0.1)
    do("add_param_group", first, {"params": members[1:], "lr": 0.2, "weight_decay": 0.5})
    first.step()
    saved = do("state_dict", first)
    # Before the other optimizer goes on with torch's very tensors.
    seen = plain(saved)
    other = side.make(O + "Adam", [{"params": members[:1]}, {"params": members[1:]}])
    do("load_state_dict", other, saved)
    other.step()
    groups = side.call(other) if last == "param_groups" else other.param_groups
    defaults = side.call(other) if last == "defaults" else other.defaults
    rest = [[(k, v) for k, v in group.items() if k != "params"] for group in groups]
    return [seen, plain(do("state_dict", other)), rest, sorted(defaults.items(), key=str), told(members)]


@scenario(O + "Optimizer.register_step_pre_hook", O + "Optimizer.register_step_post_hook")
def hooks(side: Side) -> Any:
    """called with the optimizer and the arguments, not after removal"""
    members, seen = leaves(side), []
    optimizer = side.make(O + "SGD", members)
    handle = side.call(optimizer, lambda o, args, kwargs: seen.append((o is optimizer, args[0] is optimizer, len(args), len(kwargs))))
    optimizer.step()
    optimizer.step(lambda: 1.0)
    handle.remove()
    optimizer.step()
    return seen


@scenario(O + "Optimizer")
def own_class(side: Side) -> Any:
    """a class that derives from it, with a step and state of its own"""
    from mindport import catalog
    from mindport.evidence.knowledge import declaration

    base = torch.optim.Optimizer if side.declared is None else declaration(catalog.load().find(side.name)[-1]).target

    class Signs(base):  # type: ignore[misc, valid-type]
        def __init__(self, params: Any, lr: float) -> None:
            super().__init__(params, {"lr": lr})

        def step(self, closure: Any = None) -> Any:
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        state = self.state[p]
                        state["seen"] = state.get("seen", 0) + 1
                        value = p.detach() - group["lr"] * p.grad.sign() if side.declared is None else p - group["lr"] * p.grad.sign()
                        (p.data if side.declared is None else p).copy_(value)
            return "done"

    members = leaves(side)
    optimizer = Signs([{"params": members[:2]}, {"params": members[2:], "lr": 1.0}], 0.5)
    seen = [optimizer.step(), optimizer.step(), told(members), plain(optimizer.state_dict())]
    optimizer.load_state_dict(optimizer.state_dict())
    return [*seen, plain(optimizer.state_dict())]


@scenario(O + "LBFGS", O + "LBFGS.step")
def by_closure(side: Side) -> Any:
    """over a hundred calls of the closure in float64, with and without line search: every loss"""
    seen = []
    for options in ({"lr": 0.02}, {"line_search_fn": "strong_wolfe", "max_iter": 8}, {"history_size": 3, "max_iter": 6, "lr": 0.3}):
        members = leaves(side, torch.float64)[:2]
        optimizer = side.make(O + "LBFGS", members, **options)
        losses: list[float] = []

        def closure(turn: int, members: list[Any] = members, losses: list[float] = losses) -> Any:
            total = 0.0
            for p in members:
                value = np.array(p.detach() if side.declared is None else p.asnumpy())
                away = value - np.sin(np.arange(value.size).reshape(value.shape) * (turn + 1.0))
                stiff = np.linspace(1, 20, value.size).reshape(value.shape)
                p.grad = side.value(torch.tensor(stiff * away + 4 * away**3))
                total += float((stiff * away**2 / 2 + away**4).sum())
            losses.append(round(total, 6))
            return total

        turn = 0
        while len(losses) < 105:
            (side.call if side.name.endswith("step") else lambda o, c: o.step(c))(optimizer, lambda turn=turn: closure(turn))
            turn += 1
        seen.append((losses, told(members)))
    return seen


def scheduled(side: Side, name: str) -> tuple[Any, Any]:
    """An optimizer with two groups, and a scheduler of it."""
    members = leaves(side)
    optimizer = side.make(O + "SGD", [{"params": members[:1]}, {"params": members[1:], "lr": 0.3}], lr=0.1, momentum=0.9)
    arguments: dict[str, tuple[Any, ...]] = {
        "LRScheduler": (4, 0.5), "StepLR": (3, 0.5), "LambdaLR": (lambda e: 0.9**e,), "MultiplicativeLR": (lambda e: 0.9,), "MultiStepLR": ([2, 4],),
        "ConstantLR": (), "LinearLR": (), "ExponentialLR": (0.9,), "PolynomialLR": (6,), "CosineAnnealingLR": (5,),
        "CosineAnnealingWarmRestarts": (3,), "CyclicLR": (0.01, 0.2, 3), "OneCycleLR": (0.2, 12), "ReduceLROnPlateau": ("min", 0.5, 0), "SWALR": (0.05, 3),
    }  # fmt: skip
    place = "torch.optim.swa_utils." if name == "SWALR" else S
    if name in ("SequentialLR", "ChainedScheduler"):
        two = [side.make(S + "LinearLR", optimizer, 0.1, 1.0, 3), side.make(S + "ExponentialLR", optimizer, 0.9)]
        return optimizer, side.make(S + name, optimizer, two, [3]) if name == "SequentialLR" else side.make(S + name, two)
    return optimizer, side.make(place + ("StepLR" if name == "LRScheduler" else name), optimizer, *arguments[name])


@scenario(
    S + "LRScheduler", S + "LRScheduler.step", S + "LRScheduler.get_last_lr", S + "LRScheduler.state_dict", S + "LRScheduler.load_state_dict",
    S + "LRScheduler.base_lrs", S + "LRScheduler.last_epoch", S + "LRScheduler.optimizer",
    *(f"{S}{name}.step" for name in ("CosineAnnealingWarmRestarts", "ReduceLROnPlateau", "SequentialLR", "ChainedScheduler")),
    *(f"{S}{name}.{m}" for name in ("LambdaLR", "MultiplicativeLR", "CyclicLR", "SequentialLR", "ChainedScheduler") for m in ("state_dict", "load_state_dict", "optimizer")),
    *(f"{S}{name}.optimizer" for name in ("OneCycleLR", "ReduceLROnPlateau")), *(f"{S}{name}.last_epoch" for name in ("ReduceLROnPlateau", "SequentialLR")),
    S + "ReduceLROnPlateau.load_state_dict", "torch.optim.swa_utils.SWALR.state_dict", "torch.optim.swa_utils.SWALR.load_state_dict",
)  # fmt: skip
def schedules(side: Side) -> Any:
    """ten epochs with state saved, changed by more epochs, and taken back: all rates"""
    *_, kind, last = side.name.split(".")
    if last == "LRScheduler":
        kind, last = last, "class"
    optimizer, scheduler = scheduled(side, kind)
    step = side.call if last == "step" else lambda s, *a: s.step(*a)
    seen: list[Any] = []

    def run(epochs: int) -> None:
        for epoch in range(epochs):
            optimizer.step()
            step(scheduler, *((1.0 + epoch // 3,) if kind == "ReduceLROnPlateau" else ()))
            rates = side.call(scheduler) if last == "get_last_lr" else scheduler.get_last_lr()
            place = side.call(scheduler) if last == "last_epoch" else getattr(scheduler, "last_epoch", None)
            seen.append((rates, [g["lr"] for g in optimizer.param_groups], place))

    run(4)
    saved = dict(side.call(scheduler) if last == "state_dict" else scheduler.state_dict())
    groups = optimizer.state_dict()
    keys = sorted(key for key in saved if not key.startswith("_"))
    run(3)
    (side.call if last == "load_state_dict" else lambda s, d: s.load_state_dict(d))(scheduler, saved)
    optimizer.load_state_dict(groups)
    run(3)
    held = side.call(scheduler) if last == "optimizer" else scheduler.optimizer if hasattr(scheduler, "optimizer") else optimizer
    base = side.call(scheduler) if last == "base_lrs" else getattr(scheduler, "base_lrs", None)
    return [seen, keys, held is optimizer, base]


@scenario(*(f"{S}{n}.get_lr" for n in ("LambdaLR", "MultiplicativeLR", "StepLR", "MultiStepLR", "ConstantLR", "LinearLR", "ExponentialLR", "PolynomialLR",
          "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR", "OneCycleLR")), "torch.optim.swa_utils.SWALR.get_lr")  # fmt: skip
def rates_of_an_epoch(side: Side) -> Any:
    """the rates as a step computes them, in a class's own step"""
    import warnings

    optimizer, scheduler = scheduled(side, side.name.split(".")[-2])
    seen = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(4):
            optimizer.step()
            scheduler.step()
            seen.append(side.call(scheduler))
    return seen


@scenario(S + "LRScheduler.get_lr")
def not_defined(side: Side) -> Any:
    """the base class's: NotImplementedError"""
    _, scheduler = scheduled(side, "ReduceLROnPlateau")
    try:
        side.call(scheduler)
    except NotImplementedError:
        return "not implemented"
    return "defined"


GETTERS = ("growth_factor", "backoff_factor", "growth_interval")


@scenario(AMP + "GradScaler", *(f"{AMP}GradScaler.{m}" for m in (
    "scale", "unscale_", "step", "update", "state_dict", "load_state_dict", "get_scale", "is_enabled",
    *(f"get_{g}" for g in GETTERS), *(f"set_{g}" for g in GETTERS),
)))  # fmt: skip
def scaling(side: Side) -> Any:
    """steps with finite and infinite gradients, with and without unscale_, factors set, state saved; turned off too"""
    last = side.name.rpartition(".")[2]

    def do(name: str, *args: Any) -> Any:
        return side.call(*args) if last == name else side.make(f"{AMP}GradScaler.{name}", *args)

    seen: list[Any] = []
    for enabled in (True, False):
        make = side.call if last == "GradScaler" else lambda *a, **k: side.make(AMP + "GradScaler", *a, **k)
        scaler = make("cpu", init_scale=8.0, growth_interval=2, enabled=enabled)
        members = leaves(side)[:2]
        optimizer = side.make(O + "SGD", members, lr=0.1)
        for turn in range(6):
            for p in members:
                p.grad = side.value(torch.full(tuple(p.shape), float("inf") if turn == 3 else 2.0 + turn))
            loss = do("scale", scaler, side.value(torch.tensor(1.5)))
            if turn % 2:
                do("unscale_", scaler, optimizer)
            do("step", scaler, optimizer)
            do("update", scaler, *((64.0,) if turn == 4 else ()))
            seen.append((told([loss]), do("get_scale", scaler), do("is_enabled", scaler)))
        seen.append(told(members))
        if enabled:
            for number, name in enumerate(GETTERS):
                do(f"set_{name}", scaler, (3.0, 0.25, 7)[number])
                seen.append(do(f"get_{name}", scaler))
        saved = do("state_dict", scaler)
        do("load_state_dict", scaler, saved)
        seen.append(sorted(do("state_dict", scaler).items()))
    return seen


@scenario("torch.cuda.amp.GradScaler")
def scaler_turned_off(side: Side) -> Any:
    """turned off, it changes nothing"""
    scaler = side.call(enabled=False)
    return [scaler.get_scale(), scaler.is_enabled(), told([scaler.scale(side.value(torch.ones(2)))]), scaler.state_dict()]


@scenario("torch.autocast", "torch.cuda.amp.autocast", "torch.cpu.amp.autocast")
def no_casts(side: Side) -> Any:
    """turned off, results are float32; as a context and as a decorator"""
    given = ("cpu",) if side.name == "torch.autocast" else ()
    one = side.value(torch.ones(2, 2))
    with side.call(*given, enabled=False):
        inside = side.make("torch.matmul", one, one)
    wrapped = side.call(*given, enabled=False)(lambda: side.make("torch.matmul", one, one))
    return [side.dtype(inside), told([inside, wrapped()])]


@scenario(AMP + "custom_fwd", AMP + "custom_bwd", "torch.cuda.amp.custom_fwd", "torch.cuda.amp.custom_bwd")
def decorators(side: Side) -> Any:
    """the function, called with and without options, gives what it gave"""

    class Holder:
        """Stands for torch's context."""

        _fwd_used_autocast, _dtype = False, torch.float32

    def double(ctx: Any, x: Any) -> Any:
        return x * 2

    options = {"device_type": "cpu"} if side.name.startswith(AMP) else {}
    seen = [told([side.call(double, **options)(Holder(), side.value(torch.ones(2)))])]
    if side.name != "torch.cuda.amp.custom_bwd":
        seen.append(told([side.call(**options)(double)(Holder(), side.value(torch.ones(2)))]))
    return seen
