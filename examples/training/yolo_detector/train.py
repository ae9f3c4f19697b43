"""Trains the detector: parameter groups, warm-up by hand, a cosine schedule, a moving average of the weights."""

import argparse
import math
from copy import deepcopy

import numpy as np
import torch
import torch.nn as nn
from data import BoxesDataset
from loss import DetectionLoss
from model import Detector
from torch.utils.data import DataLoader


class ModelEMA:
    """A moving average of everything in a model's state_dict; young averages follow faster."""

    def __init__(self, model, decay=0.99, tau=50):
        self.module = deepcopy(model).eval()
        self.decay, self.tau, self.updates = decay, tau, 0
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        self.updates += 1
        keep = self.decay * (1 - math.exp(-self.updates / self.tau))
        current = model.state_dict()
        for name, value in self.module.state_dict().items():
            if value.dtype.is_floating_point:
                value.mul_(keep).add_(current[name].detach(), alpha=1 - keep)
            else:
                value.copy_(current[name])


def build_optimizer(model, lr, momentum, weight_decay):
    decayed, norms, biases = [], [], []
    for module in model.modules():
        if hasattr(module, "bias") and isinstance(module.bias, nn.Parameter):
            biases.append(module.bias)
        if isinstance(module, nn.BatchNorm2d):
            norms.append(module.weight)
        elif hasattr(module, "weight") and isinstance(module.weight, nn.Parameter):
            decayed.append(module.weight)
    optimizer = torch.optim.SGD(biases, lr=lr, momentum=momentum, nesterov=True)
    optimizer.add_param_group({"params": decayed, "weight_decay": weight_decay})
    optimizer.add_param_group({"params": norms})
    return optimizer


@torch.no_grad()
def validate(model, loader, criterion, device):
    model.eval()
    total = torch.zeros(3, device=device)
    for images, targets in loader:
        total += criterion(model(images.to(device)), targets.to(device))[1]
    return (total / len(loader)).cpu().tolist()


def main(opt):
    torch.manual_seed(opt.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader_args = dict(batch_size=opt.batch_size, collate_fn=BoxesDataset.collate_fn)
    train_loader = DataLoader(BoxesDataset(128), shuffle=True, **loader_args)
    val_loader = DataLoader(BoxesDataset(32, seed=1), **loader_args)
    model = Detector().to(device)
    optimizer = build_optimizer(model, opt.lr, 0.937, 5e-4)
    cosine = lambda epoch: opt.final + (1 - opt.final) * (1 + math.cos(math.pi * epoch / opt.epochs)) / 2  # noqa: E731
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=cosine)
    ema = ModelEMA(model)
    criterion = DetectionLoss(model)
    warmup = max(round(opt.warmup_epochs * len(train_loader)), 20)

    for epoch in range(opt.epochs):
        model.train()
        mean_losses = torch.zeros(3, device=device)
        for i, (images, targets) in enumerate(train_loader):
            step = i + epoch * len(train_loader)
            images = images.to(device, non_blocking=True).float()
            if step <= warmup:
                for j, group in enumerate(optimizer.param_groups):
                    # biases come down from a high rate, everything else up from zero
                    first = opt.warmup_bias_lr if j == 0 else 0.0
                    group["lr"] = np.interp(step, [0, warmup], [first, group["initial_lr"] * cosine(epoch)])
                    if "momentum" in group:
                        group["momentum"] = np.interp(step, [0, warmup], [0.8, 0.937])
            loss, parts = criterion(model(images), targets.to(device))
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), max_norm=10.0)
            optimizer.step()
            optimizer.zero_grad()
            ema.update(model)
            mean_losses = (mean_losses * i + parts) / (i + 1)
        lr = optimizer.param_groups[1]["lr"]
        scheduler.step()
        box, objectness, classes = validate(ema.module, val_loader, criterion, device)
        print(f"epoch {epoch}: box {mean_losses[0]:.4f} object {mean_losses[1]:.4f} class {mean_losses[2]:.4f} lr {lr:.5f} "
              f"val_box {box:.4f} val_object {objectness:.4f} val_class {classes:.4f}")
    torch.save({"model": ema.module.state_dict(), "optimizer": optimizer.state_dict(), "updates": ema.updates}, "last.pt")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--final", type=float, default=0.1)
    parser.add_argument("--warmup-epochs", type=float, default=1.5)
    parser.add_argument("--warmup-bias-lr", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    main(parser.parse_args())
