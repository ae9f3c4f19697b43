import glob
import os
import pickle
import sys
import tempfile
import numpy as np

sys.path.insert(0, "../..")

import train_snli as module
from probe import attempt, keep, say

folder = tempfile.mkdtemp()


def sentences(seed):
    rng = np.random.RandomState(seed)
    return {"ids": [str(i) for i in range(7)], "premises": [rng.randint(1, 15, size=4 + i % 3).tolist() for i in range(7)], "hypotheses": [rng.randint(1, 15, size=3 + i % 4).tolist() for i in range(7)], "labels": rng.randint(0, 3, size=7).tolist()}


for name, made in (("train", sentences(1)), ("valid", sentences(2)), ("words", np.random.RandomState(3).randn(15, 6))):
    with open(f"{folder}/{name}.pkl", "wb") as file:
        pickle.dump(made, file)


def run(name, dropout, epochs, checkpoint):
    module.main(f"{folder}/train.pkl", f"{folder}/valid.pkl", f"{folder}/words.pkl", f"{folder}/{name}", 8, dropout=dropout, num_classes=3, epochs=epochs, batch_size=3, lr=1e-2, patience=5, max_grad_norm=1.0, checkpoint=checkpoint)
    say(name, len(glob.glob(f"{folder}/{name}/*.tar")), os.path.exists(f"{folder}/{name}/best.pth.tar"))


attempt("plain", lambda: run("plain", 0, 2, None))
attempt("resumed", lambda: run("plain", 0, 3, f"{folder}/plain/esim_2.pth.tar"))
attempt("dropout", lambda: run("dropout", 0.5, 2, None))
