"""timm's moving average of a model's state, and the state of the model inside of wrappers."""

from copy import deepcopy

from mindspore import _no_grad

from mindport.declare import attribute, equivalent, layer
from mindport.equivalents.deserialization import load
from mindport.layers.module_tree import parameters
from mindport.layers.state_dict import load_state_dict, state_dict

PLACE = {"device": "MindSpore computes on the target that ms.set_device names"}


@layer("timm.utils.ModelEma", drops=PLACE)
class ModelEma:
    """A copy of a model in evaluation mode, all of whose state `update` moves towards the model's: ema * decay + model * (1 - decay)."""

    def __init__(self, model, decay=0.9999, device="", resume=""):
        self.ema = deepcopy(model)
        self.ema.set_train(False)
        self.decay = decay
        self.device = device
        self.ema_has_module = hasattr(self.ema, "module")
        if resume:
            self._load_checkpoint(resume)
        for parameter in parameters(self.ema):
            parameter.requires_grad = False

    def _load_checkpoint(self, checkpoint_path):
        """Take the average from a file (or what is read as one) that holds it as `state_dict_ema`; else the average begins with the model."""
        held = load(checkpoint_path, map_location="cpu")
        if not isinstance(held, dict):
            raise AssertionError("a checkpoint is a dictionary")
        if "state_dict_ema" in held:
            start = "module." if self.ema_has_module else ""
            load_state_dict(self.ema, {name if name.startswith("module") else start + name: value for name, value in held["state_dict_ema"].items()})

    def update(self, model):
        """One step of the average towards the model, buffers included."""
        start = "module." if hasattr(model, "module") and not self.ema_has_module else ""
        now = state_dict(model)
        with _no_grad():  # the averages are parameters, too: where a tape records, it forbids leaves to change
            for name, average in state_dict(self.ema).items():
                average.copy_(average * self.decay + (1.0 - self.decay) * now[start + name])


@attribute("timm.utils.ModelEma.ema")
def averaged(self):
    """The averaged copy."""
    return self.ema


@equivalent("timm.utils.unwrap_model")
def unwrap_model(model):
    """The model inside of averages and of wrappers that hold it as `module`."""
    if isinstance(model, ModelEma):
        return unwrap_model(model.ema)
    return unwrap_model(model.module) if hasattr(model, "module") else model


@equivalent("timm.utils.get_state_dict")
def get_state_dict(model, unwrap_fn=unwrap_model):
    """The state of the model inside of averages and wrappers, by torch's names."""
    return state_dict(unwrap_fn(model))
