"""torch names that MindSpore offers nothing for, each with the reason and the way out."""

from mindport.declare import absent

absent(
    "torch.ao.quantization.QConfig", "torch.ao.quantization.fuse_modules", "torch.ao.quantization.fuse_modules_qat",
    "torch.ao.quantization.convert", "torch.ao.quantization.prepare", "torch.ao.quantization.prepare_qat",
    "torch.ao.quantization.get_default_qconfig", "torch.ao.quantization.default_observer",
    "torch.ao.quantization.default_weight_observer",
    why="quantisation in MindSpore is the separate package mindspore-gs (Golden Stick), with another interface",
)
absent(
    "torch.fx.Tracer", "torch.fx.Graph", "torch.fx.GraphModule", "torch.fx.symbolic_trace", "torch.fx.Node",
    why="MindSpore's graphs are not Python objects: mindspore.rewrite edits networks, with another interface",
)
absent("torch.package.PackageImporter", "torch.package.PackageExporter", why="MindSpore has no package format; export with mindspore.export")
absent("torch.onnx.export", why="use mindspore.export(net, *inputs, file_format='ONNX')", rung="packaged")
absent("torch.library.Library", "torch.library.custom_op", "torch.library.define", why="custom operators are written with mindspore.ops.Custom", rung="custom operator")
absent("torch.classes.load_library", "torch.ops.load_library", why="compiled PyTorch operators do not run in MindSpore; write them with mindspore.ops.Custom", rung="custom operator")
