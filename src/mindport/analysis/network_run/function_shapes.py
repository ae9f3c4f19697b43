"""The shapes that PyTorch's functions and tensor methods give. What is not here gives a tensor of unknown shape."""

from __future__ import annotations

import math
from typing import Any

from mindport.analysis.network_run.values import Shape, Tensor, Undecided


def numbers(value: Any, what: str = "a size") -> tuple[int, ...]:
    """Whole numbers out of a tuple or list. Raises Undecided."""
    if isinstance(value, (tuple, list)) and all(isinstance(v, int) for v in value):
        return tuple(value)
    raise Undecided(f"{what} is not known")


def several(value: Any, count: int, what: str = "a size") -> tuple[int, ...]:
    """One number for each axis."""
    if isinstance(value, int) and not isinstance(value, bool):
        return (value,) * count
    made = numbers(value, what)
    if len(made) == 1:
        return made * count
    if len(made) != count:
        raise Undecided(f"{what} has {len(made)} numbers")
    return made


def axis(dim: Any, rank: int) -> int:
    """The axis, counted from the front. Raises Undecided."""
    if not isinstance(dim, int) or isinstance(dim, bool) or not -rank <= dim < rank:
        raise Undecided("the axis is not known")
    return dim % rank


def broadcast(*shapes: Shape) -> Shape:
    """The common shape of elementwise arithmetic. Raises Undecided where there is none."""
    made: list[int] = []
    for place in range(1, max(map(len, shapes), default=0) + 1):
        sizes = {shape[-place] for shape in shapes if len(shape) >= place} - {1}
        if len(sizes) > 1:
            raise Undecided(f"shapes {' and '.join(map(str, shapes))} do not fit")
        made.append(sizes.pop() if sizes else 1)
    return tuple(reversed(made))


def product(one: Shape, two: Shape) -> Shape:
    """A matrix product's shape, with batches."""
    if not one or not two:
        raise Undecided("a product with a number")
    left, right = ((1, *one) if len(one) == 1 else one), ((*two, 1) if len(two) == 1 else two)
    if left[-1] != right[-2]:
        raise Undecided(f"the product of {one} and {two} does not exist")
    made = (*broadcast(left[:-2], right[:-2]), left[-2], right[-1])
    if len(one) == 1:
        made = (*made[:-2], made[-1])
    return made[:-1] if len(two) == 1 else made


def reshaped(shape: Shape, wanted: Shape) -> Shape:
    """One -1 stands for the rest."""
    size = math.prod(shape)
    if wanted.count(-1) == 1:
        rest = math.prod(n for n in wanted if n != -1)
        if not rest or size % rest:
            raise Undecided(f"{shape} cannot become {wanted}")
        wanted = tuple(size // rest if n == -1 else n for n in wanted)
    if math.prod(wanted) != size:
        raise Undecided(f"{shape} cannot become {wanted}")
    return wanted


def flattened(shape: Shape, start: int, end: int) -> Shape:
    """Axes from `start` to `end` as one."""
    if not shape:
        return (1,)
    start, end = axis(start, len(shape)), axis(end, len(shape))
    return (*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :])


def unflattened(shape: Shape, dim: Any, sizes: Any) -> Shape:
    """One axis as several."""
    place = axis(dim, len(shape))
    return (*shape[:place], *reshaped((shape[place],), numbers(sizes)), *shape[place + 1 :])


def pooled(shape: Shape, rank: int, kernel: Any, step: Any, edge: Any, spread: Any, ceil: bool) -> Shape:
    """Pooling over the last `rank` axes."""
    k = several(kernel, rank, "kernel_size")
    s = several(kernel if step is None or step == [] else step, rank, "stride")
    p, d = several(edge, rank, "padding"), several(spread, rank, "dilation")
    if len(shape) <= rank:
        raise Undecided("too few axes to pool")
    made = []
    for n, kk, ss, pp, dd in zip(shape[-rank:], k, s, p, d, strict=True):
        free = n + 2 * pp - dd * (kk - 1) - 1
        size = (-(-free // ss) if ceil else free // ss) + 1
        if ceil and (size - 1) * ss >= n + pp:
            size -= 1
        if size < 1:
            raise Undecided("pooling would give an empty result: the input is too small for this network")
        made.append(size)
    return (*shape[:-rank], *made)


def adaptive(shape: Shape, rank: int, wanted: Any) -> Shape:
    """Adaptive pooling: the wanted sizes, None keeps one."""
    sizes = (wanted,) * rank if isinstance(wanted, int) else tuple(wanted) if isinstance(wanted, (tuple, list)) else ()
    if len(sizes) == 1:
        sizes *= rank
    if len(sizes) != rank or not all(n is None or isinstance(n, int) for n in sizes) or len(shape) <= rank:
        raise Undecided("output_size is not known")
    return (*shape[:-rank], *(n if m is None else m for m, n in zip(sizes, shape[-rank:], strict=True)))


def interpolated(shape: Shape, size: Any, factor: Any) -> Shape:
    """The last axes resized."""
    rank = len(shape) - 2
    if rank < 1:
        raise Undecided("too few axes to resize")
    if size is not None:
        return (*shape[:2], *several(size, rank, "size"))
    factors = (factor,) * rank if isinstance(factor, (int, float)) else tuple(factor) if isinstance(factor, (tuple, list)) else ()
    if len(factors) != rank or not all(isinstance(f, (int, float)) for f in factors):
        raise Undecided("scale_factor is not known")
    return (*shape[:2], *(math.floor(n * f) for n, f in zip(shape[2:], factors, strict=True)))


def padded(shape: Shape, padding: Any) -> Shape:
    """Pairs from the last axis on."""
    edges = numbers(padding, "padding")
    made = list(shape)
    if len(edges) % 2 or len(edges) // 2 > len(made):
        raise Undecided("padding does not fit")
    for place in range(len(edges) // 2):
        made[-1 - place] += edges[2 * place] + edges[2 * place + 1]
    return tuple(made)


def reduced(shape: Shape, dim: Any, keep: bool) -> Shape:
    """Sums and the like over axes; None: all of them."""
    if dim is None:
        return (1,) * len(shape) if keep else ()
    gone = {axis(d, len(shape)) for d in (dim if isinstance(dim, (tuple, list)) else (dim,))}
    return tuple(1 if i in gone else n for i, n in enumerate(shape) if keep or i not in gone)


def joined(tensors: Any, dim: Any) -> Shape:
    """cat."""
    shapes = shapes_of(tensors)
    place = axis(dim, len(shapes[0]))
    rest = {(*s[:place], *s[place + 1 :]) for s in shapes}
    if len(rest) != 1:
        raise Undecided(f"tensors of shapes {', '.join(map(str, shapes))} are joined")
    return (*shapes[0][:place], sum(s[place] for s in shapes), *shapes[0][place + 1 :])


def stacked(tensors: Any, dim: Any) -> Shape:
    """stack."""
    shapes = shapes_of(tensors)
    if len(set(shapes)) != 1:
        raise Undecided("tensors of different shapes are stacked")
    place = axis(dim, len(shapes[0]) + 1)
    return (*shapes[0][:place], len(shapes), *shapes[0][place:])


def shapes_of(tensors: Any) -> list[Shape]:
    """Of every tensor in a list. Raises Undecided."""
    if not isinstance(tensors, (tuple, list)) or not tensors:
        raise Undecided("the list of tensors is not known")
    found = [t.shape for t in tensors if isinstance(t, Tensor)]
    if len(found) < len(tensors) or any(s is None for s in found):
        raise Undecided("the shape of a tensor in the list is not known")
    return [s for s in found if s is not None]


def pieces(shape: Shape, sizes: Any, dim: Any, by_count: bool) -> tuple[Tensor, ...]:
    """split and chunk."""
    place = axis(dim, len(shape))
    n = shape[place]
    if isinstance(sizes, int) and sizes > 0:
        each = -(-n // sizes) if by_count else sizes
        parts = [min(each, n - start) for start in range(0, n, each)] if each else [0]
    else:
        parts = list(numbers(sizes))
    return tuple(Tensor((*shape[:place], part, *shape[place + 1 :])) for part in parts)


def indexed(shape: Shape, index: Any) -> Shape:
    """Basic indexing: numbers, slices, None, Ellipsis. Raises Undecided for the rest."""
    items = list(index) if isinstance(index, tuple) else [index]
    used = sum(1 for i in items if i is not None and i is not Ellipsis)
    if used > len(shape):
        raise Undecided("more indices than axes")
    if Ellipsis in items:
        place = items.index(Ellipsis)
        items[place : place + 1] = [slice(None)] * (len(shape) - used)
    else:
        items += [slice(None)] * (len(shape) - used)
    made: list[int] = []
    sizes = iter(shape)
    for item in items:
        if item is None:
            made.append(1)
            continue
        size = next(sizes)
        if isinstance(item, slice):
            if not all(b is None or isinstance(b, int) for b in (item.start, item.stop, item.step)):
                raise Undecided("the bounds of a slice are not known")
            made.append(len(range(*item.indices(size))))
        elif isinstance(item, bool) or not isinstance(item, int):
            raise Undecided("the index is not known")
    return tuple(made)


def moved(shape: Shape, source: Any, target: Any) -> Shape:
    """movedim of one axis."""
    order = [i for i in range(len(shape)) if i != axis(source, len(shape))]
    order.insert(axis(target, len(shape)), axis(source, len(shape)))
    return tuple(shape[i] for i in order)


def einsum(equation: str, tensors: list[Shape]) -> Shape:
    """The shape by letters; no ellipsis."""
    text = equation.replace(" ", "")
    if "..." in text:
        raise Undecided("an einsum with an ellipsis")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    sizes: dict[str, int] = {}
    for term, shape in zip(terms, tensors, strict=False):
        if len(term) != len(shape):
            raise Undecided("an einsum that does not fit its tensors")
        for letter, n in zip(term, shape, strict=True):
            sizes[letter] = n if sizes.get(letter, 1) == 1 else sizes[letter]
    if not arrow:
        right = "".join(sorted(c for c in sizes if left.count(c) == 1))
    return tuple(sizes[letter] for letter in right)
