"""Dropout that comes again where the random generator's state is set back.

The kernel of MindSpore's `nn.Dropout` keeps random numbers of its own, which no seed sets back; `ops.dropout` takes its seed
from MindSpore's at every call. Reversible networks and whoever compares two runs under one seed need the same mask twice, so there
MindSpore's cell draws by the function (five times the cell's time: other projects keep the cell as it is).
"""

from mindspore import nn, ops


def drawn_by_seed(self, x):
    """The input, of which each element is zero with probability `p`; the others grow by 1 / (1 - p)."""
    if not self.training or self.p == 0:
        return x
    return ops.dropout(x, p=self.p)


def replay_dropout():
    """Let MindSpore's cell draw by seed, in this process."""
    nn.Dropout.construct = drawn_by_seed
    return True


DROPOUT_COMES_AGAIN = replay_dropout()
