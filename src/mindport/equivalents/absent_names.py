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
