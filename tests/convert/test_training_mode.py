"""The mode that modules are in after conversion: torch's are born training, and a container leaves its parts their mode."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides


@pytest.mark.parametrize(("line", "expected"), [
    ("m = nn.Sequential(nn.Linear(2, 3), nn.Dropout())", "m = nn.SequentialCell(nn.Dense(2, 3), nn.Dropout(p=0.5)).set_train()"),
    ("m = nn.Sequential(body, nn.Dropout())", "m = nn.SequentialCell(body, nn.Dropout(p=0.5).set_train())"),
    ("m = nn.Sequential(*parts)", "m = nn.SequentialCell(*parts)"),
    ("m = nn.LazyBatchNorm1d()", "m = LazyBatchNorm1d().set_train()"),
    ("m = nn.utils.spectral_norm(nn.Linear(2, 3))", "m = spectral_norm_hook(nn.Dense(2, 3)).set_train()"),
    ("m = nn.utils.spectral_norm(body)", "m = spectral_norm_hook(body)"),
    ("m = nn.ModuleList([nn.Dropout() for _ in range(2)])", "m = nn.CellList([nn.Dropout(p=0.5) for _ in range(2)]).set_train()"),
])  # fmt: skip
def test_the_text(tmp_path: Path, line: str, expected: str) -> None:
    head = "from torch import nn\n\n\ndef make(body: nn.Module, parts):\n    "
    (tmp_path / "script.py").write_text(f"{head}{line}\n    return m\n", encoding="utf-8")
    text = next(text for path, text in convert(discover(tmp_path)).files.items() if path.name == "script.py")
    assert f"    {expected}\n" in text


PROGRAM = """import torch
from torch import nn


def outputs(x):
    x = torch.from_numpy(x)
    net = nn.Sequential(nn.BatchNorm1d(3), nn.ReLU())
    yield net(x)
    net.eval()
    yield net(x)
    body = nn.Sequential(*list(net.children()))
    yield body(x)
    wrapped = nn.Sequential(net, nn.BatchNorm1d(3))
    yield wrapped[0](x)
    yield wrapped(x)
    yield wrapped.train()(x)


def loaded(x):
    \"\"\"backward keeps a recording of gradients: values are loaded all the same.\"\"\"
    x = torch.from_numpy(x)
    first, second = nn.Linear(3, 2), nn.Linear(3, 2)
    with torch.no_grad():
        for p in first.parameters():
            p.fill_(0.5)
    second.load_state_dict(first.state_dict())
    first(x).sum().backward()
    return second(x), x.shape.numel(), (1.0 - x) * torch.finfo(x.dtype).eps, torch.finfo(x.dtype).max * x
"""


@pytest.mark.frameworks
def test_the_program_computes_the_same(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    x = np.array([[0.5, -1.0, 2.0], [0.1, 0.3, -0.7], [1.5, 1.0, 0.2]], np.float32)
    for left, right in zip(torch_side.outputs(x), mindspore_side.outputs(x), strict=True):
        np.testing.assert_allclose(right.asnumpy(), left.detach().numpy(), atol=1e-6)
    for left, right in zip(torch_side.loaded(x), mindspore_side.loaded(x), strict=True):
        np.testing.assert_allclose(np.asarray(right), left.detach().numpy() if hasattr(left, "detach") else left, rtol=1e-6)


@pytest.mark.frameworks
def test_every_layer_that_asks_for_the_mode_gets_it() -> None:
    """Read off the sources of the knowledge and of MindSpore's cells: a layer forgotten here would run in evaluation mode, silently."""
    import inspect

    from mindspore import nn

    from mindport import catalog
    from mindport.convert.rewrites.training_mode import MODE_MATTERS, is_of_models
    from mindport.evidence.knowledge import declaration
    from mindport.inference import torchfacts

    # Their own mode decides nothing: they hand the call to the module that they hold.
    passing_on = {"torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel"}
    asking: set[str] = set()
    for entry in catalog.load().entries:
        target = declaration(entry).target if entry.kind == "layer" else None
        classes = [c for c in target.__mro__ if c not in (nn.Cell, object)] if isinstance(target, type) else []
        if any(".training" in inspect.getsource(c) for c in classes if c.__module__.startswith(("mindport", "mindspore.nn"))):
            asking |= set(entry.names)
    assert len(asking) > 20
    forgotten = [name for name in asking - passing_on - MODE_MATTERS if not is_of_models(torchfacts.canonical(name))]
    assert forgotten == []
