"""An optimizer with a closure besides one without."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def main():
    model, head = Net(6, 8, 4), Net(4, 5, 3)
    start(model)
    start(head, 1)
    lbfgs = torch.optim.LBFGS(head.parameters(), lr=0.5, max_iter=3)
    adam = torch.optim.Adam(model.parameters(), lr=0.01)
    for x, y in zip(arrays(5, 5, 6), arrays(5, 5, classes=3)):
        x, y = torch.from_numpy(x), torch.from_numpy(y)
        features = model(x).detach()

        def closure():
            lbfgs.zero_grad()
            loss = F.cross_entropy(head(features), y)
            loss.backward()
            return loss

        first = lbfgs.step(closure)
        adam.zero_grad()
        loss = F.cross_entropy(head(model(x)), y)
        loss.backward()
        adam.step()
        record(first, loss)
    finish(model, head)
