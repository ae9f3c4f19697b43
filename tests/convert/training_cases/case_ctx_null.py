"""x"""
import torch
import torch.nn.functional as F
from nets import Block, Net
from shared import arrays, finish, record, start
from torch import nn


from contextlib import nullcontext


class Trainer:
    def __init__(self, model, optimizer, amp=False, accum=2):
        self.model, self.optimizer = model, optimizer
        self.ctx = nullcontext() if not amp else torch.autocast('cpu')
        self.scaler = torch.amp.GradScaler('cpu', enabled=amp)
        self.accum = accum
        self.loss_fn = nn.CrossEntropyLoss()

    def compute_loss(self, batch):
        x, y = batch
        logits = self.model(x)
        return self.loss_fn(logits, y), logits

    def run(self, batches):
        self.model.train()
        for step, batch in enumerate(batches):
            with self.ctx:
                loss, logits = self.compute_loss(batch)
                loss = loss / self.accum
            self.scaler.scale(loss).backward()
            if (step + 1) % self.accum == 0:
                self.scaler.unscale_(self.optimizer)
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad(set_to_none=True)
            record(loss.item() * self.accum, (logits.argmax(1) == batch[1]).float().mean())


def main():
    model = Net()
    start(model)
    Trainer(model, torch.optim.AdamW(model.parameters(), lr=0.02)).run([(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3))])
    finish(model)
