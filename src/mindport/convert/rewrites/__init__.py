"""Constructs that are not calls, one a file. Each offers ``rewrite(context, uses)``, which plans
its edits with ``context.plan`` and claims the nodes it deals with; found by looking into this folder."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

REWRITES: tuple[Callable[..., Any], ...] = tuple(
    importlib.import_module(f"{__name__}.{info.name}").rewrite
    for info in sorted(pkgutil.iter_modules(__path__), key=lambda i: i.name)
)
