"""Names that a file imports from PyTorch and other files replace: ``trainer.SummaryWriter = Board``, ``setattr(module, "Adam", Mine)``.

Whoever stores such a name means what the file calls by it. So it keeps the name: there the vendored function or
class is imported under it, and nothing that is called by it is written out.
"""

from __future__ import annotations

import ast
from pathlib import PurePosixPath

from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.called import last_name
from mindport.source.file import SourceFile

#: What gives a module by a name that is computed.
_BY_NAME = frozenset(("import_module", "__import__"))


def replaced(files: tuple[tuple[SourceFile, Facts], ...]) -> dict[PurePosixPath | None, frozenset[str]]:
    """The names that are stored in modules of the project, by the module's file; None: in modules that nothing shows."""
    found: dict[PurePosixPath | None, set[str]] = {}
    for file, facts in files:
        by_name = _modules_by_name(file)
        for node in file.nodes:
            owner, name = _store(node)
            if owner is None:
                continue
            kinds = v.options(facts.value(owner))
            for kind in kinds:
                if isinstance(kind, v.ProjectModule) and kind.scope.file.relative != file.relative:
                    found.setdefault(kind.scope.file.relative, set()).add(name)
            if isinstance(owner, ast.Name) and owner.id in by_name or _is_by_name(owner):
                found.setdefault(None, set()).add(name)
    return {place: frozenset(names) for place, names in found.items()}


def _store(node: ast.AST) -> tuple[ast.expr | None, str]:
    """The object and the name of ``owner.name = …`` and ``setattr(owner, "name", …)``."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return node.value, node.attr
    if isinstance(node, ast.Call) and len(node.args) == 3 and isinstance(name := node.args[1], ast.Constant) and isinstance(name.value, str):
        return (node.args[0], name.value) if last_name(node.func) == "setattr" else (None, "")
    return None, ""


def _modules_by_name(file: SourceFile) -> frozenset[str]:
    """Names that the file binds to what ``import_module(…)`` or ``sys.modules[…]`` gives."""
    return frozenset(
        target.id for node in file.nodes if isinstance(node, ast.Assign) and _is_by_name(node.value) for target in node.targets if isinstance(target, ast.Name)
    )


def _is_by_name(node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and node.value.attr == "modules"
    return isinstance(node, ast.Call) and last_name(node.func) in _BY_NAME
