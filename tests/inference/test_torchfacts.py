"""torch's facts as shipped: names, overloads, bases; nothing needs torch."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from mindport.inference import torchfacts
from mindport.inference.overlays.tensors import is_in_place, is_view
from mindport.inference.torchfacts import ancestors, canonical, lookup, member, members, public_names


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("torch.nn.modules.conv.Conv2d", "torch.nn.Conv2d"), ("torch.nn.parameter.Parameter", "torch.nn.Parameter"),
        ("torch.functional.einsum", "torch.einsum"), ("torch.float", "torch.float32"), ("torch.half", "torch.float16"),
        ("torch.long", "torch.int64"), ("torch.conv2d", "torch.nn.functional.conv2d"), ("torch.optim.adam.Adam", "torch.optim.Adam"),
        ("torch._tensor.Tensor", "torch.Tensor"), ("torch.utils.data.dataset.Dataset", "torch.utils.data.Dataset"),
        ("torch.nn.modules.conv.Conv2d.forward", "torch.nn.Conv2d.forward"), ("torch.nn.modules.module.Module", "torch.nn.Module"),
        ("torch.nn.utils.clip_grad.clip_grad_norm_", "torch.nn.utils.clip_grad_norm_"), ("torch.nosuch", "torch.nosuch"),
        ("torch.distributions.normal.Normal", "torch.distributions.Normal"), ("numpy.asarray", "numpy.asarray"),
        ("torch.nn.modules.batchnorm._BatchNorm", "torch.nn.modules.batchnorm._BatchNorm"), ("torch.unique", "torch.unique"),
        ("torchvision.transforms.transforms.Compose", "torchvision.transforms.Compose"), ("torchvision.datasets.mnist.MNIST", "torchvision.datasets.MNIST"),
        ("torchvision.datasets.vision.VisionDataset", "torchvision.datasets.VisionDataset"), ("torchvision.datasets.folder.default_loader", "torchvision.datasets.folder.default_loader"),
        ("torch.jit._trace.is_tracing", "torch.jit.is_tracing"), ("torch.autograd.grad_mode.no_grad", "torch.no_grad"),
    ],
)  # fmt: skip
def test_canonical(written: str, name: str) -> None:
    assert canonical(written) == name


def test_overloads() -> None:
    api = lookup("torch.max")
    assert api is not None and api.kind == "function" and len(api.signatures) >= 3
    by_dim = next(one for one in api.signatures if any(p.name == "dim" for p in one.parameters))
    assert [p.name for p in by_dim.parameters] == ["input", "dim", "keepdim", "out"] and by_dim.returns == "torch.return_types.max"
    assert [(p.kind, p.default) for p in by_dim.parameters][2:] == [("POSITIONAL_OR_KEYWORD", "False"), ("KEYWORD_ONLY", "None")]
    assert lookup("torch.relu").returns == "Tensor" and lookup("torch.nosuch") is None  # type: ignore[union-attr]


def test_classes_and_members() -> None:
    assert ancestors("torch.nn.BatchNorm2d")[-1] == "torch.nn.Module" and "torch.Tensor" in ancestors("torch.nn.Parameter")
    parameters = member("torch.nn.Conv2d", "parameters")
    assert parameters is not None and parameters.name == "torch.nn.Module.parameters"
    assert member("torch.nn.Conv2d", "nosuch") is None
    assert {"view", "add_", "shape", "detach", "backward"} <= members("torch.Tensor")
    conv = lookup("torch.nn.Conv2d")
    assert conv is not None and [p.name for p in conv.signatures[0].parameters][:3] == ["in_channels", "out_channels", "kernel_size"]


@pytest.mark.parametrize("namespace", ["nn", "optim", "optim.lr_scheduler", "nn.init", "nn.utils", "fft", "linalg", "special",
                                       "distributions", "utils.data", "autograd", "amp", "cuda", "sparse", "jit", "nn.functional"])  # fmt: skip
def test_every_namespace_has_names(namespace: str) -> None:
    assert sum(name.startswith(f"torch.{namespace}.") for name in public_names()) >= 10


def test_every_record_can_be_read() -> None:
    for name in public_names():
        api = lookup(name)
        assert api is not None
        assert isinstance(api.signatures, tuple) and isinstance(api.bases, tuple)


def test_loading_is_fast_and_needs_no_torch() -> None:
    code = (
        "import sys, time\nsys.modules['torch'] = None\nfrom mindport.inference import torchfacts\n"
        "t = time.perf_counter(); torchfacts.lookup('torch.relu'); print(time.perf_counter() - t)"
    )
    seconds = min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(3))
    assert seconds < 0.06 * 5, "0.06 s on an idle machine; five times that under load"


def test_the_data_is_small() -> None:
    assert torchfacts._DATA.stat().st_size < 1_500_000 and torchfacts.version().startswith("2.13")


def test_time_of_a_lookup() -> None:
    start = time.perf_counter()
    for _ in range(1000):
        lookup("torch.nn.Conv2d")
    assert time.perf_counter() - start < 0.5


def test_views_and_in_place() -> None:
    assert is_view("torch.Tensor.view") and is_view("torch.transpose") and is_view("torch.Tensor.T")
    assert not is_view("torch.Tensor.clone") and not is_view("torch.nn.functional.unfold")
    assert is_in_place("add_") and not is_in_place("__add__") and not is_in_place("add")


def test_what_functorch_became() -> None:
    assert torchfacts.canonical("functorch.vmap") == torchfacts.canonical("torch.func.vmap")
    assert torchfacts.canonical("functorch.grad") == "torch.func.grad"
    assert torchfacts.canonical("functorch.make_functional") == "functorch.make_functional"
