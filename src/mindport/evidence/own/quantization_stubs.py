"""Samples of what stands in a float model for later quantisation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from mindport.evidence.layer_samples import LayerSample, own_layer
from mindport.evidence.samples import Sample
from mindport.evidence.scenarios import Side, scenario

FUNCTIONAL = "torch.ao.nn.quantized.FloatFunctional"


@own_layer("torch.ao.quantization.QuantStub")
def quantised() -> Iterator[LayerSample]:
    """The input itself."""
    yield LayerSample(Sample(()), Sample((torch.randn(2, 3),)))


@own_layer("torch.ao.quantization.DeQuantStub")
def dequantised() -> Iterator[LayerSample]:
    """The input itself."""
    yield LayerSample(Sample(()), Sample((torch.randn(2, 3),)))


@scenario(FUNCTIONAL, *(f"{FUNCTIONAL}.{name}" for name in ("add", "add_scalar", "mul", "mul_scalar", "cat", "add_relu", "matmul")))
def arithmetic(side: Side) -> Any:
    """every operation, on tensors and numbers"""
    module = side.make(FUNCTIONAL)
    x, y = side.value(torch.tensor([[-1.0, 2.0], [3.0, -4.0]])), side.value(torch.tensor([[0.5, -3.0], [1.0, 2.0]]))
    return [
        module.add(x, y), module.add_scalar(x, 2.0), module.mul(x, y), module.mul_scalar(x, -0.5), module.cat([x, y]),
        module.cat([x, y], dim=1), module.add_relu(x, y), module.matmul(x, y),
    ]  # fmt: skip
