"""Samples of torch.nn.init: parameters, which the functions overwrite."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from mindport.evidence.samples import Sample, own

SHAPES = ((40, 30), (16, 8, 3), (12, 6, 3, 3))


def parameter(*shape: int) -> torch.nn.Parameter:
    """A parameter whose values are not those of any initializer."""
    return torch.nn.Parameter(torch.full(shape, 7.0))


@own("torch.nn.init.zeros_", "torch.nn.init.ones_")
def any_shape(dtype: torch.dtype) -> Iterator[Sample]:
    """Vectors, matrices and kernels."""
    if dtype == torch.float32:
        for shape in ((50,), *SHAPES):
            yield Sample((parameter(*shape),), eager=True)


@own("torch.nn.init.constant_")
def with_a_value(dtype: torch.dtype) -> Iterator[Sample]:
    """A number, float or int."""
    if dtype == torch.float32:
        for shape in ((5,), (3, 4)):
            yield Sample((parameter(*shape), 0.3), eager=True)
            yield Sample((parameter(*shape),), {"val": 2}, eager=True)


@own("torch.nn.init.normal_")
def normal(dtype: torch.dtype) -> Iterator[Sample]:
    """Mean and deviation, by place and by name."""
    if dtype == torch.float32:
        yield Sample((parameter(50),), eager=True)
        yield Sample((parameter(40, 30), 1.0, 0.02), eager=True)
        yield Sample((parameter(40, 30),), {"std": 0.01}, eager=True)


@own("torch.nn.init.uniform_")
def uniform(dtype: torch.dtype) -> Iterator[Sample]:
    """Bounds, by place and by name."""
    if dtype == torch.float32:
        yield Sample((parameter(50),), eager=True)
        yield Sample((parameter(40, 30), -0.1, 0.1), eager=True)
        yield Sample((parameter(40, 30),), {"a": -2.0, "b": -1.0}, eager=True)


@own("torch.nn.init.trunc_normal_")
def truncated(dtype: torch.dtype) -> Iterator[Sample]:
    """Deviations against bounds: the bounds are not in units of the deviation."""
    if dtype == torch.float32:
        yield Sample((parameter(40, 30),), eager=True)
        yield Sample((parameter(40, 30),), {"std": 0.02}, eager=True)
        yield Sample((parameter(40, 30),), {"mean": 1.0, "std": 2.0, "a": -1.0, "b": 1.5}, eager=True)


@own("torch.nn.init.xavier_uniform_", "torch.nn.init.xavier_normal_", "torch.nn.init.orthogonal_")
def with_a_gain(dtype: torch.dtype) -> Iterator[Sample]:
    """Matrices and kernels, with and without a gain."""
    if dtype == torch.float32:
        for shape in SHAPES:
            yield Sample((parameter(*shape),), eager=True)
            yield Sample((parameter(*shape),), {"gain": 1.7}, eager=True)


@own("torch.nn.init.kaiming_uniform_", "torch.nn.init.kaiming_normal_")
def kaiming(dtype: torch.dtype) -> Iterator[Sample]:
    """Modes, slopes and nonlinearities as networks use them."""
    if dtype == torch.float32:
        for shape in SHAPES:
            yield Sample((parameter(*shape),), eager=True)
            yield Sample((parameter(*shape),), {"mode": "fan_out", "nonlinearity": "relu"}, eager=True)
            yield Sample((parameter(*shape),), {"a": 5**0.5}, eager=True)


@own("torch.nn.init.eye_")
def matrices(dtype: torch.dtype) -> Iterator[Sample]:
    """Square and oblong."""
    if dtype == torch.float32:
        for shape in ((3, 3), (2, 4), (4, 2)):
            yield Sample((parameter(*shape),), eager=True)


@own("torch.nn.init.dirac_")
def kernels(dtype: torch.dtype) -> Iterator[Sample]:
    """Kernels of one, two and three dimensions; groups."""
    if dtype == torch.float32:
        for shape in ((4, 3, 3), (4, 4, 3, 3), (2, 4, 3, 3, 3)):
            yield Sample((parameter(*shape),), eager=True)
        yield Sample((parameter(4, 2, 3, 3),), {"groups": 2}, eager=True)


@own("torch.nn.init.calculate_gain")
def gains(dtype: torch.dtype) -> Iterator[Sample]:
    """Every name that torch knows."""
    if dtype == torch.float32:
        for name in ("linear", "conv2d", "sigmoid", "tanh", "relu", "leaky_relu", "selu"):
            yield Sample((name,), eager=True)
        yield Sample(("leaky_relu", 0.2), eager=True)
