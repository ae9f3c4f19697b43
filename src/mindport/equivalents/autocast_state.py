"""What a program asks of autocast: it is never on, as nothing is cast inside its region (`loss_scaling.autocast`)."""

import mindspore as ms

from mindport.declare import difference, equivalent

NEVER_ON = difference("autocast is never on: operations inside its region compute in the dtypes that their inputs have", risk="style", zh="自动混合精度从不生效")


@equivalent(
    "torch.is_autocast_enabled", "torch.is_autocast_cpu_enabled", "torch.is_autocast_ipu_enabled", "torch.is_autocast_xla_enabled",
    drops={"device_type": "nothing is cast on any device"}, differs=[NEVER_ON],
)
def is_autocast_enabled(device_type=None):
    """Whether autocast is on: no. https://docs.pytorch.org/docs/2.13/generated/torch.is_autocast_enabled.html"""
    return False


@equivalent("torch.get_autocast_gpu_dtype")
def get_autocast_gpu_dtype():
    """The dtype that autocast would cast to on a GPU: torch's default, as nothing sets another."""
    return ms.float16


@equivalent("torch.get_autocast_cpu_dtype")
def get_autocast_cpu_dtype():
    """The dtype that autocast would cast to on the CPU: torch's default."""
    return ms.bfloat16


@equivalent("torch.get_autocast_dtype")
def get_autocast_dtype(device_type):
    """The dtype that autocast would cast to on a device: torch's default.

    https://docs.pytorch.org/docs/2.13/generated/torch.get_autocast_dtype.html
    """
    return ms.bfloat16 if device_type == "cpu" else ms.float16
