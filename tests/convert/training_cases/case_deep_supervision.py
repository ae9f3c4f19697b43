"""x"""
import torch
import torch.nn.functional as F
from nets import Block, Net
from shared import arrays, finish, record, start
from torch import nn



class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(6, 6) for _ in range(3)])
        self.heads = nn.ModuleList([nn.Linear(6, 3) for _ in range(3)])

    def forward(self, x):
        outs = []
        for block, head in zip(self.blocks, self.heads):
            x = torch.tanh(block(x))
            outs.append(head(x))
        return outs


def main():
    model = Deep()
    start(model)
    log_vars = nn.Parameter(torch.zeros(3))
    optimizer = torch.optim.AdamW([{'params': [p for n, p in model.named_parameters() if p.ndim > 1], 'weight_decay': 0.1},
                                   {'params': [p for n, p in model.named_parameters() if p.ndim <= 1], 'weight_decay': 0.0},
                                   {'params': [log_vars], 'lr': 0.05}], lr=0.01)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=[0.02, 0.02, 0.1], total_steps=8)
    for x, y in [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3))]:
        outputs = model(x)
        loss = 0
        for i, out in enumerate(outputs):
            loss = loss + torch.exp(-log_vars[i]) * F.cross_entropy(out, y) + 0.5 * log_vars[i]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        record(loss, scheduler.get_last_lr()[0], log_vars.sum())
    finish(model)
