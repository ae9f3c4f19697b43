import importlib.machinery
import os
import sys
import types
import numpy as np

rng = np.random.RandomState(0)
os.makedirs("made/pro_sg", exist_ok=True)
items = 130
with open("made/pro_sg/unique_sid.txt", "w") as file:
    file.write("".join(f"{i}\n" for i in range(items)))
for name, first, n in (("train", 0, 12), ("validation_tr", 12, 6), ("validation_te", 12, 6), ("test_tr", 18, 5), ("test_te", 18, 5)):
    rows = [(first + u, int(i)) for u in range(n) for i in rng.choice(items, 6, replace=False)]
    with open(f"made/pro_sg/{name}.csv", "w") as file:
        file.write("uid,sid\n" + "".join(f"{u},{i}\n" for u, i in rows))


def read_csv(path):
    values = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.int64)
    return {"uid": values[:, 0], "sid": values[:, 1]}


sys.modules["pandas"] = types.ModuleType("pandas")
sys.modules["pandas"].__spec__ = importlib.machinery.ModuleSpec("pandas", None)
sys.modules["pandas"].read_csv = read_csv
sys.argv = ["main.py", "--data", "made", "--batch_size", "5", "--epochs", "2", "--total_anneal_steps", "20", "--log-interval", "1"]
np.random.seed(0)

import torch  # noqa: E402
import models  # noqa: E402
from probe import attempt, fill, fit, keep, say  # noqa: E402


import main  # noqa: E402

say("script", main.test_loss, main.n100, main.r20, main.r50, main.best_n100, main.update_count)
keep("script", main.model)


def denoising():
    model = models.MultiDAE([8, 16, items], dropout=0.0)
    fill(model)
    x = main.naive_sparse2tensor(main.train_data[:6])
    fit("dae", model, lambda step: -torch.mean(torch.sum(torch.nn.functional.log_softmax(model(x), 1) * x, -1)), torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=0.01))
    say("sparse", main.sparse2torch_sparse(main.train_data[:6]).to_dense().sum().item())


attempt("dae", denoising)
