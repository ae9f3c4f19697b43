"""A convolutional GAN with one optimizer for each network."""

import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset


class Rings(Dataset):
    """Rings of random sizes in pictures of 16 x 16, values from -1 to 1."""

    def __init__(self, n=512):
        rng = np.random.default_rng(0)
        yy, xx = np.mgrid[:16, :16]
        self.images = []
        for _ in range(n):
            cy, cx = rng.uniform(6, 10, 2)
            radius = rng.uniform(3, 6)
            distance = np.sqrt((yy - cy) ** 2 + (xx - cx) ** 2)
            self.images.append(np.exp(-((distance - radius) ** 2)).astype(np.float32) * 2 - 1)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return torch.from_numpy(self.images[i]).unsqueeze(0)


def init_weights(m):
    name = m.__class__.__name__
    if "Conv" in name:
        nn.init.normal_(m.weight.data, 0.0, 0.02)
    elif "BatchNorm" in name:
        nn.init.normal_(m.weight.data, 1.0, 0.02)
        nn.init.constant_(m.bias.data, 0)


class Generator(nn.Module):
    def __init__(self, latent, width, channels=1):
        super(Generator, self).__init__()
        self.net = nn.Sequential(
            nn.ConvTranspose2d(latent, width * 2, 4, 1, 0, bias=False),  # 4 x 4
            nn.BatchNorm2d(width * 2),
            nn.ReLU(True),
            nn.ConvTranspose2d(width * 2, width, 4, 2, 1, bias=False),  # 8 x 8
            nn.BatchNorm2d(width),
            nn.ReLU(True),
            nn.ConvTranspose2d(width, channels, 4, 2, 1, bias=False),  # 16 x 16
            nn.Tanh(),
        )

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self, width, channels=1):
        super(Discriminator, self).__init__()
        self.net = nn.Sequential(
            nn.Conv2d(channels, width, 4, 2, 1, bias=False),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(width, width * 2, 4, 2, 1, bias=False),
            nn.BatchNorm2d(width * 2),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(width * 2, 1, 4, 1, 0, bias=False),
            nn.Sigmoid(),
        )

    def forward(self, x):
        return self.net(x).view(-1, 1).squeeze(1)


parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=4)
parser.add_argument("--batch-size", type=int, default=16)
parser.add_argument("--latent", type=int, default=16)
parser.add_argument("--width", type=int, default=8)
parser.add_argument("--lr", type=float, default=0.0002)
parser.add_argument("--beta1", type=float, default=0.5)
parser.add_argument("--seed", type=int, default=999)
opt = parser.parse_args()

torch.manual_seed(opt.seed)
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
dataloader = DataLoader(Rings(), batch_size=opt.batch_size, shuffle=True)
netG = Generator(opt.latent, opt.width).to(device)
netG.apply(init_weights)
netD = Discriminator(opt.width).to(device)
netD.apply(init_weights)
criterion = nn.BCELoss()
fixed_noise = torch.randn(16, opt.latent, 1, 1, device=device)
real_label, fake_label = 1.0, 0.0
optimizerD = optim.Adam(netD.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))

for epoch in range(opt.epochs):
    for i, data in enumerate(dataloader, 0):
        # the discriminator, on real pictures and then on made ones
        netD.zero_grad()
        real = data.to(device)
        b_size = real.size(0)
        label = torch.full((b_size,), real_label, dtype=real.dtype, device=device)
        output = netD(real)
        errD_real = criterion(output, label)
        errD_real.backward()
        D_x = output.mean().item()

        noise = torch.randn(b_size, opt.latent, 1, 1, device=device)
        fake = netG(noise)
        label.fill_(fake_label)
        output = netD(fake.detach())
        errD_fake = criterion(output, label)
        errD_fake.backward()
        D_G_z1 = output.mean().item()
        errD = errD_real + errD_fake
        optimizerD.step()

        # the generator wants its pictures to be taken for real ones
        netG.zero_grad()
        label.fill_(real_label)
        output = netD(fake)
        errG = criterion(output, label)
        errG.backward()
        D_G_z2 = output.mean().item()
        optimizerG.step()

        if i % 8 == 0:
            print("[%d/%d][%d/%d] loss_D: %.4f loss_G: %.4f D(x): %.4f D(G(z)): %.4f / %.4f"
                  % (epoch, opt.epochs, i, len(dataloader), errD.item(), errG.item(), D_x, D_G_z1, D_G_z2))
    with torch.no_grad():
        samples = netG(fixed_noise).detach().cpu()
    print("epoch %d: mean %.4f std %.4f" % (epoch, samples.mean().item(), samples.std().item()))

torch.save(netG.state_dict(), "netG.pth")
torch.save(netD.state_dict(), "netD.pth")
