import importlib
import os
import sys
import types
import numpy as np

rng = np.random.RandomState(3)
taken = rng.rand(12, 30) < 0.4
taken[11, 29] = True
pairs = np.argwhere(taken)
rng.shuffle(pairs)
if not (pairs[:200] == [11, 29]).all(1).any():
    pairs = np.concatenate([[[11, 29]], pairs])
os.makedirs("made", exist_ok=True)
for name, part in (("train", pairs[:80]), ("valid", pairs[80:105]), ("test", pairs[105:130])):
    np.save(f"made/{name}_list.npy", part)
held = ["--data_path", "made/", "--dataset", "made", "--batch_size", "5", "--topN", "[2, 4, 6, 8]", "--dims", "[16]", "--emb_size", "6", "--save_path", "kept/", "--lr", "0.002"]
sys.argv = ["main.py", *held, "--epochs", "10", "--steps", "3", "--sampling_steps", "2", "--tst_w_val"]

sys.modules["bottleneck"] = types.ModuleType("bottleneck")

import evaluate_utils
from probe import attempt, keep, say


def told(loss, valid, test):
    for name, results in (("valid", valid), ("test", test)):
        for values in results or ():
            say(name, *np.ravel(values))


evaluate_utils.print_results = told


def run(name):
    import main as module

    if name == "noise":
        sys.argv = ["main.py", *held, "--epochs", "5", "--steps", "4", "--mean_type", "eps", "--noise_schedule", "cosine", "--norm", "1", "--sampling_noise", "1"]
        module = importlib.reload(module)
    say(f"{name} loss", float(module.total_loss))
    say(f"{name} history", *module.diffusion.Lt_history.flatten().tolist())
    keep(name, module.model)


attempt("start", lambda: run("start"))
attempt("noise", lambda: run("noise"))
