"""torch.amp: loss scaling as torch does it, and autocast, which MindSpore has for networks only."""

import math
from contextlib import ContextDecorator

import mindspore as ms
from mindspore import Tensor, ops

from mindport.declare import difference, equivalent, layer
from mindport.equivalents.kept_gradients import set_gradient

SCALES_EVERYWHERE = difference(
    "torch turns a scaler for CUDA off on a machine without CUDA; this one scales, and skips steps with infinite gradients, on every device",
    risk="loud",
)
FULL_PRECISION = difference(
    "operations inside autocast compute in the dtypes that their inputs have, mostly float32: more exact than torch's 16 bits, and "
    "results keep that dtype. For speed on Ascend use mindspore.amp.auto_mixed_precision(net, 'O1')",
    when="enabled",
)
DROPPED = {
    "device_type": "nothing is cast on any device", "dtype": "nothing is cast", "cache_enabled": "nothing is cast",
    "cast_inputs": "nothing is cast", "device": "scaling is the same on every device",
    "enabled": "nothing is cast either way",
}  # fmt: skip


@layer("torch.amp.GradScaler", drops=DROPPED, differs=[SCALES_EVERYWHERE])
class GradScaler:
    """Multiplies losses, divides gradients, and skips steps whose gradients are not finite.

    https://docs.pytorch.org/docs/2.13/amp.html#torch.amp.GradScaler
    """

    def __init__(
        self, device="cuda", init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True,
    ):  # fmt: skip
        if enabled and growth_factor <= 1.0:
            raise ValueError("The growth factor must be > 1.0.")
        if enabled and backoff_factor >= 1.0:
            raise ValueError("The backoff factor must be < 1.0.")
        self.factor = init_scale
        self.growth_factor = growth_factor
        self.backoff_factor = backoff_factor
        self.growth_interval = growth_interval
        self.enabled = enabled
        self.good_steps = 0
        #: Optimizers since the last update: whether gradients were not finite, and what was done with them.
        self.infinite = {}
        self.stages = {}

    def is_enabled(self):
        """Whether losses are scaled."""
        return self.enabled

    def get_scale(self):
        """The factor; 1.0 where scaling is off."""
        return self.factor if self.enabled else 1.0

    def scale(self, outputs):
        """A loss, or a sequence of losses, times the factor."""
        if not self.enabled:
            return outputs
        if isinstance(outputs, Tensor):
            return outputs * self.factor
        return type(outputs)(self.scale(output) for output in outputs)

    def unscale_(self, optimizer):
        """Divides the optimizer's gradients by the factor, and notes whether all are finite."""
        if not self.enabled:
            return
        stage = self.stages.get(id(optimizer), "ready")
        if stage != "ready":
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last update()."
                if stage == "unscaled" else "unscale_() is being called after step()."
            )  # fmt: skip
        found = [p for group in optimizer.param_groups for p in group["params"] if getattr(p, "grad", None) is not None]
        for p in found:
            if p.grad.dtype == ms.float16:
                raise ValueError("Attempting to unscale FP16 gradients.")
            set_gradient(p, p.grad * (1.0 / self.factor))
        finite = [ops.isfinite(p.grad).all() for p in found]
        self.infinite[id(optimizer)] = bool(finite) and not bool(ops.stack(finite).all())
        self.stages[id(optimizer)] = "unscaled"

    def step(self, optimizer, *args, **kwargs):
        """The optimizer's step, where all gradients are finite."""
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        if not self.enabled:
            return optimizer.step(*args, **kwargs)
        stage = self.stages.get(id(optimizer), "ready")
        if stage == "stepped":
            raise RuntimeError("step() has already been called since the last update().")
        if stage == "ready":
            self.unscale_(optimizer)
        self.stages[id(optimizer)] = "stepped"
        return None if self.infinite[id(optimizer)] else optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        """A smaller factor after infinite gradients, a larger one after growth_interval good steps."""
        if not self.enabled:
            return
        if new_scale is not None:
            self.factor = float(new_scale)
        elif not self.stages:
            raise RuntimeError("No inf checks were recorded prior to update.")
        elif any(self.infinite.values()):
            self.factor *= self.backoff_factor
            self.good_steps = 0
        else:
            self.good_steps += 1
            if self.good_steps == self.growth_interval:
                grown = self.factor * self.growth_factor
                self.factor = grown if grown < math.ldexp(1.0, 128) else self.factor
                self.good_steps = 0
        self.infinite, self.stages = {}, {}

    def state_dict(self):
        """The factor and its rules; {} where scaling is off."""
        if not self.enabled:
            return {}
        return {
            "scale": self.factor, "growth_factor": self.growth_factor, "backoff_factor": self.backoff_factor,
            "growth_interval": self.growth_interval, "_growth_tracker": self.good_steps,
        }  # fmt: skip

    def load_state_dict(self, state_dict):
        """Takes over what state_dict gave."""
        if not self.enabled:
            return
        if not state_dict:
            raise RuntimeError("The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler.")
        self.factor = state_dict["scale"]
        self.growth_factor = state_dict["growth_factor"]
        self.backoff_factor = state_dict["backoff_factor"]
        self.growth_interval = state_dict["growth_interval"]
        self.good_steps = state_dict["_growth_tracker"]

    def get_growth_factor(self):
        """What the factor is multiplied by to grow."""
        return self.growth_factor

    def set_growth_factor(self, new_factor):
        """Changes it."""
        self.growth_factor = new_factor

    def get_backoff_factor(self):
        """What the factor is multiplied by after infinite gradients."""
        return self.backoff_factor

    def set_backoff_factor(self, new_factor):
        """Changes it."""
        self.backoff_factor = new_factor

    def get_growth_interval(self):
        """After how many good steps the factor grows."""
        return self.growth_interval

    def set_growth_interval(self, new_interval):
        """Changes it."""
        self.growth_interval = new_interval


@layer("torch.cuda.amp.GradScaler", differs=[SCALES_EVERYWHERE])
class CudaGradScaler(GradScaler):
    """torch.amp.GradScaler for CUDA."""

    def __init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)

    def get_scale(self):
        """The factor; 1.0 where scaling is off."""
        return super().get_scale()


class FullPrecision(ContextDecorator):
    """A context, and a decorator, that changes nothing."""

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        return False


@equivalent("torch.autocast", drops=DROPPED, differs=[FULL_PRECISION])
def autocast(device_type, dtype=None, enabled=True, cache_enabled=None):
    """A context in which nothing is cast. https://docs.pytorch.org/docs/2.13/amp.html#torch.autocast"""
    return FullPrecision()


@equivalent("torch.cuda.amp.autocast", drops=DROPPED, differs=[FULL_PRECISION])
def cuda_autocast(enabled=True, dtype=ms.float16, cache_enabled=True):
    """A context in which nothing is cast."""
    return FullPrecision()


@equivalent("torch.cpu.amp.autocast", drops=DROPPED, differs=[FULL_PRECISION])
def cpu_autocast(enabled=True, dtype=ms.bfloat16, cache_enabled=True):
    """A context in which nothing is cast."""
    return FullPrecision()


def unchanged(function):
    """The function itself."""
    return function


@equivalent("torch.amp.custom_fwd", drops=DROPPED)
def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    """The forward function as it is: no autocast is on while it runs."""
    return fwd if fwd is not None else unchanged


@equivalent("torch.amp.custom_bwd", drops=DROPPED)
def custom_bwd(bwd=None, *, device_type):
    """The backward function as it is: no autocast is on while it runs."""
    return bwd if bwd is not None else unchanged


@equivalent("torch.cuda.amp.custom_fwd", drops=DROPPED)
def cuda_custom_fwd(fwd=None, *, cast_inputs=None):
    """The forward function as it is: no autocast is on while it runs."""
    return fwd if fwd is not None else unchanged


@equivalent("torch.cuda.amp.custom_bwd")
def cuda_custom_bwd(bwd):
    """The backward function as it is: no autocast is on while it runs."""
    return bwd
