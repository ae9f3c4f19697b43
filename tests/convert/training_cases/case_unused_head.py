"""Two heads trained in turn: the other one's gradients stay None, and weight decay leaves it alone."""

import torch
from nets import Net
from shared import arrays, finish, record, start


def main():
    body, left, right = Net(6, 8, 4), Net(4, 4, 1), Net(4, 4, 1)
    start(body)
    start(left, 1)
    start(right, 2)
    optimizer = torch.optim.SGD([*body.parameters(), *left.parameters(), *right.parameters()], lr=0.05, weight_decay=0.1)
    for i, x in enumerate(arrays(8, 5, 6)):
        x = torch.from_numpy(x)
        head = left if i % 2 else right
        loss = head(body(x)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        record(loss)
    finish(body, left, right)
