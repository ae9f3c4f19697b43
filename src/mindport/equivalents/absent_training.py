"""Parts of training (optimizers, hooks, gradients) that MindSpore has nothing for."""

from mindport.declare import absent

absent(
    "torch.Generator.clone_state", "torch.Generator.get_offset", "torch.Generator.graphsafe_get_state",
    "torch.Generator.graphsafe_set_state", "torch.Generator.set_offset",
    why="the state of MindSpore's random numbers can be read, but setting it does not bring back the same draws on CPU (measured: ops.rand, randn and multinomial): call mindspore.set_seed where the draws have to repeat",
    rung="packaged",
)
absent(
    "torch.cuda.amp.amp_definitely_not_available",
    why="MindSpore scales losses with mindspore.amp.StaticLossScaler and DynamicLossScaler and casts networks with mindspore.amp.auto_mixed_precision; this part of torch's interface has no counterpart",
    rung="packaged",
)
absent(
    "torch.autograd.Function.apply", "torch.autograd.Function.backward", "torch.autograd.Function.boxed_grads_call",
    "torch.autograd.Function.clear_saved_tensors_on_access", "torch.autograd.Function.dirty_tensors",
    "torch.autograd.Function.forward", "torch.autograd.Function.generate_vmap_rule", "torch.autograd.Function.jvp",
    "torch.autograd.Function.mark_dirty", "torch.autograd.Function.mark_non_differentiable",
    "torch.autograd.Function.mark_shared_storage", "torch.autograd.Function.materialize_grads",
    "torch.autograd.Function.maybe_clear_saved_tensors", "torch.autograd.Function.metadata", "torch.autograd.Function.name",
    "torch.autograd.Function.needs_input_grad", "torch.autograd.Function.next_functions",
    "torch.autograd.Function.non_differentiable", "torch.autograd.Function.register_hook",
    "torch.autograd.Function.register_prehook", "torch.autograd.Function.requires_grad",
    "torch.autograd.Function.save_for_backward", "torch.autograd.Function.save_for_forward",
    "torch.autograd.Function.saved_for_forward", "torch.autograd.Function.saved_tensors",
    "torch.autograd.Function.saved_variables", "torch.autograd.Function.set_materialize_grads",
    "torch.autograd.Function.setup_context", "torch.autograd.Function.to_save", "torch.autograd.Function.vjp",
    "torch.autograd.Function.vmap",
    why="part of how PyTorch runs a Function; MindSpore's _Function knows forward, backward, apply, save_for_backward, saved_tensors, mark_dirty and mark_non_differentiable, and this name not",
    rung="community",
)
absent(
    "torch.autograd.NestedIOFunction", "torch.autograd.variable",
    why="PyTorch's tensors before version 0.4: a tensor is its own Variable, write the tensor",
    rung="equivalent",
)
absent(
    "torch.autograd.enforce_grad_layout_policy", "torch.autograd.graph.GradientEdge", "torch.autograd.graph.Node",
    "torch.autograd.graph.allow_mutation_on_saved_tensors", "torch.autograd.graph.disable_saved_tensors_hooks",
    "torch.autograd.graph.get_gradient_edge", "torch.autograd.graph.increment_version",
    "torch.autograd.graph.region_activation_memory_budget", "torch.autograd.graph.register_multi_grad_hook",
    "torch.autograd.graph.save_on_cpu", "torch.autograd.graph.saved_tensors_hooks",
    "torch.autograd.graph.set_override_stale_capture_stream",
    "torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch", "torch.autograd.set_multithreading_enabled",
    why="MindSpore builds no graph behind tensors that could be looked into or changed: gradients are taken of functions, with mindspore.grad and value_and_grad",
    rung="community",
)
absent(
    "torch.autograd.forward_ad.UnpackedDualTensor", "torch.autograd.forward_ad.dual_level",
    "torch.autograd.forward_ad.enter_dual_level", "torch.autograd.forward_ad.exit_dual_level",
    "torch.autograd.forward_ad.make_dual", "torch.autograd.forward_ad.unpack_dual",
    why="forward mode with dual tensors; mindspore.jvp(fn, inputs, tangents) computes the same product for a function",
    rung="packaged",
)
absent(
    "torch.autograd.gradcheck", "torch.autograd.gradgradcheck",
    why="MindSpore has no check of gradients by finite differences; compare with mindport verify, or with a quotient of differences",
    rung="packaged",
)
absent(
    "torch.func.debug_unwrap", "torch.func.functionalize", "torch.func.linearize", "torch.func.rearrange",
    "torch.func.replace_all_batch_norm_modules_",
    why="a transformation over PyTorch's dispatcher or over modules as functions that MindSpore's grad, vjp, jvp, jacrev, jacfwd and vmap do not offer",
    rung="community",
)
absent(
    "torch.nn.Container", "torch.nn.LinearCrossEntropyOptions", "torch.nn.factory_kwargs",
    why="a helper of PyTorch's own module code, deprecated or internal",
    rung="community",
)
absent(
    "torch.nn.Module.T_destination", "torch.nn.Module.call_super_init", "torch.nn.Module.dump_patches",
    "torch.nn.Module.forward", "torch.nn.Module.get_extra_state", "torch.nn.Module.register_load_state_dict_post_hook",
    "torch.nn.Module.register_load_state_dict_pre_hook", "torch.nn.Module.register_state_dict_post_hook",
    "torch.nn.Module.register_state_dict_pre_hook", "torch.nn.Module.set_extra_state", "torch.nn.ParameterDict.copy",
    "torch.nn.ParameterDict.extra_repr", "torch.nn.ParameterDict.fromkeys", "torch.nn.ParameterList.extra_repr",
    "torch.nn.Sequential.forward",
    why="a part of modules' and containers' interface that MindSpore's cells do not have; iterate over cells_and_names() or parameters_and_names()",
    rung="packaged",
)
absent(
    "torch.nn.attention.SDPBackend", "torch.nn.attention.activate_flash_attention_impl",
    "torch.nn.attention.current_flash_attention_impl", "torch.nn.attention.list_flash_attention_impls",
    "torch.nn.attention.register_flash_attention_impl", "torch.nn.attention.restore_flash_attention_impl",
    why="it chooses among PyTorch's attention kernels; MindSpore chooses by device: drop it",
    rung="equivalent",
)
absent(
    "torch.nn.utils.convert_conv2d_weight_memory_format", "torch.nn.utils.convert_conv3d_weight_memory_format",
    "torch.nn.utils.fuse_conv_bn_weights", "torch.nn.utils.fuse_linear_bn_weights", "torch.nn.utils.skip_init",
    why="a rewrite of modules or parameters that has not been written for MindSpore's cells",
    rung="packaged",
)
absent(
    "torch.nn.utils.parametrize.ParametrizationList",
    "torch.nn.utils.parametrize.transfer_parametrizations_and_params",
    "torch.nn.utils.parametrize.type_before_parametrizations",
    why="parametrisations replace a parameter by a function of others when it is read; a MindSpore Cell reads its parameters directly: compute the weight in construct from the unconstrained parameter",
    rung="packaged",
)
absent(
    "torch.nn.utils.rnn.PackedSequence.byte",
    "torch.nn.utils.rnn.PackedSequence.char", "torch.nn.utils.rnn.PackedSequence.cpu",
    "torch.nn.utils.rnn.PackedSequence.cuda",
    "torch.nn.utils.rnn.PackedSequence.double", "torch.nn.utils.rnn.PackedSequence.float",
    "torch.nn.utils.rnn.PackedSequence.half", "torch.nn.utils.rnn.PackedSequence.int",
    "torch.nn.utils.rnn.PackedSequence.is_cuda", "torch.nn.utils.rnn.PackedSequence.is_pinned",
    "torch.nn.utils.rnn.PackedSequence.long", "torch.nn.utils.rnn.PackedSequence.pin_memory",
    "torch.nn.utils.rnn.PackedSequence.short",
    "torch.nn.utils.rnn.PackedSequence.to",
    why="a packed sequence is handed on and unpacked with pad_packed_sequence; the equivalent has no conversion methods: convert before packing",
    rung="packaged",
)
absent(
    "torch.optim.Optimizer.OptimizerPostHook", "torch.optim.Optimizer.OptimizerPreHook",
    "torch.optim.Optimizer.profile_hook_step", "torch.optim.Optimizer.register_load_state_dict_post_hook",
    "torch.optim.Optimizer.register_load_state_dict_pre_hook", "torch.optim.Optimizer.register_state_dict_post_hook",
    "torch.optim.Optimizer.register_state_dict_pre_hook",
    "torch.optim.swap_in_optimizer_params_and_state",
    why="the optimizers of mindport call hooks around steps only: change the dict that state_dict() gives, or that load_state_dict(...) takes",
    rung="packaged",
)
absent(
    "torch.utils.checkpoint.CheckpointError", "torch.utils.checkpoint.CheckpointFunction",
    "torch.utils.checkpoint.CheckpointPolicy", "torch.utils.checkpoint.DefaultDeviceType",
    "torch.utils.checkpoint.GraphExecGroup", "torch.utils.checkpoint.SelectiveCheckpointContext",
    "torch.utils.checkpoint.check_backward_validity", "torch.utils.checkpoint.create_selective_checkpoint_contexts",
    "torch.utils.checkpoint.detach_variable", "torch.utils.checkpoint.noop_context_fn",
    "torch.utils.checkpoint.set_checkpoint_debug_enabled", "torch.utils.checkpoint.set_checkpoint_early_stop",
    why="a setting or inner part of activation checkpointing; mindspore.recompute(function, *args) and Cell.recompute() have no such setting",
    rung="community",
)
absent(
    "torch.utils.data.DFIterDataPipe", "torch.utils.data.DataChunk", "torch.utils.data.IterDataPipe",
    "torch.utils.data.MapDataPipe", "torch.utils.data.argument_validation", "torch.utils.data.functional_datapipe",
    "torch.utils.data.guaranteed_datapipes_determinism", "torch.utils.data.non_deterministic",
    "torch.utils.data.runtime_validation", "torch.utils.data.runtime_validation_disabled",
    why="data pipes left PyTorch with the torchdata library; write a data set class, or a mindspore.dataset pipeline",
    rung="packaged",
)
