"""What torch calls the parameters and buffers of a cell, while the program runs.

User code sees these names: it sorts parameters into groups by them, filters checkpoints by prefix, and keeps
files whose keys they are. So everything that gives names to user code gives torch's, and takes them back.
A test holds the table against the layers' state maps.
"""

from mindspore import nn, ops

#: Batch normalisation and layers with parameters of other names in MindSpore: the name in the cell → torch's.
RUNNING_NAMES = {"moving_mean": "running_mean", "moving_variance": "running_var"}
NORM_NAMES = {"gamma": "weight", "beta": "bias"}
RENAMED = (
    (nn.BatchNorm1d, {**NORM_NAMES, **RUNNING_NAMES}),
    (nn.BatchNorm2d, {**NORM_NAMES, **RUNNING_NAMES}),
    (nn.LayerNorm, NORM_NAMES),
    (nn.GroupNorm, NORM_NAMES),
    (nn.Embedding, {"embedding_table": "weight"}),
    (nn.PReLU, {"w": "weight"}),
)
#: Children that are MindSpore's own way of building the layer; what they hold belongs to the layer itself.
INNER_CELLS = (
    (nn.BatchNorm3d, ("bn2d",)),
    (nn.RNN, ("rnn", "dropout_op")),
    (nn.GRU, ("rnn", "dropout_op")),
    (nn.LSTM, ("rnn", "dropout_op")),
)
STATISTICS = ("running_mean", "running_var")
#: The kinds of a recurrent layer's parameters, in torch's order.
RECURRENT_ORDER = ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")


def inner_names(cell):
    """The names of a cell's children that torch does not have."""
    for cls, names in INNER_CELLS:
        if isinstance(cell, cls):
            return names
    return ()


def torch_name(name):
    """torch's name of a part: one that a cell uses itself (`cells`, `phase`) has an underscore behind it here."""
    return name[:-1] if name.endswith("_") and hasattr(nn.Cell, name[:-1]) else name


def torch_children(cell):
    """(name, cell) of the children that torch has, repeated ones too, in order."""
    hidden = inner_names(cell)
    return [(torch_name(name), child) for name, child in cell._cells.items() if name not in hidden]


def is_constant(cell, name):
    """Whether a parameter only stands in for one that torch does not have: `affine=False`, `bias=False`."""
    if name in STATISTICS:
        return getattr(cell, "use_batch_statistics", None) is True and isinstance(cell, (nn.BatchNorm1d, nn.BatchNorm2d))
    if not isinstance(cell, (nn.BatchNorm1d, nn.BatchNorm2d, nn.LayerNorm, nn.GroupNorm)) or name not in ("weight", "bias"):
        return False
    if getattr(cell, "affine", True) is False or getattr(cell, "elementwise_affine", True) is False:
        return True
    return name == "bias" and getattr(cell, "no_bias", False)


def recurrent_place(name):
    """Where torch has a recurrent layer's parameter: layer by layer, forward before backward."""
    layer = name.partition("_l")[2]
    number, _, reverse = layer.partition("_")
    kind = name.partition("_l")[0]
    return int(number), reverse != "", RECURRENT_ORDER.index(kind)


def own_parameters(cell):
    """(torch's name, parameter or None) of a cell's own parameters, in torch's order."""
    renamed = {}
    for cls, names in RENAMED:
        if isinstance(cell, cls):
            renamed = names
    found = [(renamed.get(name) or torch_name(name), parameter) for name, parameter in cell._params.items()]
    if isinstance(cell, (nn.RNN, nn.GRU, nn.LSTM)):
        plain = [item for item in found if item[0].partition("_l")[0] in RECURRENT_ORDER]
        found = sorted(plain, key=lambda item: recurrent_place(item[0])) + [item for item in found if item not in plain]
    found = [(name, parameter) for name, parameter in found if not (is_statistic(cell, name, parameter) or is_constant(cell, name))]
    for name in inner_names(cell):
        found = found + own_parameters(cell._cells[name])
    return found


def is_statistic(cell, name, parameter):
    """Whether torch has a buffer where MindSpore has this parameter."""
    if parameter is None or parameter.requires_grad:
        return False
    if name in getattr(cell, "statistics", ()):
        return True
    return name in STATISTICS and (isinstance(cell, (nn.BatchNorm1d, nn.BatchNorm2d)) or hasattr(cell, "track_running_stats"))


def own_buffers(cell, persistent_only=False):
    """(torch's name, tensor or None) of a cell's own buffers: running statistics first."""
    renamed = {}
    for cls, names in RENAMED:
        if isinstance(cell, cls):
            renamed = names
    named = [(renamed.get(name, name), parameter) for name, parameter in cell._params.items()]
    found = [(name, tensor) for name, tensor in named if is_statistic(cell, name, tensor) and not is_constant(cell, name)]
    transient = cell._non_persistent_buffers_set if persistent_only else ()
    found = found + [(torch_name(name), tensor) for name, tensor in cell._buffers.items() if name not in transient]
    for name in inner_names(cell):
        found = found + own_buffers(cell._cells[name], persistent_only)
    return found


def extra_axis(cell, name):
    """The axis of length 1 that MindSpore's array has and torch's has not; None where there is none."""
    if name.startswith("original"):
        return cell.__dict__.get("inserted_axis")
    weights = ("weight", "weight_g", "weight_v", "weight_orig", "weight_mask")
    if name in weights and isinstance(cell, (nn.Conv1d, nn.Conv1dTranspose)):
        return 2
    return None


def torch_view(cell, name, tensor):
    """The tensor in torch's shape, on the same storage."""
    axis = extra_axis(cell, name)
    return tensor if axis is None or tensor.ndim != 4 else ops.squeeze(tensor, axis)
