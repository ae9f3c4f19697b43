"""What torch's initialisers compute from a weight's shape."""

from mindport.declare import equivalent


@equivalent("torch.nn.init._calculate_fan_in_and_fan_out")
def _calculate_fan_in_and_fan_out(tensor):
    """The number of inputs that feed an output, and of outputs that an input feeds."""
    if tensor.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = 1
    for length in tensor.shape[2:]:
        field = field * length
    return tensor.shape[1] * field, tensor.shape[0] * field


@equivalent("torch.nn.init._calculate_correct_fan")
def _calculate_correct_fan(tensor, mode):
    """The fan that a mode ("fan_in", "fan_out") names."""
    if mode.lower() not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode.lower()} not supported, please use one of ['fan_in', 'fan_out']")
    into, out = _calculate_fan_in_and_fan_out(tensor)
    return into if mode.lower() == "fan_in" else out
