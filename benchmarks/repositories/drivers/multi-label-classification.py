import os
import sys
import types
import numpy as np
from PIL import Image
import datasets.vehicle_attributes as vehicles
import main
import torch
import utils.util as util
from probe import attempt, keep, say

labels = list(vehicles.class_mapping())
os.makedirs("made", exist_ok=True)
os.makedirs("snapshots", exist_ok=True)
rows = [[f"{i}.png", labels[i % 4], labels[14 + i % 3], labels[22 + i % 2]] for i in range(8)]
for i in range(8):
    Image.fromarray(np.random.RandomState(i).randint(0, 255, (40, 44, 3)).astype("uint8")).save(f"made/{i}.png")


class Table:
    def __init__(self, rows):
        self.values = np.array(rows, dtype=object)


def averaged(y, p, average=None):
    order = np.argsort(-p.ravel(), kind="stable")
    hits = y.ravel()[order]
    return float((hits * np.cumsum(hits) / np.arange(1, len(hits) + 1)).sum() / hits.sum())


def told(name, run):
    def told_run(*arguments):
        result = run(*arguments)
        say(name, *result)
        return result

    return told_run


def run():
    vehicles.pd = types.SimpleNamespace(read_csv=lambda name: Table(rows if "train" in name else rows[::2]))
    util.precision_recall_curve, util.average_precision_score = lambda y, p: (y.mean(), p.mean(), None), averaged
    main.train_epoch, main.val_epoch = told("train", main.train_epoch), told("validation", main.val_epoch)
    sys.argv = ["main.py", "--epochs", "2", "--batch_size", "4", "--save_interval", "1", "--root_dir", "made", "--num_classes", "40", "--log_interval", "1"]
    main.main()
    checkpoint = torch.load("snapshots/model2.pth")
    say("checkpoint", checkpoint["epoch"], sum("num_batches" not in k for k in checkpoint["model_state_dict"]), len(checkpoint["optimizer_state_dict"]["state"]), sum(float(v.float().abs().sum()) for k, v in checkpoint["model_state_dict"].items() if "num_batches" not in k))
    model = main.resnet18(num_classes=40)
    model.load_state_dict(checkpoint["model_state_dict"])
    keep("model", model)
    sys.argv += ["--resume_path", "snapshots/model2.pth"]
    sys.argv[2] = "3"
    main.main()


attempt("run", run)
