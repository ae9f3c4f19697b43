"""A small network trained with every optimizer that a list names, one record an optimizer: for docs/unseen-optimizers.md.

    python train_each.py --list NAMES.json --out RECORDS.jsonl

NAMES.json holds pairs of a module and a class. The file stands beside the packages, is converted with them, and is run on both sides.
"""

import argparse
import importlib
import json
import os
import traceback
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    """A convolution, a normalisation and two linear layers."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.norm = nn.LayerNorm(4)
        self.fc1 = nn.Linear(4, 8)
        self.fc2 = nn.Linear(8, 3)

    def forward(self, x):
        """Three logits an image."""
        x = torch.tanh(self.conv(x)).mean((2, 3))
        return self.fc2(torch.tanh(self.fc1(self.norm(x))))


def build(seed):
    """The network with weights of a NumPy seed."""
    rng = np.random.RandomState(seed)
    net = Net()
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.from_numpy((rng.randn(*p.shape) * 0.5).astype(np.float32)))
    return net


def main():
    """Train, and append what came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", default="names.json")
    parser.add_argument("--out", required=True)
    parser.add_argument("--steps", type=int, default=12)
    args = parser.parse_args()
    done = {}
    if os.path.exists(args.out):
        with open(args.out) as f:
            done = {json.loads(line)["name"]: 1 for line in f}
    rng = np.random.RandomState(0)
    xs = torch.from_numpy(rng.randn(args.steps, 8, 1, 5, 5).astype(np.float32))
    ys = torch.from_numpy(rng.randint(0, 3, (args.steps, 8)))
    for module, name in json.loads(Path(args.list).read_text()):
        if module + "." + name in done:
            continue
        record = {"name": module + "." + name}
        try:
            torch.manual_seed(0)
            cls = getattr(importlib.import_module(module), name)
            net = build(1)
            optimizer = cls(net.parameters(), lr=0.01)
            if hasattr(optimizer, "train"):
                optimizer.train()
            losses = []
            for step in range(args.steps):
                optimizer.zero_grad()
                loss = F.cross_entropy(net(xs[step]), ys[step])
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
            record["losses"] = losses
            record["params"] = [float(p.detach().double().pow(2).sum().sqrt()) for p in net.parameters()]
            record["first"] = [p.detach().reshape(-1)[:5].tolist() for p in net.parameters()]
        except Exception as error:
            record["error"] = type(error).__name__ + ": " + str(error)[:300]
            record["trace"] = traceback.format_exc()[-1500:]
        with open(args.out, "a") as f:
            f.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
