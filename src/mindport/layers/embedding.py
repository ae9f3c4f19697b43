"""Lookup tables."""

import mindspore as ms
from mindspore import Parameter, nn, ops
from mindspore.common.initializer import Normal, Zero, initializer

from mindport.declare import Refused, layer
from mindport.equivalents.embedding_bags import BY_FREQUENCY, embedding_bag
from mindport.equivalents.linear_maps import embedding

DEVICE = {"device": "MindSpore places every parameter on the device of the context"}
SPARSE = {"sparse": "the gradient is dense, with the same values"}


@layer(
    "torch.nn.Embedding", state={"weight": "embedding_table"}, drops={**DEVICE, **SPARSE},
    attributes={"num_embeddings": "vocab_size", "embedding_dim": "embedding_size"}, base_suffices=True,
)
class Embedding(nn.Embedding):
    """The rows of a table that starts as N(0, 1) (MindSpore's own start is N(0, 0.01)).

    The row `padding_idx` starts as zero and gets no gradient, which `nn.Embedding` does not ensure.
    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Embedding.html
    """

    def __init__(
        self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0,
        scale_grad_by_freq=False, sparse=False, _weight=None, _freeze=False, device=None, dtype=None,
    ):
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        if padding_idx is None and _weight is None and not _freeze and max_norm is None and not scale_grad_by_freq:
            super().__init__(num_embeddings, embedding_dim, embedding_table=Normal(1.0))
        else:
            self.max_norm, self.norm_type = max_norm, norm_type
            self.scale_grad_by_freq = scale_grad_by_freq
            row = padding_idx
            if row is not None and row < 0:
                row += num_embeddings
            super().__init__(
                num_embeddings, embedding_dim, embedding_table=Normal(1.0) if _weight is None else _weight,
                padding_idx=row if _weight is None else None,
            )
            self.padding_idx = row
            self.embedding_table.requires_grad = not _freeze

    max_norm, scale_grad_by_freq = None, False

    @property
    def num_embeddings(self):
        return self.vocab_size

    @property
    def embedding_dim(self):
        return self.embedding_size

    def construct(self, input):
        if self.max_norm is not None or self.scale_grad_by_freq:
            return embedding(input, self.embedding_table, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq)
        rows = ops.gather(self.embedding_table, input, 0)
        if self.padding_idx is None:
            return rows
        padding = (input == self.padding_idx).expand_dims(-1)
        return ops.where(padding, ops.stop_gradient(rows), rows)

    def __setattr__(self, name, value):
        super().__setattr__({"weight": "embedding_table", "num_embeddings": "vocab_size", "embedding_dim": "embedding_size"}.get(name, name), value)

    @property
    def weight(self):
        return self.embedding_table


@layer("torch.nn.EmbeddingBag", drops={**DEVICE, **SPARSE}, differs=[BY_FREQUENCY])
class EmbeddingBag(nn.Cell):
    """Sum, mean or maximum of the table's rows in each bag.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.EmbeddingBag.html
    """

    def __init__(
        self, num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
        mode="mean", sparse=False, _weight=None, include_last_offset=False, padding_idx=None, device=None, dtype=None,
    ):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.mode = mode
        self.max_norm, self.norm_type, self.scale_grad_by_freq, self.padding_idx = max_norm, norm_type, scale_grad_by_freq, padding_idx
        self.include_last_offset = include_last_offset
        start = Zero() if _weight is None else _weight
        kind = ms.float32 if dtype is None else dtype
        self.weight = Parameter(initializer(start, [int(num_embeddings), int(embedding_dim)], kind), name="weight")
        if _weight is None:
            self.reset_parameters()

    def reset_parameters(self):
        table = initializer(Normal(1.0), self.weight.shape, self.weight.dtype).init_data()
        if self.padding_idx is not None:
            table[self.padding_idx] = 0
        self.weight.set_data(table)

    def construct(self, input, offsets=None, per_sample_weights=None):
        if self.max_norm is not None or self.scale_grad_by_freq or self.padding_idx is not None or self.mode == "max":
            return embedding_bag(
                input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.mode, False,
                per_sample_weights, self.include_last_offset, self.padding_idx,
            )
        rows = ops.gather(self.weight, input, 0)
        if per_sample_weights is not None:
            rows = rows * per_sample_weights.expand_dims(-1)
        if input.ndim == 2:
            return ops.mean(rows, 1) if self.mode == "mean" else ops.sum(rows, 1)
        bags = offsets.shape[0] - 1 if self.include_last_offset else offsets.shape[0]
        place = ops.arange(input.shape[0])
        bag = (place.expand_dims(1) >= offsets[:bags].expand_dims(0)).astype(ms.int32).sum(axis=1) - 1
        total = ops.unsorted_segment_sum(rows, bag, bags)
        if self.mode == "mean":
            count = ops.unsorted_segment_sum(ops.ones((input.shape[0],), rows.dtype), bag, bags)
            total = total / ops.maximum(count, ops.ones_like(count)).expand_dims(1)
        return total
