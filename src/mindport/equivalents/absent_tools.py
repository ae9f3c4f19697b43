"""Profiling, timing and testing tools without a MindSpore counterpart."""

from mindport.declare import absent

absent(
    "torch.autograd.profiler.EnforceUnique", "torch.autograd.profiler.EventList",
    "torch.autograd.profiler.FunctionEvent", "torch.autograd.profiler.KinetoStepTracker",
    "torch.autograd.profiler.MemRecordsAcc", "torch.autograd.profiler.emit_itt", "torch.autograd.profiler.emit_nvtx",
    "torch.autograd.profiler.load_nvprof", "torch.autograd.profiler.parse_nvprof_trace",
    "torch.autograd.profiler.profile", "torch.profiler.DeviceType", "torch.profiler.ExecutionTraceObserver",
    "torch.profiler.ProfilerAction", "torch.profiler.ProfilerActivity", "torch.profiler.kineto_available",
    "torch.profiler.profile", "torch.profiler.schedule", "torch.profiler.supported_activities",
    "torch.profiler.tensorboard_trace_handler",
    why="mindspore.profiler.Profiler(activities, schedule=…, on_trace_ready=…) profiles a run on Ascend, GPU and CPU and writes the timeline itself; this helper of torch's profiler has no counterpart",
    rung="packaged",
)
absent(
    "torch.from_dlpack", "torch.from_file", "torch.to_dlpack",
    why="MindSpore exchanges memory with DLPack through mindspore.to_dlpack and mindspore.from_dlpack; numpy arrays go both ways everywhere: mindspore.Tensor(array), tensor.asnumpy()",
    rung="packaged",
)
absent(
    "torch.hub.help", "torch.hub.list", "torch.hub.set_dir",
    "torch.testing.assert_allclose", "torch.testing.make_tensor",
    "torch.utils.dlpack.DLDeviceType", "torch.utils.hooks.BackwardHook", "torch.utils.hooks.RemovableHandle",
    "torch.utils.hooks.unserializable_hook", "torch.utils.hooks.warn_if_has_hooks", "torch.utils.model_zoo.tqdm",
    why="a tool around PyTorch's own files and tests; MindSpore has no counterpart: numpy.testing compares arrays",
    rung="packaged",
)
absent(
    "torch.multiprocessing.get_all_sharing_strategies", "torch.multiprocessing.get_sharing_strategy",
    why="MindSpore's tensors cannot be shared between processes; pass NumPy arrays through Python's multiprocessing",
    rung="packaged",
)
absent(
    "torch.utils.benchmark.CallgrindStats", "torch.utils.benchmark.Colorize", "torch.utils.benchmark.Compare",
    "torch.utils.benchmark.CopyIfCallgrind", "torch.utils.benchmark.FunctionCount", "torch.utils.benchmark.FunctionCounts",
    "torch.utils.benchmark.FuzzedParameter", "torch.utils.benchmark.FuzzedSparseTensor",
    "torch.utils.benchmark.FuzzedTensor", "torch.utils.benchmark.Fuzzer", "torch.utils.benchmark.Language",
    "torch.utils.benchmark.Measurement", "torch.utils.benchmark.ParameterAlias", "torch.utils.benchmark.TaskSpec",
    "torch.utils.benchmark.Timer", "torch.utils.benchmark.ordered_unique", "torch.utils.benchmark.select_unit",
    "torch.utils.benchmark.set_torch_threads", "torch.utils.benchmark.timer", "torch.utils.benchmark.trim_sigfig",
    "torch.utils.benchmark.unit_to_english",
    why="a harness for timing; time.perf_counter around mindspore.runtime.synchronize() times a call, timeit repeats it",
    rung="packaged",
)
