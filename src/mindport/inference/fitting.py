"""Which of several methods that a call may mean can be called so: ``scheduler.step()`` means none that has to be given a metric."""

from __future__ import annotations

import ast

from mindport.findings import Certainty
from mindport.inference import torchfacts

_ALL_TOLD = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY")


def fitting(names: list[tuple[str, Certainty]], place: ast.expr) -> list[tuple[str, Certainty]]:
    """The methods whose required parameters a call gives; all of them where none fits, or where what a call gives is not written out."""
    if len(names) < 2 or not isinstance(place, ast.Call) or any(isinstance(a, ast.Starred) for a in place.args) or any(k.arg is None for k in place.keywords):
        return names
    return [one for one in names if _fits(one[0], place)] or names


def _fits(name: str, call: ast.Call) -> bool:
    """Whether some overload of a method has no required parameter that the call leaves out; a method of which torch says nothing fits."""
    api = torchfacts.lookup(name)
    given = {keyword.arg for keyword in call.keywords}
    overloads = api.signatures if api is not None else ()
    return not overloads or any(
        all(parameter.default is not None or place < len(call.args) or parameter.name in given for place, parameter in enumerate(overload.parameters) if parameter.kind in _ALL_TOLD)
        for overload in overloads
    )
