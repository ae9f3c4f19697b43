import os
import sys
import types
import numpy as np
import torch


class OrderedSet(dict):
    def add(self, key):
        self[key] = None


def scatter(src, index, dim=0, out=None, dim_size=None, reduce="sum"):
    found = torch.zeros(dim_size, *src.shape[1:], dtype=src.dtype)
    return found.index_add(0, index, src)


for name, members in (("ordered_set", {"OrderedSet": OrderedSet}), ("torch_scatter", {"scatter": scatter, "scatter_add": scatter})):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)

import run as module
from probe import attempt, fill, keep, say


def triples(seed, count):
    rng = np.random.RandomState(seed)
    return "".join(f"E{rng.randint(12)}\tR{rng.randint(3)}\tE{rng.randint(12)}\n" for _ in range(count))


os.makedirs("data/tiny", exist_ok=True)
os.makedirs("log", exist_ok=True)
os.makedirs("checkpoints", exist_ok=True)
for split, seed, count in (("train", 1, 40), ("valid", 2, 8), ("test", 3, 8)):
    with open(f"data/tiny/{split}.txt", "w") as file:
        file.write(triples(seed, count))


def train(name, score, opn, **options):
    np.random.seed(1)
    p = types.SimpleNamespace(name=name, dataset="tiny", model="compgcn", score_func=score, opn=opn, batch_size=10, gamma=9.0, gpu="-1", max_epochs=2, l2=1e-4, lr=0.01, lbl_smooth=0.1, num_workers=0, seed=1, restore=False, bias=False, num_bases=-1, init_dim=10, gcn_dim=8, embed_dim=None, gcn_layer=1, dropout=0.0, hid_drop=0.0, hid_drop2=0.0, feat_drop=0.0, k_w=4, k_h=3, num_filt=4, ker_sz=3, log_dir="./log/", config_dir="./config/")
    vars(p).update(options)
    runner = module.Runner(p)
    fill(runner.model, 4)
    runner.best_val_mrr = 0.0
    for epoch in range(2):
        say(f"{name} loss {epoch}", runner.run_epoch(epoch))
    runner.fit()
    found = runner.evaluate("valid", 9)
    say(name, *(found[key] for key in sorted(found)))
    keep(name, runner.model)


attempt("conve", lambda: train("conve", "conve", "corr"))
attempt("distmult", lambda: train("distmult", "distmult", "mult", gcn_layer=2, embed_dim=9, bias=True))
attempt("transe", lambda: train("transe", "transe", "sub", embed_dim=10, gcn_layer=2, restore=False))
