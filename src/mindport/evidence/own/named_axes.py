"""Samples of einops's functions: patterns of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.testing import make_tensor

from mindport.evidence.layer_samples import LayerSample, own_layer
from mindport.evidence.samples import Sample, own
from mindport.evidence.scenarios import Side, scenario

REARRANGED: tuple[tuple[tuple[int, ...], str, dict[str, Any]], ...] = (
    ((2, 6, 3, 4), "b (h d) x y -> b h (x y) d", {"h": 2}), ((1, 4, 6, 3), "b (h p1) (w p2) c -> b (h w) (p1 p2 c)", {"p1": 2, "p2": 3}),
    ((2, 3, 4), "... d -> d ...", {}), ((2, 3, 4), "b ... -> b (...)", {}), ((2, 6), "... (d r) -> ... d r", {"r": 2}),
    ((2, 1, 3), "b 1 d -> b d", {}), ((2, 3), "b d -> b 1 d ()", {}), ((3, 4), "n d -> n d", {}), ((), "... -> 1 ...", {}),
)  # fmt: skip
REPEATED: tuple[tuple[tuple[int, ...], str, dict[str, Any]], ...] = (
    ((3, 4), "n d -> b n d", {"b": 2}), ((2, 2), "h w -> (h 2) (w 3)", {}), ((3,), "d -> () d 1 k", {"k": 2}),
    ((1, 3, 4), "() n d -> b n d", {"b": 2}), ((2, 3), "... -> ... r", {"r": 3}), ((2, 4), "b n -> (b r) n", {"r": 3}),
)  # fmt: skip
REDUCED: tuple[tuple[tuple[int, ...], str, dict[str, Any]], ...] = (
    ((2, 3, 4), "b n d -> b d", {}), ((1, 2, 4, 6), "b c (h 2) (w 2) -> b c h w", {}), ((2, 3), "... ->", {}),
    ((1, 2, 4, 6), "b c (h h2) (w w2) -> b h w c", {"h2": 2, "w2": 3}), ((2, 3, 4), "b ... -> b", {}), ((2, 3), "b n -> b ()", {}),
)  # fmt: skip


def _floats(shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    return make_tensor(shape, dtype=dtype, device="cpu", low=-2, high=3)


@own("einops.rearrange")
def rearrange(dtype: torch.dtype) -> Iterator[Sample]:
    """Axes split, permuted and joined; a list of tensors."""
    for shape, pattern, sizes in REARRANGED:
        yield Sample((_floats(shape, dtype), pattern), dict(sizes))
    yield Sample(([_floats((2, 3), dtype) for _ in range(3)], "k b d -> b (k d)"))


@own("einops.repeat")
def repeat(dtype: torch.dtype) -> Iterator[Sample]:
    """New axes, named and by number."""
    for shape, pattern, sizes in REPEATED:
        yield Sample((_floats(shape, dtype), pattern), dict(sizes))


@own("einops.reduce")
def reduce(dtype: torch.dtype) -> Iterator[Sample]:
    """Every reduction; means of floating tensors only."""
    if dtype == torch.bool:
        return
    for name in ("sum", "max", "min", "prod", *(["mean"] if dtype.is_floating_point else [])):
        for shape, pattern, sizes in REDUCED:
            yield Sample((_floats(shape, dtype), pattern, name), dict(sizes))
    yield Sample((_floats((2, 3), dtype), "b d -> (b s) d", "repeat"), {"s": 2})
    yield Sample((_floats((4, 3), dtype), "(b s) d -> d b s", "rearrange"), {"s": 2})


@own("einops.einsum")
def named_einsum(dtype: torch.dtype) -> Iterator[Sample]:
    """Names of several letters, one that is summed, an ellipsis."""
    if not dtype.is_floating_point:
        return
    yield Sample((_floats((2, 3, 4), dtype), _floats((2, 4, 5), dtype), "batch row inner, batch inner column -> batch row column"))
    yield Sample((_floats((2, 3, 4), dtype), _floats((4, 5), dtype), "... inner, inner column -> ... column"))


@scenario("einops.pack", "einops.unpack", "einops.parse_shape")
def packed(side: Side) -> object:
    """Tensors of several ranks side by side and apart again, a size that is not known, the sizes by name."""
    parts = [torch.arange(30.0).reshape(2, 3, 5), torch.arange(10.0).reshape(2, 5), torch.arange(40.0).reshape(2, 2, 2, 5)]
    whole, shapes = side.make("einops.pack", [side.value(part) for part in parts], "b * d")
    again = side.make("einops.unpack", whole, shapes, "b * d")
    open_size = side.make("einops.unpack", whole, [(2, -1), (2,)], "b * d")
    sizes = side.make("einops.parse_shape", whole, "b _ d")
    plain = [value.numpy().tolist() if isinstance(value, torch.Tensor) else value.asnumpy().tolist() for value in (whole, *again, *open_size)]
    return plain, [tuple(shape) for shape in shapes], dict(sizes)


@own_layer("einops.layers.torch.Rearrange")
def rearranging() -> Iterator[LayerSample]:
    """Patterns as a layer."""
    for shape, pattern, sizes in REARRANGED[:5]:
        yield LayerSample(Sample((pattern,), dict(sizes)), Sample((torch.randn(shape),)))


@own_layer("einops.layers.torch.Reduce")
def reducing() -> Iterator[LayerSample]:
    """Means and maxima as a layer."""
    for name in ("mean", "max", "sum"):
        for shape, pattern, sizes in REDUCED[:2]:
            yield LayerSample(Sample((pattern, name), dict(sizes)), Sample((torch.randn(shape),)))
