"""PyTorch compilers, graphs, exporters and operator registration without a MindSpore counterpart."""

from mindport.declare import absent

absent(
    "torch.AggregationType", "torch.AliasDb", "torch.AnyType", "torch.Argument", "torch.ArgumentSpec", "torch.AwaitType",
    "torch.Block", "torch.BoolType", "torch.BufferDict", "torch.CallStack", "torch.Capsule", "torch.ClassType", "torch.Code",
    "torch.CompilationUnit", "torch.CompleteArgumentSpec", "torch.ComplexType", "torch.ConcreteModuleType",
    "torch.ConcreteModuleTypeBuilder", "torch.DeepCopyMemoTable", "torch.DeserializationStorageContext",
    "torch.DeviceObjType", "torch.DictType", "torch.EnumType", "torch.ErrorReport", "torch.ExecutionPlan",
    "torch.FatalError", "torch.FileCheck", "torch.FloatType", "torch.FunctionSchema", "torch.FutureType", "torch.Gradient",
    "torch.Graph", "torch.GraphExecutorState", "torch.IODescriptor", "torch.InferredType", "torch.IntType",
    "torch.InterfaceType", "torch.JITException", "torch.ListType", "torch.LiteScriptModule", "torch.LockingLogger",
    "torch.LoggerBase", "torch.ModuleDict", "torch.Node", "torch.NoneType", "torch.NoopLogger", "torch.NumberType",
    "torch.OperatorInfo", "torch.OptionalType", "torch.ParameterDict", "torch.PyObjectType", "torch.PyTorchFileReader",
    "torch.PyTorchFileWriter", "torch.RRefType", "torch.ScriptClass", "torch.ScriptClassFunction", "torch.ScriptDict",
    "torch.ScriptDictIterator", "torch.ScriptDictKeyIterator", "torch.ScriptFunction", "torch.ScriptList",
    "torch.ScriptListIterator", "torch.ScriptMethod", "torch.ScriptModule", "torch.ScriptModuleSerializer",
    "torch.ScriptObject", "torch.ScriptObjectProperty", "torch.SerializationStorageContext", "torch.StaticModule",
    "torch.StreamObjType", "torch.StringType", "torch.SymBoolType", "torch.SymIntType", "torch.TensorType",
    "torch.TracingState", "torch.TupleType", "torch.Type", "torch.UnionType", "torch.Use", "torch.Value",
    "torch.classproperty", "torch.get_file_path", "torch.import_ir_module", "torch.import_ir_module_from_buffer",
    "torch.merge_type_from_type_comment", "torch.parse_ir", "torch.parse_schema", "torch.parse_type_comment",
    "torch.unify_type_list",
    why="it is a class or function of the TorchScript compiler and its file format; MindSpore's compiler, mindspore.jit, shows no graph objects to Python, and a compiled model is saved with mindspore.export",
    rung="community",
)
absent(
    "torch.BenchmarkConfig", "torch.BenchmarkExecutionStats", "torch.Future", "torch.ThroughputBenchmark", "torch.fork",
    "torch.futures.Future", "torch.futures.collect_all", "torch.futures.wait_all", "torch.jit.fork", "torch.jit.wait",
    "torch.wait",
    why="asynchronous tasks and benchmarks of the TorchScript interpreter; MindSpore already launches kernels asynchronously, other work goes into concurrent.futures of the standard library",
    rung="packaged",
)
absent(
    "torch.DisableTorchFunction", "torch.DisableTorchFunctionSubclass", "torch.overrides.enable_reentrant_dispatch",
    "torch.overrides.get_ignored_functions", "torch.overrides.get_overridable_functions",
    "torch.overrides.get_testing_overrides", "torch.overrides.is_tensor_like",
    "torch.overrides.is_tensor_method_or_property", "torch.overrides.redispatch_function", "torch.overrides.resolve_name",
    "torch.overrides.wrap_torch_function",
    why="the __torch_function__ protocol lets classes replace torch's functions; MindSpore's functions take no such overrides, call your class's own method instead",
    rung="community",
)
absent(
    "torch.DispatchKey", "torch.DispatchKeySet", "torch.ExcludeDispatchKeyGuard", "torch.Tag",
    "torch.compiled_with_cxx11_abi", "torch.init_num_threads", "torch.prepare_multiprocessing_environment",
    "torch.profiler_allow_cudagraph_cupti_lazy_reinit_cuda12", "torch.thread_safe_generator",
    why="an internal of PyTorch's C++ dispatcher and build; MindSpore has its own and shows nothing like it to Python",
    rung="community",
)
absent(
    "torch.sym_constrain_range", "torch.sym_constrain_range_for_size",
    "torch.sym_float", "torch.sym_fresh_size", "torch.sym_int", "torch.sym_ite", "torch.sym_max", "torch.sym_min",
    "torch.sym_not", "torch.sym_sqrt", "torch.sym_sum",
    why="symbolic sizes belong to torch.compile and torch.export; under mindspore.jit a size is a Python int, or -1 where the shape is dynamic: use the plain Python operation",
    rung="equivalent",
)
absent(
    "torch.compiler.allow_in_graph", "torch.compiler.assume_constant_result", "torch.compiler.compile",
    "torch.compiler.cudagraph_mark_step_begin", "torch.compiler.disable", "torch.compiler.get_default_backend",
    "torch.compiler.keep_portable_guards_unsafe", "torch.compiler.keep_tensor_guards_unsafe",
    "torch.compiler.list_backends", "torch.compiler.load_cache_artifacts", "torch.compiler.load_compiled_function",
    "torch.compiler.nested_compile_region", "torch.compiler.save_cache_artifacts",
    "torch.compiler.set_default_backend", "torch.compiler.set_enable_guard_collectives", "torch.compiler.set_stance",
    "torch.compiler.skip_all_guards_unsafe", "torch.compiler.skip_guard_on_all_nn_modules_unsafe",
    "torch.compiler.skip_guard_on_globals_unsafe", "torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe",
    "torch.compiler.substitute_in_graph", "torch.compiler.wrap_numpy",
    why="it steers torch.compile (Dynamo and Inductor); mindspore.jit takes its settings as arguments (capture_mode, jit_level, backend) and has no counterpart to this one",
    rung="community",
)
absent(
    "torch.cond", "torch.while_loop",
    why="a control-flow operator for torch.compile; mindspore.jit compiles Python's own if and while over tensors: write those",
    rung="equivalent",
)
absent(
    "torch.export.AdditionalInputs", "torch.export.CustomDecompTable", "torch.export.Dim",
    "torch.export.ExportBackwardSignature", "torch.export.ExportGraphSignature", "torch.export.ExportedProgram",
    "torch.export.FlatArgsAdapter", "torch.export.ModuleCallEntry", "torch.export.ModuleCallSignature",
    "torch.export.ShapesCollection", "torch.export.UnflattenedModule", "torch.export.default_decompositions",
    "torch.export.dims", "torch.export.draft_export", "torch.export.export", "torch.export.load",
    "torch.export.register_dataclass", "torch.export.save", "torch.export.unflatten",
    why="torch.export's programs have no counterpart object; mindspore.export(net, *inputs, file_format='MINDIR') writes the compiled network, mindspore.load and nn.GraphCell read it",
    rung="packaged",
)
absent(
    "torch.fx.Interpreter", "torch.fx.Proxy", "torch.fx.Transformer", "torch.fx.has_side_effect", "torch.fx.map_arg",
    "torch.fx.replace_pattern",
    why="MindSpore's graphs are not Python objects: mindspore.rewrite edits networks, with another interface",
    rung="community",
)
absent(
    "torch.jit.Attribute", "torch.jit.ScriptModule", "torch.jit.enable_onednn_fusion",
    "torch.jit.export_opnames", "torch.jit.load", "torch.jit.onednn_fusion_enabled",
    "torch.jit.save", "torch.jit.set_fusion_strategy", "torch.jit.strict_fusion",
    why="TorchScript's modules and passes; mindspore.jit compiles a function or a Cell and optimises by itself, mindspore.export(net, *inputs, file_format='MINDIR') saves it for inference",
    rung="packaged",
)
absent(
    "torch.library.fallthrough_kernel", "torch.library.get_ctx", "torch.library.get_kernel", "torch.library.impl_abstract",
    "torch.library.infer_schema", "torch.library.register_torch_dispatch", "torch.library.register_vmap",
    "torch.library.triton_op", "torch.library.wrap_triton",
    why="it registers an operator with PyTorch's dispatcher; a custom operator is made with mindspore.ops.Custom or mindspore.ops.CustomOpBuilder",
    rung="custom operator",
)
absent(
    "torch.onnx.ExportableModule", "torch.onnx.InputObserver", "torch.onnx.ONNXProgram", "torch.onnx.OnnxExporterError",
    why="part of torch's ONNX exporter; mindspore.export(net, *inputs, file_format='ONNX') exports in one call and returns nothing to inspect",
    rung="packaged",
)
absent(
    "torch.package.Directory", "torch.package.EmptyMatchError", "torch.package.GlobGroup", "torch.package.Importer",
    "torch.package.ObjMismatchError", "torch.package.ObjNotFoundError", "torch.package.OrderedImporter",
    "torch.package.PackagingError", "torch.package.is_from_package",
    why="MindSpore has no package format that carries code and weights; save weights with mindspore.save_checkpoint, compiled networks with mindspore.export",
    rung="community",
)
absent(
    "torch.utils.cpp_extension.CUDAExtension", "torch.utils.cpp_extension.CppExtension",
    "torch.utils.cpp_extension.SyclExtension", "torch.utils.cpp_extension.check_compiler_is_gcc",
    "torch.utils.cpp_extension.check_compiler_ok_for_platform",
    "torch.utils.cpp_extension.get_compiler_abi_compatibility_and_version", "torch.utils.cpp_extension.get_cxx_compiler",
    "torch.utils.cpp_extension.get_default_build_root", "torch.utils.cpp_extension.include_paths",
    "torch.utils.cpp_extension.is_ninja_available", "torch.utils.cpp_extension.library_paths",
    "torch.utils.cpp_extension.load", "torch.utils.cpp_extension.load_inline",
    "torch.utils.cpp_extension.remove_extension_h_precompiler_headers",
    "torch.utils.cpp_extension.verify_ninja_availability",
    why="it compiles C++ against PyTorch's headers; C++ operators for MindSpore are built with mindspore.ops.CustomOpBuilder(name, sources).load() against MindSpore's own",
    rung="custom operator",
)
