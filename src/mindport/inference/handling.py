"""Which of a project's files handle tensors and modules: what is unknown in them may be one.

A file that imports torch does. So does one that takes its names from such a file (``from utils import *``), and one that
never says torch's name and yet trains (an engine that gets model, loader and optimizer as arguments): it calls what
nothing but modules, optimizers, losses and tensors have (``loss.detach()``); or what changes a tensor in place (``x.new(n).fill_(0)``); or a meter that
takes the array of what it gets (``output.cpu().numpy()``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.inference import torchfacts
from mindport.inference.imports import ModuleIndex
from mindport.inference.overlays.libraries import OF_MANY, OF_MODULES, OF_STREAMS
from mindport.inference.scopes import ModuleScope

#: Methods that in everyday code only modules, their optimizers and losses have.
_OF_TRAINING = (OF_MODULES - {"eval"}) | {"zero_grad", "backward", "requires_grad_"}
#: Methods that in everyday code only tensors have; `detach` is a stream's and a socket's, too.
_OF_TENSORS = frozenset(("clamp_max", "clamp_min", "detach", "diag_embed", "log_softmax", "masked_fill", "new_full", "new_ones", "new_tensor", "new_zeros", "relu", "unsqueeze"))
#: How those begin whose `detach` it is, and what brings them.
_STREAM_NAMES = ("buffer", "reader", "sock", "stderr", "stdin", "stdout", "stream", "wrapper", "writer")
_STREAMS = frozenset(("codecs", "io", "multiprocessing", "socket", "ssl", "subprocess", "sys"))
#: Methods of tensors that end in an underscore: nothing else in everyday code has such names.
_IN_PLACE = frozenset(name for name in torchfacts.members("torch.Tensor") if name.endswith("_") and not name.startswith("_")) - OF_MANY
#: What only tensors have one after the other: ``x.detach().cpu()``, ``x.cpu().numpy()``.
_FETCHED, _FETCHING = frozenset(("cpu", "cuda", "detach")), frozenset(("cpu", "cuda", "detach", "numpy"))


def note_handling(index: ModuleIndex) -> None:
    """Marks the modules that handle tensors, beyond those that import torch (which `scopes.index` has marked)."""
    modules = list(index.modules.values())
    if not any(module.uses_torch for module in modules):
        return
    for module in modules:
        module.uses_torch = module.uses_torch or _trains(module) or any(map(_fetches, module.file.nodes))
    again = True
    while again:
        again = False
        for module in modules:
            if not module.uses_torch and any(source.uses_torch for source in _star_sources(module, index)):
                module.uses_torch = again = True
    _note_getting(modules, index)


def _note_getting(modules: list[ModuleScope], index: ModuleIndex) -> None:
    """Marks the modules that get tensors of others without a word of torch's: a script that prints ``parts["trend"].std()``, a meter's file. One that
    imports NumPy, and nothing that has tensors, is handed arrays."""
    having = {id(module) for module in modules if module.uses_torch}
    again = True
    while again:
        again = False
        for module in modules:
            if id(module) not in having and any(id(source) in having for source in _sources(module, index)):
                having.add(id(module))
                again = True
    for module in modules:
        module.gets_tensors = not module.uses_torch and not module.uses_tables and (id(module) in having or not module.uses_numpy)


def _trains(module: ModuleScope) -> bool:
    """Whether the file calls what only a training program's objects have, and no class of its own defines."""
    own = {name for cls in module.classes for name in cls.methods}
    called = [node.func for node in module.file.nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr not in own]
    if any(function.attr in _OF_TRAINING | _IN_PLACE for function in called):
        return True
    imports = [node for node in module.file.nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
    origins = {alias.name if isinstance(node, ast.Import) else node.module or "" for node in imports for alias in node.names}
    imported = {alias.asname or alias.name for node in imports for alias in node.names}  # ``activations.relu(x)`` is a function of a file's
    names = _OF_TENSORS - OF_STREAMS if any(origin.partition(".")[0] in _STREAMS for origin in origins) else _OF_TENSORS
    others = {node.id for node in module.file.nodes if isinstance(node, ast.Name) and node.id.startswith(_STREAM_NAMES)} | imported
    return any(function.attr in names and not (isinstance(function.value, ast.Name) and function.value.id in others) for function in called)


def _fetches(node: ast.AST) -> bool:
    """Whether a tensor is brought to the host, or its array is taken."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Attribute(attr=first), args=[]) | ast.Attribute(attr="data" as first), attr=then), args=[]):
            return then in _FETCHING and first in _FETCHED | {"data"} and first != then
    return False


def _star_sources(module: ModuleScope, modules: ModuleIndex) -> list[ModuleScope]:
    """The project's files that ``from … import *`` at module level takes names from."""
    stars = (statement for statement in module.file.tree.body if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*")
    return _of_names(module, modules, (_origin(statement, module, modules) for statement in stars))


def _sources(module: ModuleScope, modules: ModuleIndex) -> list[ModuleScope]:
    """The project's files that imports at module level name."""
    names: list[str | None] = []
    for statement in module.file.tree.body:
        if isinstance(statement, ast.Import):
            names += [modules.absolute(alias.name, module) for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            package = _origin(statement, module, modules)
            names += [package, *(f"{package}.{alias.name}" if package else alias.name for alias in statement.names if package is not None)]
    return _of_names(module, modules, names)


def _origin(statement: ast.ImportFrom, module: ModuleScope, modules: ModuleIndex) -> str | None:
    return modules.relative(statement.level, statement.module, module) if statement.level else modules.absolute(statement.module or "", module)


def _of_names(module: ModuleScope, modules: ModuleIndex, names: Iterable[str | None]) -> list[ModuleScope]:
    found = (modules.modules[name] for name in names if name is not None and name in modules.modules)
    return [source for source in found if source is not module]
