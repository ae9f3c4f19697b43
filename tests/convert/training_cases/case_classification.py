"""The plain loop: everything in one block."""

import torch
from nets import Net
from shared import arrays, finish, record, start
from torch import nn, optim


def train_one_epoch(model, loader, criterion, optimizer, device):
    model.train()
    running, correct, total = 0.0, 0, 0
    for images, labels in loader:
        images, labels = images.to(device), labels.to(device)

        # zero the parameter gradients
        optimizer.zero_grad()

        # forward + backward + optimize
        outputs = model(images)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()

        running += loss.item()
        record(loss)
        predicted = outputs.argmax(1)
        total += labels.size(0)
        correct += (predicted == labels).sum().item()
    return running / len(loader), correct / total


def main():
    device = torch.device("cpu")
    model = Net().to(device)
    start(model)
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-3)
    loader = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3))]
    for epoch in range(2):
        record(*train_one_epoch(model, loader, criterion, optimizer, device))
    finish(model)
