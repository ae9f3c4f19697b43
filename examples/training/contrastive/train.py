"""Contrastive pre-training on generated pictures, then a nearest-neighbour test of the features."""
import argparse
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from moco import ConvEncoder, MoCo
from torch.utils.data import DataLoader, Dataset


class AverageMeter:
    def __init__(self, name):
        self.name = name
        self.reset()

    def reset(self):
        self.sum, self.count = 0.0, 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(1, self.count)


class TwoViews(Dataset):
    """Stripes of eight directions and colours, twice augmented."""

    def __init__(self, n=640, size=16, train=True, seed=0):
        rng = np.random.RandomState(seed)
        self.targets = rng.randint(0, 8, n)
        yy, xx = np.mgrid[0:size, 0:size] / size
        images = []
        for label in self.targets:
            angle = math.pi * label / 8
            wave = np.sin(2 * math.pi * 3 * (xx * np.cos(angle) + yy * np.sin(angle)) + rng.rand() * 6)
            color = 0.5 + 0.5 * np.cos(label + np.arange(3))
            images.append(wave[None] * color[:, None, None] + 0.2 * rng.randn(3, size, size))
        self.images = np.stack(images).astype(np.float32)
        self.train = train
        self.rng = np.random.RandomState(seed + 1)

    def augment(self, img):
        img = np.roll(img, self.rng.randint(-4, 5), axis=1 + self.rng.randint(2))
        img = img * self.rng.uniform(0.7, 1.3) + self.rng.uniform(-0.2, 0.2)
        return torch.from_numpy(np.ascontiguousarray(img, dtype=np.float32))

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        if not self.train:
            return torch.from_numpy(self.images[i]), int(self.targets[i])
        return [self.augment(self.images[i]), self.augment(self.images[i])], int(self.targets[i])


def adjust_learning_rate(optimizer, epoch, args):
    lr = args.lr * 0.5 * (1.0 + math.cos(math.pi * epoch / args.epochs))
    for param_group in optimizer.param_groups:
        param_group["lr"] = lr


def accuracy(output, target, topk=(1,)):
    with torch.no_grad():
        maxk = max(topk)
        batch_size = target.size(0)
        _, pred = output.topk(maxk, 1, True, True)
        pred = pred.t()
        correct = pred.eq(target.view(1, -1).expand_as(pred))
        res = []
        for k in topk:
            correct_k = correct[:k].reshape(-1).float().sum(0, keepdim=True)
            res.append(correct_k.mul_(100.0 / batch_size))
        return res


def train(train_loader, model, criterion, optimizer, epoch):
    losses, top1, top5 = AverageMeter("Loss"), AverageMeter("Acc@1"), AverageMeter("Acc@5")
    model.train()
    for i, (images, _) in enumerate(train_loader):
        output, target = model(im_q=images[0], im_k=images[1])
        loss = criterion(output, target)
        acc1, acc5 = accuracy(output, target, topk=(1, 5))
        losses.update(loss.item(), images[0].size(0))
        top1.update(acc1[0], images[0].size(0))
        top5.update(acc5[0], images[0].size(0))

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"Epoch [{epoch}] Loss {losses.avg:.4f} Acc@1 {float(top1.avg):.2f} Acc@5 {float(top5.avg):.2f}")


@torch.no_grad()
def knn_test(net, memory_loader, test_loader, k=10, classes=8):
    net.eval()
    bank, labels = [], []
    for data, target in memory_loader:
        bank.append(F.normalize(net(data), dim=1))
        labels.append(target)
    bank, labels = torch.cat(bank, dim=0).t().contiguous(), torch.cat(labels)
    right, total = 0, 0
    for data, target in test_loader:
        feature = F.normalize(net(data), dim=1)
        sim_weight, sim_indices = torch.mm(feature, bank).topk(k=k, dim=-1)
        sim_labels = torch.gather(labels.expand(data.size(0), -1), dim=-1, index=sim_indices)
        one_hot = torch.zeros(data.size(0) * k, classes)
        one_hot = one_hot.scatter(dim=-1, index=sim_labels.view(-1, 1), value=1.0)
        scores = torch.sum(one_hot.view(data.size(0), -1, classes) * (sim_weight / 0.1).exp().unsqueeze(-1), dim=1)
        pred = scores.argsort(dim=-1, descending=True)[:, 0]
        right += (pred == target).float().sum().item()
        total += data.size(0)
    return right / total


def main():
    parser = argparse.ArgumentParser(description="MoCo on stripes")
    parser.add_argument("--epochs", default=6, type=int)
    parser.add_argument("--lr", default=0.06, type=float)
    parser.add_argument("-b", "--batch-size", default=32, type=int)
    parser.add_argument("--moco-dim", default=32, type=int)
    parser.add_argument("--moco-k", default=256, type=int)
    parser.add_argument("--moco-m", default=0.99, type=float)
    args = parser.parse_args()

    torch.manual_seed(0)
    np.random.seed(0)
    model = MoCo(ConvEncoder, args.moco_dim, args.moco_k, args.moco_m)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), args.lr, momentum=0.9, weight_decay=1e-4)
    train_loader = DataLoader(TwoViews(), batch_size=args.batch_size, shuffle=True, drop_last=True)
    memory_loader = DataLoader(TwoViews(train=False), batch_size=64)
    test_loader = DataLoader(TwoViews(n=128, train=False, seed=7), batch_size=64)

    for epoch in range(args.epochs):
        adjust_learning_rate(optimizer, epoch, args)
        train(train_loader, model, criterion, optimizer, epoch)
    print(f"knn accuracy={knn_test(model.encoder_q, memory_loader, test_loader):.4f}")
    torch.save({"epoch": args.epochs, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}, "moco.pth.tar")


if __name__ == "__main__":
    main()
