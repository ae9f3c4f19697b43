"""``m.track_running_stats = False; m.running_mean = None``: batch normalisation that gives its statistics up after it was made (test-time adaptation, TENT).

torch decides in each call: with statistics evaluation uses them, without them each batch's own are used in both modes; training moves them on
while `track_running_stats` is true. MindSpore's cell decides when it is made. https://docs.pytorch.org/docs/2.13/generated/torch.nn.BatchNorm2d.html
"""

from mindspore import nn, ops


def set_statistics(layer, name, value):
    """``layer.track_running_stats = value``, or ``layer.running_mean = None`` and its kin, as torch's layer follows them."""
    cell = getattr(layer, "bn2d", layer)
    if not isinstance(cell, (nn.BatchNorm1d, nn.BatchNorm2d)):
        setattr(layer, name, value)
    elif name == "track_running_stats":
        layer.__dict__[name] = value
        # with a momentum of 0 the statistics stay as they are
        cell.bn_train = ops.BatchNorm(is_training=True, epsilon=float(cell.eps), momentum=float(cell.momentum) if value else 0.0)
    elif name != "num_batches_tracked":
        cell.use_batch_statistics = True
