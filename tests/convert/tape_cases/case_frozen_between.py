"""The discriminator is frozen while the generator learns, and released before a pool gives it earlier images."""

import torch
from nets import Net
from shared import arrays, finish, record, start


class Pool:
    def __init__(self):
        self.kept = []

    def query(self, images):
        self.kept.append(images.data)
        return self.kept[len(self.kept) // 2]


def main():
    generator, discriminator = Net(6, 8, 6), Net(6, 8, 1)
    start(generator)
    start(discriminator, 1)
    first = torch.optim.SGD(generator.parameters(), lr=0.1)
    second = torch.optim.SGD(discriminator.parameters(), lr=0.1)
    pool = Pool()
    for real, noise in zip(arrays(5, 5, 6), arrays(5, 5, 6, seed=3), strict=True):
        fake = generator(torch.from_numpy(noise))
        for p in discriminator.parameters():
            p.requires_grad = False
        first.zero_grad()
        loss_g = (discriminator(fake) - 1).pow(2).mean()
        loss_g.backward()
        first.step()
        for p in discriminator.parameters():
            p.requires_grad = True
        second.zero_grad()
        old = pool.query(fake)
        loss_d = (discriminator(torch.from_numpy(real)) - 1).pow(2).mean() + discriminator(old).pow(2).mean()
        loss_d.backward()
        second.step()
        record(loss_g, loss_d)
    finish(generator, discriminator)
