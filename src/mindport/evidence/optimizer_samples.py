"""What optimizers and schedulers are made with in the evidence run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Options = tuple[dict[str, Any], dict[str, Any]]
_DECAY = {"weight_decay": 0.1}
_LATER: dict[str, Any] = {"lr": 0.02}

_CONFIGURATIONS: dict[str, list[dict[str, Any]]] = {
        "SGD": [
            {"lr": 0.1}, {"lr": 0.01, "momentum": 0.9}, {"lr": 0.01, "momentum": 0.9, "nesterov": True, **_DECAY},
            {"lr": 0.01, "momentum": 0.9, "dampening": 0.5, **_DECAY}, {"lr": 0.01, "momentum": 0.9, "maximize": True},
        ],
        "Adam": [_DECAY, {"amsgrad": True}, {"maximize": True, "eps": 1e-3}, {"betas": (0.8, 0.9999)}, {"decoupled_weight_decay": True, **_DECAY}],
        "AdamW": [_DECAY, {"amsgrad": True, **_DECAY}, {"maximize": True}, {"betas": (0.5, 0.99), "eps": 1e-4}],
        "Adagrad": [_DECAY, {"lr_decay": 0.1}, {"initial_accumulator_value": 0.3}, {"maximize": True}],
        "Adadelta": [_DECAY, {"rho": 0.8}, {"maximize": True}],
        "Adamax": [_DECAY, {"betas": (0.8, 0.99)}, {"maximize": True}],
        "NAdam": [_DECAY, {"momentum_decay": 0.1}, {"decoupled_weight_decay": True, **_DECAY}, {"maximize": True}],
        "RAdam": [_DECAY, {"betas": (0.8, 0.95)}, {"decoupled_weight_decay": True, **_DECAY}, {"maximize": True}],
        "RMSprop": [_DECAY, {"momentum": 0.9}, {"centered": True, "momentum": 0.9}, {"alpha": 0.5, "maximize": True}],
        "Rprop": [{"etas": (0.3, 1.5)}, {"step_sizes": (1e-3, 0.2)}, {"maximize": True}],
        "ASGD": [_DECAY, {"t0": 20, "lambd": 0.01}, {"maximize": True}],
        "Adafactor": [_DECAY, {"eps": (1e-3, 1e-3)}, {"d": 2.0, "beta2_decay": -0.5, "maximize": True}],
        "SparseAdam": [{"betas": (0.5, 0.99)}, {"maximize": True, "eps": 1e-3}],
        "Muon": [{"nesterov": False, "weight_decay": 0.0}, {"adjust_lr_fn": "match_rms_adamw"}],
}  # fmt: skip

#: By torch name: the options of an optimizer, and those of its second group.
OPTIMIZERS: dict[str, list[Options]] = {
    f"torch.optim.{name}": [({}, {}), *((options, _LATER) for options in configurations)]
    for name, configurations in _CONFIGURATIONS.items()
}

#: Options of torch's own tests that choose among its ways to compute the same.
_PLACING = ("foreach", "fused", "capturable", "differentiable")


def optim_db_options(name: str) -> list[dict[str, Any]]:
    """What torch's own tests make an optimizer with, each once; [] for other names, and for L-BFGS, which takes closures."""
    if name not in OPTIMIZERS:
        return []
    from torch.testing._internal.common_optimizers import optim_db

    found: list[dict[str, Any]] = []
    for info in optim_db:
        if name == "torch.optim." + getattr(info.optim_cls, "__name__", ""):
            for given in info.optim_inputs_func(device="cpu"):
                options = {key: value for key, value in given.kwargs.items() if key not in _PLACING}
                if repr(options) not in [repr(each) for each in found]:
                    found.append(options)
    return found


Make = Callable[[Any, Any], Any]
#: By torch name: words, and what makes the scheduler from a side's names and its optimizer.
SCHEDULERS: dict[str, list[tuple[str, Make]]] = {
    f"torch.optim.{name}": made
    for name, made in {
        "lr_scheduler.LambdaLR": [
            ("LambdaLR(0.95 ** epoch)", lambda s, o: s.LambdaLR(o, lambda e: 0.95**e)),
            ("LambdaLR(one a group)", lambda s, o: s.LambdaLR(o, [lambda e: 1 / (e + 1), lambda e: 0.9**e])),
        ],
        "lr_scheduler.MultiplicativeLR": [("MultiplicativeLR(0.97)", lambda s, o: s.MultiplicativeLR(o, lambda e: 0.97))],
        "lr_scheduler.StepLR": [("StepLR(7, 0.3)", lambda s, o: s.StepLR(o, 7, 0.3))],
        "lr_scheduler.MultiStepLR": [("MultiStepLR([3, 30, 30, 50])", lambda s, o: s.MultiStepLR(o, [3, 30, 30, 50]))],
        "lr_scheduler.ExponentialLR": [("ExponentialLR(0.93)", lambda s, o: s.ExponentialLR(o, 0.93))],
        "lr_scheduler.ConstantLR": [("ConstantLR(0.4, 9)", lambda s, o: s.ConstantLR(o, 0.4, 9))],
        "lr_scheduler.LinearLR": [("LinearLR(0.1, 0.7, 13)", lambda s, o: s.LinearLR(o, 0.1, 0.7, 13))],
        "lr_scheduler.PolynomialLR": [("PolynomialLR(40, 2.0)", lambda s, o: s.PolynomialLR(o, 40, 2.0))],
        "lr_scheduler.CosineAnnealingLR": [
            ("CosineAnnealingLR(23, 1e-4)", lambda s, o: s.CosineAnnealingLR(o, 23, 1e-4)),
            ("CosineAnnealingLR(100)", lambda s, o: s.CosineAnnealingLR(o, 100)),
        ],
        "lr_scheduler.CosineAnnealingWarmRestarts": [
            ("CosineAnnealingWarmRestarts(10, 2, 1e-5)", lambda s, o: s.CosineAnnealingWarmRestarts(o, 10, 2, 1e-5)),
            ("CosineAnnealingWarmRestarts(10)", lambda s, o: s.CosineAnnealingWarmRestarts(o, 10)),
        ],
        "lr_scheduler.CyclicLR": [
            ("CyclicLR(0.001, 0.1, 10, 15)", lambda s, o: s.CyclicLR(o, 0.001, 0.1, 10, 15)),
            ("CyclicLR(triangular2)", lambda s, o: s.CyclicLR(o, [0.001, 0.01], 0.1, 10, mode="triangular2")),
            ("CyclicLR(exp_range)", lambda s, o: s.CyclicLR(o, 0.001, 0.1, 8, mode="exp_range", gamma=0.98)),
            ("CyclicLR(scale_fn)", lambda s, o: s.CyclicLR(o, 0.001, 0.1, 8, scale_fn=lambda x: 1 / x)),
        ],
        "lr_scheduler.OneCycleLR": [
            ("OneCycleLR(0.1, 100)", lambda s, o: s.OneCycleLR(o, 0.1, 200)),
            (
                "OneCycleLR(three phases, linear)",
                lambda s, o: s.OneCycleLR(o, [0.1, 0.3], epochs=20, steps_per_epoch=10, three_phase=True, anneal_strategy="linear"),
            ),
        ],
        "lr_scheduler.ReduceLROnPlateau": [
            ("ReduceLROnPlateau(patience=2)", lambda s, o: s.ReduceLROnPlateau(o, patience=2, cooldown=1)),
            ("ReduceLROnPlateau(max, abs)", lambda s, o: s.ReduceLROnPlateau(o, "max", 0.5, 1, 0.01, "abs", min_lr=[1e-3, 1e-4])),
        ],
        "lr_scheduler.SequentialLR": [(
            "SequentialLR(linear, cosine, exponential)",
            lambda s, o: s.SequentialLR(
                o, [s.LinearLR(o, 0.1, total_iters=10), s.CosineAnnealingLR(o, 60), s.ExponentialLR(o, 0.9)], [10, 70]
            ),
        )],
        "lr_scheduler.ChainedScheduler": [(
            "ChainedScheduler(linear, exponential)",
            lambda s, o: s.ChainedScheduler([s.LinearLR(o, 0.1, total_iters=10), s.ExponentialLR(o, 0.99)]),
        )],
        "swa_utils.SWALR": [
            ("SWALR(0.05)", lambda s, o: s.SWALR(o, 0.05)),
            ("SWALR(linear)", lambda s, o: s.SWALR(o, 0.05, 5, "linear")),
        ],
    }.items()
}  # fmt: skip
