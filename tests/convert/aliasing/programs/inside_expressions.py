"""Changes whose result an expression takes up at once, while other names see the storage."""

import torch


def taken_up(a: torch.Tensor, b: torch.Tensor):
    x = b * 1
    row = x[0]
    root = row.add_(a[0]).abs().sqrt()
    return x, root


def by_out(a: torch.Tensor, b: torch.Tensor):
    x = b * 2
    row = x[1]
    root = torch.add(row, 1, out=row).abs()
    return x, root


def given_away(a: torch.Tensor, b: torch.Tensor):
    x = b * 1
    row = x[0]
    row = row.mul_(2).exp()
    return x, row


def in_an_argument(a: torch.Tensor, b: torch.Tensor):
    x = b * 1
    flat = x.view(-1)
    scale = max(float(flat.mul_(3).sum()), 1.0)
    return x, flat / scale


def several_views(a: torch.Tensor, b: torch.Tensor):
    x = b * 1
    flat = x.view(-1)
    part = flat[1:3]
    total = flat.sub_(1).sum() + part.sum()
    return x, part, total
