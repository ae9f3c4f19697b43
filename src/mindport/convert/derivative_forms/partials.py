"""``gradient = partial(grad, create_graph=True)``: a helper that is the library's function with some arguments is a function of the project: ``def gradient(outputs, inputs): return grad(…)``."""

from __future__ import annotations

import ast

from mindport.convert.derivative_forms.placed import function_in_place
from mindport.convert.training.second_order import GRAD
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.apart import alone
from mindport.source.file import SourceFile
from mindport.source.rewritten import rewritten

_PARTIAL = "functools.partial"
_ARGUMENTS = ("outputs", "inputs", "grad_outputs", "retain_graph", "create_graph")


def partials(file: SourceFile, facts: Facts) -> SourceFile:
    """The file with functions in the place of such helpers; itself where there are none, or a call hands in something else than outputs and inputs."""
    changes = []
    for node in file.nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=made, args=[taken], keywords=keywords)) if (
                v.Api(_PARTIAL) in v.options(facts.value(made)) and v.Api(GRAD) in v.options(facts.value(taken)) and alone(file, node)
            ):
                given = {keyword.arg for keyword in keywords}
                if None in given or given & {"outputs", "inputs"} or not all(isinstance(keyword.value, ast.Constant) for keyword in keywords):
                    continue
                handed = _handed(file, name, given)
                if handed is None:
                    continue
                rest = "".join(f", {file.segment(keyword)}" for keyword in keywords)  # type: ignore[arg-type]
                parameters = ", ".join(("outputs", "inputs", *(f"{name}=None" for name in handed)))
                passed = ", ".join(("outputs", "inputs", *(f"{name}={name}" for name in handed)))
                changes.append(function_in_place(file, node, f"def {name}({parameters}): return {file.segment(taken)}({passed}{rest})"))
    return rewritten(file, changes) if changes else file


def _handed(file: SourceFile, name: str, given: set[str | None]) -> list[str] | None:
    """What the calls by this name hand in beside outputs and inputs; None where a use is no such call."""
    called = {id(n.func): n for n in file.nodes if isinstance(n, ast.Call)}
    handed: dict[str, None] = {}
    for use in (n for n in file.nodes if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)):
        call = called.get(id(use))
        if call is None or any(isinstance(argument, ast.Starred) for argument in call.args) or len(call.args) > len(_ARGUMENTS):
            return None
        names = [*_ARGUMENTS[: len(call.args)], *(keyword.arg or "" for keyword in call.keywords)]
        if set(names) & given or not set(names) <= set(_ARGUMENTS):
            return None
        handed.update(dict.fromkeys(one for one in names if one not in ("outputs", "inputs")))
    return [one for one in _ARGUMENTS if one in handed]
