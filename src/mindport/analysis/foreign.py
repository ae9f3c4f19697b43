"""What other frameworks call a torch API: TensorFlow, Keras, JAX, Flax, Optax, NumPy and Paddle names, as data.

An alias leads to the torch names that a reader means by it; it promises no equal semantics (``tf.gather`` takes an axis where
``torch.gather`` does not). Names that NumPy and Paddle share with torch need no line: `aliases` finds them by their last part.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path

from mindport.analysis import torch_names

_DATA = Path(__file__).parent / "data" / "foreign_names.tsv"
#: How the frameworks' names are spelled short, or in older releases.
_SPELLINGS = (
    ("tensorflow.", "tf."), ("tf.keras.layers.", "keras.layers."), ("tf.keras.losses.", "keras.losses."), ("tf.math.", "tf."),
    ("tf.compat.v1.", "tf."), ("tf.keras.", "keras."), ("jax.numpy.", "numpy."), ("jnp.", "numpy."), ("np.", "numpy."), ("cupy.", "numpy."),
    ("flax.nnx.", "flax.linen."), ("linen.", "flax.linen."), ("paddle.nn.functional.", "torch.nn.functional."),
    ("paddle.optimizer.", "torch.optim."), ("paddle.linalg.", "torch.linalg."), ("paddle.fft.", "torch.fft."), ("paddle.nn.", "torch.nn."),
    ("paddle.Tensor.", "torch.Tensor."), ("paddle.", "torch."), ("numpy.linalg.", "torch.linalg."), ("numpy.fft.", "torch.fft."), ("numpy.", "torch."),
)  # fmt: skip
#: The first parts of names that belong to other frameworks.
FRAMEWORKS = ("tf", "tensorflow", "keras", "jax", "jnp", "numpy", "np", "cupy", "flax", "linen", "optax", "paddle")


@cache
def _table() -> dict[str, tuple[str, ...]]:
    lines = _DATA.read_text("utf-8").splitlines()
    return {name: tuple(torch.split(" ")) for name, _, torch in (line.partition("\t") for line in lines)}


@cache
def _by_last() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for theirs, names in _table().items():
        found.setdefault(theirs.rpartition(".")[2], []).extend(names)
    return found


@cache
def foreign_names() -> dict[str, list[str]]:
    """The listed names of other frameworks, by the torch name that they stand for."""
    found: dict[str, list[str]] = {}
    for theirs, names in _table().items():
        for name in names:
            found.setdefault(name, []).append(theirs)
    return found


def aliases(name: str, known: Collection[str]) -> tuple[str, ...]:
    """The torch names, of those that are known, that another framework's name stands for; () where there is none."""
    if "." not in name:
        return tuple(dict.fromkeys(one for one in _by_last().get(name, ()) if one in known))
    if name.partition(".")[0] not in FRAMEWORKS:
        return ()
    spelled = [name]
    for old, new in _SPELLINGS:
        spelled += [new + each[len(old) :] for each in tuple(spelled) if each.startswith(old)]
    for each in spelled:
        if each in _table():
            return tuple(one for one in _table()[each] if one in known)
        if each.startswith(torch_names.TORCH) and each in known:
            return (each,)
    return ()
