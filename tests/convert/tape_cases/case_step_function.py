"""The loss is computed by the caller and handed to the function that goes back."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def compute_loss(model, batch):
    inputs, targets = batch
    return F.cross_entropy(model(inputs), targets)


def apply_step(loss, optimizer, max_norm=None):
    optimizer.zero_grad()
    loss.backward()
    if max_norm is not None:
        torch.nn.utils.clip_grad_norm_([p for group in optimizer.param_groups for p in group["params"]], max_norm)
    optimizer.step()


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=0.01)
    for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3)):
        loss = compute_loss(model, (torch.from_numpy(x), torch.from_numpy(y)))
        apply_step(loss, optimizer, max_norm=1.0)
        record(loss)
    finish(model)
