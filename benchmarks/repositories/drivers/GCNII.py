import os
import pickle
import sys
import numpy as np
import scipy.sparse as sp

rng = np.random.RandomState(0)
os.makedirs("data", exist_ok=True)
os.makedirs("pretrained", exist_ok=True)
n, known, labelled = 620, 610, 12
features = sp.csr_matrix((rng.rand(n, 9) > 0.5).astype("float32") + np.eye(n, 9, dtype="float32"))
labels = np.eye(3)[rng.randint(0, 3, n)]
graph = {i: [int(v) for v in rng.randint(0, n, 3)] for i in range(n)}
for name, value in dict(x=features[:labelled], y=labels[:labelled], tx=features[known:], ty=labels[known:], allx=features[:known], ally=labels[:known], graph=graph).items():
    with open("data/ind.cora." + name, "wb") as file:
        pickle.dump(value, file)
with open("data/ind.cora.test.index", "w") as file:
    file.write("\n".join(str(i) for i in range(known, n)))
sys.argv = ["train.py", "--epochs", "4", "--layer", "4", "--hidden", "8", "--dropout", "0", "--test"]

import torch  # noqa: E402

from model import GCNII, GCNIIppi  # noqa: E402
from probe import attempt, fill, fit, keep, say, whole  # noqa: E402


import train  # noqa: E402

say("script", *train.train(), *train.validate(), train.best, train.acc)
keep("script", train.model)


def run(name, kind, variant):
    model = kind(9, 3, 8, 3, 0.0, 0.5, 0.1, variant)
    fill(model)
    groups = [{"params": model.convs.parameters(), "weight_decay": 0.01}, {"params": model.fcs.parameters(), "weight_decay": 5e-4}]
    y = whole(1, 3, n)

    def loss(step):
        output = model(train.features, train.adj)
        return torch.nn.functional.nll_loss(output, y) if kind is GCNII else torch.nn.BCELoss()(output, torch.nn.functional.one_hot(y, 3).float())

    fit(name, model, loss, torch.optim.Adam(groups, lr=0.01))


attempt("variant", lambda: run("variant", GCNII, True))
attempt("ppi", lambda: run("ppi", GCNIIppi, True))
