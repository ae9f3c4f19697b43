"""Programs that draw from NumPy's global stream: MindSpore's initialisers draw from it, too, and are given one of their own."""

from __future__ import annotations

from mindport.convert.context import Context
from mindport.inference.facts import Use

KNOWLEDGE = "mindport.equivalents.initializer_stream"


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Put the initialisers' own stream into the vendored module where a program draws by ``np.random.…``, in whatever file."""
    if uses and context.file.relative in context.shared.beside_numpys_numbers:
        context.runs(context.shared.catalog.modules[KNOWLEDGE], "NUMPY_LEFT_ALONE")
