"""When kernels run: in torch on CPU, each before the next statement of the program.

MindSpore launches them from another thread. What an array and a tensor share (``ms.from_numpy(a)``) is read when the kernel
runs: after ``t = ms.from_numpy(a); u = t * 2; a[:] = 0`` u is 0, silently (29 of 30 runs, 2.10, CPU; docs/differences/in_place.md).
"""

import mindspore as ms


def launch_in_order():
    """Have every kernel run before the statement that asked for it ends."""
    ms.runtime.launch_blocking()
    return True


KERNELS_IN_ORDER = launch_in_order()
