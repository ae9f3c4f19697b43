import os
import sys
import numpy as np
import torch
from probe import attempt, keep, say

rng = np.random.RandomState(6)
os.makedirs("made", exist_ok=True)
for name, count in (("train", 90), ("valid", 24), ("test", 8)):
    with open(f"made/{name}.txt", "w") as file:
        for _ in range(count):
            file.write(" ".join("abcdefghijklmnop"[i] for i in rng.randint(0, 16, size=rng.randint(2, 7))) + "\n")
held = ["--data", "made/", "--emsize", "12", "--nhid", "12", "--chunk_size", "3", "--nlayers", "2", "--batch_size", "4", "--bptt", "12", "--cuda", "--save", "made.pt", "--log-interval", "2"]
for name in ("dropout", "dropouth", "dropouti", "dropoute", "wdrop"):
    held += [f"--{name}", "0"]


def run():
    sys.argv = ["main.py", *held, "--lr", "8", "--epochs", "8", "--nonmono", "1", "--finetuning", "7"]
    import main as module

    for i, loss in enumerate(module.best_val_loss):
        say(f"valid {i}", loss)
    say("test", module.test_loss, module.val_loss)
    say("distance", module.model.distance[0].mean().item(), module.model.distance[1].mean().item())
    keep("model", module.model)


attempt("run", run)
