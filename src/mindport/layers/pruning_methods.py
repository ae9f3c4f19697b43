"""How torch.nn.utils.prune chooses what goes: a parameter times a mask of zeros and ones, computed before each call.

As in torch the parameter lives on as `<name>_orig`, the mask is the buffer `<name>_mask`, and `<name>` is their product.
Several prunings of one parameter act one after the other, each on what the earlier ones left.
https://docs.pytorch.org/docs/2.13/nn.html#utilities
"""

import math
import numbers

import numpy as np
from mindspore import Tensor, nn, ops

from mindport.declare import Refused, difference, layer
from mindport.layers.computed_weights import compute_no_more, compute_when_read
from mindport.layers.parametrization import RECURRENT, own_name
from mindport.layers.state_names import extra_axis, torch_view

DRAWN = difference("which elements go is drawn by MindSpore's generator", risk="style", zh="被剪除的元素由 MindSpore 的随机数决定")
TIES = difference("of elements with equal scores (zeros that an earlier pruning left) others may go than in torch", risk="style", zh="分数相等的元素中被剪除的可能不同")
FRESH = difference(
    "pruning again goes by the weights as they are; torch's hook computed them in the last forward pass, before the optimizer's last step",
    risk="silent", zh="再次剪枝时按当前权重打分；torch 用的是上一次前向传播（优化器最后一步之前）时算出的权重",
)


def checked_amount(amount):
    """A share of the elements, or their number. Raises TypeError and ValueError as torch does."""
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if amount < 0 or (amount > 1 and not isinstance(amount, numbers.Integral)):
        raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")
    return amount


def number_of(amount, size):
    """How many of `size` elements go."""
    if not isinstance(amount, numbers.Integral):
        return round(amount * size)
    if amount > size:
        raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={size}")
    return amount


def checked_channels(t, dim):
    """The axis of the channels, counted from the front."""
    if t.ndim <= 1:
        raise ValueError(f"Structured pruning can only be applied to multidimensional tensors. Found tensor of shape {t.shape} with {t.ndim} dims")
    if dim >= t.ndim:
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")
    return dim % t.ndim


def without(mask, places):
    """A mask with zeros at places of its flattened form."""
    kept = mask.asnumpy().copy()
    kept.reshape(-1)[places] = 0
    return Tensor(kept, mask.dtype)


def without_channels(mask, dim, gone):
    """A mask with zeros where `gone` holds along an axis."""
    shape = [1] * mask.ndim
    shape[dim] = -1
    return Tensor(np.where(gone.reshape(shape), 0, mask.asnumpy()).astype(mask.asnumpy().dtype), mask.dtype)


@layer("torch.nn.utils.prune.BasePruningMethod")
class BasePruningMethod:
    """What all prunings share; a class of one's own defines `compute_mask` and `PRUNING_TYPE`."""

    _tensor_name = None

    def compute_mask(self, t, default_mask):
        """The mask for scores `t`, where `default_mask` says what is there still."""
        raise NotImplementedError

    def apply_mask(self, module):
        """The parameter times the mask."""
        return masked(module, self._tensor_name)

    def prune(self, t, default_mask=None, importance_scores=None):
        """The tensor times the mask that its values, or other scores, lead to."""
        scores = t if importance_scores is None else importance_scores
        if scores.shape != t.shape:
            raise ValueError("importance_scores should have the same shape as tensor t")
        return t * self.compute_mask(scores, ops.ones_like(t) if default_mask is None else default_mask)

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        """Prune a parameter of a module from now on; the method that does it is the result."""
        if isinstance(module, (nn.RNN, nn.GRU, nn.LSTM)):
            raise Refused(RECURRENT)
        held = prunings(module)
        method, earlier, own = cls(*args, **kwargs), held.get(name), own_name(module, name)
        if earlier is not None:
            container = earlier if isinstance(earlier, PruningContainer) else PruningContainer(earlier)
            method._tensor_name = name
            container.add_pruning_method(method)
            method = container
        elif module._params.get(own) is None:
            raise Refused(f"{type(module).__name__} has no parameter {name!r} here that could be pruned")
        method._tensor_name = name
        original = module._params[own if earlier is None else f"{name}_orig"]
        scores = torch_view(module, name, original if earlier is None else getattr(module, own)) if importance_scores is None else importance_scores
        if scores.shape != torch_view(module, name, original).shape:
            raise ValueError(f"importance_scores should have the same shape as parameter {name} of {type(module).__name__}")
        before = ops.ones_like(scores) if earlier is None else torch_view(module, f"{name}_mask", module._buffers[f"{name}_mask"])
        mask = method.compute_mask(ops.stop_gradient(scores), before.astype(original.dtype))
        if extra_axis(module, name) is not None and original.ndim == 4:
            mask = mask.expand_dims(extra_axis(module, name))
        if earlier is None:
            del module._params[own]
            original.name = f"{original.name[: -len(own)]}{name}_orig"
            module._params[f"{name}_orig"] = original
            module.register_buffer(f"{name}_mask", mask)
        else:
            module._buffers[f"{name}_mask"] = mask
        held[name] = method

        def product(cell):  # a graph follows no method of an object from outside
            return masked(cell, name)

        own_product = type(method).apply_mask is not BasePruningMethod.apply_mask
        compute_when_read(module, name, (f"{name}_orig", f"{name}_mask"), method.apply_mask if own_product else product)
        return method

    def remove(self, module):
        """The pruned values become the parameter, the same object as before."""
        name = self._tensor_name
        own = own_name(module, name)
        original = module._params.pop(f"{name}_orig")
        original.set_data(ops.stop_gradient(module._buffers.pop(f"{name}_mask").astype(original.dtype) * original))
        compute_no_more(module, name)
        original.name = f"{original.name[: -len(name) - len('_orig')]}{own}"
        module._params[own] = original


def masked(cell, name):
    """The parameter times the mask."""
    original = getattr(cell, f"{name}_orig")
    return getattr(cell, f"{name}_mask").astype(original.dtype) * original


def prunings(module):
    """The prunings of a module's own parameters, by their names."""
    return module.__dict__.setdefault("_prunings", {})


@layer("torch.nn.utils.prune.PruningContainer")
class PruningContainer(BasePruningMethod):
    """Prunings of one parameter, in turn."""

    def __init__(self, *args):
        self._pruning_methods = ()
        for method in args:
            self._tensor_name = method._tensor_name
            self.add_pruning_method(method)

    def add_pruning_method(self, method):
        """Append one. Raises TypeError for what is none, ValueError for one of another parameter."""
        if not isinstance(method, BasePruningMethod) and method is not None:
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(f"Can only add pruning methods acting on the parameter named '{self._tensor_name}' to PruningContainer {self}. Found '{method._tensor_name}'")
        self._pruning_methods += (method,)

    def __len__(self):
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, idx):
        return self._pruning_methods[idx]

    def compute_mask(self, t, default_mask):
        """The last pruning's mask of what the earlier ones left; global ones see everything."""
        method, mask = self._pruning_methods[-1], default_mask.asnumpy().copy()
        if method.PRUNING_TYPE == "unstructured":
            place = mask == 1
        elif method.PRUNING_TYPE == "structured":
            if not hasattr(method, "dim"):
                raise AttributeError("Pruning methods of PRUNING_TYPE \"structured\" need to have the attribute `dim` defined.")
            axis = method.dim % t.ndim
            place = (slice(None),) * axis + (mask.sum(tuple(each for each in range(t.ndim) if each != axis)) != 0,)
        elif method.PRUNING_TYPE == "global":
            place = (slice(None),) * t.ndim
        else:
            raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
        left = Tensor(np.ascontiguousarray(t.asnumpy()[place]), t.dtype)
        found = method.compute_mask(left, Tensor(np.ascontiguousarray(mask[place]), default_mask.dtype))
        mask[place] = found.asnumpy().astype(mask.dtype)
        return Tensor(mask, default_mask.dtype)


@layer("torch.nn.utils.prune.Identity")
class Identity(BasePruningMethod):
    """A mask of ones."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        """The mask as it is."""
        return default_mask


@layer("torch.nn.utils.prune.RandomUnstructured", differs=[DRAWN])
class RandomUnstructured(BasePruningMethod):
    """Some elements, drawn."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount):
        self.amount = checked_amount(amount)

    def compute_mask(self, t, default_mask):
        """Zeros at drawn places."""
        count = number_of(self.amount, t.size)
        return without(default_mask, np.argsort(ops.rand(t.size).asnumpy(), kind="stable")[::-1][:count]) if count else default_mask.copy()


@layer("torch.nn.utils.prune.L1Unstructured", differs=[TIES])
class L1Unstructured(BasePruningMethod):
    """The elements of smallest absolute value."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount):
        self.amount = checked_amount(amount)

    def compute_mask(self, t, default_mask):
        """Zeros where the scores are smallest; of equal ones the first go."""
        count = number_of(self.amount, t.size)
        return without(default_mask, np.argsort(np.abs(t.asnumpy().reshape(-1)), kind="stable")[:count])


@layer("torch.nn.utils.prune.RandomStructured", differs=[DRAWN])
class RandomStructured(BasePruningMethod):
    """Some channels, drawn."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim=-1):
        self.amount = checked_amount(amount)
        self.dim = dim

    def compute_mask(self, t, default_mask):
        """Zeros in drawn channels."""
        dim = checked_channels(t, self.dim)
        count = number_of(self.amount, t.shape[dim])
        gone = np.zeros(t.shape[dim], bool)
        gone[np.argsort(ops.rand(t.shape[dim]).asnumpy(), kind="stable")[:count]] = True
        return without_channels(default_mask, dim, gone)


def channel_norms(t, n, dim):
    """The norm of each channel, as torch.norm names it."""
    rows = np.moveaxis(t.asnumpy(), dim, 0).astype(np.float64)
    if n == "nuc":
        if rows.ndim != 3:
            raise ValueError("the nuclear norm is that of matrices: channels with two axes")
        return np.linalg.svd(rows, compute_uv=False).sum(-1)
    rows = np.abs(rows.reshape(rows.shape[0], -1))
    if n in ("fro", 2):
        return np.sqrt((rows * rows).sum(-1))
    if math.isinf(n):
        return rows.max(-1) if n > 0 else rows.min(-1)
    return (rows != 0).sum(-1) if n == 0 else (rows**n).sum(-1) ** (1 / n)


@layer("torch.nn.utils.prune.LnStructured", differs=[TIES])
class LnStructured(BasePruningMethod):
    """The channels of smallest norm."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount, n, dim=-1):
        self.amount = checked_amount(amount)
        self.n = n
        self.dim = dim

    def compute_mask(self, t, default_mask):
        """Zeros in the channels whose norm is smallest; of equal ones the last go."""
        dim = checked_channels(t, self.dim)
        size = t.shape[dim]
        gone = np.ones(size, bool)
        gone[np.argsort(-channel_norms(t, self.n, dim), kind="stable")[: size - number_of(self.amount, size)]] = False
        return without_channels(default_mask, dim, gone)


@layer("torch.nn.utils.prune.CustomFromMask")
class CustomFromMask(BasePruningMethod):
    """A mask that is given."""

    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        """The earlier mask times the given one."""
        return default_mask * self.mask.astype(default_mask.dtype)
