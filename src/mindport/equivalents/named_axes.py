"""einops: axes by name. Every operation is a reshape, a reduction, a permutation, a broadcast and a reshape.

What the pattern and the shapes say is planned in plain Python (`constexpr`: at compile time in graph mode).
https://einops.rocks/api/rearrange/
"""

import math

import numpy as np
from mindspore import ops
from mindspore.ops import constexpr

from mindport.declare import Refused, equivalent
from mindport.equivalents.einsum import einsum
from mindport.equivalents.reduction import (
    tensor_all,
    tensor_amax,
    tensor_amin,
    tensor_any,
    tensor_mean,
    tensor_prod,
    tensor_sum,
)


def axis_groups(side):
    """One side of a pattern as a list of groups: each a list of names; "…" for an ellipsis on its own."""
    groups, inside = [], None
    for token in side.replace("...", "…").replace("(", " ( ").replace(")", " ) ").replace("…", " … ").split():
        if token == "(":
            if inside is not None:
                raise ValueError(f"parentheses inside parentheses: {side!r}")
            inside = []
            groups.append(inside)
        elif token == ")":
            inside = None
        elif not (token == "…" or token.isidentifier() or token.isdigit()):
            raise ValueError(f"{token!r} is no name of an axis: {side!r}")
        elif inside is not None:
            inside.append(token)
        else:
            groups.append(token if token == "…" else [token])
    return groups


def spread_ellipsis(groups, rank):
    """The groups with the ellipsis as that many axes of its own; anonymous sizes get names by place."""
    found = []
    for number, group in enumerate(groups):
        axes = [f"…{i}" for i in range(rank)]
        if group == "…":
            found += [[axis] for axis in axes]
        else:
            names = [axes if name == "…" else [f"{name} {number} {place}" if name.isdigit() else name] for place, name in enumerate(group) if name != "1"]
            found.append([name for several in names for name in several])
    return found


@constexpr
def axes_plan(pattern, kind, shape, given):
    """What turns `shape` into the pattern's right side: (split, reduced, order, widened, spread, joined).

    split: the shape of single axes; reduced: axes that go; order: their permutation; widened and spread: the shape
    before and after new axes are repeated (None where there are none); joined: the result's shape.
    """
    sides = pattern.split("->")
    if len(sides) != 2:
        raise ValueError(f"a pattern has one arrow: {pattern!r}")
    left, right = axis_groups(sides[0]), axis_groups(sides[1])
    rank = len(shape) - sum(group != "…" for group in left)
    if rank < 0 or (rank > 0 and "…" not in left):
        raise ValueError(f"a tensor with {len(shape)} axes does not fit {pattern!r}")
    left, right = spread_ellipsis(left, rank), spread_ellipsis(right, rank)
    sizes = {name: int(size) for name, size in given}
    names, kept = [n for group in left for n in group], [n for group in right for n in group]
    sizes.update({name: int(name.split()[0]) for name in names + kept if " " in name})
    if len(set(names)) != len(names) or len(set(kept)) != len(kept):
        raise ValueError(f"an axis stands twice on one side: {pattern!r}")
    unused = [name for name, _ in given if name not in names and name not in kept]
    new = [name for name in kept if name not in names]
    gone = [name for name in names if name not in kept]
    if unused or (new and kind != "repeat") or (gone and kind != "reduce"):
        raise ValueError(f"{pattern!r} does not fit {kind}: {unused or new or gone} on one side only")
    for group, size in zip(left, shape):
        known = math.prod(sizes.get(name, 1) for name in group)
        missing = [name for name in group if name not in sizes]
        if len(missing) > 1 or (missing and (known == 0 or size % known)) or (not missing and size != known):
            raise ValueError(f"an axis of size {size} does not fit {group} of {pattern!r} with {dict(given)}")
        if missing:
            sizes[missing[0]] = size // known
    if any(name not in sizes for name in new):
        raise ValueError(f"sizes of new axes are missing: {pattern!r}")
    left_over = [name for name in names if name in kept]
    order = tuple(left_over.index(name) for name in kept if name in left_over)
    return (
        tuple(sizes[name] for name in names),
        tuple(names.index(name) for name in gone),
        None if order == tuple(range(len(order))) else order,
        tuple(1 if name in new else sizes[name] for name in kept) if new else None,
        tuple(sizes[name] for name in kept) if new else None,
        tuple(math.prod(sizes[name] for name in group) for group in right),
    )


def reduce_axes(tensor, axes, reduction):
    """The tensor without these axes."""
    if not isinstance(reduction, str):
        return reduction(tensor, axes)
    if isinstance(tensor, np.ndarray):
        return getattr(np, reduction)(tensor, axis=axes)
    if reduction == "sum":
        return tensor_sum(tensor, axes)
    if reduction == "mean":
        return tensor_mean(tensor, axes)
    if reduction == "max":
        return tensor_amax(tensor, axes)
    if reduction == "min":
        return tensor_amin(tensor, axes)
    if reduction not in ("prod", "any", "all"):
        raise ValueError(f"unknown reduction {reduction!r}")
    for axis in sorted(axes, reverse=True):
        tensor = tensor_prod(tensor, axis) if reduction == "prod" else tensor_any(tensor, axis) if reduction == "any" else tensor_all(tensor, axis)
    return tensor


def apply_plan(tensor, plan, reduction):
    """The planned steps, those that change nothing left out; also for NumPy's arrays."""
    split, reduced, order, widened, spread, joined = plan
    if split != tuple(tensor.shape):
        tensor = tensor.reshape(split)
    if reduced:
        tensor = reduce_axes(tensor, reduced, reduction)
    if order is not None:
        tensor = tensor.transpose(order)
    if widened is not None:
        tensor = tensor.reshape(widened)
        tensor = np.broadcast_to(tensor, spread) if isinstance(tensor, np.ndarray) else ops.broadcast_to(tensor, spread)
    return tensor if joined == tuple(tensor.shape) else tensor.reshape(joined)


def one_tensor(tensor):
    """A list of tensors as one tensor, the list its first axis."""
    if not isinstance(tensor, (list, tuple)):
        return tensor
    return np.stack(tensor) if isinstance(tensor[0], np.ndarray) else ops.stack(tensor, 0)


@equivalent("einops.rearrange")
def rearrange(tensor, pattern, **axes_lengths):
    """Axes split, permuted and joined as the pattern says. https://einops.rocks/api/rearrange/"""
    tensor = one_tensor(tensor)
    return apply_plan(tensor, axes_plan(pattern, "rearrange", tuple(tensor.shape), tuple(axes_lengths.items())), "")


@equivalent("einops.reduce")
def reduce(tensor, pattern, reduction, **axes_lengths):
    """As `rearrange`; axes that stand on the left only are reduced. https://einops.rocks/api/reduce/

    einops also takes the names of its other two operations for the reduction.
    """
    tensor = one_tensor(tensor)
    kind = reduction if isinstance(reduction, str) and reduction in ("rearrange", "repeat") else "reduce"
    return apply_plan(tensor, axes_plan(pattern, kind, tuple(tensor.shape), tuple(axes_lengths.items())), reduction)


@equivalent("einops.repeat")
def repeat(tensor, pattern, **axes_lengths):
    """As `rearrange`; axes that stand on the right only repeat what there is. https://einops.rocks/api/repeat/"""
    tensor = one_tensor(tensor)
    return apply_plan(tensor, axes_plan(pattern, "repeat", tuple(tensor.shape), tuple(axes_lengths.items())), "")


@equivalent("einops.parse_shape")
def parse_shape(x, pattern):
    """The sizes of the named axes; an underscore is passed over. https://einops.rocks/api/parse_shape/"""
    names = pattern.split()
    if "(" in pattern or "..." in names:
        raise Refused("parse_shape with parentheses or an ellipsis is not supported: read x.shape")
    if len(names) != len(x.shape):
        raise ValueError(f"{pattern!r} names {len(names)} axes, the tensor has {len(x.shape)}")
    return {name: size for name, size in zip(names, x.shape) if name != "_"}


def star_place(pattern):
    """How many axes stand before and after the star."""
    names = pattern.split()
    if names.count("*") != 1:
        raise ValueError(f"a pattern has one star: {pattern!r}")
    return names.index("*"), len(names) - names.index("*") - 1


@equivalent("einops.pack")
def pack(tensors, pattern):
    """The tensors side by side along the star's axis, and what the star stood for in each. https://einops.rocks/api/pack_unpack/"""
    before, after = star_place(pattern)
    flat, shapes = [], []
    for tensor in tensors:
        shape = tuple(tensor.shape)
        if len(shape) < before + after:
            raise ValueError(f"a tensor with {len(shape)} axes does not fit {pattern!r}")
        starred = shape[before : len(shape) - after]
        shapes.append(starred)
        flat.append(tensor.reshape(shape[:before] + (math.prod(starred),) + shape[len(shape) - after :]))
    if isinstance(flat[0], np.ndarray):
        return np.concatenate(flat, before), shapes
    return ops.cat(flat, before), shapes


@equivalent("einops.unpack")
def unpack(tensor, packed_shapes, pattern):
    """What `pack` put together, apart again; one size of the shapes may be -1. https://einops.rocks/api/pack_unpack/"""
    before, _ = star_place(pattern)
    whole = tuple(tensor.shape)
    shapes = [tuple(int(size) for size in shape) for shape in packed_shapes]
    lengths = [-1 if -1 in shape else math.prod(shape) for shape in shapes]
    if lengths.count(-1) > 1:
        raise ValueError("more than one size is not known")
    rest = whole[before] - sum(length for length in lengths if length >= 0)
    if rest < 0 or (rest > 0 and -1 not in lengths):
        raise ValueError(f"an axis of size {whole[before]} does not hold {shapes}")
    parts, start = [], 0
    for shape, length in zip(shapes, lengths):
        length = rest if length < 0 else length
        known = math.prod(size for size in shape if size >= 0)
        shape = tuple(length // known if size < 0 and known else size for size in shape)
        part = tensor[(slice(None),) * before + (slice(start, start + length),)]
        parts.append(part.reshape(whole[:before] + shape + whole[before + 1 :]))
        start += length
    return parts


@constexpr
def letters_for(pattern):
    """The pattern's names as single letters, as `einsum` wants them."""
    names, found = {}, []
    for token in pattern.replace("->", " -> ").replace(",", " , ").replace("...", " ... ").split():
        if token in ("->", ",", "..."):
            found.append(token)
        else:
            if not token.isidentifier():
                raise ValueError(f"{token!r} is no name of an axis: {pattern!r}")
            number = names.setdefault(token, len(names))
            found.append("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[number])
    return "".join(found)


@equivalent("einops.einsum")
def named_einsum(*tensors_and_pattern):
    """`torch.einsum` with names of any length, the pattern last. https://einops.rocks/api/einsum/"""
    return einsum(letters_for(tensors_and_pattern[-1]), *tensors_and_pattern[:-1])
