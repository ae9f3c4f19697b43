"""Modules that a constructor runs: ``n = self.features(torch.zeros(1, 3, 32, 32)).numel()``, before any ``.set_train()`` reaches them.

torch's modules are in training there: batch normalisation takes the batch up, and ``self.training`` is true.
"""

from __future__ import annotations

import ast

from mindport.convert.evaluated_parts import constructing
from mindport.convert.instances import is_instance_of
from mindport.convert.own_modes import Files
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.members import MODULE
from mindport.source.walking import walk

_RUNNING = "forward"


def runs_while_made(files: Files) -> bool:
    """Whether a constructor of the project's modules, or what it calls, runs a module."""
    return any(_runs(facts, node) for facts, function in constructing(files) if getattr(function, "name", "") != _RUNNING for node in walk(function))


def _runs(facts: Facts, node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr="forward") | ast.Name(id="self")):
            return True
        case ast.Call(func=called):
            kinds = v.options(facts.value(called))
            return any(is_instance_of(kind, {MODULE}) for kind in kinds)
    return False
