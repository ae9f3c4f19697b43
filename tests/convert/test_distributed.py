"""Launch code of several processes runs in one, and gives what torch gives in one."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from mindport.equivalents import distributed  # noqa: E402
from mindport.layers.normalization import BatchNorm2d  # noqa: E402
from mindport.layers.sync_batch_norm import SyncBatchNorm  # noqa: E402

PROGRAM = '''
import os
import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data.distributed import DistributedSampler


def is_main():
    return not dist.is_available() or not dist.is_initialized() or dist.get_rank() == 0


def reduce_mean(t):
    if not dist.is_initialized():
        return t
    t = t.clone()
    dist.all_reduce(t, op=dist.ReduceOp.SUM)
    t = t / dist.get_world_size()
    return t


def main():
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "29511")
    dist.init_process_group(backend="gloo", rank=0, world_size=1)
    local = int(os.environ.get("LOCAL_RANK", 0))
    torch.cuda.set_device(local) if torch.cuda.is_available() else None
    net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    model = DDP(net)
    names = [n for n, _ in model.named_parameters()]
    sampler = DistributedSampler(list(range(5)), shuffle=False)
    order = list(sampler)
    total = reduce_mean(torch.tensor([2.0]))
    keys = [k for k in model.state_dict() if "num_batches" not in k]
    inner = [k for k in model.module.state_dict() if "num_batches" not in k]
    with model.no_sync():
        out = model(torch.ones(2, 2))
    parts = [torch.zeros(1) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, total)
    dist.barrier()
    dist.destroy_process_group()
    dp = nn.DataParallel(net)
    return names, order, total.tolist(), keys, inner, list(out.shape), parts[0].tolist(), is_main(), [n for n, _ in dp.named_modules()]
'''


def test_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:  # two runs of the tests on one machine each need a port of their own
        free.bind(("localhost", 0))
        port = str(free.getsockname()[1])
    monkeypatch.setenv("MASTER_ADDR", "localhost")
    monkeypatch.setenv("MASTER_PORT", port)
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    assert mindspore_side.main() == torch_side.main()


def test_several_processes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(NotImplementedError, match="DistributedGradReducer"):
        distributed.init_process_group("nccl")


def test_without_a_group_torchs_error_is_raised() -> None:
    with pytest.raises(ValueError, match="Default process group has not been initialized"):
        distributed.get_rank()


@pytest.mark.parametrize("shape", [(3, 2), (3, 2, 4), (3, 2, 2, 2), (3, 2, 2, 2, 2)])
def test_synchronised_normalisation_of_one_process(shape: tuple[int, ...]) -> None:
    values = torch.randn(shape)
    theirs = getattr(torch.nn, f"BatchNorm{max(len(shape) - 2, 1)}d")(2)
    cell = SyncBatchNorm(2).set_train()
    assert cell(ms.Tensor(values.numpy())).asnumpy() == pytest.approx(theirs(values).detach().numpy(), abs=1e-5)
    assert cell.running_var.asnumpy() == pytest.approx(theirs.running_var.numpy(), abs=1e-6)
    assert isinstance(cell, BatchNorm2d)
