"""Tensors that are asked for by a text, or of something nobody knows: who asks holds what the object holds."""

import torch
from torch import nn


class Sizes(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.names = names
        for name in names:
            self.register_buffer(f"size_{name}", torch.ones(()))

    def forward(self, x):
        for name in self.names:
            size = getattr(self, f"size_{name}")
            if self.training:
                size.lerp_(x.detach().mean(), 0.5)
            size += 1
            seen = self.__getattr__("size_" + name)
            seen.mul_(2)
        return x * 2


def buffers_by_text(a, b):
    sizes = Sizes(["p", "q"])
    y = sizes(a)
    return y, sizes.size_p, sizes.size_q


class Box:
    def __init__(self, t):
        self.t = t * 1
        self.rows = {"t": t * 1}

    def held(self, name="t"):
        return getattr(self, name)

    def get(self, name):
        return self.rows[name]

    def fresh(self, name, other):
        return getattr(self, name, other) * 2


def handed_on_by_text(a, b):
    box = Box(a)
    t = box.held()
    t.add_(1)
    u = box.held("t")
    u *= 3
    new = box.fresh("t", b)
    new.sub_(5)
    other = getattr(box, "none" + "such", b * 1)
    other += 4
    return box.t, new, other


def _moving(state, value):
    mean = state.get("mean")
    if mean is None:
        mean = state["mean"] = value.clone()
    else:
        mean *= 0.5
        mean += value
    last = state.get("last", None)
    if last is not None:
        last -= 1
    state["last"] = value * 1


def of_something_unknown(a, b):
    state, box = {}, Box(b)
    for k in range(3):
        _moving(state, a * k)
    t = box.get("t")
    t += 2
    return state["mean"], state["last"], box.rows["t"]


def _fill(mapping, rows, value):
    mapping["x"] = value * 1
    rows.extend([value * 2, value * 3])


def _change(mapping, rows):
    for x in mapping.values():
        x *= 2
    w = mapping.get("x")
    w -= 3
    for row in rows:
        row += 1
    first = rows[0]
    first *= 5


def filled_by_others(a, b):
    mapping, rows = {}, []
    _fill(mapping, rows, a)
    _change(mapping, rows)
    return mapping["x"], rows[0], rows[1]


def numbers(a, b):
    counts, total = {}, 0
    for word in ("a", "b", "a"):
        n = counts.get(word, 0)
        n += 1
        counts[word] = n
    for v in counts.values():
        total += v
    return a * total
