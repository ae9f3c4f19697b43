"""What MindSpore offers for sparse tensors, as data.

`OPERATORS`: torch API → (what stands in for it, outcome on CPU). The outcomes were measured on MindSpore 2.10.0, CPU
(../shared/MINDSPORE.md, section 6): `runs`, `fails` (no kernel, or an error), `dense` (only after conversion to dense).
"""

from __future__ import annotations

FORMATS: dict[str, tuple[str, str]] = {
    "coo": ("mindspore.COOTensor", "supported"),
    "csr": ("mindspore.CSRTensor", "supported"),
    "csc": ("none", "not supported: use CSR of the transpose, or COO"),
    "bsr": ("none", "not supported: use CSR, or dense blocks with gather"),
    "bsc": ("none", "not supported: use CSR of the transpose, or dense blocks with gather"),
}

#: torch API → format it makes or needs.
MAKERS: dict[str, str] = {
    "torch.sparse_coo_tensor": "coo", "torch.sparse_csr_tensor": "csr", "torch.sparse_csc_tensor": "csc",
    "torch.sparse_bsr_tensor": "bsr", "torch.sparse_bsc_tensor": "bsc", "torch.Tensor.to_sparse": "coo",
    "torch.Tensor.to_sparse_coo": "coo", "torch.Tensor.to_sparse_csr": "csr", "torch.Tensor.to_sparse_csc": "csc",
    "torch.Tensor.to_sparse_bsr": "bsr", "torch.Tensor.to_sparse_bsc": "bsc", "torch.sparse.FloatTensor": "coo",
    "torch.sparse.LongTensor": "coo", "torch.sparse.DoubleTensor": "coo", "torch.sparse.spdiags": "coo",
    "torch.eye": "", "torch_sparse.SparseTensor": "csr", "torch_geometric.typing.SparseTensor": "csr",
    "torch_geometric.utils.to_torch_csr_tensor": "csr", "torch_geometric.utils.to_torch_coo_tensor": "coo",
    "torch.sparse_compressed_tensor": "csr", "torch_geometric.transforms.ToSparseTensor": "csr",
}  # fmt: skip

OPERATORS: dict[str, tuple[str, str]] = {
    "torch.sparse.mm": ("nn.SparseTensorDenseMatmul (COO times dense)", "runs"),
    "torch.sparse.addmm": ("nn.SparseTensorDenseMatmul, then an addition", "runs"),
    "torch.smm": ("nn.SparseTensorDenseMatmul", "runs"),
    "torch.sspaddmm": ("dense", "dense"),
    "torch.hspmm": ("dense", "dense"),
    "torch.sparse.sum": ("dense, or the sum of the values", "dense"),
    "torch.sparse.softmax": ("ops.csr_softmax", "runs"),
    "torch.sparse.log_softmax": ("dense", "dense"),
    "torch.sparse.sampled_addmm": ("dense", "dense"),
    "torch.Tensor.coalesce": ("COOTensor.coalesce with int64 indices (int32 raises)", "runs"),
    "torch.Tensor.is_coalesced": ("none: a COOTensor does not know", "fails"),
    "torch.Tensor.to_dense": ("COOTensor.to_dense, CSRTensor.to_dense", "runs"),
    "torch.Tensor.sparse_mask": ("dense", "dense"),
    "torch.Tensor.sparse_dim": ("COOTensor.ndim", "runs"),
    "torch.Tensor.indices": ("COOTensor.indices (transposed: [nnz, ndim])", "runs"),
    "torch.Tensor._indices": ("COOTensor.indices (transposed: [nnz, ndim])", "runs"),
    "torch.Tensor.values": ("COOTensor.values", "runs"),
    "torch.Tensor._values": ("COOTensor.values", "runs"),
    "torch.Tensor.crow_indices": ("CSRTensor.indptr", "runs"),
    "torch.Tensor.col_indices": ("CSRTensor.indices", "runs"),
    "torch_sparse.matmul": ("gather of the dense rows by column, times values, then index_add", "runs"),
    "torch_sparse.spmm": ("gather of the dense rows by column, times values, then index_add", "runs"),
    "torch_scatter.scatter": ("ops.unsorted_segment_sum and its kind", "runs"),
    "torch_scatter.scatter_add": ("ops.unsorted_segment_sum", "runs"),
    "torch_scatter.scatter_mean": ("ops.unsorted_segment_sum over the counts", "runs"),
    "torch_scatter.scatter_max": ("ops.unsorted_segment_max", "runs"),
}

#: Methods whose result is sparse where their tensor is.
KEEPING = frozenset(("coalesce", "to", "cuda", "cpu", "float", "double", "half", "t", "transpose", "detach", "clone", "requires_grad_", "type"))
#: Operators that take a tensor of either kind, on a sparse one: by the last part of the name, as `OPERATORS`.
ON_SPARSE: dict[str, tuple[str, str]] = {
    **dict.fromkeys(["matmul", "mm", "spmm", "mv"], ("nn.SparseTensorDenseMatmul (COO times dense)", "runs")),
    **dict.fromkeys(["t", "transpose"], ("COOTensor of the indices' columns exchanged: COOTensor(c.indices[:, ::-1], c.values, c.shape[::-1])", "runs")),
    "add": ("ops.coo_add(a, b, thresh) for two COO tensors; with a dense one: dense", "dense"),
    "mul": ("the values times the dense tensor's entries at the indices (ops.gather_nd), or dense", "dense"),
    "div": ("the values divided, or dense", "dense"),
    **dict.fromkeys(["sum", "mean", "max", "softmax", "log_softmax", "pow", "abs", "cat", "stack", "index_select", "bmm", "einsum"], ("dense", "dense")),
}
#: An argument that asks for sparse gradients: (API, keyword).
SPARSE_GRADIENTS = (("torch.nn.Embedding", "sparse"), ("torch.nn.EmbeddingBag", "sparse"), ("torch.nn.functional.embedding", "sparse"))

#: What stands in for a sparse product where the CSR kernels fail (measured: csr.mm, csr.mv, csr times dense raise on CPU).
PRODUCT = '''\
def sparse_matmul(rows, columns, values, dense, height):
    """A [height, n] sparse matrix, given by rows, columns and values, times dense [n, k]."""
    gathered = ops.gather(dense, columns, 0) * ops.expand_dims(values, 1)
    return ops.zeros((height, dense.shape[1]), dense.dtype).index_add(0, rows, gathered)
'''
