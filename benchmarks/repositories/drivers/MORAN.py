import io
import sys
import types
import numpy as np
import torch
from PIL import Image


class Store:
    def __init__(self, root, **options):
        rng = np.random.RandomState(len(root))
        self.held = {b"num-samples": b"6"}
        for i in range(1, 7):
            kept = io.BytesIO()
            Image.fromarray(rng.randint(0, 255, size=(30, 90), dtype="uint8")).save(kept, format="png")
            self.held[b"image-%09d" % i] = kept.getvalue()
            self.held[b"label-%09d" % i] = "".join(rng.choice(list("abc019xyz"), size=2 + i % 3)).encode()

    def begin(self, write):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def get(self, key):
        return self.held[key]


sys.modules["lmdb"] = types.ModuleType("lmdb")
sys.modules["lmdb"].open = Store
sys.argv = ["main.py", "--train_nips", "one", "--train_cvpr", "other", "--valroot", "third", "--workers", "0", "--batchSize", "3", "--nh", "12", "--niter", "2", "--sgd", "--lr", "0.01", "--displayInterval", "1", "--valInterval", "2", "--experiment", "made"]

from probe import attempt, keep


def run():
    import main

    keep("model", main.MORAN)


attempt("train", run)
