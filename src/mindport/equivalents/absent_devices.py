"""Devices, streams, allocators and kernel switches that MindSpore has no counterpart of."""

from mindport.declare import absent

absent(
    "torch.AcceleratorError", "torch.Tensor.ipu", "torch.Tensor.mtia", "torch.Tensor.to_mkldnn",
    "torch.get_device_module", "torch.nn.Module.mtia",
    why="a device that MindSpore has no notion of; tensors follow the device that mindspore.set_device chose",
    rung="community",
)
absent(
    "torch.BFloat16Storage", "torch.BoolStorage", "torch.ByteStorage", "torch.CharStorage", "torch.ComplexDoubleStorage",
    "torch.ComplexFloatStorage", "torch.DoubleStorage", "torch.FloatStorage", "torch.HalfStorage", "torch.IntStorage",
    "torch.LongStorage", "torch.ShortStorage", "torch.StorageBase", "torch.Tensor.storage", "torch.Tensor.storage_type",
    "torch.Tensor.untyped_storage", "torch.TypedStorage", "torch.UntypedStorage", "torch.cuda.BFloat16Storage",
    "torch.cuda.BoolStorage", "torch.cuda.ByteStorage", "torch.cuda.CharStorage", "torch.cuda.ComplexDoubleStorage",
    "torch.cuda.ComplexFloatStorage", "torch.cuda.DoubleStorage", "torch.cuda.FloatStorage", "torch.cuda.HalfStorage",
    "torch.cuda.IntStorage", "torch.cuda.LongStorage", "torch.cuda.ShortStorage",
    why="a tensor's storage as an object of its own; MindSpore shows none: count bytes with tensor.nbytes, share memory through views, save with mindspore.save_checkpoint",
    rung="community",
)
absent(
    "torch.cpu.StreamContext",
    why="streams of one device; mindspore.runtime has Stream, Event, StreamCtx and current_stream for Ascend and GPU; on CPU there are none",
    rung="equivalent",
)
absent(
    "torch.accelerator.Graph", "torch.accelerator.empty_host_cache", "torch.accelerator.get_device_capability",
    "torch.accelerator.get_memory_info", "torch.accelerator.reset_accumulated_memory_stats",
    "torch.cpu.current_device", "torch.cpu.device_count", "torch.cpu.get_capabilities", "torch.cpu.is_available",
    "torch.cpu.is_initialized", "torch.cpu.set_device", "torch.cpu.synchronize", "torch.cuda.get_rng_state",
    "torch.cuda.initial_seed", "torch.cuda.reset_accumulated_memory_stats", "torch.cuda.seed", "torch.cuda.seed_all",
    "torch.cuda.set_rng_state",
    why="a call about PyTorch's device management; MindSpore's device is set once with mindspore.set_device, its memory and streams are under mindspore.runtime, both without counterpart to this call",
    rung="community",
)
absent(
    "torch.autocast_decrement_nesting", "torch.autocast_increment_nesting", "torch.get_autocast_ipu_dtype",
    "torch.get_autocast_xla_dtype", "torch.is_autocast_cache_enabled", "torch.set_autocast_cache_enabled",
    "torch.set_autocast_cpu_dtype", "torch.set_autocast_cpu_enabled", "torch.set_autocast_dtype",
    "torch.set_autocast_enabled", "torch.set_autocast_gpu_dtype", "torch.set_autocast_ipu_dtype",
    "torch.set_autocast_ipu_enabled", "torch.set_autocast_xla_dtype", "torch.set_autocast_xla_enabled",
    why="autocast keeps a thread's state; mindspore.amp.auto_mixed_precision casts a network once and for all, so there is no state to set",
    rung="community",
)
absent(
    "torch.backends.cpu.get_cpu_capability", "torch.backends.cuda.SDPAParams",
    "torch.backends.cuda.allow_fp16_bf16_reduction_math_sdp", "torch.backends.cuda.blas_workspace_size",
    "torch.backends.cuda.can_use_cudnn_attention", "torch.backends.cuda.can_use_efficient_attention",
    "torch.backends.cuda.can_use_flash_attention", "torch.backends.cuda.cuBLASModule",
    "torch.backends.cuda.cuFFTPlanCache", "torch.backends.cuda.cuFFTPlanCacheAttrContextProp",
    "torch.backends.cuda.cuFFTPlanCacheManager", "torch.backends.cuda.cublas_workspace_size",
    "torch.backends.cuda.cublaslt_workspace_size", "torch.backends.cuda.cudnn_sdp_enabled",
    "torch.backends.cuda.flash_sdp_enabled", "torch.backends.cuda.fp16_bf16_reduction_math_sdp_allowed",
    "torch.backends.cuda.is_ck_sdpa_available", "torch.backends.cuda.is_flash_attention_available",
    "torch.backends.cuda.math_sdp_enabled", "torch.backends.cuda.mem_efficient_sdp_enabled",
    "torch.backends.cuda.preferred_blas_library", "torch.backends.cuda.preferred_linalg_library",
    "torch.backends.cuda.preferred_rocm_fa_library", "torch.backends.mkl.is_available", "torch.backends.mkl.verbose",
    "torch.backends.openmp.is_available",
    why="a switch of PyTorch's own kernels (cuBLAS, cuDNN, flash attention, MKL); MindSpore chooses kernels itself, mindspore.set_deterministic and mindspore.device_context hold what can be chosen",
    rung="community",
)
absent(
    "torch.backends.mps.get_core_count", "torch.backends.mps.get_name", "torch.backends.mps.is_macos13_or_newer",
    "torch.backends.mps.is_macos_or_newer", "torch.mps.compile_shader", "torch.mps.current_allocated_memory",
    "torch.mps.driver_allocated_memory", "torch.mps.get_rng_state", "torch.mps.load_metallib",
    "torch.mps.manual_seed", "torch.mps.recommended_max_memory", "torch.mps.seed",
    "torch.mps.set_per_process_memory_fraction", "torch.mps.set_rng_state",
    why="Apple's and Vulkan's GPUs are no device of MindSpore (Ascend, GPU, CPU); on a Mac it runs on the CPU",
    rung="community",
)
absent(
    "torch.cuda.BFloat16Tensor",
    why="a type of tensors that live on a CUDA device; MindSpore's tensors have no device in their type: mindspore.Tensor(data, dtype)",
    rung="equivalent",
)
absent(
    "torch.cuda.CUDAGraph", "torch.cuda.CUDAPluggableAllocator", "torch.cuda.ExternalStream",
    "torch.cuda.GreenContext", "torch.cuda.MemPool", "torch.cuda.caching_allocator_alloc",
    "torch.cuda.caching_allocator_delete", "torch.cuda.caching_allocator_disabled",
    "torch.cuda.caching_allocator_enable", "torch.cuda.change_current_allocator", "torch.cuda.get_allocator_backend",
    "torch.cuda.get_stream_from_external", "torch.cuda.graph", "torch.cuda.graph_pool_handle",
    "torch.cuda.make_graphed_callables", "torch.cuda.use_mem_pool",
    why="CUDA graphs and allocators of PyTorch; MindSpore captures a whole function with mindspore.jit and keeps its own memory pool, set by mindspore.runtime.set_memory",
    rung="community",
)
absent(
    "torch.cuda.CudaError", "torch.cuda.DeferredCudaCallError", "torch.cuda.can_device_access_peer",
    "torch.cuda.check_error", "torch.cuda.clock_rate", "torch.cuda.cudaStatus", "torch.cuda.cudart",
    "torch.cuda.current_blas_handle", "torch.cuda.current_solver_handle", "torch.cuda.device_memory_used",
    "torch.cuda.get_gencode_flags", "torch.cuda.get_per_process_memory_fraction",
    "torch.cuda.get_sync_debug_mode", "torch.cuda.host_memory_stats", "torch.cuda.host_memory_stats_as_nested_dict",
    "torch.cuda.list_gpu_processes", "torch.cuda.memory_snapshot",
    "torch.cuda.memory_stats_as_nested_dict", "torch.cuda.memory_usage", "torch.cuda.power_draw",
    "torch.cuda.reset_accumulated_host_memory_stats", "torch.cuda.reset_peak_host_memory_stats",
    "torch.cuda.set_sync_debug_mode", "torch.cuda.temperature", "torch.cuda.utilization",
    why="a fact or setting of NVIDIA's driver; MindSpore's device is asked with mindspore.hal.get_device_properties and npu-smi or nvidia-smi, its memory is limited with mindspore.runtime.set_memory(max_size=…)",
    rung="community",
)
absent(
    "torch.cudnn_affine_grid_generator", "torch.cudnn_batch_norm", "torch.cudnn_convolution",
    "torch.cudnn_convolution_add_relu", "torch.cudnn_convolution_relu", "torch.cudnn_convolution_transpose",
    "torch.cudnn_grid_sampler", "torch.cudnn_is_acceptable", "torch.miopen_batch_norm", "torch.miopen_convolution",
    "torch.miopen_convolution_add_relu", "torch.miopen_convolution_relu", "torch.miopen_convolution_transpose",
    "torch.miopen_ctc_loss", "torch.miopen_depthwise_convolution", "torch.miopen_rnn", "torch.mkldnn_adaptive_avg_pool2d",
    "torch.mkldnn_convolution", "torch.mkldnn_linear_backward_weights", "torch.mkldnn_max_pool2d", "torch.mkldnn_max_pool3d",
    "torch.mkldnn_rnn_layer",
    why="it calls one vendor's kernel directly; the public function (nn.functional.conv2d, batch_norm, lstm …) has an equivalent: use that in the PyTorch code first",
    rung="equivalent",
)
absent(
    "torch.xpu.MemPool", "torch.xpu.StreamContext", "torch.xpu.XPUGraph", "torch.xpu.XPUPluggableAllocator",
    "torch.xpu.can_device_access_peer", "torch.xpu.change_current_allocator", "torch.xpu.clock_rate",
    "torch.xpu.device_memory_used", "torch.xpu.device_of", "torch.xpu.get_device_capability",
    "torch.xpu.get_device_properties", "torch.xpu.get_gencode_flags", "torch.xpu.get_per_process_memory_fraction",
    "torch.xpu.get_rng_state", "torch.xpu.get_stream_from_external", "torch.xpu.graph", "torch.xpu.graph_pool_handle",
    "torch.xpu.initial_seed", "torch.xpu.is_current_stream_capturing", "torch.xpu.is_tf32_supported",
    "torch.xpu.make_graphed_callables", "torch.xpu.manual_seed", "torch.xpu.manual_seed_all",
    "torch.xpu.mem_get_info", "torch.xpu.memory_snapshot", "torch.xpu.memory_stats_as_nested_dict",
    "torch.xpu.memory_usage", "torch.xpu.power_draw", "torch.xpu.reset_accumulated_memory_stats", "torch.xpu.seed",
    "torch.xpu.seed_all", "torch.xpu.set_device", "torch.xpu.set_rng_state", "torch.xpu.synchronize",
    "torch.xpu.temperature", "torch.xpu.use_mem_pool", "torch.xpu.utilization",
    why="Intel GPUs are no device of MindSpore (Ascend, GPU, CPU); the calls for streams and memory are mindspore.runtime's, without a device argument",
    rung="community",
)
