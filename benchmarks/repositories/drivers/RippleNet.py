import argparse
import numpy as np
import torch
from model import RippleNet
from train import evaluation, get_feed_dict, train
from probe import attempt, fill, keep, say


def data():
    rng = np.random.RandomState(0)
    rows = lambda n: np.stack([rng.randint(0, 5, n), rng.randint(0, 12, n), rng.randint(0, 2, n)], axis=1)
    ripple = {u: [tuple(rng.randint(0, high, 6).tolist() for high in (20, 4, 20)) for _ in range(2)] for u in range(5)}
    return rows(16), rows(8), rows(8), 20, 4, ripple


def run(mode, all_hops):
    np.random.seed(1)
    args = argparse.Namespace(dim=4, n_hop=2, kge_weight=0.01, l2_weight=1e-3, lr=0.02, n_memory=6, item_update_mode=mode, using_all_hops=all_hops, use_cuda=False, n_epoch=1, batch_size=8)
    info = data()
    train(args, info, False)
    model = RippleNet(args, info[3], info[4])
    fill(model)
    optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), args.lr)
    for step in range(4):
        np.random.shuffle(info[0])
        result = model(*get_feed_dict(args, model, info[0], info[5], 0, 8))
        loss = result["loss"]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("%s %d" % (mode, step), loss.item(), result["base_loss"], result["kge_loss"], result["l2_loss"], result["scores"].sum())
    torch.save(model.state_dict(), mode + ".pt")
    model.load_state_dict(torch.load(mode + ".pt"))
    say(mode + " eval", *evaluation(args, model, info[1], info[5], 4))
    keep(mode, model)


for mode in ("replace", "plus", "plus_transform"):
    attempt(mode, lambda: run(mode, mode != "replace"))
