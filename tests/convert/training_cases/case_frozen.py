"""Part of a model is frozen, and weight decay must not move it."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def main():
    model = Net()
    start(model)
    for p in model.first.parameters():
        p.requires_grad = False
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=0.1)
    for epoch, (x, y) in enumerate(zip(arrays(8, 5, 6), arrays(8, 5, classes=3))):
        if epoch == 4:
            for p in model.first.parameters():
                p.requires_grad = True
        x, y = torch.from_numpy(x), torch.from_numpy(y)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        record(loss)
    finish(model)
