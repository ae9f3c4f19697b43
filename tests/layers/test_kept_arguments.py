"""`keeping`: a layer answers to torch's names of its constructor arguments, and its MindSpore base computes as before."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.frameworks
ms = pytest.importorskip("mindspore", reason="the layers are MindSpore's")

from mindport.layers.convolution import Conv2d  # noqa: E402
from mindport.layers.kept_arguments import keeping  # noqa: E402


@keeping("padding_mode", axes={"padding": 2}, transposed=False)
class Kept(Conv2d):
    """A convolution as a converted project holds it."""

    def __init__(self, in_channels, out_channels, kernel_size, padding=0, padding_mode="zeros"):
        super().__init__(in_channels, out_channels, kernel_size, padding=padding, padding_mode=padding_mode)


@pytest.mark.parametrize(("padding", "read"), [(1, (1, 1)), ((1, 2), (1, 2)), ([1, 2], (1, 2)), ("same", "same")])
def test_arguments_are_read_back_in_torchs_form(padding, read) -> None:
    assert Kept(1, 2, 3, padding).padding == read


def test_defaults_constants_and_results() -> None:
    cell = Kept(1, 2, 3)
    assert (cell.padding, cell.padding_mode, cell.transposed) == ((0, 0), "zeros", False)
    assert ms.jit(cell)(ms.ops.ones((1, 1, 5, 5))).shape == (1, 2, 3, 3)
