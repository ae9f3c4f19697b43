"""x"""
import torch
import torch.nn.functional as F
from nets import Block, Net
from shared import arrays, finish, record, start
from torch import nn


import io


def main():
    model = Block(6, 3)
    start(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=8)
    data = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3))]
    saved = None
    for epoch in range(2):
        for i, (x, y) in enumerate(data):
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            record(loss)
            if epoch == 0 and i == 3:
                saved = io.BytesIO()
                torch.save({'model': model.state_dict(), 'opt': optimizer.state_dict(), 'sched': scheduler.state_dict()}, saved)
        if epoch == 0:
            saved.seek(0)
            checkpoint = torch.load(saved)
            model = Block(6, 3)
            optimizer = torch.optim.AdamW(model.parameters(), lr=0.5)
            scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=8)
            model.load_state_dict(checkpoint['model'])
            optimizer.load_state_dict(checkpoint['opt'])
            scheduler.load_state_dict(checkpoint['sched'])
    finish(model)
