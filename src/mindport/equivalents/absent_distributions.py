"""Parts of torch.distributions that are not there yet or cannot be."""

from mindport.declare import absent

absent(
    "torch.distributions.biject_to", "torch.distributions.identity_transform", "torch.distributions.transform_to",
    why="not written yet: apply the function to samples of the base distribution, and subtract the log of its derivative from log_prob",
    rung="packaged",
)
absent(
    "torch.distributions.Distribution.arg_constraints", "torch.distributions.Distribution.set_default_validate_args",
    "torch.distributions.Distribution.support", "torch.distributions.constraints.Constraint",
    "torch.distributions.constraints.MixtureSameFamilyConstraint", "torch.distributions.constraints.cat",
    "torch.distributions.constraints.dependent", "torch.distributions.constraints.dependent_property",
    "torch.distributions.constraints.greater_than", "torch.distributions.constraints.greater_than_eq",
    "torch.distributions.constraints.half_open_interval", "torch.distributions.constraints.independent",
    "torch.distributions.constraints.integer_interval", "torch.distributions.constraints.interval",
    "torch.distributions.constraints.is_dependent", "torch.distributions.constraints.less_than",
    "torch.distributions.constraints.multinomial", "torch.distributions.constraints.stack",
    why="constraints serve to validate arguments, which the equivalents do not do: drop them",
    rung="equivalent",
)
