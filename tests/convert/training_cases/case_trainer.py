"""A trainer class; the loss in a method of its own; inputs from a dict."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.RMSprop(self.model.parameters(), lr=lr)
        self.history = []

    def compute_loss(self, batch):
        logits = self.model(batch["x"])
        return F.cross_entropy(logits, batch["y"]), logits

    def fit(self, batches):
        for batch in batches:
            self.optimizer.zero_grad()
            loss, logits = self.compute_loss(batch)
            loss.backward()
            self.optimizer.step()
            self.history.append(loss.item())
            record(logits.mean())


def main():
    model = Net()
    start(model)
    trainer = Trainer(model, 0.01)
    trainer.fit([{"x": torch.from_numpy(x), "y": torch.from_numpy(y)} for x, y in zip(arrays(10, 5, 6), arrays(10, 5, classes=3))])
    record(*trainer.history)
    finish(model)
