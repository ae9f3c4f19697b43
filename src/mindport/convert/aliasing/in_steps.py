"""Changes in statements that become a step's function: a name bound there is another name than the one around it.

``hidden.mul_(0.9)`` in the forward pass of a training loop may not become ``hidden = hidden * 0.9`` then, and a view that is
made again there is not made again for what follows the step.
"""

from __future__ import annotations

from mindport.convert.aliasing.holders import Again, Verdict
from mindport.convert.aliasing.objects import Mutation, path
from mindport.convert.context import Context
from mindport.convert.training import tape


def within_step(context: Context, mutation: Mutation, verdict: Verdict, keeps_shape: bool) -> Verdict:
    """The verdict of a change whose statement may become part of a step's function. `keeps_shape`: a function can write the result into the tensor.

    Where neither that nor a name will do, the step is asked to be no function (MP403), or the change is refused where there is no tape.
    """
    step = context.moving.get(id(mutation.statement))
    if step is None or verdict.kind == "refuse":
        return verdict
    name = path(mutation.target)
    outside = {again.name for again in verdict.sync if isinstance(again, Again) and again.name.isidentifier() and again.name not in step.names}
    if verdict.kind == "rebind" and name is not None and name.isidentifier() and name not in step.names:
        if keeps_shape and not outside:
            return Verdict("write", [f"{name} is bound outside of the step's function"], verdict.sync)
        outside.add(name)
    if not outside:
        return verdict
    why = f"`{min(outside)}` is bound before the step, and a change in place between the forward pass and backward reaches it"
    if tape.available(context.shared.target.version):
        line = context.file.span(mutation.statement).line
        context.shared.wanting_tape[id(step.call)] = f"{why} (line {line})"
        return verdict
    return Verdict("refuse", verdict.others, why=why)
