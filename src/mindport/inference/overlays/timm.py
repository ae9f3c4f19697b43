"""timm's names: where projects find them, what they are, and what its functions give. Held are the versions 0.4 to 1.0; what differs among them, knowledge refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindport.inference.values import Builtin, Const, Sequence, Value

_MODULE = "ctorch.nn.Module\n"
_NUMBERS = "ktuple[float, float, float]"
_TUPLES = ("to_2tuple", "to_3tuple", "to_4tuple")
_CONSTANTS = [f"{name}_{kind}" for name in ("IMAGENET_DEFAULT", "IMAGENET_INCEPTION", "IMAGENET_DPN", "OPENAI_CLIP") for kind in ("MEAN", "STD")]

#: Records in the format of torch's data.
RECORDS: dict[str, str] = {
    **{f"timm.layers.{name}": "f(x) -> tuple" for name in _TUPLES},
    "timm.layers.to_ntuple": "f(n: int)",
    "timm.layers.make_divisible": "f(v, divisor: int=8, min_value=None, round_limit: float=0.9) -> int",
    **{f"timm.layers.{name}": "f(tensor: Tensor, mean: float=0.0, std: float=1.0, a: float=-2.0, b: float=2.0) -> Tensor" for name in ("trunc_normal_", "trunc_normal_tf_")},
    "timm.layers.variance_scaling_": "f(tensor: Tensor, scale: float=1.0, mode: str='fan_in', distribution: str='normal') -> None",
    "timm.layers.lecun_normal_": "f(tensor: Tensor) -> None",
    "timm.layers.drop_path": "f(x: Tensor, drop_prob: float=0.0, training: bool=False, scale_by_keep: bool=True) -> Tensor",
    "timm.layers.DropPath": f"{_MODULE}(drop_prob: float=0.0, scale_by_keep: bool=True)",
    "timm.layers.DropPath.drop_prob": "afloat",
    "timm.layers.Mlp": f"{_MODULE}(in_features, hidden_features=None, out_features=None, act_layer=None, norm_layer=None, bias=True, drop=0.0, use_conv=False, device=None, dtype=None)",
    "timm.layers.LayerNorm2d": "ctorch.nn.LayerNorm\n(num_channels: int, eps: float=1e-06, affine: bool=True, **kwargs)",
    "timm.loss.LabelSmoothingCrossEntropy": f"{_MODULE}(smoothing: float=0.1)",
    "timm.loss.SoftTargetCrossEntropy": f"{_MODULE}()",
    "timm.utils.accuracy": "f(output: Tensor, target: Tensor, topk=(1,)) -> list[Tensor]",
    "timm.utils.AverageMeter": "c\n()",
    "timm.utils.ModelEma": "c\n(model, decay: float=0.9999, device='', resume='')",
    "timm.utils.ModelEma.ema": "aModule",
    "timm.utils.unwrap_model": "f(model) -> Module",
    "timm.utils.get_state_dict": "f(model, unwrap_fn=None) -> dict[str, Tensor]",
    "timm.scheduler.CosineLRScheduler": "c\n(optimizer, t_initial: int, lr_min: float=0.0, cycle_mul: float=1.0, cycle_decay: float=1.0, cycle_limit: int=1, warmup_t: int=0, warmup_lr_init: float=0.0, warmup_prefix: bool=False, t_in_epochs: bool=True, noise_range_t=None, noise_pct: float=0.67, noise_std: float=1.0, noise_seed: int=42, k_decay: float=1.0, initialize: bool=True)",
    "timm.data.Mixup": "c\n(mixup_alpha: float=1.0, cutmix_alpha: float=0.0, cutmix_minmax=None, prob: float=1.0, switch_prob: float=0.5, mode: str='batch', correct_lam: bool=True, label_smoothing: float=0.1, num_classes: int=1000, multi_label: bool=False)",
    **{f"timm.data.{name}": _NUMBERS for name in _CONSTANTS},
}

#: Functions that write into their first argument.
INITIALISERS = tuple(f"timm.layers.{name}" for name in ("trunc_normal_", "trunc_normal_tf_", "variance_scaling_", "lecun_normal_"))

#: Packages whose own modules are named, too: ``timm.layers.drop.DropPath``.
_PACKAGES = ("timm.layers", "timm.loss", "timm.utils", "timm.data", "timm.scheduler")


def documented(name: str) -> str:
    """The name of what is held that another name of timm's means, ``timm.layers.DropPath`` for ``timm.models.layers.drop.DropPath``; others as they are."""
    last = name.rpartition(".")[2]
    if name.startswith("timm.models."):  # `timm.layers` stood there until 0.8, and networks' modules hold what they import
        moved = f"timm.layers.{last}"
        return moved if moved in RECORDS else name
    for package in _PACKAGES:
        if name.startswith(f"{package}.") and f"{package}.{last}" in RECORDS:
            return f"{package}.{last}" if name.count(".") <= 3 else name
    return name


def _repeated(count: int) -> Callable[[Any], Value | None]:
    def given(arguments: Any) -> Value | None:
        value = arguments.positional[0] if arguments.positional else None
        if isinstance(value, (Const, Builtin)) and not isinstance(getattr(value, "value", None), str):
            return Sequence("tuple", (value,) * count)
        if isinstance(value, Sequence) and value.items is not None:
            return Sequence("tuple", value.items)
        return None

    return given


#: Results of functions that say more than their annotations.
FUNCTIONS: dict[str, Callable[[Any], Value | None]] = {f"timm.layers.{name}": _repeated(count) for count, name in enumerate(_TUPLES, 2)}
