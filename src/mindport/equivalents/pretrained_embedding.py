"""Embeddings of tables that exist."""

import mindspore as ms

from mindport.declare import Refused, difference, equivalent
from mindport.layers.embedding import Embedding


@equivalent(
    "torch.nn.Embedding.from_pretrained", drops={"sparse": "the gradient is dense, with the same values"},
    differs=[difference("the layer's table is a copy: it does not share memory with the tensor given", risk="style", zh="权重表为拷贝，不与传入张量共享内存")],
)
def from_pretrained(embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    """An embedding with the rows given, which do not learn unless `freeze` is False.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Embedding.html#torch.nn.Embedding.from_pretrained
    """
    if embeddings.dtype != ms.float32:
        raise Refused("a table of another dtype than float32: cast it with .float() and call to_float() on the layer")
    if max_norm is not None or norm_type != 2.0 or scale_grad_by_freq:
        raise Refused("max_norm and scale_grad_by_freq: do this in the training step")
    rows, width = embeddings.shape
    return Embedding(rows, width, padding_idx, _weight=embeddings, _freeze=freeze)
