"""How torch shows the class of a layer: ``"batchnorm" in str(layer.__class__)`` looks for a part of ``<class 'torch.nn.modules.batchnorm.BatchNorm2d'>``.

MindSpore's classes stand in other files under other names, and so do the classes that knowledge has.
"""

import re

from mindspore import Parameter, Tensor, nn

from mindport.layers.class_names import CLASS_NAMES

#: torch's file → the layers in it, the first that matches. A test holds the table against torch.
FILES = {
    "modules.module": "Module", "parallel.data_parallel": "DataParallel", "modules.linear": "Bilinear|Identity|(Lazy)?Linear", "modules.dropout": ".*Dropout(1d|2d|3d)?",
    "modules.batchnorm": ".*BatchNorm(1d|2d|3d)?", "modules.instancenorm": ".*InstanceNorm(1d|2d|3d)", "modules.normalization": "CrossMapLRN2d|GroupNorm|LayerNorm|LocalResponseNorm|RMSNorm",
    "modules.conv": "(Lazy)?Conv(Transpose)?(1d|2d|3d)", "modules.pooling": ".*(Pool|Unpool)(1d|2d|3d)", "modules.padding": ".*Pad(1d|2d|3d)", "modules.adaptive": "AdaptiveLogSoftmaxWithLoss",
    "modules.loss": ".*Loss(2d)?", "modules.rnn": "(GRU|LSTM|RNN)(Cell)?", "modules.sparse": "Embedding(Bag)?", "modules.container": "Sequential|(Module|Parameter)(List|Dict)",
    "modules.transformer": "Transformer.*", "modules.flatten": "Flatten|Unflatten", "modules.fold": "Fold|Unfold", "modules.upsampling": "Upsample|Upsampling.*",
    "modules.distance": "CosineSimilarity|PairwiseDistance", "modules.pixelshuffle": "Pixel(Unshuffle|Shuffle)", "modules.channelshuffle": "ChannelShuffle", "modules.activation": ".*",
}  # fmt: skip


def class_file(value):
    """The module of a value's class, torch's where it is a layer of MindSpore's or of knowledge, or a tensor."""
    cls = getattr(type(value), "plain_class", type(value))  # computed weights have a class of their own
    if cls is Parameter:
        return "torch.nn.parameter"
    if cls is Tensor:
        return "torch"
    if not isinstance(value, nn.Cell) or cls.__module__ != __name__ and not cls.__module__.startswith(("mindspore.nn.", "mindport.layers.")):
        return cls.__module__
    name = CLASS_NAMES.get(cls.__name__, cls.__name__)
    return "torch.nn." + next(file for file, names in FILES.items() if re.fullmatch(names, name))


def class_text(value):
    """What ``str`` says of a value's class, under torch's names."""
    cls = getattr(type(value), "plain_class", type(value))
    file = class_file(value)
    if file == cls.__module__:
        return str(cls)
    return f"<class '{file}.{CLASS_NAMES.get(cls.__name__, cls.__name__)}'>"
