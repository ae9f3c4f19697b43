"""Complex parameters (Fourier layers) reach MindSpore's side as NumPy's arrays: its checkpoints hold none that it reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.verify.moved_weights import move_weights
from mindport.weights import files
from mindport.weights.array import Array, WeightError
from mindport.weights.layout import Entry, Layout

LAYOUT = Layout({"spectral.weight": Entry("spectral.weight", [2]), "norm.weight": Entry("norm.gamma", [2])})
SPECTRAL, NORM = np.array([1 + 2j, -3j], np.complex64), np.ones(2, np.float32)


def _saved(folder: Path, arrays: dict[str, np.ndarray]) -> Path:
    path = folder / "weights.pth"
    files.write(path, {name: Array(str(a.dtype), a.shape, a.tobytes()) for name, a in arrays.items()}, "torch")
    return path


def test_complex_parameters(tmp_path: Path) -> None:
    moved = move_weights(_saved(tmp_path, {"spectral.weight": SPECTRAL, "norm.weight": NORM}), tmp_path, LAYOUT)
    assert moved is not None and moved.name == "weights.npz"
    with np.load(moved) as archive:
        assert np.array_equal(archive["spectral.weight"], SPECTRAL) and np.array_equal(archive["norm.gamma"], NORM)


def test_others_are_a_checkpoint(tmp_path: Path) -> None:
    layout = Layout({"norm.weight": Entry("norm.gamma", [2])})
    moved = move_weights(_saved(tmp_path, {"norm.weight": NORM}), tmp_path, layout)
    assert moved is not None and files.read(moved).arrays["norm.gamma"].shape == (2,)
    assert move_weights(tmp_path / "none.pth", tmp_path, Layout({"norm.weight": Entry(None)})) is None


def test_bfloat16_beside_them_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.pth"
    files.write(path, {"spectral.weight": Array("complex64", (2,), SPECTRAL.tobytes()), "norm.weight": Array("bfloat16", (2,), b"\0" * 4)}, "torch")
    with pytest.raises(WeightError, match=r"norm\.gamma: NumPy has no bfloat16"):
        move_weights(path, tmp_path, LAYOUT)


@pytest.mark.frameworks
def test_mindspores_side_reads_them(tmp_path: Path) -> None:
    from mindport.verify.recording.mindspore_side import _loaded

    moved = move_weights(_saved(tmp_path, {"spectral.weight": SPECTRAL, "norm.weight": NORM}), tmp_path, LAYOUT)
    found = _loaded(str(moved))
    assert np.array_equal(found["spectral.weight"].asnumpy(), SPECTRAL) and found["norm.gamma"].name == "norm.gamma"
