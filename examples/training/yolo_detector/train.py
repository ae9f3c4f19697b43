"""Trains the detector: three parameter groups, warm-up by hand, cosine schedule, EMA."""

import argparse
import math

import numpy as np
import torch
import torch.nn as nn
from data import BoxesDataset
from torch.optim import SGD, lr_scheduler
from torch.utils.data import DataLoader
from yolo import ComputeLoss, ModelEMA, Yolo


def one_cycle(y1=0.0, y2=1.0, steps=100):
    return lambda x: ((1 - math.cos(x * math.pi / steps)) / 2) * (y2 - y1) + y1


def smart_optimizer(model, lr=0.01, momentum=0.9, decay=1e-5):
    g = [], [], []  # optimizer parameter groups
    bn = tuple(v for k, v in nn.__dict__.items() if "Norm" in k)  # normalization layers, i.e. BatchNorm2d()
    for v in model.modules():
        for p_name, p in v.named_parameters(recurse=False):
            if p_name == "bias":  # bias (no decay)
                g[2].append(p)
            elif p_name == "weight" and isinstance(v, bn):  # weight (no decay)
                g[1].append(p)
            else:
                g[0].append(p)  # weight (with decay)
    optimizer = SGD(g[2], lr=lr, momentum=momentum, nesterov=True)
    optimizer.add_param_group({"params": g[0], "weight_decay": decay})
    optimizer.add_param_group({"params": g[1], "weight_decay": 0.0})
    return optimizer


@torch.no_grad()
def validate(model, loader, compute_loss, device):
    model.eval()
    total = torch.zeros(3, device=device)
    for imgs, targets in loader:
        pred = model(imgs.to(device))
        total += compute_loss(pred, targets.to(device))[1]
    return (total / len(loader)).cpu().tolist()


def main(opt):
    torch.manual_seed(opt.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader = DataLoader(BoxesDataset(128), batch_size=opt.batch_size, shuffle=True,
                              collate_fn=BoxesDataset.collate_fn)
    val_loader = DataLoader(BoxesDataset(32, seed=1), batch_size=opt.batch_size, collate_fn=BoxesDataset.collate_fn)
    model = Yolo().to(device)
    optimizer = smart_optimizer(model, opt.lr0, 0.937, 5e-4)
    lf = one_cycle(1, opt.lrf, opt.epochs)
    scheduler = lr_scheduler.LambdaLR(optimizer, lr_lambda=lf)
    ema = ModelEMA(model)
    compute_loss = ComputeLoss(model)
    nb = len(train_loader)
    nw = max(round(opt.warmup_epochs * nb), 20)  # number of warmup iterations

    for epoch in range(opt.epochs):
        model.train()
        mloss = torch.zeros(3, device=device)
        for i, (imgs, targets) in enumerate(train_loader):
            ni = i + nb * epoch
            imgs = imgs.to(device, non_blocking=True).float()
            if ni <= nw:  # warmup
                xi = [0, nw]
                for j, x in enumerate(optimizer.param_groups):
                    # bias lr falls from 0.1 to lr0, all other lrs rise from 0.0 to lr0
                    x["lr"] = np.interp(ni, xi, [opt.warmup_bias_lr if j == 0 else 0.0, x["initial_lr"] * lf(epoch)])
                    if "momentum" in x:
                        x["momentum"] = np.interp(ni, xi, [0.8, 0.937])
            pred = model(imgs)
            loss, loss_items = compute_loss(pred, targets.to(device))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=10.0)
            optimizer.step()
            optimizer.zero_grad()
            ema.update(model)
            mloss = (mloss * i + loss_items) / (i + 1)  # update mean losses
        lr = [x["lr"] for x in optimizer.param_groups]
        scheduler.step()
        vbox, vobj, vcls = validate(ema.ema, val_loader, compute_loss, device)
        print(f"epoch {epoch}: box {mloss[0]:.4f} obj {mloss[1]:.4f} cls {mloss[2]:.4f} lr {lr[0]:.5f} "
              f"val_box {vbox:.4f} val_obj {vobj:.4f} val_cls {vcls:.4f}")
    torch.save({"model": ema.ema.state_dict(), "optimizer": optimizer.state_dict(), "updates": ema.updates}, "last.pt")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--lr0", type=float, default=0.01)
    parser.add_argument("--lrf", type=float, default=0.1)
    parser.add_argument("--warmup-epochs", type=float, default=1.5)
    parser.add_argument("--warmup-bias-lr", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    main(parser.parse_args())
