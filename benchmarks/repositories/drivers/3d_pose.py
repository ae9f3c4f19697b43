import os
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
import main as program
import src.log as log
from src.datasets.human36m import Human36M
from src.model import LinearModel, weight_init
from probe import attempt, fill, keep, quiet, say


def data(folder):
    os.makedirs(folder, exist_ok=True)
    rng = np.random.RandomState(0)
    for name in ("train", "test"):
        two = {(1, "Eating", "a%d.h5-sh" % i): rng.randn(6, 32) for i in range(3)}
        three = {(1, "Eating", "a%d.h5" % i): rng.randn(6, 48) for i in range(3)}
        torch.save(two, os.path.join(folder, name + "_2d_ft.pth.tar"))
        torch.save(three, os.path.join(folder, name + "_3d.pth.tar"))
    use = np.arange(3, 51)
    torch.save({"mean": rng.randn(96), "std": rng.rand(96) + 0.5, "dim_use": use}, os.path.join(folder, "stat_3d.pth.tar"))


def main():
    data("generated")
    model = LinearModel(linear_size=32, num_stage=2)
    model.apply(weight_init)
    fill(model)
    quiet(model)
    criterion = nn.MSELoss(size_average=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    stat = torch.load("generated/stat_3d.pth.tar", weights_only=False)
    load = lambda train: DataLoader(dataset=Human36M(actions=["Eating"], data_path="generated", use_hg=True, is_train=train), batch_size=6, shuffle=False, num_workers=0, pin_memory=True)
    step, lr = 0, 1e-3
    best = 1000
    for epoch in range(2):
        step, lr, loss = program.train(load(True), model, criterion, optimizer, lr_init=1e-3, lr_now=lr, glob_step=step, lr_decay=2, gamma=0.96, max_norm=True)
        loss_test, err = program.test(load(False), model, criterion, stat, procrustes=epoch == 1)
        say("epoch %d" % epoch, step, lr, loss, loss_test, err)
        is_best = err < best
        best = min(err, best)
        log.save_ckpt({"epoch": epoch + 1, "lr": lr, "step": step, "err": best, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}, ckpt_path="generated", is_best=is_best)
    ckpt = torch.load("generated/ckpt_best.pth.tar", weights_only=False)
    model.load_state_dict(ckpt["state_dict"])
    optimizer.load_state_dict(ckpt["optimizer"])
    step, lr, loss = program.train(load(True), model, criterion, optimizer, lr_init=1e-3, lr_now=ckpt["lr"], glob_step=ckpt["step"], lr_decay=2, gamma=0.96, max_norm=True)
    say("again", step, lr, loss, ckpt["err"])
    keep("pose", model)


attempt("pose", main)
