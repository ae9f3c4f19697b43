"""What calling an instance of a library layer gives."""

from __future__ import annotations

from mindport.inference import torchfacts
from mindport.inference.certainty import likely
from mindport.inference.overlays import named_axes
from mindport.inference.values import (
    NONE,
    Instance,
    Mapping,
    Sequence,
    TensorValue,
    Unknown,
    Value,
    join,
    options,
)

_T = TensorValue()
_STATES = Sequence("tuple", (_T, _T))

#: What a network of several outputs gives, by their names.
_NAMED = Mapping(None, _T)
_DETECTED = likely(join(Sequence("list", None, _NAMED), _NAMED))
_AUXILIARY = likely(join(_T, Sequence("tuple", (_T, join(_T, NONE), join(_T, NONE)))))

#: Layers whose forward gives something else than one tensor.
RESULTS: dict[str, Value] = {
    "timm.data.Mixup": Sequence("tuple", (_T, _T)),
    "torchvision.models.GoogLeNet": _AUXILIARY,
    "torchvision.models.Inception3": likely(join(_T, Sequence("tuple", (_T, join(_T, NONE))))),
    "torchvision.models.segmentation._utils._SimpleSegmentationModel": _NAMED,
    "torchvision.models.segmentation.LRASPP": _NAMED,
    "torchvision.models._utils.IntermediateLayerGetter": _NAMED,
    "torchvision.ops.FeaturePyramidNetwork": _NAMED,
    "torchvision.models.detection.generalized_rcnn.GeneralizedRCNN": _DETECTED,
    "torchvision.models.detection.FCOS": _DETECTED,
    "torchvision.models.detection.RetinaNet": _DETECTED,
    "torchvision.models.detection.ssd.SSD": _DETECTED,
    "torchvision.models.optical_flow.RAFT": Sequence("list", None, _T),
    "torch.nn.LSTM": Sequence("tuple", (_T, _STATES)),
    "torch.nn.GRU": Sequence("tuple", (_T, _T)),
    "torch.nn.RNN": Sequence("tuple", (_T, _T)),
    "torch.nn.RNNBase": Sequence("tuple", (_T, Unknown("a recurrent layer's state"))),
    "torch.nn.LSTMCell": _STATES,
    "torch.nn.MultiheadAttention": Sequence("tuple", (_T, join(_T, NONE))),
    "torch.nn.AdaptiveLogSoftmaxWithLoss": _STATES,
}

#: What recurrent layers take and give instead of padded tensors.
PACKED = "torch.nn.utils.rnn.PackedSequence"

#: Containers and bases: what they give depends on what is in them.
_OPEN = frozenset(
    ["torch.nn.Module", "torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.ParameterList", "torch.nn.ParameterDict", "torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel"]
)

#: Modules that hold another one under `module`.
WRAPPERS = frozenset(("torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel", "torch.optim.swa_utils.AveragedModel"))

#: Layers that return what they are given.
_IDENTITY = frozenset(("torch.nn.Identity",))

#: One tensor, or a pair when they were asked for indices.
_WITH_INDICES = ("torch.nn.modules.pooling._MaxPoolNd", "torch.nn.modules.pooling._AdaptiveMaxPoolNd")


def layer_result(cls: str, positional: list[Value], element: Value | None) -> Value:
    """The value of ``layer(x)`` for an instance of the torch class `cls`."""
    if cls in _IDENTITY and positional:
        return positional[0]
    lineage = torchfacts.ancestors(cls)
    for name in lineage:
        if name in RESULTS:
            return _packed(RESULTS[name], positional)
    if cls in named_axes.LAYERS:
        return likely(_T)
    if "torch.nn.Module" not in lineage:
        return Unknown(f"the result of calling an instance of {cls}")
    if not cls.startswith("torch.") and cls.count(".") > 2:
        return likely(_T)  # a part of one of torchvision's models
    if cls in _OPEN or any(name in _WITH_INDICES for name in lineage):
        if cls == "torch.nn.Sequential" and element is not None:
            return _last(element)
        return likely(_T)
    return _T


def _packed(result: Value, positional: list[Value]) -> Value:
    """A recurrent layer gives a packed sequence for a packed sequence."""
    first = positional[0] if positional else None
    if isinstance(result, Sequence) and result.items and isinstance(first, Instance) and first.cls == PACKED:
        return Sequence(result.type, (first, *result.items[1:]))
    return result


def _last(element: Value) -> Value:
    """What a Sequential gives, whose last member is one of these."""
    for option in options(element):
        if isinstance(option, Instance) and option.cls in RESULTS:
            return join(RESULTS[option.cls], likely(_T))
    return likely(_T)
