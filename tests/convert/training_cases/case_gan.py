"""Two networks, two optimizers, the generator's forward pass before the discriminator's step."""

import torch
from nets import Block, Net
from shared import arrays, finish, record, start
from torch import nn


def main():
    netG, netD = Block(4, 6), Net(6, 8, 1)
    start(netG, 1)
    start(netD, 2)
    criterion = nn.BCEWithLogitsLoss()
    optimizerD = torch.optim.Adam(netD.parameters(), lr=0.01, betas=(0.5, 0.999))
    optimizerG = torch.optim.Adam(netG.parameters(), lr=0.01, betas=(0.5, 0.999))
    reals = [torch.from_numpy(x) for x in arrays(10, 5, 6)]
    noises = [torch.from_numpy(x) for x in arrays(10, 5, 4, seed=3)]
    for real, noise in zip(reals, noises):
        # (1) Update D network
        netD.zero_grad()
        output = netD(real).view(-1)
        label = torch.ones_like(output)
        errD_real = criterion(output, label)
        errD_real.backward()
        D_x = output.mean().item()

        fake = netG(noise)
        output = netD(fake.detach()).view(-1)
        errD_fake = criterion(output, torch.zeros_like(output))
        errD_fake.backward()
        errD = errD_real + errD_fake
        optimizerD.step()

        # (2) Update G network
        netG.zero_grad()
        output = netD(fake).view(-1)
        errG = criterion(output, label)
        errG.backward()
        optimizerG.step()
        record(errD, errG, D_x)
    finish(netG, netD)
