"""Names that a loop gives something else than they held before it."""

import torch


def numbered(a: torch.Tensor, b: torch.Tensor):
    for row in b:
        g = (row, row)
    copies = [row * 1 for row in g]
    for i, g in enumerate(copies):
        for other in a:
            g -= (i + 1) * other
    return torch.stack(copies)


def paired(a: torch.Tensor, b: torch.Tensor):
    p, g = b * 1, [b]
    rows = [row * 1 for row in p]
    for p, g in zip(a, rows, strict=True):
        g *= p
    return torch.stack(rows)


def nested(a: torch.Tensor, b: torch.Tensor):
    x, y = (a, b), 1
    rows = [(row * 1, row * 2) for row in b]
    for i, (x, y) in enumerate(rows):
        x += 1
        y -= x * i
    return torch.stack([x + y for x, y in rows])


def by_keys(a: torch.Tensor, b: torch.Tensor):
    value = [a, b]
    held = {"a": a * 1, "b": b * 1}
    for key, value in held.items():
        value += len(key)
    return held["a"], held["b"]


def comprehended(a: torch.Tensor, b: torch.Tensor):
    x = (a, a)
    rows = [row * 1 for row in b]
    sums = [x.add_(i).sum() for i, x in enumerate(rows)]
    return torch.stack(rows), torch.stack(sums), x[0]
