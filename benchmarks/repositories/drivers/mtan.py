import os
import sys
import types
import numpy as np
import torch

rng = np.random.RandomState(1)
for part, count in (("train", 8), ("val", 4)):
    for kind, shape in (("image", (64, 64, 3)), ("label", (64, 64)), ("depth", (64, 64, 1)), ("normal", (64, 64, 3))):
        os.makedirs(f"nyuv2/{part}/{kind}", exist_ok=True)
        for i in range(count):
            made = rng.randint(-1, 13, size=shape).astype("float32") if kind == "label" else rng.randn(*shape).astype("float32")
            np.save(f"nyuv2/{part}/{kind}/{i}.npy", made / np.linalg.norm(made, axis=-1, keepdims=True) if kind == "normal" else np.abs(made) + 0.1 if kind == "depth" else made)
sys.argv = ["model_segnet_mtan.py", "--weight", "dwa"]

import utils
from probe import attempt, fill, keep, say

train, held = utils.multi_task_trainer, []
utils.multi_task_trainer = lambda *arguments: held.append(arguments)

import model_segnet_mtan as module


def run(weight, epochs):
    train_loader, test_loader, net, device, optimizer, scheduler, opt, _ = held[0]
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)
    fill(net, 2)
    say("parameters", utils.count_parameters(net))
    train(train_loader, test_loader, net, device, optimizer, torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5), types.SimpleNamespace(weight=weight, temp=2.0), epochs)
    keep(weight, net)
    net.eval()
    with torch.no_grad():
        for data, label, depth, normal in test_loader:
            (semantic, far, up), _ = net(data)
            say(f"{weight} losses", *(utils.model_fit(*pair).item() for pair in ((semantic, label.long(), "semantic"), (far, depth, "depth"), (up, normal, "normal"))))
            say(f"{weight} errors", *utils.depth_error(far, depth), *utils.normal_error(up, normal))


attempt("uncert", lambda: run("uncert", 1))
