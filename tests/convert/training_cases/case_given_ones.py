"""x"""
import torch
import torch.nn.functional as F
from nets import Block, Net
from shared import arrays, finish, record, start
from torch import nn



def main():
    model = Net()
    start(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, factor=0.5)
    for x, y in [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3))]:
        losses = F.cross_entropy(model(x), y, reduction='none')
        optimizer.zero_grad()
        losses.backward(torch.full_like(losses, 0.2))
        optimizer.step()
        plateau.step(losses.mean())
        record(losses.sum(), optimizer.param_groups[0]['lr'])
    finish(model)
