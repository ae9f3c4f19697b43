"""Public names that are no operation: types, helper classes, constants of other interfaces."""

from mindport.declare import absent

absent(
    "torch.BFloat16Tensor",
    why="a legacy constructor by dtype: write torch.tensor(data, dtype=…), which has an equivalent",
    rung="equivalent",
)
absent(
    "torch.unsafe_split_with_sizes",
    why="no equivalent has been written and nobody has looked for one yet",
    rung="packaged",
)
absent(
    "torch.layout", "torch.memory_format",
    why="MindSpore's tensors have one memory layout: drop the type",
    rung="equivalent",
)
absent(
    "torch.set_default_tensor_type",
    why="the default dtype is float32 in MindSpore and the device is set by mindspore.set_device: drop the call for float32, give dtype= for others",
    rung="equivalent",
)
