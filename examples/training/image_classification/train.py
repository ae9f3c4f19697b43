"""Image classification: augmentation, label smoothing, mixed precision, OneCycleLR, best checkpoint."""

import argparse
import os
import random

import numpy as np
import torch
import torch.nn as nn
from data import build_loaders
from model import resnet_tiny


class AverageMeter:
    def __init__(self):
        self.sum, self.count = 0.0, 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)


def accuracy(output, target, topk=(1,)):
    with torch.no_grad():
        maxk = max(topk)
        batch_size = target.size(0)
        _, pred = output.topk(maxk, 1, True, True)
        pred = pred.t()
        correct = pred.eq(target.view(1, -1).expand_as(pred))
        return [correct[:k].reshape(-1).float().sum(0) * (100.0 / batch_size) for k in topk]


def train_one_epoch(model, loader, criterion, optimizer, scheduler, scaler, device, epoch, args):
    model.train()
    losses, top1 = AverageMeter(), AverageMeter()
    for step, (images, targets) in enumerate(loader):
        images = images.to(device, non_blocking=True)
        targets = targets.to(device, non_blocking=True)
        with torch.amp.autocast(device_type=device.type, enabled=args.amp):
            outputs = model(images)
            loss = criterion(outputs, targets)
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), max_norm=args.clip)
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()
        acc1, acc2 = accuracy(outputs, targets, topk=(1, 2))
        losses.update(loss.item(), images.size(0))
        top1.update(acc1.item(), images.size(0))
        if step % args.print_freq == 0:
            lr = scheduler.get_last_lr()[0]
            print(f"Epoch [{epoch}][{step}/{len(loader)}] lr {lr:.5f} loss {losses.avg:.4f} acc@1 {top1.avg:.2f}")
    return losses.avg, top1.avg


@torch.no_grad()
def evaluate(model, loader, criterion, device):
    model.eval()
    losses, top1 = AverageMeter(), AverageMeter()
    for images, targets in loader:
        images, targets = images.to(device), targets.to(device)
        outputs = model(images)
        loss = criterion(outputs, targets)
        losses.update(loss.item(), images.size(0))
        top1.update(accuracy(outputs, targets)[0].item(), images.size(0))
    return losses.avg, top1.avg


def main():
    parser = argparse.ArgumentParser(description="Shapes classification")
    parser.add_argument("--epochs", default=7, type=int)
    parser.add_argument("--batch-size", default=32, type=int)
    parser.add_argument("--lr", default=0.05, type=float)
    parser.add_argument("--momentum", default=0.9, type=float)
    parser.add_argument("--weight-decay", default=5e-4, type=float)
    parser.add_argument("--label-smoothing", default=0.1, type=float)
    parser.add_argument("--clip", default=5.0, type=float)
    parser.add_argument("--amp", action="store_true")
    parser.add_argument("--print-freq", default=8, type=int)
    parser.add_argument("--output", default="checkpoints")
    args = parser.parse_args()

    set_seed(42)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader, val_loader = build_loaders(args.batch_size)
    model = resnet_tiny().to(device)
    criterion = nn.CrossEntropyLoss(label_smoothing=args.label_smoothing).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=args.momentum,
                                weight_decay=args.weight_decay, nesterov=True)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=args.lr, epochs=args.epochs,
                                                    steps_per_epoch=len(train_loader))
    scaler = torch.amp.GradScaler(device.type, enabled=args.amp)
    os.makedirs(args.output, exist_ok=True)
    best_acc = 0.0
    for epoch in range(args.epochs):
        train_loss, train_acc = train_one_epoch(model, train_loader, criterion, optimizer, scheduler, scaler,
                                                device, epoch, args)
        val_loss, val_acc = evaluate(model, val_loader, criterion, device)
        print(f"epoch {epoch}: train_loss {train_loss:.4f} train_acc {train_acc:.2f} "
              f"val_loss {val_loss:.4f} val_acc {val_acc:.2f}")
        if val_acc > best_acc:
            best_acc = val_acc
            torch.save({
                "epoch": epoch,
                "state_dict": model.state_dict(),
                "optimizer": optimizer.state_dict(),
                "scaler": scaler.state_dict(),
                "best_acc": best_acc,
            }, os.path.join(args.output, "best.pth"))
    checkpoint = torch.load(os.path.join(args.output, "best.pth"), map_location=device)
    model.load_state_dict(checkpoint["state_dict"])
    _, val_acc = evaluate(model, val_loader, criterion, device)
    print(f"best epoch {checkpoint['epoch']}: accuracy {val_acc:.2f}")


if __name__ == "__main__":
    main()
