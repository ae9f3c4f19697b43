"""Which of a project's files handle tensors and modules: what is unknown in them may be one.

A file that imports torch does. So does one that takes its names from such a file (``from utils import *``), and one that
never says torch's name and yet trains (an engine that gets model, loader and optimizer as arguments): it calls what
nothing but modules, optimizers and losses have; or what changes a tensor in place (``x.new(n).fill_(0)``).
"""

from __future__ import annotations

import ast

from mindport.inference import torchfacts
from mindport.inference.imports import ModuleIndex
from mindport.inference.overlays.libraries import OF_MANY, OF_MODULES
from mindport.inference.scopes import ModuleScope

#: Methods that in everyday code only modules, their optimizers and losses have.
_OF_TRAINING = (OF_MODULES - {"eval"}) | {"zero_grad", "backward", "requires_grad_"}
#: Methods of tensors that end in an underscore: nothing else in everyday code has such names.
_IN_PLACE = frozenset(name for name in torchfacts.members("torch.Tensor") if name.endswith("_") and not name.startswith("_")) - OF_MANY


def note_handling(index: ModuleIndex) -> None:
    """Marks the modules that handle tensors, beyond those that import torch (which `scopes.index` has marked)."""
    modules = list(index.modules.values())
    if not any(module.uses_torch for module in modules):
        return
    for module in modules:
        module.uses_torch = module.uses_torch or _trains(module)
    again = True
    while again:
        again = False
        for module in modules:
            if not module.uses_torch and any(source.uses_torch for source in _star_sources(module, index)):
                module.uses_torch = again = True


def _trains(module: ModuleScope) -> bool:
    """Whether the file calls what only a training program's objects have, and no class of its own defines."""
    own = {name for cls in module.classes for name in cls.methods}
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _OF_TRAINING | _IN_PLACE and node.func.attr not in own
        for node in module.file.nodes
    )


def _star_sources(module: ModuleScope, modules: ModuleIndex) -> list[ModuleScope]:
    """The project's files that ``from … import *`` at module level takes names from."""
    found = []
    for statement in module.file.tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
            relative = modules.relative(statement.level, statement.module, module) if statement.level else None
            name = relative if statement.level else modules.absolute(statement.module or "", module)
            if name is not None and name in modules.modules and modules.modules[name] is not module:
                found.append(modules.modules[name])
    return found
