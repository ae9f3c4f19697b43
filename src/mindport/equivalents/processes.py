"""Settings of processes that ``torch.multiprocessing`` hands on from Python's package: they concern no tensor.

What sends tensors between processes (queues, processes, pools) shares their memory there, and has no equivalent.
"""

import multiprocessing

from mindport.declare import equivalent


@equivalent("torch.multiprocessing.set_start_method")
def set_start_method(method, force=False):
    """How processes start from now on; RuntimeError where that was said before.

    https://docs.python.org/3/library/multiprocessing.html#multiprocessing.set_start_method
    """
    multiprocessing.set_start_method(method, force=force)


@equivalent("torch.multiprocessing.get_start_method")
def get_start_method(allow_none=False):
    """The name of the way in which processes start; None where nobody said one, and `allow_none`."""
    return multiprocessing.get_start_method(allow_none=allow_none)


@equivalent("torch.multiprocessing.get_all_start_methods")
def get_all_start_methods():
    """The names of the ways in which processes can start here."""
    return multiprocessing.get_all_start_methods()


@equivalent("torch.multiprocessing.cpu_count")
def cpu_count():
    """How many processors the machine has."""
    return multiprocessing.cpu_count()


@equivalent("torch.multiprocessing.freeze_support")
def freeze_support():
    """Nothing, but in a frozen program on Windows."""
    multiprocessing.freeze_support()


@equivalent("torch.multiprocessing.set_sharing_strategy", drops={"new_strategy": "arrays go between processes, and share no memory"})
def set_sharing_strategy(new_strategy):
    """Nothing: how tensors between processes share memory (``file_system``) is PyTorch's alone."""
    return None
