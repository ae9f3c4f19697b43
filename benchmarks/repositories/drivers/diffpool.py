import types
import numpy as np
import torch
from encoders import GcnEncoderGraph, GcnSet2SetEncoder, SoftPoolingGcnEncoder
from probe import array, attempt, fill, keep, say, whole


def batch(i):
    adj = (array(i, 3, 10, 10) > 0.5).float()
    adj = ((adj + adj.transpose(1, 2)) > 0).float()
    nodes = np.array([10, 7, 5])
    for row, n in enumerate(nodes):
        adj[row, n:] = 0
        adj[row, :, n:] = 0
    return adj, array(i + 1, 3, 10, 4), nodes, whole(i, 2, 3)


def run(name, make):
    model = make()
    fill(model)
    optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=0.001)
    for step in range(3):
        adj, h0, nodes, label = batch(step)
        model.train()
        model.zero_grad()
        pred = model(h0, adj, nodes, assign_x=h0)
        loss = model.loss(pred, label, adj, nodes) if name == "soft" else model.loss(pred, label)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        say("%s %d" % (name, step), loss.item())
    keep(name, model)
    model.eval()
    adj, h0, nodes, label = batch(20)
    _, indices = torch.max(model(h0, adj, nodes, assign_x=h0), 1)
    say(name + " eval", *indices.float())


args = types.SimpleNamespace(bias=True, method="x")
attempt("base", lambda: run("base", lambda: GcnEncoderGraph(4, 8, 8, 2, 3, bn=True, args=args)))
attempt("set2set", lambda: run("set2set", lambda: GcnSet2SetEncoder(4, 8, 8, 2, 3, bn=True, args=args)))
attempt("soft", lambda: run("soft", lambda: SoftPoolingGcnEncoder(10, 4, 8, 8, 2, 3, 8, assign_ratio=0.3, num_pooling=1, bn=True, linkpred=True, assign_input_dim=4, args=args)))
