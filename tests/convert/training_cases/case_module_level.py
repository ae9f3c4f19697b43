"""A script without functions: see `main`, which only waits for it."""

import torch
import torch.nn as nn
from nets import Net
from shared import arrays, finish, record, start

model = Net()
start(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
losses = []
for epoch in range(3):
    for x, y in zip(arrays(3, 5, 6), arrays(3, 5, 3, seed=2)):
        x, y = torch.tensor(x), torch.tensor(y)
        pred = model(x)
        loss = criterion(pred, y)
        losses.append(loss.item())
        opt.zero_grad()
        loss.backward()
        opt.step()


def main():
    record(*losses)
    finish(model)
