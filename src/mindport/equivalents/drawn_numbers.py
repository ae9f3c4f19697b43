"""What torch's operators draw from a generator that they are handed: the same numbers, on CPU, for the same seed.

``torch.randn(3, 4, generator=torch.Generator().manual_seed(0))`` gives here what it gives there: uniform and whole numbers bit for bit, normal ones up to the last bit of a
logarithm. Without a generator MindSpore draws from its own global seed. Sources: M. Matsumoto and T. Nishimura, ACM TOMACS 8 (1998); G. Box and M. Muller,
Annals of Mathematical Statistics 29 (1958); measurements of torch 2.13 on CPU (docs/differences/functions.md). The numbers are made on the host: no graph holds them.
"""

import math

import mindspore as ms
import numpy as np
from mindspore import Tensor

HALF_DTYPES = (ms.float16, ms.bfloat16)
#: The first whole number that a floating dtype does not tell from the next one.
EXACT = {ms.float64: 2**53, ms.float32: 2**24, ms.float16: 2**11, ms.bfloat16: 2**8}
LARGEST = {ms.int64: 2**63 - 1, ms.int32: 2**31 - 1, ms.int16: 2**15 - 1, ms.int8: 2**7 - 1, ms.uint8: 2**8 - 1, ms.bool_: 1}
#: The dtype of a complex number's parts.
PART_DTYPES = {ms.complex64: ms.float32, ms.complex128: ms.float64}
#: So many numbers and more are drawn sixteen at a time.
BLOCK = 16


def shape_of(size):
    """The shape that ``rand(2, 3)``, ``rand((2, 3))`` and ``rand(6)`` ask for."""
    given = size[0] if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    return tuple([int(one) for one in given])


def words(generator, count):
    """32 random bits each."""
    return generator._numbers.randint(0, 2**32, size=count, dtype=np.uint32)


def longs(generator, count):
    """64 random bits each."""
    pairs = words(generator, 2 * count).astype(np.uint64).reshape(count, 2)
    return pairs[:, 0] << np.uint64(32) | pairs[:, 1]


def doubles(generator, count):
    """float64 in [0, 1)."""
    return (longs(generator, count) & np.uint64(2**53 - 1)).astype(np.float64) / 2**53


def floats(generator, count):
    """float32 in [0, 1)."""
    return (words(generator, count) & np.uint32(2**24 - 1)).astype(np.float32) / np.float32(2**24)


def shaped_numbers(values, shape, dtype):
    """The numbers in a shape and dtype; NumPy has no bfloat16."""
    return Tensor(values.reshape(shape)).astype(dtype)


def complex_numbers(draw, generator, shape, dtype, *settings):
    """Real and imaginary parts in turn, as torch draws them."""
    parts = draw(generator, (*shape, 2), PART_DTYPES[dtype], *settings).asnumpy()
    return Tensor(parts[..., 0] + parts[..., 1] * 1j).astype(dtype)


def drawn_uniform(generator, shape, dtype=None, low=0.0, high=1.0):
    """Uniform in [low, high)."""
    if dtype in PART_DTYPES:
        return complex_numbers(drawn_uniform, generator, shape, dtype)
    dtype = ms.float32 if dtype is None else dtype
    count = math.prod(shape)
    if dtype == ms.float64:
        return shaped_numbers(doubles(generator, count) * (high - low) + low, shape, dtype)
    low, high = (float(low), float(high)) if dtype in HALF_DTYPES else (np.float32(low), np.float32(high))
    values = floats(generator, count).astype(np.float64) * float(high - low) + float(low)  # one rounding, as torch's fused operation
    return shaped_numbers(values.astype(np.float32), shape, dtype)


def normal_sixteens(uniforms):
    """Box and Muller's transform of sixteens: eight radii, then eight angles, in the numbers' own precision."""
    kind = uniforms.dtype.type
    pairs = uniforms.reshape(-1, 2, BLOCK // 2)
    radius = np.sqrt(kind(-2) * np.log(kind(1) - pairs[:, 0]))
    angle = kind(2 * np.pi) * pairs[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).reshape(-1)


def few_normals(generator, count):
    """Fewer than sixteen: float64 in pairs, the second of which waits in the generator for the next call."""
    *_, waits, kept = generator._numbers.get_state()
    found = [kept] if waits else []
    while len(found) < count:
        first, second = doubles(generator, 2)
        radius, angle = np.sqrt(-2 * np.log1p(-second)), 2 * np.pi * first
        found += [radius * np.cos(angle), radius * np.sin(angle)]
    name, keys, place, *_ = generator._numbers.get_state()
    generator._numbers.set_state((name, keys, place, *((1, found[count]) if len(found) > count else (0, 0.0))))
    return np.array(found[:count], np.float64)


def many_normals(generator, count, dtype):
    """Sixteen and more: where they are no multiple of it, the last sixteen are drawn anew."""
    uniforms = doubles if dtype == ms.float64 else floats
    whole = count // BLOCK * BLOCK
    drawn = uniforms(generator, whole if dtype in HALF_DTYPES else count)
    values = np.concatenate([normal_sixteens(drawn[:whole]), np.zeros(count - whole, drawn.dtype)])
    if whole < count:
        values[-BLOCK:] = normal_sixteens(uniforms(generator, BLOCK))
    return values


def drawn_normal(generator, shape, dtype=None, mean=0.0, std=1.0):
    """Normal numbers of one mean and deviation; of complex ones each part has half of the variance."""
    if dtype in PART_DTYPES and (mean, std) != (0.0, 1.0):
        raise NotImplementedError("complex numbers of another mean or deviation: scale those of torch.randn")
    if dtype in PART_DTYPES:
        return complex_numbers(drawn_normal, generator, shape, dtype, 0.0, math.sqrt(0.5))
    dtype = ms.float32 if dtype is None else dtype
    count = math.prod(shape)
    values = many_normals(generator, count, dtype) if count >= BLOCK else few_normals(generator, count)
    kind = values.dtype.type
    return shaped_numbers(values * kind(std) + kind(mean), shape, dtype)


def drawn_normal_by(generator, mean, std, size, dtype):
    """``torch.normal``: of numbers with a size, or of tensors of means, of deviations, or of both."""
    if size is not None:
        return drawn_normal(generator, shape_of((size,)), dtype, mean, std)
    given = [one for one in (mean, std) if isinstance(one, Tensor)]
    shape = np.broadcast_shapes(*(one.shape for one in given))
    return ms.ops.stop_gradient(drawn_normal(generator, shape, given[0].dtype) * std + mean)


def drawn_integers(generator, low, high, shape, dtype=None):
    """Whole numbers in [low, high)."""
    dtype = ms.int64 if dtype is None else dtype
    count, width = math.prod(shape), high - low
    values = words(generator, count).astype(np.int64) % width if width < 2**32 else (longs(generator, count) % np.uint64(width)).astype(np.int64)
    return shaped_numbers(values + low, shape, dtype)


def drawn_bits(generator, shape, dtype):
    """All whole numbers that a dtype tells apart: ``x.random_()``."""
    count = math.prod(shape)
    if dtype in EXACT:
        wide = dtype == ms.float64
        values = longs(generator, count) % np.uint64(EXACT[dtype] + 1) if wide else words(generator, count) % np.uint32(EXACT[dtype] + 1)
    elif dtype == ms.int64:
        values = longs(generator, count) & np.uint64(2**63 - 1)
    else:
        values = words(generator, count) % np.uint32(LARGEST[dtype] + 1)
    return shaped_numbers(values.astype(np.float64 if dtype == ms.float64 else np.int64), shape, dtype)


def drawn_order(generator, count, dtype=None):
    """The numbers below `count` in random order."""
    return shaped_numbers(np.array(generator.permutation(int(count)), np.int64), (int(count),), ms.int64 if dtype is None else dtype)


def drawn_exponential(generator, shape, dtype, rate=1.0):
    """Exponential numbers."""
    return shaped_numbers(-np.log1p(-doubles(generator, math.prod(shape))) / rate, shape, dtype)


def drawn_places(generator, weights, count, replacement):
    """`count` places of each row, in proportion to its weights: all at once by the largest quotients of exponential numbers, or one after the other by the sums."""
    rows = weights.asnumpy().reshape(-1, weights.shape[-1])
    if replacement and count > 1:
        sums = np.cumsum(rows, axis=1, dtype=rows.dtype)
        sums = sums / sums[:, -1:]
        sums[:, -1] = 1.0
        drawn = doubles(generator, len(rows) * count).reshape(-1, count)
        places = np.stack([np.searchsorted(line, numbers) for line, numbers in zip(sums, drawn)])
    else:
        waits = -np.log1p(-doubles(generator, rows.size)).reshape(rows.shape).astype(rows.dtype)
        places = np.argsort(-(rows / waits), axis=1, kind="stable")[:, :count]
    return shaped_numbers(places.astype(np.int64), (*weights.shape[:-1], count), ms.int64)
