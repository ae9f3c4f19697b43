import argparse
import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F
from torch.optim import Adam
import sdcn
from sdcn import AE, SDCN, target_distribution
from utils import normalize, sparse_mx_to_torch_sparse_tensor
from probe import array, attempt, fill, keep, say


def graph(n):
    rng = np.random.RandomState(3)
    adj = sp.coo_matrix((np.ones(60), (rng.randint(0, n, 60), rng.randint(0, n, 60))), shape=(n, n), dtype=np.float32)
    adj = adj + adj.T.multiply(adj.T > adj) - adj.multiply(adj.T > adj)
    return sparse_mx_to_torch_sparse_tensor(normalize(adj + sp.eye(n)))


def main():
    sizes = (12, 12, 16, 16, 12, 12)
    ae = AE(*sizes, n_input=20, n_z=5)
    fill(ae)
    data = array(0, 24, 20)
    optimizer = Adam(ae.parameters(), lr=1e-3)
    for step in range(2):
        loss = F.mse_loss(ae(data)[0], data)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("pretrain %d" % step, loss.item())
    torch.save(ae.state_dict(), "ae.pkl")
    sdcn.args = argparse.Namespace(pretrain_path="ae.pkl")
    sdcn.device = torch.device("cpu")
    model = SDCN(*sizes, n_input=20, n_z=5, n_clusters=3, v=1.0).to(sdcn.device)
    with torch.no_grad():
        _, _, _, _, z = model.ae(data)
    say("z", z.abs().sum())
    fill(model, 2)
    model.cluster_layer.data = torch.tensor(np.random.RandomState(4).randn(3, 5).astype("float32")).to(sdcn.device)
    adj = graph(24)
    optimizer = Adam(model.parameters(), lr=1e-3)
    for epoch in range(3):
        _, tmp_q, pred, _ = model(data, adj)
        tmp_q = tmp_q.data
        p = target_distribution(tmp_q)
        res = [tmp_q.cpu().numpy().argmax(1), pred.data.cpu().numpy().argmax(1), p.data.cpu().numpy().argmax(1)]
        x_bar, q, pred, _ = model(data, adj)
        kl_loss = F.kl_div(q.log(), p, reduction="batchmean")
        ce_loss = F.kl_div(pred.log(), p, reduction="batchmean")
        re_loss = F.mse_loss(x_bar, data)
        loss = 0.1 * kl_loss + 0.01 * ce_loss + re_loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("epoch %d" % epoch, loss.item(), kl_loss.item(), ce_loss.item(), *[r.sum() for r in res])
    keep("sdcn", model)


attempt("sdcn", main)
