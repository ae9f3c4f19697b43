"""Clipping between backward and step, a scheduler by step."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=4, gamma=0.5)
    data = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(12, 5, 6), arrays(12, 5, classes=3))]
    for step, (x, y) in enumerate(data):
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.5)
        optimizer.step()
        scheduler.step()
        record(loss, norm)
    finish(model)
