"""Writes the snippets of this folder as programs: python programs.py FOLDER. Each prints shapes and numbers; run it and its conversion, and compare."""
import pathlib
import re
import sys

PREAMBLE = '''
import math
import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def show(*items):
    for item in items:
        if isinstance(item, torch.Tensor):
            print(tuple(item.shape), [round(float(v), 4) for v in item.detach().reshape(-1).tolist()][:40])
        else:
            print(item)


def fill(net):
    with torch.no_grad():
        for k, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-0.5, 0.5 + 0.1 * k, p.numel()).view_as(p))
    return net


torch.manual_seed(0)
'''

out = pathlib.Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)
for file in sorted(pathlib.Path(__file__).parent.glob("*.txt")):
    for part in file.read_text().split("# ---- ")[1:]:
        title, _, body = part.partition("\n")
        name = re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")[:40]
        (out / f"{file.stem}_{name}.py").write_text(f'"""{title}"""\n{PREAMBLE.lstrip()}\n{body}')
