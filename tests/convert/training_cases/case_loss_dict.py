"""A dict of losses, weighted and summed; early stopping."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = Net(6, 8, 8)
        self.cls = nn.Linear(8, 3)
        self.reg = nn.Linear(8, 2)

    def forward(self, x, targets=None):
        h = self.body(x)
        logits, boxes = self.cls(h), self.reg(h)
        if self.training:
            return {"loss_cls": F.cross_entropy(logits, targets["labels"]), "loss_reg": F.smooth_l1_loss(boxes, targets["boxes"])}
        return {"logits": logits, "boxes": boxes}


class EarlyStopping:
    def __init__(self, patience=2):
        self.patience, self.best, self.count, self.stop = patience, None, 0, False

    def __call__(self, value):
        if self.best is None or value < self.best - 1e-3:
            self.best, self.count = value, 0
        else:
            self.count += 1
            self.stop = self.count >= self.patience


def train_one_epoch(model, optimizer, data, scheduler):
    model.train()
    history = {}
    for x, targets in data:
        loss_dict = model(x, targets)
        losses = sum(loss for loss in loss_dict.values())
        loss_value = losses.item()
        for name, value in loss_dict.items():
            history.setdefault(name, []).append(value.item())
        optimizer.zero_grad()
        losses.backward()
        optimizer.step()
        scheduler.step()
        record(loss_value)
    return {name: sum(values) / len(values) for name, values in history.items()}


@torch.no_grad()
def evaluate(model, data):
    model.eval()
    total = 0.0
    for x, targets in data:
        out = model(x)
        total += F.cross_entropy(out["logits"], targets["labels"]).item()
    return total / len(data)


def main():
    model = Model()
    start(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9, nesterov=True)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 6) * 0.97 ** step)
    data = [
        (torch.from_numpy(x), {"labels": torch.from_numpy(y), "boxes": torch.from_numpy(b)})
        for x, y, b in zip(arrays(4, 5, 6), arrays(4, 5, classes=3), arrays(4, 5, 2, seed=9))
    ]
    stopper = EarlyStopping()
    for epoch in range(6):
        averages = train_one_epoch(model, optimizer, data, scheduler)
        record(*averages.values())
        val = evaluate(model, data)
        record(val)
        stopper(val)
        if stopper.stop:
            break
    record(epoch)
    finish(model)
