"""x"""
import torch
import torch.nn.functional as F
from nets import Block, Net
from shared import arrays, finish, record, start
from torch import nn



def main():
    model = Net()
    start(model)
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    loader = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3))]
    loader_iter = iter(loader[:3])
    for iteration in range(8):
        try:
            x, y = next(loader_iter)
        except StopIteration:
            loader_iter = iter(loader[:3])
            x, y = next(loader_iter)
        for group in optimizer.param_groups:
            group['lr'] = 1.0 - 0.1 * iteration
        loss = F.nll_loss(F.log_softmax(model(x), dim=1), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        record(loss)
    finish(model)
