import numpy as np
import scipy.sparse as sp
import torch
import torch.nn as nn
from models import DGI, LogReg
from utils import process
from probe import attempt, fill, keep, say


def run(name, sparse):
    rng = np.random.RandomState(0)
    half = np.triu((rng.rand(12, 12) > 0.7).astype("float32"), 1)
    adj = process.normalize_adj(sp.csr_matrix(half + half.T) + sp.eye(12))
    features, _ = process.preprocess_features(sp.lil_matrix((rng.rand(12, 9) > 0.5).astype("float32")))
    sp_adj = process.sparse_mx_to_torch_sparse_tensor(adj) if sparse else torch.FloatTensor(np.asarray(adj.todense())[np.newaxis])
    features = torch.FloatTensor(np.asarray(features)[np.newaxis])
    labels = torch.FloatTensor(np.eye(3)[rng.randint(0, 3, 12)][np.newaxis])
    idx_train = torch.LongTensor(range(8))
    model = DGI(9, 6, "prelu")
    fill(model)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=0.0)
    b_xent, xent = nn.BCEWithLogitsLoss(), nn.CrossEntropyLoss()
    best = 1e9
    np.random.seed(0)
    for epoch in range(4):
        model.train()
        optimiser.zero_grad()
        shuffled = features[:, np.random.permutation(12), :]
        lbl = torch.cat((torch.ones(1, 12), torch.zeros(1, 12)), 1)
        logits = model(features, shuffled, sp_adj, sparse, None, None, None)
        loss = b_xent(logits, lbl)
        if loss < best:
            best = loss
            torch.save(model.state_dict(), name + ".pkl")
        loss.backward()
        optimiser.step()
        say("%s %d" % (name, epoch), loss.item(), best.item())
    model.load_state_dict(torch.load(name + ".pkl"))
    embeds, summary = model.embed(features, sp_adj, sparse, None)
    train_embs, train_lbls = embeds[0, idx_train], torch.argmax(labels[0, idx_train], dim=1)
    log = LogReg(6, 3)
    fill(log)
    opt = torch.optim.Adam(log.parameters(), lr=0.01, weight_decay=0.0)
    for _ in range(3):
        log.train()
        opt.zero_grad()
        loss = xent(log(train_embs), train_lbls)
        loss.backward()
        opt.step()
    acc = torch.sum(torch.argmax(log(train_embs), dim=1) == train_lbls).float() / train_lbls.shape[0]
    say(name + " log", loss.item(), acc.item(), summary.abs().sum().item())
    keep(name, model)
    keep(name + "-log", log)


attempt("dense", lambda: run("dense", False))
attempt("sparse", lambda: run("sparse", True))
