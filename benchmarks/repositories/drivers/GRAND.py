import os
import pickle
import sys
import numpy as np
import scipy.sparse as sp

rng = np.random.RandomState(0)
os.makedirs("data", exist_ok=True)
n, known, labelled = 620, 610, 12
features = sp.csr_matrix((rng.rand(n, 9) > 0.5).astype("float32") + np.eye(n, 9, dtype="float32"))
labels = np.eye(3)[rng.randint(0, 3, n)]
graph = {i: [int(v) for v in rng.randint(0, n, 3)] for i in range(n)}
for name, value in dict(x=features[:labelled], y=labels[:labelled], tx=features[known:], ty=labels[known:], allx=features[:known], ally=labels[:known], graph=graph).items():
    with open("data/ind.cora." + name, "wb") as file:
        pickle.dump(value, file)
with open("data/ind.cora.test.index", "w") as file:
    file.write("\n".join(str(i) for i in range(known, n)))
sys.argv = ["train_grand.py", "--no-cuda", "--epochs", "4", "--hidden", "8", "--input_droprate", "0", "--hidden_droprate", "0", "--order", "3", "--sample", "2", "--use_bn", "--fastmode"]
sys.argv.pop()

import torch  # noqa: E402

from probe import attempt, fill, fit, keep, say, whole  # noqa: E402
from pygcn.models import GCN  # noqa: E402
from pygcn.utils import MMD, MMD_same, encode_onehot, feature_generator  # noqa: E402


import train_grand  # noqa: E402

say("script", *train_grand.train(9))
keep("script", train_grand.model)


def graph_network():
    model = GCN(9, 8, 3, 0.0, 0.0, True)
    fill(model)
    y = whole(1, 3, n)
    fit("gcn", model, lambda step: torch.nn.functional.cross_entropy(model(train_grand.features, train_grand.A), y), torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4))


def parts():
    np.random.seed(0)
    one, two = feature_generator(train_grand.A, train_grand.features, 2)
    say("features", one.sum().item(), two.sum().item())
    say("mmd", MMD(one[:9], two[:7]).item(), MMD_same(one[:9], two[:9]).item(), encode_onehot([0, 1, 1]).sum())
    before = train_grand.features.sum().item()
    x = train_grand.rand_prop(train_grand.features, False)
    say("propagated", x.sum().item(), before, train_grand.features.sum().item())


attempt("parts", parts)
attempt("gcn", graph_network)
