"""Modes, and medians and quantiles that leave NaN out; histograms; norms of slices bounded; numbers taken apart."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.matrix import vector_norm
from mindport.equivalents.sorting import EQUAL_PLACES
from mindport.equivalents.values_indices import ValuesIndices

# An error of torch 2.13: `torch.median(torch.tensor([1.0, 2.0, 3.0])[:1].expand(3), 0)` is 2 (or whatever lies there).
EXPANDED = difference(
    "where elements share memory (expand), torch reads others that are not of the tensor; the median here is the tensor's",
    when="input.numel() and 0 in input.stride()", risk="style", zh="对 expand 得到的张量, PyTorch 会读到张量之外的元素",
)  # fmt: skip
OUT = "out= is not supported: use the returned tensors"


@equivalent("torch.mode", "torch.Tensor.mode", differs=[EQUAL_PLACES, difference("with NaN among them, the most frequent of the other elements is found", when="input.is_floating_point() and ms.isnan(input).any()", zh="含 NaN 时取其余元素的众数")])
def mode(input, dim=-1, keepdim=False, *, out=None):
    """The most frequent element over an axis, the smallest of several, and an int64 place where it stands."""
    if out is not None:
        raise Refused(OUT)
    if input.ndim == 0:
        return ValuesIndices(input, ops.zeros((), ms.int64))
    x = input.moveaxis(dim, -1).asnumpy()
    count = (x[..., :, None] == x[..., None, :]).sum(-1)
    often = count == count.max(-1, keepdims=True)
    order = np.argsort(x, -1, kind="stable")
    first = np.take_along_axis(often, order, -1).argmax(-1)
    least = np.take_along_axis(x, np.take_along_axis(order, first[..., None], -1), -1)
    place = x.shape[-1] - 1 - (x == least)[..., ::-1].argmax(-1)
    index = Tensor(np.asarray(place[..., None], np.int64)).moveaxis(-1, dim)
    values = ops.gather_elements(input, dim, index)
    return ValuesIndices(values, index) if keepdim else ValuesIndices(values.squeeze(dim), index.squeeze(dim))


def shared(value, input):
    """One of the elements, whose gradient goes to all that are equal to it in equal parts."""
    equal = input == value
    change = ops.where(equal, input - ops.stop_gradient(input), ops.zeros_like(input)).sum() / ops.maximum(equal.astype(input.dtype).sum(), Tensor(1, input.dtype))
    return ops.stop_gradient(value) + change.astype(input.dtype) if input.is_floating_point() else value


@equivalent("torch.nanmedian", "torch.Tensor.nanmedian", differs=[EXPANDED])
def nanmedian(input, dim=None, keepdim=False, *, out=None):
    """The lower median of the elements that are not NaN; over one axis also its int64 place."""
    if out is not None:
        raise Refused(OUT)
    if dim is None and input.size == 0:
        return Tensor(np.nan, input.dtype)
    if dim is None:
        return shared(nanmedian(input.reshape(-1), 0).values, input)
    if input.ndim == 0:
        return ValuesIndices(input, ops.zeros((), ms.int64))
    x = input.moveaxis(dim, -1).asnumpy()
    order = np.argsort(x, -1, kind="stable")  # NaN stands last
    kept = x.shape[-1] - np.isnan(x).sum(-1) if x.dtype.kind == "f" else np.full(x.shape[:-1], x.shape[-1])
    place = np.take_along_axis(order, np.maximum((kept - 1) // 2, 0)[..., None], -1)
    index = Tensor(np.asarray(place, np.int64)).moveaxis(-1, dim)
    values = ops.gather_elements(input, dim, index)
    return ValuesIndices(values, index) if keepdim else ValuesIndices(values.squeeze(dim), index.squeeze(dim))


@equivalent("torch.nanquantile", "torch.Tensor.nanquantile", differs=[difference("a tensor of quantiles that wants its gradient gets none", when="isinstance(q, Tensor) and q.requires_grad", zh="作为张量的分位数得不到梯度")])
def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear", out=None):
    """The q-th quantiles of the elements that are not NaN, interpolated between neighbours."""
    if out is not None:
        raise Refused(OUT)
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise Refused("interpolation is one of 'linear', 'lower', 'higher', 'midpoint' and 'nearest'")
    rank = input.ndim
    whole = dim is None or rank == 0
    x = input.reshape(-1) if whole else input.moveaxis(dim, -1)
    host = x.asnumpy()
    order = np.argsort(host, -1, kind="stable")
    kept = host.shape[-1] - np.isnan(host).sum(-1)
    found = []
    for share in np.ravel(q.asnumpy()).tolist() if isinstance(q, Tensor) else [q]:
        place = np.maximum(share * (kept - 1), 0).astype(host.dtype)
        low, high = np.floor(place), np.ceil(place)
        weight = place - low
        if interpolation == "lower":
            high = low
        elif interpolation == "higher":
            low = high
        elif interpolation == "nearest":
            low = high = np.rint(place)
        elif interpolation == "midpoint":
            weight = np.full_like(place, 0.5)
        first, last = (
            ops.gather_elements(x, x.ndim - 1, Tensor(np.take_along_axis(order, p.astype(np.int64)[..., None], -1))).squeeze(-1)
            for p in (low, high)
        )
        one = ops.lerp(first, last, Tensor(np.asarray(weight), input.dtype))
        if keepdim:
            one = one.reshape((1,) * rank) if whole else one.unsqueeze(dim)
        found.append(one)
    return ops.stack(found) if isinstance(q, Tensor) and q.ndim > 0 else found[0]


@equivalent("torch.renorm", "torch.Tensor.renorm")
def renorm(input, p, dim, maxnorm, *, out=None):
    """The slices along an axis, scaled down where their p-norm is above `maxnorm`."""
    if out is not None:
        raise Refused("out= is not supported: use the returned tensor")
    norm = vector_norm(input, p, tuple(d for d in range(input.ndim) if d != dim % input.ndim), True)
    above = norm > maxnorm
    factor = ops.where(above, maxnorm / (ops.where(above, norm, ops.ones_like(norm)) + 1e-7), ops.ones_like(norm))
    return input * (factor.astype(input.dtype) if input.is_complex() else factor)  # no kernel of MindSpore's multiplies it by a real one


@equivalent("torch.frexp", "torch.Tensor.frexp")
def frexp(input, *, out=None):
    """mantissa in [0.5, 1) and int32 exponent with input = mantissa * 2^exponent."""
    if out is not None:
        raise Refused(OUT)
    mantissa, exponent = np.frexp(input.asnumpy())
    finite = Tensor(np.isfinite(mantissa))
    scale = Tensor(np.asarray(np.ldexp(1.0, -exponent.astype(np.int64))), input.dtype)
    value = Tensor(np.asarray(mantissa), input.dtype)
    moved = ops.where(finite, input - ops.stop_gradient(input), ops.zeros_like(input))
    return value + moved * scale, Tensor(np.asarray(exponent, np.int32))


def _edges(values, bins, span):
    """The limits of `bins` equal bins between the extremes or over `span`."""
    low, high = (float(values.min()), float(values.max())) if span is None and values.size else span or (0.0, 1.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, bins + 1, dtype=values.dtype)


def _bins(values, edges):
    """The bin of each value; -1 outside. A binary search like torch's, also where the limits are in no order."""
    first, count = np.zeros(values.shape, np.int64), np.full(values.shape, edges.shape[0])
    while count.any():
        step = count // 2
        right = (count > 0) & ~(values < edges[np.minimum(first + step, edges.shape[0] - 1)])
        first, count = np.where(right, first + step + 1, first), np.where(right, count - step - 1, step)
    found = np.minimum(first - 1, edges.shape[0] - 2)
    return np.where((values < edges[0]) | (values > edges[-1]) | np.isnan(values), -1, found)


def _counts(points, edges, weight, density):
    """Weighted counts in the cells; the last bin of each axis holds its upper limit."""
    shape = tuple(e.shape[0] - 1 for e in edges)
    places = [_bins(points[:, axis], e) for axis, e in enumerate(edges)]
    inside = np.all([p >= 0 for p in places], axis=0)
    found = np.zeros(shape, np.float64)
    np.add.at(found, tuple(p[inside] for p in places), 1.0 if weight is None else weight[inside])
    if density:
        found = found / found.sum()
        for axis, limits in enumerate(edges):
            found = found / np.diff(limits).reshape([-1 if a == axis else 1 for a in range(len(edges))])
    return found


@equivalent("torch.histogram", "torch.Tensor.histogram")
def histogram(input, bins, *, range=None, weight=None, density=False, out=None):
    """The weighted counts of values in bins, and the limits of the bins; without gradient, as in torch."""
    if out is not None:
        raise Refused(OUT)
    x = input.asnumpy().reshape(-1)
    edges = bins.asnumpy() if isinstance(bins, Tensor) else _edges(x, bins, range)
    w = None if weight is None else weight.asnumpy().reshape(-1)
    return Tensor(_counts(x.reshape(-1, 1), [edges], w, density), input.dtype), Tensor(edges, input.dtype)


@equivalent("torch.histogramdd")
def histogramdd(input, bins, *, range=None, weight=None, density=False, out=None):
    """The weighted counts of points in a grid of cells, and the limits of the cells along each axis."""
    if out is not None:
        raise Refused(OUT)
    width = input.shape[-1]
    x = input.asnumpy().reshape(-1, width)
    each = [bins] * width if isinstance(bins, int) else bins
    spans = [None] * width if range is None else [(range[2 * i], range[2 * i + 1]) for i, _ in enumerate(each)]
    edges = [b.asnumpy() if isinstance(b, Tensor) else _edges(x[:, i], b, spans[i]) for i, b in enumerate(each)]
    w = None if weight is None else weight.asnumpy().reshape(-1)
    return Tensor(_counts(x, edges, w, density), input.dtype), tuple(Tensor(e, input.dtype) for e in edges)
