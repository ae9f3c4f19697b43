"""torch.distributed in one process: a group of world size 1, where every collective gives what it was given.

Several processes are refused: MindSpore starts them with `msrun`, joins them with `mindspore.communication.init()`, and
averages gradients with `nn.DistributedGradReducer` between `value_and_grad` and the optimizer. Not run here.
"""

import os
from contextlib import nullcontext

from mindspore import nn

from mindport.declare import Refused, constant, difference, equivalent, layer

SEVERAL = (
    "several processes: MindSpore starts them with msrun, joins them with mindspore.communication.init(), and averages "
    "gradients with nn.DistributedGradReducer between value_and_grad and the optimizer; write that by hand"
)
UNINITIALIZED = "Default process group has not been initialized, please make sure to call init_process_group."
ALONE = difference("one process only: more of them raise an error", risk="loud", zh="仅支持单进程")
ONE_GROUP = {"group": "there is one group"}
ONE_PROCESS = {"src": "there is one process", "group_src": "there is one process"}
ONE_TARGET = {"dst": "there is one process", "group_dst": "there is one process"}
#: The backend of the one group, once there is one.
GROUP = []

constant("torch.distributed.ReduceOp.SUM", "sum")
constant("torch.distributed.ReduceOp.AVG", "avg")
constant("torch.distributed.ReduceOp.PRODUCT", "product")
constant("torch.distributed.ReduceOp.MAX", "max")
constant("torch.distributed.ReduceOp.MIN", "min")


def required():
    """Raise torch's error where there is no group."""
    if not GROUP:
        raise ValueError(UNINITIALIZED)


class Done:
    """What an asynchronous collective returns: it is over."""

    def wait(self, timeout=None):
        return True

    def is_completed(self):
        return True


@equivalent("torch.distributed.is_available")
def distributed_is_available():
    """Whether processes can be joined: a group of one can."""
    return True


@equivalent("torch.distributed.is_initialized")
def is_initialized():
    """Whether init_process_group was called."""
    return bool(GROUP)


@equivalent("torch.distributed.is_torchelastic_launched")
def is_torchelastic_launched():
    """Whether torchrun started the process."""
    return "TORCHELASTIC_RUN_ID" in os.environ


@equivalent(
    "torch.distributed.init_process_group", differs=[ALONE],
    drops={
        "init_method": "one process finds itself", "timeout": "one process does not wait", "rank": "it is 0", "store": "one process shares nothing",
        "group_name": "there is one group", "pg_options": "directs PyTorch's backends", "device_id": "MindSpore's device is set by mindspore.set_device",
    },
)
def init_process_group(
    backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, store=None, group_name="", pg_options=None, device_id=None
):
    """Joins the processes: this one. https://docs.pytorch.org/docs/2.13/distributed.html"""
    if max(world_size, int(os.environ.get("WORLD_SIZE", "1"))) > 1:
        raise Refused(SEVERAL)
    if GROUP:
        raise ValueError("trying to initialize the default process group twice!")
    GROUP.append("gloo" if backend is None else str(backend))


@equivalent("torch.distributed.destroy_process_group", drops={"group": "there is one group"})
def destroy_process_group(group=None):
    """Leaves the group."""
    required()
    GROUP.clear()


@equivalent("torch.distributed.get_backend", drops={"group": "there is one group"})
def get_backend(group=None):
    """The name of the backend that was asked for."""
    required()
    return GROUP[0]


@equivalent("torch.distributed.get_rank", drops={"group": "there is one group"})
def get_rank(group=None):
    """This process's number: 0."""
    required()
    return 0


@equivalent("torch.distributed.get_world_size", drops={"group": "there is one group"})
def get_world_size(group=None):
    """How many processes there are: 1."""
    required()
    return 1


@equivalent("torch.distributed.get_local_rank", "torch.distributed.get_node_local_rank", drops={"fallback_rank": "the number is known"})
def get_node_local_rank(fallback_rank=None):
    """This process's number on its machine: 0."""
    return 0


@equivalent("torch.distributed.new_group", drops={
    "timeout": "one process does not wait", "backend": "one process sends nothing", "pg_options": "directs PyTorch's backends",
    "use_local_synchronization": "one process does not wait", "group_desc": "a name", "device_id": "MindSpore's device is set by mindspore.set_device",
})
def new_group(ranks=None, timeout=None, backend=None, pg_options=None, use_local_synchronization=False, group_desc=None, device_id=None):
    """A group of some processes: of this one."""
    required()
    if ranks is not None and list(ranks) != [0]:
        raise Refused(SEVERAL)
    return None


@equivalent("torch.distributed.barrier", "torch.distributed.monitored_barrier", drops={**ONE_GROUP, "device_ids": "one process waits for nobody"})
def barrier(group=None, async_op=False, device_ids=None):
    """Waits for all processes: for none."""
    required()
    return Done() if async_op else None


@equivalent("torch.distributed.all_reduce", drops={**ONE_GROUP, "tensor": "it stays as it is", "op": "over one process every reduction is the tensor"})
def all_reduce(tensor, op="sum", group=None, async_op=False):
    """The sum (or other reduction) over one process is the tensor as it is."""
    required()
    return Done() if async_op else None


@equivalent("torch.distributed.reduce", drops={
    **ONE_GROUP, **ONE_TARGET, "tensor": "it stays as it is", "op": "over one process every reduction is the tensor",
})
def reduce(tensor, dst=None, op="sum", group=None, async_op=False, group_dst=None):
    """The reduction over one process is the tensor as it is."""
    required()
    return Done() if async_op else None


@equivalent("torch.distributed.broadcast", drops={**ONE_GROUP, **ONE_PROCESS, "tensor": "it stays as it is"})
def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    """What process 0 has, this one has."""
    required()
    return Done() if async_op else None


@equivalent("torch.distributed.all_gather", drops=ONE_GROUP)
def all_gather(tensor_list, tensor, group=None, async_op=False):
    """The tensors of all processes, copied into those of the list."""
    required()
    tensor_list[0].copy_(tensor)
    return Done() if async_op else None


@equivalent("torch.distributed.all_gather_into_tensor", drops=ONE_GROUP)
def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    """The tensors of all processes, one after the other, copied into one."""
    required()
    output_tensor.copy_(input_tensor.reshape(output_tensor.shape))
    return Done() if async_op else None


@equivalent("torch.distributed.gather", drops={**ONE_GROUP, **ONE_TARGET})
def gather(tensor, gather_list=None, dst=None, group=None, async_op=False, group_dst=None):
    """The tensors of all processes, copied into those of the list."""
    required()
    gather_list[0].copy_(tensor)
    return Done() if async_op else None


@equivalent("torch.distributed.scatter", drops={**ONE_GROUP, **ONE_PROCESS})
def scatter(tensor, scatter_list=None, src=None, group=None, async_op=False, group_src=None):
    """This process's part of the list, copied into the tensor."""
    required()
    tensor.copy_(scatter_list[0])
    return Done() if async_op else None


@equivalent("torch.distributed.all_gather_object", drops=ONE_GROUP)
def all_gather_object(object_list, obj, group=None):
    """The objects of all processes, put into the list."""
    required()
    object_list[0] = obj


@equivalent("torch.distributed.gather_object", drops={**ONE_GROUP, **ONE_TARGET})
def gather_object(obj, object_gather_list=None, dst=None, group=None, group_dst=None):
    """The objects of all processes, put into the list."""
    required()
    object_gather_list[0] = obj


@equivalent("torch.distributed.broadcast_object_list", drops={**ONE_GROUP, **ONE_PROCESS, "object_list": "it stays as it is", "device": "one process sends nothing"})
def broadcast_object_list(object_list, src=None, group=None, device=None, group_src=None):
    """What process 0 has, this one has."""
    required()


@equivalent("torch.multiprocessing.spawn", differs=[ALONE], drops={"join": "it runs here", "daemon": "it runs here", "start_method": "it runs here"})
def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """fn(0, *args), in this process."""
    if nprocs != 1:
        raise Refused(SEVERAL)
    fn(0, *args)


@layer("torch.nn.DataParallel", drops={
    "device_ids": "a MindSpore process computes on one device", "dim": "the batch is not split",
    "output_device": "a MindSpore process computes on one device",
})
class DataParallel(nn.Cell):
    """A module that calls another, its `module`: names in it start with "module.", as torch's do on one device, too.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.DataParallel.html
    """

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.set_train(module.training)

    def construct(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


@layer("torch.nn.parallel.DistributedDataParallel", differs=[ALONE], drops={"args": "settings of the averaging of gradients", "kwargs": "settings of the averaging of gradients"})
class DistributedDataParallel(nn.Cell):
    """A module that calls another, its `module`, and has nobody to average gradients with.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.parallel.DistributedDataParallel.html
    """

    def __init__(self, module, *args, **kwargs):
        super().__init__()
        required()
        self.module = module
        self.set_train(module.training)

    def construct(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)

    def no_sync(self):
        return nullcontext()


@equivalent("torch.nn.parallel.DistributedDataParallel.no_sync")
def no_sync(self):
    """A context in which gradients are not averaged: they never are, with one process."""
    return self.no_sync()


@equivalent("torch.nn.SyncBatchNorm.convert_sync_batchnorm", differs=[ALONE], drops={"process_group": "there is one group"})
def convert_sync_batchnorm(module, process_group=None):
    """Replaces batch normalisation by one over all processes: with one process, the same."""
    return module
