"""Scenarios of settings of processes, and of sums of files."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from mindport.evidence.scenarios import Side, scenario

P, U = "torch.multiprocessing.", "torchvision.datasets.utils."
EMPTY, OTHER = "d41d8cd98f00b204e9800998ecf8427e", "0" * 32


@scenario(P + "get_all_start_methods", P + "cpu_count", P + "freeze_support")
def asked(side: Side) -> Any:
    """No arguments."""
    return side.call()


@scenario(P + "set_start_method", P + "get_start_method")
def starting(side: Side) -> Any:
    """Said twice, by force and without, and asked for between."""
    set_to, get = (side.call if side.name.endswith(name) else lambda *a, n=name, **k: side.make(P + n, *a, **k) for name in ("set_start_method", "get_start_method"))
    found = [set_to("fork", force=True), get(), set_to(method="spawn", force=True), get(allow_none=True)]
    for wrong in (("spawn",), ("thread", True)):
        try:
            set_to(*wrong)
        except (RuntimeError, ValueError) as error:
            found.append(type(error).__name__)
    return found


@scenario(P + "set_sharing_strategy")
def sharing(side: Side) -> Any:
    """Nothing comes back."""
    return side.call("file_system") is None


@scenario(U + "check_integrity", U + "check_md5", U + "calculate_md5")
def sums(side: Side) -> Any:
    """A file of some megabytes, an empty one, one that is not there; right and wrong sums."""
    with tempfile.TemporaryDirectory() as folder:
        whole, empty = Path(folder, "a.bin"), Path(folder, "b.bin")
        whole.write_bytes(bytes(range(256)) * 9000)
        empty.write_bytes(b"")
        if side.name.endswith("calculate_md5"):
            return [side.call(str(whole)), side.call(empty, chunk_size=7)]
        if side.name.endswith("check_md5"):
            return [side.call(str(whole), OTHER), side.call(str(empty), EMPTY), side.call(str(empty), md5=EMPTY, chunk_size=3)]
        return [side.call(str(whole)), side.call(str(empty), EMPTY), side.call(whole, OTHER), side.call(str(Path(folder, "c"))), side.call(fpath=str(empty), md5=None)]
