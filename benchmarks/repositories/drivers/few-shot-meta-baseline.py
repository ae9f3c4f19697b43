from types import SimpleNamespace
import numpy as np
import torch
from torch.utils.data import Dataset
import datasets
import models

import train_meta
import utils
from probe import attempt, fill, keep, say


@datasets.datasets.register("made")
class Made(Dataset):
    def __init__(self, root_path, split="train", n=30, **more):
        rng = np.random.RandomState(len(split))
        self.label = [i % 6 for i in range(n)]
        self.data = torch.from_numpy(rng.randn(n, 3, 16, 16).astype("float32"))
        self.n_classes = 6

    def __len__(self):
        return len(self.label)

    def __getitem__(self, i):
        return self.data[i], self.label[i]


make = models.make


def filled(name, **args):
    model = make(name, **args)
    fill(model)
    return model


def meta(method):
    train_meta.args = SimpleNamespace(name="_meta" + method, tag=None)
    train_meta.models.make = filled
    config = dict(train_dataset="made", train_dataset_args={}, tval_dataset="made", tval_dataset_args={"split": "tv"}, val_dataset="made", val_dataset_args={"split": "val"}, n_way=3, n_shot=1, n_query=2, train_batches=3, ep_per_batch=2, model="meta-baseline", model_args={"encoder": "convnet4", "encoder_args": {"hid_dim": 4, "z_dim": 6}, "method": method}, optimizer="sgd", optimizer_args={"lr": 0.01, "weight_decay": 5e-4, "milestones": [1]}, max_epoch=2, save_epoch=1, freeze_bn=method == "sqr")
    train_meta.main(config)
    train_meta.models.make = make
    with open("./save/_meta%s/log.txt" % method) as text:
        for line in text:
            if line.startswith("epoch"):
                say(method + line.split(",")[0], *[float(v) for part in line.split(",")[1:4] for v in part.split()[1].split("|")])
    stored = torch.load("./save/_meta%s/max-va.pth" % method, weights_only=False)
    model = models.load(stored)
    say(method, stored["training"]["epoch"], stored["training"]["optimizer_args"]["lr"], model.temp.item())
    keep(method, model)


def classify():
    encoder = make("convnet4", hid_dim=4, z_dim=6)
    fill(encoder)
    head = make("nn-classifier", in_dim=6, n_classes=6)
    fill(head, 1)
    optimizer, scheduler = utils.make_optimizer(list(encoder.parameters()) + list(head.parameters()), "adam", 0.01)
    data = Made("", "train")
    for step in range(3):
        x, label = torch.stack([data[i][0] for i in range(12)]), torch.tensor([data[i][1] for i in range(12)])
        logits = head(encoder(x))
        loss = torch.nn.functional.cross_entropy(logits, label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("classify %d" % step, loss.item(), utils.compute_acc(logits, label), scheduler is None)
    keep("head", head)
    keep("encoder", encoder)


attempt("cos", lambda: meta("cos"))
attempt("sqr", lambda: meta("sqr"))
attempt("classify", classify)
