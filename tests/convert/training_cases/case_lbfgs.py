"""A closure that the optimizer calls several times a step."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=3)
    x, y = torch.from_numpy(arrays(1, 8, 6)[0]), torch.from_numpy(arrays(1, 8, classes=3)[0])
    for step in range(5):

        def closure():
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            return loss

        record(optimizer.step(closure))
    finish(model)
