import copy
import os
import random
import shutil
import numpy as np
import torch
import main as module
from config import PARAMS_CONFIG
from probe import attempt, say
from utils import get_params


def texts(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    rng = np.random.RandomState(4)
    for name, count in (("train", 130), ("valid", 60), ("test", 60)):
        with open(f"{folder}/{name}.txt", "w") as file:
            for line in range(count):
                file.write(" ".join(f"w{int(30 * rng.rand() ** 2)}" if name == "train" or line else "w1" for _ in range(8)) + "\n")


def run(name, *options):
    random.seed(3)
    texts("made_" + name)
    path = f"made_{name}/kept.pt"
    for count in ("2", "3"):
        arguments = ["--data", "made_" + name, "--checkpoint", path, "--niter", count, "--nbatches", "3", "--batch-sz", "4", "--hid-sz", "16", "--inner-hid-sz", "20", "--nlayers", "2", "--block-sz", "16", "--attn-span", "96", "--dropout", "0", *options]
        found = get_params(copy.deepcopy(PARAMS_CONFIG), arguments)
        found["adapt_io_params"]["adapt_io_cutoffs"] = [6, 15]
        module.launch(**found)
    kept = torch.load(path)
    for key, values in kept["logger"].items():
        say(f"{name} {key}", *values)
    np.savez(os.environ["OUT"] + f"-{name}.npz", **{f"{i:04d} {k}": v.numpy() for i, (k, v) in enumerate(kept["model"].items())})
    found["trainer_params"].update(full_eval_mode=True)
    module.launch(**found)


attempt("span", lambda: run("span", "--adapt-span", "--adapt-span-loss", "0.001", "--adapt-span-cache", "--adapt-span-init", "0.2", "--adapt-span-ramp", "8", "--lr-warmup", "4", "--batch-split", "2"))
attempt("memory", lambda: run("memory", "--pers-mem-size", "5", "--adapt-span", "--adapt-span-loss", "0.001", "--optim", "adam", "--lr", "0.001", "--grad-clip", "0.1"))
attempt("io", lambda: run("io", "--adapt-io", "--adapt-io-tied", "--optim", "adagrad", "--grad-clip", "0.03", "--data-unit", "ppl", "--emb-dropout", "0.0"))
