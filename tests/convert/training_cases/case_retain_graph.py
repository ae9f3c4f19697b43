"""Two backward passes through one graph whose gradients add up."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def main():
    model = Net()
    start(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.5)
    for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3)):
        x, y = torch.from_numpy(x), torch.from_numpy(y)
        optimizer.zero_grad()
        out = model(x)
        main_loss = F.cross_entropy(out, y)
        side_loss = out.abs().mean()
        main_loss.backward(retain_graph=True)
        side_loss.backward()
        optimizer.step()
        record(main_loss, side_loss)
    finish(model)
