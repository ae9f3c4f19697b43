"""The same source through the interpreter and through torch."""

from __future__ import annotations

import ast
from typing import Any

from mindport.analysis.network_run.interpreter import outside_value
from mindport.analysis.network_run.sizes import Sizes, sizes_of
from mindport.analysis.network_run.statements import Run
from mindport.analysis.network_run.values import Instance, Scope, Shape, Undecided
from mindport.inference import Project
from mindport.source.file import SourceFile

HEAD = "import math\nfrom functools import partial\nimport copy\nfrom collections import OrderedDict\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n"


def run(source: str, expression: str, *inputs: Shape) -> Sizes:
    """What the interpreter says of the network that `expression` constructs, called with tensors of these shapes."""
    file = SourceFile.of(HEAD + source, "model.py")
    project = Project([file])
    facts = project.facts(file)
    (module,) = project.modules.modules.values()
    scope = Scope(facts, "model.py", {name: outside_value(value) for name, value in module.env.items()})
    interpreter = Run()
    try:
        made = interpreter.evaluate(ast.parse(expression, mode="eval").body, scope)
    except Undecided as reason:
        return Sizes(why=reason.why)
    assert isinstance(made, Instance), made
    return sizes_of(interpreter, made, inputs or None, scope)


def truth(source: str, expression: str, *inputs: Shape, integers: bool = False) -> tuple[int, int, tuple[Shape, ...]]:
    """Parameters, multiply-adds and output shapes in torch."""
    import torch

    space: dict[str, Any] = {}
    exec(compile(HEAD + source, "model.py", "exec"), space)
    work = [0]

    def count(module: Any, args: Any, output: Any) -> None:
        if isinstance(module, torch.nn.modules.conv._ConvTransposeNd):
            work[0] += args[0].numel() * module.weight.numel() // module.weight.shape[0]
        elif isinstance(module, (torch.nn.modules.conv._ConvNd, torch.nn.Linear)):
            work[0] += output.numel() * module.weight.numel() // module.weight.shape[0]

    with torch.no_grad():
        network = eval(expression, space).eval()
        for module in network.modules():
            module.register_forward_hook(count)
        made = network(*(torch.zeros(shape, dtype=torch.int64 if integers else torch.float32) for shape in inputs)) if inputs else ()
    return sum(p.numel() for p in network.parameters()), work[0], tuple(_shapes(made))


def _shapes(value: Any) -> list[Shape]:
    if hasattr(value, "shape"):
        return [tuple(value.shape)]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [shape for item in items for shape in _shapes(item)]


