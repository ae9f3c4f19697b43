"""What `max_norm` of embeddings does: rows of the table that are looked up shrink, in place, before they are read."""

from mindspore import Parameter, ops

from mindport.equivalents.matrix import vector_norm


def renormalise(weight, index, max_norm, norm_type):
    """Rows of `weight` that `index` names and whose norm is above `max_norm` are set to that norm; no gradient follows."""
    index = index.reshape(-1)
    rows = ops.stop_gradient(ops.gather(weight, index, 0))
    norms = vector_norm(rows, norm_type, 1, True)
    rows = rows * ops.where(norms > max_norm, max_norm / (norms + 1e-7), ops.ones_like(norms))
    if isinstance(weight, Parameter):
        ops.scatter_update(weight, index, rows)
    else:
        weight[index] = rows
