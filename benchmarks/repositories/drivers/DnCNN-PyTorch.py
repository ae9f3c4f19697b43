import numpy as np
import torch
import torch.nn as nn
from models import DnCNN
from probe import array, fill, fit, say


def main():
    net = DnCNN(channels=1, num_of_layers=6)
    fill(net)
    criterion = nn.MSELoss(size_average=False)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

    def loss_of(step):
        clean = array(step, 4, 1, 16, 16)
        levels = np.random.RandomState(step).uniform(0, 55, size=4) / 255.0
        noise = torch.zeros(clean.size())
        for k, level in enumerate(levels):
            noise[k, :, :, :] = array(step * 10 + k, *noise[0].size()) * level
        return criterion(net(clean + noise), noise) / (clean.size()[0] * 2)
    fit("dncnn", net, loss_of, optimizer, 5)
    net.eval()
    with torch.no_grad():
        x = array(77, 2, 1, 16, 16)
        say("eval", torch.clamp(x - net(x), 0., 1.).sum())


main()
