"""Prefixes of names in saved states: what DataParallel and DistributedDataParallel put before every name."""

from mindport.declare import equivalent


@equivalent("torch.nn.modules.utils.consume_prefix_in_state_dict_if_present")
def consume_prefix_in_state_dict_if_present(state_dict, prefix):
    """Takes `prefix` off the names that begin with it, in place; they move to the end.

    https://github.com/pytorch/pytorch/blob/v2.13.0/torch/nn/modules/utils.py
    """
    for key in [name for name in state_dict if name.startswith(prefix)]:
        state_dict[key[len(prefix) :]] = state_dict.pop(key)
