import os
import sys
import numpy as np
import torch
from PIL import Image
from probe import array, attempt, fill, keep, say

for part in ("ITS", "SOTS/indoor", "OTS", "SOTS/outdoor"):
    for kind in ("hazy", "clear"):
        os.makedirs(f"made/RESIDE/{part}/{kind}", exist_ok=True)
for name in (f"made/RESIDE/ITS/hazy/{i}_1.png" for i in range(4)):
    Image.fromarray(np.random.RandomState(len(name) + int(name[-7])).randint(0, 255, size=(24, 24, 3), dtype=np.uint8)).save(name)
for name in (f"made/RESIDE/ITS/clear/{i}.png" for i in range(4)):
    Image.fromarray(np.random.RandomState(90 + int(name[-5])).randint(0, 255, size=(24, 24, 3), dtype=np.uint8)).save(name)
for i in range(2):
    Image.fromarray(np.random.RandomState(50 + i).randint(0, 255, size=(20, 28, 3), dtype=np.uint8)).save(f"made/RESIDE/SOTS/indoor/hazy/{i}_1.png")
    Image.fromarray(np.random.RandomState(60 + i).randint(0, 255, size=(22, 30, 3), dtype=np.uint8)).save(f"made/RESIDE/SOTS/indoor/clear/{i}.png")
for i in range(2):
    Image.fromarray(np.random.RandomState(70 + i).randint(0, 255, size=(24, 24, 3), dtype=np.uint8)).save(f"made/RESIDE/OTS/hazy/{i}_1.jpg")
    Image.fromarray(np.random.RandomState(80 + i).randint(0, 255, size=(24, 24, 3), dtype=np.uint8)).save(f"made/RESIDE/OTS/clear/{i}.jpg")

sys.argv = ["main.py", "--steps", "4", "--eval_step", "2", "--bs", "2", "--blocks", "1", "--crop", "--crop_size", "16", "--lr", "0.001"]

import main as module


def run():
    import random
    random.seed(3)
    net = module.models_["ffa"]
    fill(net)
    optimizer = torch.optim.Adam(params=filter(lambda x: x.requires_grad, net.parameters()), lr=module.opt.lr, betas=(0.9, 0.999), eps=1e-5)
    optimizer.zero_grad()
    batches = [(array(i, 2, 3, 16, 16), array(i + 5, 2, 3, 16, 16).sigmoid()) for i in range(1)]
    module.train(net, batches, module.loaders_["its_test"], optimizer, [torch.nn.L1Loss()])
    for name in ("losses", "ssims", "psnrs"):
        say(name, *np.load(f"numpy_files/{module.model_name}_4_{name}.npy"))
    keep("net", net)


def resumed():
    module.opt.steps = 5
    net = module.FFA(gps=3, blocks=1)
    fill(net, 4)
    optimizer = torch.optim.Adam(net.parameters(), lr=module.opt.lr, eps=1e-5)
    batches = [(array(8, 2, 3, 16, 16), array(9, 2, 3, 16, 16).sigmoid())]
    module.train(net, batches, module.loaders_["its_test"], optimizer, [torch.nn.L1Loss()])
    say("resumed", *np.load(f"numpy_files/{module.model_name}_5_losses.npy"))
    keep("resumed", net)


def loaded():
    import random
    random.seed(7)
    haze, clear = module.loaders_["ots_train"].dataset.augData(Image.open("made/RESIDE/ITS/hazy/0_1.png"), Image.open("made/RESIDE/ITS/clear/0.png"))
    say("loaded", haze.mean(), haze[0, 3, 5], clear.mean(), clear[1, 2, 7])


attempt("train", run)
attempt("resumed", resumed)
attempt("loaded", loaded)
