import os
import random
import types
import numpy as np
import torch
from PIL import Image
from models.MIMOUNet import build_net
from probe import array, attempt, fill, keep, quiet, say

for part, count in (("train", 4), ("valid", 2)):
    for kind in ("blur", "sharp"):
        os.makedirs(f"made/{part}/{kind}", exist_ok=True)
        for i in range(count):
            Image.fromarray(np.random.RandomState(i + len(kind)).randint(0, 255, size=(16, 16, 3), dtype=np.uint8)).save(f"made/{part}/{kind}/{i}.png")

import train as module


def run(name):
    random.seed(3)
    net = build_net(name)
    fill(net)
    quiet(net)
    for folder in (f"out/{name}/weights", f"out/{name}/images"):
        os.makedirs(folder, exist_ok=True)
    args = types.SimpleNamespace(learning_rate=1e-4, weight_decay=0.01, data_dir="made", batch_size=2, num_worker=0, lr_steps=[1, 2], gamma=0.5, resume="", num_epoch=2, print_freq=1, save_freq=1, valid_freq=1, model_save_dir=f"out/{name}/weights", result_dir=f"out/{name}/images")
    module._train(net, args)
    args.resume, args.num_epoch = f"out/{name}/weights/model_2.pkl", 3
    module._train(net, args)
    keep(name, net)
    say(name, module._valid(net, args, 3), *(x.abs().mean().item() for x in net(array(4, 1, 3, 16, 16))))


attempt("small", lambda: run("MIMO-UNet"))
attempt("plus", lambda: run("MIMO-UNetPlus"))
