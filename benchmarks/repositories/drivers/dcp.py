import numpy as np
import torch
import torch.nn.functional as F
from types import SimpleNamespace
from model import DCP
from util import transform_point_cloud, quat2mat
import main as program
from probe import array, attempt, fill, keep, say


def run(name, **flags):
    args = SimpleNamespace(emb_dims=16, cycle=True, emb_nn='pointnet', pointer='identity', head='svd', n_blocks=1, dropout=0.0, ff_dims=16, n_heads=2)
    for k, v in flags.items():
        setattr(args, k, v)
    net = DCP(args)
    fill(net)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3, weight_decay=1e-4)
    batches = []
    for i in range(3):
        src = array(i, 2, 3, 24)
        q = F.normalize(array(i + 5, 2, 4), dim=1)
        R, t = quat2mat(q), 0.1 * array(i + 6, 2, 3)
        batches.append((src, transform_point_cloud(src, R, t), R, t, R.transpose(2, 1).contiguous(), -t, array(1, 2, 3), array(2, 2, 3)))
    for epoch in range(2):
        out = program.train_one_epoch(args, net, batches, opt)
        say("%s %d" % (name, epoch), *out[:6])
    keep(name, net)
    out = program.test_one_epoch(args, net, batches)
    say(name + " test", *out[:6])


for name, flags in [("pointnet-svd", dict(cycle=False)), ("dgcnn-svd", dict(emb_nn='dgcnn', cycle=False)), ("transformer-mlp", dict(pointer='transformer', head='mlp'))]:
    attempt(name, lambda: run(name, **flags))
