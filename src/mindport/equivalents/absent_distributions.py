"""Parts of torch.distributions that are not there yet or cannot be."""

from mindport.declare import absent

absent(
    "torch.distributions.Distribution.arg_constraints", "torch.distributions.Distribution.set_default_validate_args",
    "torch.distributions.Distribution.support",
    why="constraints serve to validate arguments, which the equivalents do not do: drop them",
    rung="equivalent",
)
