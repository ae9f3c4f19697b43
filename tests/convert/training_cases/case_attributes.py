"""Losses kept on the object, two optimizers, the step in methods."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


class Pair:
    def __init__(self):
        self.left, self.right = Net(), Net()
        start(self.left)
        start(self.right, 1)
        self.opt_left = torch.optim.Adam(self.left.parameters(), lr=0.01)
        self.opt_right = torch.optim.Adam(self.right.parameters(), lr=0.02)

    def set_input(self, x, y):
        self.x = torch.from_numpy(x)
        self.y = torch.from_numpy(y)

    def backward_left(self):
        """Text with

        several lines stays.
        """
        self.out = self.left(self.x)
        self.loss_left = F.cross_entropy(self.out, self.y)
        message = f"""left
            {self.loss_left.item():.3f}"""
        self.loss_left.backward()
        return message

    def backward_right(self):
        self.loss_right = F.mse_loss(self.right(self.x), self.out.detach())
        self.loss_right.backward()

    def optimize(self):
        self.opt_left.zero_grad()
        text = self.backward_left()
        self.opt_left.step()
        self.opt_right.zero_grad()
        self.backward_right()
        self.opt_right.step()
        record(self.loss_left, self.loss_right, len(text.split("\n")[1]) - len(text.split("\n")[1].lstrip()))


def main():
    pair = Pair()
    for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3)):
        pair.set_input(x, y)
        pair.optimize()
    finish(pair.left, pair.right)
