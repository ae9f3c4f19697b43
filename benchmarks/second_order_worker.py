"""Runs programs of second_order.py and prints their values: ``second_order_worker.py FOLDER…``.

Each folder holds ``torch_side/`` and ``converted/``; for each a line ``BEGIN`` and, for each way of running, a line of JSON:
the values, or the error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def eager(vendored: Any) -> None:
    """The converted program's compiled step becomes one that runs operator by operator."""
    import mindspore as ms

    def pynative(forward: Any, has_aux: bool, *groups: Any) -> Any:
        def run(*args: Any) -> Any:
            parameters = vendored.trainable(groups)
            result, values = ms.value_and_grad(forward, None, ms.ParameterTuple(parameters), has_aux=has_aux)(*args)
            return result, vendored.Gradients(parameters, values)

        return run

    vendored.compiled_value_and_gradients = pynative


@contextmanager
def imported_from(folder: Path) -> Iterator[None]:
    """Imports find the folder's modules, and find them anew."""
    for name in ("program", "torch_equivalents"):
        sys.modules.pop(name, None)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def told(folder: Path, mode: str) -> dict[str, Any]:
    """What running one program gives."""
    try:
        with imported_from(folder):
            if mode == "pynative" and (folder / "torch_equivalents.py").exists():
                import torch_equivalents

                eager(torch_equivalents)
            import program

            return {"values": [[float(v) for v in array] for array in program.main()]}
    except Exception as error:
        return {"verdict": "raises", "message": f"{type(error).__name__}: {' '.join(str(error).split())}"[:300]}


def main(folders: list[str]) -> int:
    """All folders, each in torch, in graph mode, and in PyNative."""
    import mindspore as ms

    ms.runtime.launch_blocking()
    for folder in map(Path, folders):
        print(f"BEGIN {folder}", flush=True)
        for mode in ("torch", "graph", "pynative"):
            found = told(folder / ("torch_side" if mode == "torch" else "converted"), mode)
            print(f"RESULT {json.dumps({'folder': str(folder), 'mode': mode, **found})}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
