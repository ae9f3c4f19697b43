import types
import numpy as np
import torch
from model import GGNN
from utils.data.dataloader import bAbIDataloader
from utils.data.dataset import bAbIDataset
from utils.test import test
from utils.train import train
from probe import attempt, fill, keep, say

rng = np.random.RandomState(1)
with open("graphs.txt", "w") as f:
    for _ in range(60):
        for _ in range(3):
            f.write(f"{rng.randint(1, 5)} {rng.randint(1, 4)} {rng.randint(1, 5)}\n")
        f.write(f"? 1 {rng.randint(1, 5)} {rng.randint(1, 5)}\n\n")


def run(name, **options):
    data, held = bAbIDataset("graphs.txt", 0, True), bAbIDataset("graphs.txt", 0, False)
    opt = types.SimpleNamespace(state_dim=5, annotation_dim=1, n_steps=3, cuda=False, verbal=True, niter=2, n_edge_types=data.n_edge_types, n_node=data.n_node, lr=0.01)
    net = GGNN(opt)
    net.double()
    fill(net, 3)
    optimizer = torch.optim.Adam(net.parameters(), lr=opt.lr)
    for epoch in range(2):
        train(epoch, bAbIDataloader(data, batch_size=10, shuffle=False, num_workers=0), net, torch.nn.CrossEntropyLoss(), optimizer, opt)
        test(bAbIDataloader(held, batch_size=10, shuffle=False, num_workers=0), net, torch.nn.CrossEntropyLoss(), optimizer, opt)
    keep(name, net)
    say(name, *(p.abs().sum().item() for p in net.parameters()))


attempt("train", lambda: run("train"))
