"""Backward in an if statement, the forward pass before it."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def run(model, batches, optimizer, training_every=2):
    for i, (x, y) in enumerate(batches):
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        if i % training_every == 0:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        record(loss)


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    run(model, [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3))], optimizer)
    finish(model)
