"""A recurrent layer's dropout may be written as a whole number: ``nn.LSTM(8, 8, dropout=0)``."""

from __future__ import annotations

import pytest


@pytest.mark.frameworks
@pytest.mark.parametrize("name", ["RNN", "GRU", "LSTM"])
@pytest.mark.parametrize("dropout", [0, 0.5, False])
def test_whole_numbers(name: str, dropout: float) -> None:
    from mindport.layers import recurrent

    assert getattr(recurrent, name)(3, 4, num_layers=2, dropout=dropout).dropout_op.p == float(dropout)
