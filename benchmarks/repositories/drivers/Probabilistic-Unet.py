import os
import pickle
import random
import numpy as np
import torch
from probe import attempt, keep, say

rng = np.random.RandomState(2)
os.makedirs("data", exist_ok=True)
with open("data/made.pickle", "wb") as file:
    pickle.dump({i: {"image": rng.rand(32, 32), "masks": [(rng.rand(32, 32) > 0.5).astype("uint8") for _ in range(4)], "series_uid": str(i)} for i in range(11)}, file)
random.seed(1)
np.random.seed(1)
held = {}


def train():
    import train_model as module

    held["module"] = module
    keep("net", module.net)


def test():
    module = held["module"]
    net, sums = module.net, [0.0, 0.0]
    net.eval()
    with torch.no_grad():
        for patch, mask, series in module.test_loader:
            net.forward(patch, mask.unsqueeze(1), training=True)
            loss = net.elbo(mask.unsqueeze(1), analytic_kl=False)
            say(f"test {series[0]}", loss.item(), net.kl.item(), net.mean_reconstruction_loss.item())
            say(f"sample {series[0]}", net.sample(testing=True).abs().mean().item(), net.prior_latent_space.mean.sum().item(), net.prior_latent_space.entropy().sum().item())


attempt("train", train)
attempt("test", test)
