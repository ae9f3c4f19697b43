"""``try: from apex… import FusedLayerNorm as Norm`` / ``except ImportError: from torch.nn import LayerNorm as Norm``: which of the two a name means."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.inference import torchfacts
from mindport.inference.frame import Environment
from mindport.inference.overlays.libraries import is_torch_based
from mindport.inference.values import Api, ProjectClass, ProjectFunction, Value, options

#: What a handler of a failed import catches.
_FAILED = frozenset(("ImportError", "ModuleNotFoundError", "Exception", "BaseException"))


def installed(env: Environment, body: list[ast.stmt]) -> dict[str, Value]:
    """What imports bind that never fail where the project runs: ``try: import torch`` / ``except ImportError: torch = None``."""
    found = {name: env[name] for name in _imported(body) if name in env}
    return {name: value for name, value in found.items() if isinstance(value, Api) and torchfacts.is_installed(value.name)}


def substitutes(tried: Environment, body: list[ast.stmt], handler: ast.ExceptHandler, handled: Environment) -> dict[str, Value]:
    """What a handler binds in place of imports from another library built on PyTorch: where MindSpore runs, that library is not there."""
    if not _catches_imports(handler.type):
        return {}
    names = {name for name in _imported(body) if _is_other(tried.get(name))}
    return {name: handled[name] for name in names if name in handled and _stands_in(handled[name])}


def _imported(body: list[ast.stmt]) -> Iterator[str]:
    return (a.asname or a.name.partition(".")[0] for s in body if isinstance(s, (ast.Import, ast.ImportFrom)) for a in s.names)


def _catches_imports(caught: ast.expr | None) -> bool:
    kinds = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(kind is None or isinstance(kind, ast.Name) and kind.id in _FAILED for kind in kinds)


def _is_other(value: Value | None) -> bool:
    return isinstance(value, Api) and is_torch_based(value.name) and value.name.partition(".")[0] not in ("torch", "torchvision")


def _stands_in(value: Value) -> bool:
    """Whether it is a class or function of the project, or one of torch's."""
    return all(
        isinstance(kind, (ProjectClass, ProjectFunction)) or isinstance(kind, Api) and torchfacts.is_installed(kind.name) and "." in kind.name
        for kind in options(value)
    )  # fmt: skip
