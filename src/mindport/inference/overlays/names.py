"""Corrections to the names in torch's data."""

from __future__ import annotations

#: Other spelling → the name that torch documents, where the build command cannot see it.
CANONICAL: dict[str, str] = {
    "torch.jit._trace.is_tracing": "torch.jit.is_tracing",
    "torch.optim.lr_scheduler._LRScheduler": "torch.optim.lr_scheduler.LRScheduler",
    "torch.nn.functional.has_torch_function": "torch.overrides.has_torch_function",
    "torch.nn.functional.handle_torch_function": "torch.overrides.handle_torch_function",
    "torch.nn.modules.linear.NonDynamicallyQuantizableLinear": "torch.nn.Linear",
}

#: The library that became torch.func: its functions have the same names there.
FUNCTORCH = "functorch."

#: Members of classes that take no object, also where they are called on one.
STATIC = frozenset((
    "torch.nn.Transformer.generate_square_subsequent_mask", "torch.nn.Embedding.from_pretrained", "torch.nn.EmbeddingBag.from_pretrained",
    "torch.nn.SyncBatchNorm.convert_sync_batchnorm",
))  # fmt: skip

#: Records in the data file's format for names that it does not hold.
EXTRA: dict[str, str] = {
    "torch.__version__": "kstr",
    "torchvision.__version__": "kstr",
    "torchvision.get_image_backend": "f() -> str",
    "torch.version.cuda": "kstr",
    "torch.version.hip": "kstr",
    "torch.version.__version__": "kstr",
    "torch.jit.is_tracing": "f() -> bool",
    "torch._assert": "f(condition, message) -> None",
    "torch.overrides.has_torch_function": "f(relevant_args) -> bool",
    "torch.jit._unwrap_optional": "f(x)",
    "torch._shape_as_tensor": "f(input: Tensor) -> Tensor",
    "torch.autograd.function.FunctionCtx.saved_tensors": "atuple[Tensor, ...]",
    "torch.autograd.function.FunctionCtx.needs_input_grad": "atuple[bool, ...]",
    "torch.autograd.function.FunctionCtx.set_materialize_grads": "f(value: bool) -> None",
    "torch.nn.utils.rnn.PackedSequence.data": "aTensor",
    "torch.nn.utils.rnn.PackedSequence.batch_sizes": "aTensor",
    "torch.nn.utils.rnn.PackedSequence.sorted_indices": "aTensor | None",
    "torch.nn.utils.rnn.PackedSequence.unsorted_indices": "aTensor | None",
    "torch.nn.DataParallel.module": "aModule",
    "torch.nn.Transformer.encoder": "aTransformerEncoder",
    "torch.nn.Transformer.decoder": "aTransformerDecoder",
    "torch.nn.parallel.DistributedDataParallel.module": "aModule",
    "torch.device.type": "astr",
    "torch.device.index": "aint | None",
    "torch.Tensor.shape": "aSize",
    "torch.Tensor.data": "aTensor",
    "torch.Tensor.grad": "aTensor | None",
    "torch.Tensor.grad_fn": "a",
    "torch.Tensor.mT": "aTensor",
    "torch.Tensor.H": "aTensor",
    "torch.Tensor.mH": "aTensor",
    "torch.Tensor.T": "aTensor",
    "torch.Tensor.tolist": "f() -> list",
    "torch.Tensor.numpy": "f(*, force: bool=False) -> numpy.ndarray",
    "torch.Tensor.item": "f() -> Number",
}
