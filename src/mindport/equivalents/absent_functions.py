"""Functions and tensor methods that nothing in MindSpore computes, each with the reason."""

from mindport.declare import absent

absent(
    "torch.Tensor.as_subclass", "torch.Tensor.const_data_ptr", "torch.Tensor.dim_order",
    "torch.Tensor.grad_dtype", "torch.Tensor.index", "torch.Tensor.layout", "torch.Tensor.name",
    "torch.Tensor.narrow_copy", "torch.Tensor.output_nr", "torch.Tensor.register_post_accumulate_grad_hook",
    "torch.Tensor.unsafe_split_with_sizes", "torch.Tensor.volatile",
    why="an attribute of PyTorch's autograd graph, memory or dispatcher that MindSpore's tensors do not have",
    rung="community",
)
absent(
    "torch.Tensor.apply_", "torch.Tensor.as_strided_", "torch.Tensor.is_set_to",
    "torch.Tensor.map2_", "torch.Tensor.map_", "torch.Tensor.module_load",
    "torch.Tensor.reinforce", "torch.Tensor.resize", "torch.Tensor.resize_as",
    "torch.Tensor.storage_offset", "torch.as_strided_",
    why="it works on a tensor's memory or element by element in Python; MindSpore's tensors show neither: write a new tensor with indexing, or go through tensor.asnumpy()",
    rung="packaged",
)
absent(
    "torch.Tensor.swapdims_", "torch.detach_",
    why="the in-place form has not been written: assign the result of the function without the underscore",
    rung="equivalent",
)
absent(
    "torch.Tensor.eig", "torch.Tensor.lstsq", "torch.Tensor.solve", "torch.Tensor.symeig", "torch.eig", "torch.lstsq",
    "torch.matrix_rank", "torch.solve", "torch.symeig",
    why="PyTorch itself removed it: it raises and names its successor in torch.linalg, which is the one to use",
    rung="equivalent",
)
absent(
    "torch.Tensor.hash_tensor", "torch.binomial", "torch.hash_tensor", "torch.lobpcg",
    "torch.segment_reduce",
    why="no equivalent has been written; NumPy or SciPy compute it outside of the network, without a gradient",
    rung="packaged",
)
absent(
    "torch.Tensor.is_ipu", "torch.Tensor.is_maia", "torch.Tensor.is_mkldnn", "torch.Tensor.is_mtia",
    "torch.Tensor.is_vulkan", "torch.Tensor.is_xla", "torch.Tensor.is_xpu",
    why="it asks about a device or kind of tensor that MindSpore has not: the answer is always no",
    rung="equivalent",
)
absent(
    "torch.Tensor.slice_inverse", "torch.alias_copy", "torch.as_strided_copy", "torch.detach_copy", "torch.diagonal_copy",
    "torch.expand_copy", "torch.narrow_copy", "torch.permute_copy", "torch.select_copy", "torch.slice_copy",
    "torch.slice_inverse", "torch.split_copy", "torch.split_with_sizes_copy", "torch.squeeze_copy", "torch.t_copy",
    "torch.transpose_copy", "torch.unbind_copy", "torch.unfold_copy", "torch.unsqueeze_copy", "torch.view_as_complex_copy",
    "torch.view_as_real_copy", "torch.view_copy",
    why="a variant for PyTorch's functionalisation that copies what the function without the ending shows as a view: use that function and clone()",
    rung="equivalent",
)
absent(
    "torch.adaptive_max_pool1d", "torch.affine_grid_generator", "torch.alpha_dropout", "torch.alpha_dropout_",
    "torch.binary_cross_entropy_with_logits", "torch.convolution", "torch.ctc_loss", "torch.dropout_",
    "torch.embedding_bag", "torch.feature_alpha_dropout", "torch.feature_alpha_dropout_",
    "torch.feature_dropout", "torch.feature_dropout_", "torch.grid_sampler", "torch.grid_sampler_2d",
    "torch.grid_sampler_3d", "torch.kl_div", "torch.max_pool1d_with_indices",
    "torch.poisson_nll_loss", "torch.triplet_margin_loss",
    why="the internal form of a function that PyTorch documents under torch.nn.functional: use that, it has an equivalent",
    rung="equivalent",
)
absent(
    "torch.batch_norm_backward_elemt", "torch.batch_norm_backward_reduce", "torch.batch_norm_elemt",
    "torch.batch_norm_gather_stats", "torch.batch_norm_gather_stats_with_counts", "torch.batch_norm_stats",
    "torch.batch_norm_update_stats", "torch.embedding_renorm_", "torch.frobenius_norm", "torch.native_batch_norm",
    "torch.native_dropout", "torch.native_group_norm", "torch.native_layer_norm", "torch.native_norm",
    "torch.nn.functional.native_channel_shuffle", "torch.nuclear_norm",
    why="an internal kernel that PyTorch's documented functions call (nn.functional.batch_norm, layer_norm, dropout, linalg.norm): use those, they have equivalents",
    rung="equivalent",
)
absent(
    "torch.gru", "torch.gru_cell", "torch.lstm", "torch.lstm_cell", "torch.rnn_relu", "torch.rnn_relu_cell",
    "torch.rnn_tanh", "torch.rnn_tanh_cell",
    why="the function under a layer: use nn.LSTM, nn.GRU, nn.RNN, their cells, or nn.MultiheadAttention, which have equivalents",
    rung="equivalent",
)
absent(
    "torch.linalg.LinAlgError",
    why="MindSpore raises RuntimeError or ValueError where a decomposition fails, or nothing: check the result",
    rung="equivalent",
)
absent(
    "torch.nn.functional.adaptive_max_pool3d_with_indices", "torch.nn.functional.max_pool3d_with_indices", "torch.nn.functional.fractional_max_pool2d_with_indices",
    "torch.nn.functional.fractional_max_pool3d_with_indices",
    why="call the function without the ending and with return_indices=True, which has an equivalent",
    rung="equivalent",
)
absent(
    "torch.nn.functional.grouped_mm",
    why="a kernel of one model family; write it with ops.bmm over padded groups",
    rung="packaged",
)
