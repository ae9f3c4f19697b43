"""torch's values as MindSpore's side reads them: a checkpoint of MindSpore's, or NumPy's arrays where a model has complex parameters.

MindSpore 2.10 writes complex parameters into a checkpoint and does not read them (``load_checkpoint``: 'Complex64').
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mindport.weights import files
from mindport.weights.array import WeightError
from mindport.weights.layout import Layout
from mindport.weights.transfer import convert, without_prefix


def move_weights(source: Path, folder: Path, layout: Layout) -> Path | None:
    """The file with the values, in MindSpore's names and layouts; None where there is none to move. Raises `WeightError`."""
    if all(entry.name is None for entry in layout.entries.values()):
        return None
    arrays, _ = without_prefix(files.read(source).arrays, layout, "mindspore")
    out, report = convert(arrays, layout, "mindspore")
    if not report.moved:
        return None
    if not any(array.dtype.startswith("complex") for array in out.values()):
        target = folder / "weights.ckpt"
        files.write(target, out, "mindspore")
        return target
    for name, array in out.items():
        if array.dtype == "bfloat16":
            raise WeightError(f"{name}: NumPy has no bfloat16, which complex parameters are handed over by")
    target = folder / "weights.npz"
    np.savez(target, **{name: np.frombuffer(array.data, array.dtype).reshape(array.shape) for name, array in out.items()})
    return target
