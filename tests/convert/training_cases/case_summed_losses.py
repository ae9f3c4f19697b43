"""Several losses, summed where backward is called."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def main():
    model, head = Net(), Net(3, 4, 2)
    start(model)
    start(head, 1)
    optimizer = torch.optim.Adam(list(model.parameters()) + list(head.parameters()), lr=0.01)
    for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3)):
        x, y = torch.from_numpy(x), torch.from_numpy(y)
        features = model(x)
        l1 = F.cross_entropy(features, y)
        l2 = head(features).pow(2).mean()
        optimizer.zero_grad()
        (l1 + 0.5 * l2).backward()
        optimizer.step()
        record(l1, l2)
    finish(model, head)
