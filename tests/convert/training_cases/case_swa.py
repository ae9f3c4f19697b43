"""x"""
import torch
import torch.nn.functional as F
from nets import Block, Net
from shared import arrays, finish, record, start
from torch import nn


from torch.optim.swa_utils import SWALR, AveragedModel, update_bn


def main():
    model = Block(6, 3)
    start(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    swa_model = AveragedModel(model)
    swa_scheduler = SWALR(optimizer, swa_lr=0.02, anneal_epochs=2)
    data = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3))]
    for epoch in range(4):
        for x, y in data[:3]:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        if epoch >= 1:
            swa_model.update_parameters(model)
            swa_scheduler.step()
        record(optimizer.param_groups[0]['lr'])
    update_bn([x for x, y in data], swa_model)
    swa_model.eval()
    with torch.no_grad():
        for x, y in data:
            record(F.cross_entropy(swa_model(x), y))
    finish(model)
