"""An error in the forward pass is caught, and training goes on."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    skipped = 0
    for i, (x, y) in enumerate(zip(arrays(8, 5, 6), arrays(8, 5, classes=3))):
        try:
            optimizer.zero_grad()
            logits = model(torch.from_numpy(x))
            if i % 3 == 2:
                raise RuntimeError("out of memory")
            loss = F.cross_entropy(logits, torch.from_numpy(y))
            loss.backward()
            optimizer.step()
        except RuntimeError:
            skipped += 1
            continue
        record(loss, logits[0][1])
    record(skipped)
    finish(model)
