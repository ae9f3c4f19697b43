"""Programs that draw from NumPy's global stream: MindSpore's initialisers draw from it, too, and are given one of their own."""

from __future__ import annotations

import ast

from mindport.convert.context import Context
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.initializer_stream"
#: What makes a generator of its own.
_OWN = frozenset(("default_rng", "Generator", "RandomState", "SeedSequence", "PCG64", "MT19937", "Philox", "BitGenerator"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Put the initialisers' own stream into the vendored module of a project that draws by ``np.random.…``."""
    if uses and any(_draws(node) for node in ast.walk(context.file.tree)):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], "NUMPY_LEFT_ALONE")


def _draws(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Attribute(value=ast.Name(id="np" | "numpy"), attr="random"), attr=name):
            return name not in _OWN
    return False
