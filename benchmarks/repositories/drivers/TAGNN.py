import os
import pickle
import sys
import numpy as np

os.makedirs("../datasets/made", exist_ok=True)
rng = np.random.RandomState(3)
for name, count in (("train", 25), ("test", 8)):
    clicks = [list(map(int, rng.randint(1, 30, size=1 + i % 5))) for i in range(count)]
    with open(f"../datasets/made/{name}.txt", "wb") as file:
        pickle.dump((clicks, list(map(int, rng.randint(1, 30, size=count)))), file)
sys.argv = ["main.py", "--dataset", "made", "--batchSize", "6", "--hiddenSize", "10", "--epoch", "2", "--lr_dc_step", "1", "--step", "2"]

import main as module
from probe import attempt


def run(name, **options):
    np.random.seed(4)
    vars(module.opt).update(options)
    module.main()


attempt("hybrid", lambda: run("hybrid"))
attempt("nonhybrid", lambda: run("nonhybrid", nonhybrid=True, validation=True, valid_portion=0.2))
