"""What stands in for a tensor library where data are prepared: NumPy, OpenCV and PIL calls, by API, as data.

The guide's advice for APIs that are not part of the network: let the data pipeline work on arrays, and hand MindSpore the result.
"""

from __future__ import annotations

from mindport.analysis.foreign import foreign_names

_NUMPY = "numpy."
#: The last part of a function or method → what to write. Functions that NumPy calls the same stand in `SAME`.
WRITTEN: dict[str, str] = {
    "tensor": "np.array(x)", "as_tensor": "np.asarray(x)", "from_numpy": "nothing: keep the array", "Tensor": "np.array(x, np.float32)", "FloatTensor": "np.array(x, np.float32)",
    "LongTensor": "np.array(x, np.int64)", "IntTensor": "np.array(x, np.int32)", "BoolTensor": "np.array(x, bool)", "ByteTensor": "np.array(x, np.uint8)", "cat": "np.concatenate(xs, axis)",
    "permute": "x.transpose(axes)", "transpose": "np.swapaxes(x, a, b)", "t": "x.T", "unsqueeze": "np.expand_dims(x, axis)", "view": "x.reshape(shape)", "size": "x.shape",
    "float": "x.astype(np.float32)", "double": "x.astype(np.float64)", "long": "x.astype(np.int64)", "int": "x.astype(np.int32)", "bool": "x.astype(bool)", "byte": "x.astype(np.uint8)",
    "half": "x.astype(np.float16)", "to": "x.astype(dtype); nothing for a device", "type": "x.astype(dtype)", "clone": "x.copy()", "numpy": "nothing: it is the array", "contiguous": "np.ascontiguousarray(x)",
    "clamp": "np.clip(x, low, high)", "div": "x / y", "mul": "x * y", "add": "x + y", "sub": "x - y", "div_": "x / y", "mul_": "x * y", "add_": "x + y", "sub_": "x - y", "pow": "x ** y",
    "rand": "np.random.rand(*shape)", "randn": "np.random.randn(*shape)", "randint": "np.random.randint(low, high, shape)", "randperm": "np.random.permutation(n)", "manual_seed": "np.random.seed(n)",
    "load": "np.load(path), or mindport weights for checkpoints", "numel": "x.size", "dim": "x.ndim", "ndimension": "x.ndim", "expand": "np.broadcast_to(x, shape)", "repeat": "np.tile(x, counts)",
    "gather": "np.take_along_axis(x, index, axis)", "scatter_": "np.put_along_axis(x, index, values, axis)", "masked_fill": "np.where(mask, value, x)", "masked_fill_": "x[mask] = value", "masked_select": "x[mask]",
    "index_select": "np.take(x, index, axis)", "topk": "np.argsort(-x)[:k]", "bernoulli": "np.random.rand(*shape) < p", "normal": "np.random.normal(mean, std, shape)", "stack": "np.stack(xs, axis)",
    "flip": "np.flip(x, axes)", "norm": "np.linalg.norm(x)", "eq": "x == y", "ne": "x != y", "lt": "x < y", "gt": "x > y", "le": "x <= y", "ge": "x >= y", "fill_": "x[...] = value", "zero_": "x[...] = 0",
    "interpolate": "cv2.resize(x, size)", "pad": "np.pad(x, widths)", "one_hot": "np.eye(n)[x]", "grid_sample": "cv2.remap(x, map_x, map_y, cv2.INTER_LINEAR)", "affine_grid": "cv2.warpAffine(x, matrix, size)",
    "std": "np.std(x, ddof=1): NumPy divides by n by default", "var": "np.var(x, ddof=1): NumPy divides by n by default", "median": "np.sort(x)[(n - 1) // 2]: torch takes the lower of two, NumPy their mean",
    "sort": "np.sort(x), and np.argsort(x) for the indices", "max": "np.max(x), and np.argmax(x) for the indices", "min": "np.min(x), and np.argmin(x) for the indices", "nonzero": "np.argwhere(x)",
    "histc": "np.histogram(x, bins, range)[0]", "split": "np.split(x, range(size, n, size))", "meshgrid": "np.meshgrid(x, y, indexing='ij')", "flatten": "x.reshape(-1)",
    "read_image": "PIL.Image.open(path)", "decode_image": "PIL.Image.open(file)", "to_tensor": "np.asarray(image, np.float32).transpose(2, 0, 1) / 255", "to_pil_image": "PIL.Image.fromarray(x)", "pil_to_tensor": "np.asarray(image).transpose(2, 0, 1)",
    "pad_sequence": "np.zeros((n, longest)), then fill row by row", "device": "nothing: arrays have no device", "cuda": "nothing: arrays have no device", "cpu": "nothing: arrays have no device", "pin_memory": "nothing",
}  # fmt: skip
SAME = frozenset((
    "abs", "all", "any", "arange", "argmax", "argmin", "argsort", "bincount", "ceil", "clip", "cos", "cumsum", "diff", "exp", "eye", "floor", "full", "isnan", "linspace", "log", "log10", "logical_and", "logical_not",
    "logical_or", "matmul", "maximum", "mean", "minimum", "ones", "ones_like", "prod", "quantile", "reshape", "roll", "round", "sign", "sin", "sqrt",
    "squeeze", "sum", "tan", "tanh", "tile", "triu", "tril", "unique", "where", "zeros", "zeros_like", "full_like", "searchsorted", "atan2", "dot", "cross", "outer", "einsum", "item", "tolist",
))  # fmt: skip


def without_framework(api: str, functions: tuple[str, ...]) -> str:
    """What to write instead of an API in data code; nothing where there is no such thing. `functions`: the beginnings of names that compute."""
    last = api.rpartition(".")[2]
    if not api.startswith(functions):
        return ""
    if last in WRITTEN:
        return WRITTEN[last]
    if last in SAME:
        return f"np.{last}"
    numpy = next((name for name in foreign_names().get(api, ()) if name.startswith(_NUMPY)), "")
    return numpy.replace(_NUMPY, "np.", 1)
