"""Which default belongs to which parameter: a tree keeps them in two lists, counted from the end and with gaps."""

from __future__ import annotations

import ast


def parameters_and_defaults(arguments: ast.arguments) -> list[tuple[ast.arg, ast.expr | None]]:
    """Each parameter but ``*args`` and ``**kwargs``, in the order of the signature, with its default; None: it must be given."""
    placed = [*arguments.posonlyargs, *arguments.args]
    required: list[ast.expr | None] = [None] * (len(placed) - len(arguments.defaults))
    return [*zip(placed, [*required, *arguments.defaults], strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]


def required(arguments: ast.arguments) -> set[str]:
    """The names of the parameters that a call must give."""
    return {parameter.arg for parameter, default in parameters_and_defaults(arguments) if default is None}


def defaults_of(arguments: ast.arguments) -> dict[str, ast.expr]:
    """The defaults of the parameters that have one, by name, in the order of the signature."""
    return {parameter.arg: default for parameter, default in parameters_and_defaults(arguments) if default is not None}
