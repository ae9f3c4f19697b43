import argparse
import os
import sys
import types
import numpy as np
import torch

for name in ("torchscope", "retinaface.detector", "align_faces"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["torchscope"].scope = sys.modules["retinaface.detector"].detect_faces = None
sys.modules["align_faces"].get_reference_facial_points = sys.modules["align_faces"].warp_and_crop_face = None

import config

config.num_classes, config.print_freq = 9, 1

import train as module
from probe import array, attempt, keep, say


class Faces(torch.utils.data.Dataset):
    def __init__(self, split):
        rng = np.random.RandomState(2)
        self.images, self.labels = rng.randn(9, 3, 112, 112).astype("float32"), rng.randint(0, 9, size=9)

    def __len__(self):
        return 9

    def __getitem__(self, i):
        return self.images[i], self.labels[i]


class Log:
    def info(self, text):
        print(text)


def tested(model):
    model.eval()
    with torch.no_grad():
        found = model(array(7, 3, 3, 112, 112))
    cosine = torch.nn.functional.cosine_similarity(found[:1], found[1:])
    say("tested", *cosine, found.norm())
    return float(cosine[0]), 70.0


class Board:
    def add_scalar(self, key, value, step):
        say(f"{key} {step}", value)


def run(name, **options):
    args = argparse.Namespace(pretrained=False, network="r18", end_epoch=2, lr=0.002, lr_step=10, optimizer="sgd", weight_decay=5e-4, mom=0.9, emb_size=24, batch_size=3, margin_m=0.5, margin_s=8.0, easy_margin=False, focal_loss=False, gamma=2.0, use_se=False, full_log=False, checkpoint=None)
    vars(args).update(options)
    module.ArcFaceDataset, module.lfw_test, module.SummaryWriter, module.get_logger = Faces, tested, Board, Log
    module.train_net(args)
    args.checkpoint, args.end_epoch = "checkpoint.tar", 3
    module.train_net(args)
    found = torch.load("checkpoint.tar", weights_only=False)
    keep(name + " model", found["model"])
    keep(name + " margin", found["metric_fc"])
    say(name + " kept", found["epoch"], found["optimizer"].step_num, found["acc"])


attempt("sgd", lambda: run("sgd"))
attempt("adam", lambda: run("adam", optimizer="adam", lr=1e-4, use_se=True, focal_loss=True, easy_margin=True))
