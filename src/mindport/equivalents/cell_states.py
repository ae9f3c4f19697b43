"""`__getstate__` and `__setstate__` of modules: torch's take and give a dictionary, MindSpore's cells a pair of it and what their C++ part holds."""

import functools

from mindspore import nn


def gives_cell_state(own):
    """A class's own `__getstate__`, which gives a dictionary, gives what `copy` and `pickle` hand to a cell."""

    @functools.wraps(own)
    def state_of(cell):
        part, _ = nn.Cell.__getstate__(cell)
        return part, own(cell)

    return state_of


def takes_cell_state(own):
    """A class's own `__setstate__`, which takes a dictionary, takes what a cell gives."""

    @functools.wraps(own)
    def take(cell, state):
        part, held = state
        nn.Cell.__setstate__(cell, (part, {}))
        own(cell, held)

    return take


def take_state(cell, state):
    """``super().__setstate__(state)``: the dictionary becomes what the object holds."""
    cell.__dict__.update(state)
