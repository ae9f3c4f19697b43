"""Classes that answer torch's functions themselves: ``def __torch_function__(cls, func, types, args=(), kwargs=None)``.

https://docs.pytorch.org/docs/2.13/notes/extending.html: torch's functions ask an argument whose class has the method, and its dispatcher asks
``__torch_dispatch__``. MindSpore's functions ask nobody: they compute on what they get, or raise. So every such definition is told; the text stays.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference.facts import Use

#: The protocol's methods.
PROTOCOL = ("__torch_function__", "__torch_dispatch__")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Tell of every definition of the protocol's methods in the file's classes."""
    for node in context.file.nodes:
        if isinstance(node, ast.ClassDef):
            for statement in node.body:
                if isinstance(statement, ast.FunctionDef) and statement.name in PROTOCOL:
                    context.report(
                        "MP107", f"{node.name} defines {statement.name}: MindSpore's functions do not ask their arguments for it, and compute on them as they are, or raise",
                        statement, api=f"torch.Tensor.{statement.name}", mark=True,
                        advice=f"Call a method of {node.name} in the place of the torch functions that it answers.",
                    )  # fmt: skip
