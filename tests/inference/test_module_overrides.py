"""Module classes of torch that override what every module has."""

from __future__ import annotations

import pytest

from mindport.inference import torchfacts


@pytest.mark.parametrize(
    ("cls", "name", "owner"),
    [
        ("torch.nn.parallel.DistributedDataParallel", "train", "torch.nn.Module"), ("torch.nn.parallel.DistributedDataParallel", "eval", "torch.nn.Module"),
        ("torch.nn.parallel.DistributedDataParallel", "no_sync", "torch.nn.parallel.DistributedDataParallel"),
        ("torch.nn.Linear", "forward", "torch.nn.Linear"), ("torch.nn.Linear", "weight", "torch.nn.Linear"),
    ],
)  # fmt: skip
def test_an_override_with_the_modules_parameters_is_the_modules(cls: str, name: str, owner: str) -> None:
    found = torchfacts.member(cls, name)
    assert found is not None and found.name == f"{owner}.{name}"
