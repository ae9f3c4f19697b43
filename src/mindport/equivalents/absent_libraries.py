"""Names of other libraries that nothing stands for, each with what to write instead: apex (it runs on NVIDIA's GPUs alone, so nothing could be compared with it), counters of operations."""

from mindport.declare import absent

absent(
    "apex.amp.initialize", "apex.amp.scale_loss", "apex.amp.master_params", "apex.amp.state_dict", "apex.amp.load_state_dict", "apex.amp.init", "apex.amp.register_float_function",
    "apex.amp.register_half_function", "apex.amp.float_function", "apex.amp.half_function", "apex.amp.disable_casts", "apex.amp.handle.scale_loss",
    why="apex changes PyTorch's functions for NVIDIA's GPUs. In the PyTorch project write torch.autocast around the forward pass and torch.amp.GradScaler around the step, which are converted (and optimizer.param_groups for amp.master_params), or leave the branch out: at opt_level O0 it changes nothing",
    rung="packaged",
)
absent(
    "apex.parallel.DistributedDataParallel", "apex.parallel.distributed.DistributedDataParallel", "apex.parallel.Reducer",
    why="write torch.nn.parallel.DistributedDataParallel, which is converted",
    rung="packaged",
)
absent(
    "apex.parallel.SyncBatchNorm", "apex.parallel.convert_syncbn_model", "apex.parallel.create_syncbn_process_group",
    why="write torch.nn.SyncBatchNorm and torch.nn.SyncBatchNorm.convert_sync_batchnorm, which are converted; channel_last and fuse_relu have no counterpart there",
    rung="packaged",
)
absent(
    "apex.normalization.FusedLayerNorm", "apex.normalization.MixedFusedLayerNorm", "apex.normalization.fused_layer_norm.FusedLayerNorm",
    why="write torch.nn.LayerNorm, which has the arguments normalized_shape, eps and elementwise_affine as well",
    rung="packaged",
)
absent(
    "apex.normalization.FusedRMSNorm", "apex.normalization.MixedFusedRMSNorm", "apex.normalization.fused_layer_norm.FusedRMSNorm",
    why="write torch.nn.RMSNorm, which has the arguments normalized_shape, eps and elementwise_affine as well",
    rung="packaged",
)
absent(
    "apex.optimizers.FusedAdam", "apex.optimizers.fused_adam.FusedAdam",
    why="write torch.optim.AdamW (by default, adam_w_mode=True), or torch.optim.Adam where adam_w_mode=False; lr, betas, eps and weight_decay are the same, AdamW's default of weight_decay is not (0.01, FusedAdam's 0)",
    rung="packaged",
)
absent(
    "apex.optimizers.FusedSGD", "apex.optimizers.fused_sgd.FusedSGD",
    why="write torch.optim.SGD, which has the arguments lr, momentum, dampening, weight_decay and nesterov as well",
    rung="packaged",
)
absent(
    "apex.optimizers.FusedAdagrad", "apex.optimizers.fused_adagrad.FusedAdagrad",
    why="write torch.optim.Adagrad; FusedAdagrad's adagrad_w_mode and its default of eps (1e-10) are to be looked at",
    rung="packaged",
)
absent(
    "apex.optimizers.FusedLAMB", "apex.optimizers.FusedNovoGrad", "apex.optimizers.fused_lamb.FusedLAMB", "apex.optimizers.fused_novograd.FusedNovoGrad", "apex.optimizers.FusedMixedPrecisionLamb",
    why="PyTorch has no such optimizer: take one that is written in Python into the project (a class derived from torch.optim.Optimizer is converted), or timm.optim's along (--with timm)",
    rung="packaged",
)
absent(
    "thop.profile", "thop.clever_format", "thop.profile_origin", "ptflops.get_model_complexity_info", "ptflops.flops_to_string", "ptflops.params_to_string",
    "fvcore.nn.FlopCountAnalysis", "fvcore.nn.ActivationCountAnalysis", "fvcore.nn.flop_count", "fvcore.nn.flop_count_table", "fvcore.nn.flop_count_str",
    "fvcore.nn.parameter_count", "fvcore.nn.parameter_count_table", "torchinfo.summary", "torchsummary.summary_string",
    why="it counts what PyTorch's layers compute, by hooks on them; the numbers are the architecture's, the same in either framework: count in the PyTorch project, and leave the call out here (parameters alone: sum(p.numel() for p in model.parameters()))",
    rung="packaged",
)
