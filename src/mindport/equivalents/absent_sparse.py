"""Sparse, nested and masked tensors without a MindSpore counterpart."""

from mindport.declare import absent

absent(
    "torch.Tensor.ccol_indices", "torch.Tensor.is_sparse_csr", "torch.Tensor.resize_as_sparse_",
    "torch.Tensor.row_indices", "torch.Tensor.smm", "torch.Tensor.sparse_resize_",
    "torch.Tensor.sparse_resize_and_clear_", "torch.Tensor.sspaddmm", "torch.Tensor.to_sparse_bsc",
    "torch.Tensor.to_sparse_bsr", "torch.Tensor.to_sparse_csc", "torch.ccol_indices_copy", "torch.col_indices_copy",
    "torch.crow_indices_copy", "torch.hsmm", "torch.hspmm", "torch.indices_copy", "torch.resize_as_sparse_",
    "torch.row_indices_copy", "torch.saddmm", "torch.smm", "torch.sparse.SparseSemiStructuredTensor",
    "torch.sparse.SparseSemiStructuredTensorCUSPARSELT", "torch.sparse.SparseSemiStructuredTensorCUTLASS",
    "torch.sparse.as_sparse_gradcheck", "torch.sparse.check_sparse_tensor_invariants",
    "torch.sparse.to_sparse_semi_structured", "torch.sparse_bsc_tensor", "torch.sparse_bsr_tensor",
    "torch.sparse_compressed_tensor", "torch.sparse_csc_tensor", "torch.sspaddmm", "torch.values_copy",
    why="sparse tensors in MindSpore are the classes COOTensor and CSRTensor, with few operators and another interface; on CPU most of them have no kernel: keep indices and values in two tensors and use gather, tensor_scatter_add and dense products",
    rung="packaged",
)
absent(
    "torch.Tensor.is_nested", "torch.Tensor.to_padded_tensor", "torch.nested.as_nested_tensor", "torch.nested.masked_select",
    "torch.nested.narrow", "torch.nested.nested_tensor", "torch.nested.nested_tensor_from_jagged",
    "torch.nested.to_padded_tensor",
    why="nested tensors hold rows of different lengths; MindSpore has none: pad the rows and carry a mask, or keep a list of tensors",
    rung="packaged",
)
absent(
    "torch.masked.MaskedTensor", "torch.masked.as_masked_tensor", "torch.masked.is_masked_tensor",
    "torch.masked.masked_tensor",
    why="masked tensors are a prototype of PyTorch; write the mask into the operation: where(mask, x, neutral element) before the reduction, and count the mask for means",
    rung="packaged",
)
