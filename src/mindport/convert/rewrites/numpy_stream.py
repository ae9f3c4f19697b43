"""Programs that draw from NumPy's global stream: MindSpore's initialisers draw from it, too, and are given one of their own."""

from __future__ import annotations

from mindport.convert.context import MODULE, Context
from mindport.inference.facts import Use
from mindport.inference.overlays import timm

KNOWLEDGE = "mindport.equivalents.initializer_stream"
INITIALISERS = ("torch.nn.init.", *timm.INITIALISERS)


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Put the initialisers' own stream into the vendored module where a program draws by ``np.random.…``, in whatever file."""
    if context.file.relative in context.shared.beside_numpys_numbers and any(_has_first_values(context, use.name) for same_place in uses.values() for use in same_place):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], "NUMPY_LEFT_ALONE")


def _has_first_values(context: Context, name: str) -> bool:
    """Whether what a name stands for may have parameters, whose first values are drawn."""
    return name.startswith(INITIALISERS) or (name != MODULE and any(entry.kind == "layer" for entry in context.shared.catalog.find(name)))
