"""Gradients on and off by a condition: around forward and backward, around the forward pass alone, and asked for."""

import torch
import torch.nn.functional as F
from nets import Block
from shared import arrays, finish, record, start
from torch import nn


def train_model(model, criterion, optimizer, dataloaders, num_epochs=2):
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            model.train(phase == "train")
            running_loss, corrects = 0.0, 0
            for inputs, labels in dataloaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    _, preds = torch.max(outputs, 1)
                    loss = criterion(outputs, labels)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                corrects += torch.sum(preds == labels.data)
            record(running_loss, corrects.double() / 40)


def run_epoch(model, data, optimizer=None):
    is_train = optimizer is not None
    total = 0.0
    for x, y in data:
        with torch.set_grad_enabled(is_train):
            loss = F.cross_entropy(model(x), y)
            assert torch.is_grad_enabled() == is_train
        if is_train:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item()
    return total


@torch.no_grad()
def evaluate(model, x, y):
    with torch.enable_grad():
        loss = F.cross_entropy(model(x), y)
    return loss


def main():
    model = Block(6, 3)
    start(model)
    data = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3))]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    train_model(model, nn.CrossEntropyLoss(), optimizer, {"train": data[:5], "val": data[5:]})
    record(run_epoch(model, data, optimizer), run_epoch(model, data), evaluate(model, *data[0]))
    finish(model)
