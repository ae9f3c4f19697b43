"""torchvision.io reads and writes images by PIL; torchvision's own functions are compiled and do not load beside this torch."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

from tests.convert.both_sides import converted_script

PROGRAM = """
import sys
import torch
import torchvision
from torchvision.io import ImageReadMode, decode_image, read_file, read_image, write_png

def load(path):
    mode = torchvision.io.image.ImageReadMode.RGB
    return torchvision.io.read_image(path, mode)

path = sys.argv[1]
colour = read_image(path)
gray = read_image(path, ImageReadMode.GRAY)
again = decode_image(read_file(path), mode="RGB_ALPHA")
rgb = load(path)
scaled = rgb.float() / 255
write_png(rgb.flip(2), sys.argv[2])
"""


def test_values_of_library_enumerations(tmp_path: Path) -> None:
    text = "import torchvision.transforms as T\nfrom torchvision.transforms import InterpolationMode\na = T.InterpolationMode.BICUBIC\nb = InterpolationMode.NEAREST\n"
    made = converted_script(tmp_path, text)
    assert made.endswith("a = InterpolationMode.BICUBIC\nb = InterpolationMode.NEAREST\n") and "torchvision" not in made


@pytest.mark.frameworks
def test_pixels_are_those_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from PIL import Image

    (tmp_path / "p").mkdir()
    text = converted_script(tmp_path / "p", PROGRAM)
    assert "torchvision" not in text and "mindport: MP" not in text and "scaled = rgb.float() / 255" in text
    from mindport.convert import convert, write
    from mindport.source.discover import discover

    write(convert(discover(tmp_path / "p")), tmp_path / "made")
    array = np.random.default_rng(0).integers(0, 256, (5, 4, 3), dtype=np.uint8)
    Image.fromarray(array).save(tmp_path / "in.png")
    monkeypatch.syspath_prepend(str(tmp_path / "made"))
    monkeypatch.setattr("sys.argv", ["script.py", str(tmp_path / "in.png"), str(tmp_path / "out.png")])
    found = runpy.run_path(str(tmp_path / "made" / "script.py"))
    __import__("sys").modules.pop("torch_equivalents", None)
    expected = array.transpose(2, 0, 1)
    assert found["colour"].shape == (3, 5, 4) and (found["colour"].asnumpy() == expected).all()
    assert (found["rgb"].asnumpy() == expected).all() and found["gray"].shape == (1, 5, 4)
    weights = np.array([0.299, 0.587, 0.114])  # ITU-R 601-2
    assert np.abs(found["gray"].asnumpy()[0] - array @ weights).max() <= 1
    assert (found["again"].asnumpy() == np.concatenate([expected, np.full((1, 5, 4), 255)])).all()
    np.testing.assert_allclose(found["scaled"].asnumpy(), expected / 255, 1e-6)
    assert (np.asarray(Image.open(tmp_path / "out.png")) == array[:, ::-1]).all()
