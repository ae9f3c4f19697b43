import os
import pickle
import sys
import numpy as np
import scipy.sparse
from probe import attempt, keep, say

os.makedirs("data/tiny", exist_ok=True)
os.makedirs("log", exist_ok=True)
os.makedirs("saved_model", exist_ok=True)
for name, seed in (("trnMat", 1), ("tstMat", 2)):
    rng = np.random.RandomState(seed)
    with open(f"data/tiny/{name}.pkl", "wb") as file:
        pickle.dump(scipy.sparse.coo_matrix((rng.rand(9, 13) < 0.3).astype("float32")), file)
sys.argv = ["main.py", "--data", "tiny", "--cuda", "0", "--batch", "4", "--inter_batch", "8", "--epoch", "4", "--d", "6", "--q", "3", "--lr", "0.01"]


def run():
    np.random.seed(3)
    import main as module

    say("losses", *module.loss_list, *module.loss_r_list, *module.loss_s_list)
    say("found", *module.recall_20_y, *module.ndcg_40_y)
    keep("model", module.model)


attempt("run", run)
