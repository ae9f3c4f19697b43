from types import SimpleNamespace

import numpy as np
import torch
from model.KGAT import KGAT

from probe import fill, keep, quiet, say, whole

USERS, ENTITIES, RELATIONS = 6, 14, 3


def run(kind):
    options = SimpleNamespace(use_pretrain=1, embed_dim=8, relation_dim=6, aggregation_type=kind, conv_dim_list="[6, 4]", mess_dropout="[0.0, 0.0]", kg_l2loss_lambda=1e-3, cf_l2loss_lambda=1e-3)
    r = np.random.RandomState(0)
    heads, tails, relations = whole(1, USERS + ENTITIES, 30), whole(2, USERS + ENTITIES, 30), whole(3, RELATIONS, 30)
    pairs = np.unique(np.stack([heads.numpy(), tails.numpy()]), axis=1)
    graph = torch.sparse_coo_tensor(torch.from_numpy(pairs), torch.from_numpy(r.rand(pairs.shape[1]).astype(np.float32)), (USERS + ENTITIES, USERS + ENTITIES))
    users, items = (torch.from_numpy(r.randn(n, 8).astype(np.float32)) for n in (USERS, 10))
    model = KGAT(options, USERS, ENTITIES, RELATIONS, graph, users, items)
    fill_dense(model)
    quiet(model)
    cf = torch.optim.Adam(model.parameters(), lr=1e-2)
    kg = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(2):
        model.train()
        for optimizer, mode, ids in ((cf, "train_cf", [whole(4, USERS, 5) + ENTITIES, whole(5, 10, 5), whole(6, 10, 5)]), (kg, "train_kg", [heads[:6], relations[:6], tails[:6], whole(7, ENTITIES, 6)])):
            loss = model(*ids, mode=mode)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            say(f"{kind} {epoch} {mode}", loss.item())
        model(heads, tails, relations, list(range(RELATIONS)), mode="update_att")
        say(f"{kind} attention", model.A_in.to_dense().sum())
    model.eval()
    with torch.no_grad():
        scores = model(torch.arange(USERS) + ENTITIES, torch.arange(10), mode="predict")
        say(f"{kind} scores", scores.mean(), *scores[0, :4])


def fill_dense(model):
    for k, (name, p) in enumerate(model.named_parameters()):
        if name != "A_in":
            r = np.random.RandomState(k)
            p.data.copy_(torch.from_numpy((r.randn(*p.shape) * 0.3).astype(np.float32)))


for kind in ("bi-interaction", "gcn", "graphsage"):
    run(kind)
