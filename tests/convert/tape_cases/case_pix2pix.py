"""The graph is carried across methods by attributes: forward(), backward_D(), backward_G()."""

import torch
from nets import Block, Net
from shared import arrays, finish, record, start
from torch import nn


class Pix2Pix:
    def __init__(self):
        self.netG, self.netD = Block(6, 6), Net(12, 8, 1)
        start(self.netG, 1)
        start(self.netD, 2)
        self.criterionGAN = nn.BCEWithLogitsLoss()
        self.criterionL1 = nn.L1Loss()
        self.optimizer_G = torch.optim.Adam(self.netG.parameters(), lr=0.01, betas=(0.5, 0.999))
        self.optimizer_D = torch.optim.Adam(self.netD.parameters(), lr=0.01, betas=(0.5, 0.999))

    def set_input(self, batch):
        self.real_A, self.real_B = batch["A"], batch["B"]

    def set_requires_grad(self, nets, requires_grad=False):
        if not isinstance(nets, list):
            nets = [nets]
        for net in nets:
            if net is not None:
                for param in net.parameters():
                    param.requires_grad = requires_grad

    def forward(self):
        self.fake_B = self.netG(self.real_A)

    def backward_D(self):
        fake_AB = torch.cat((self.real_A, self.fake_B), 1)
        pred_fake = self.netD(fake_AB.detach())
        self.loss_D_fake = self.criterionGAN(pred_fake, torch.zeros_like(pred_fake))
        pred_real = self.netD(torch.cat((self.real_A, self.real_B), 1))
        self.loss_D_real = self.criterionGAN(pred_real, torch.ones_like(pred_real))
        self.loss_D = (self.loss_D_fake + self.loss_D_real) * 0.5
        self.loss_D.backward()

    def backward_G(self):
        pred_fake = self.netD(torch.cat((self.real_A, self.fake_B), 1))
        self.loss_G_GAN = self.criterionGAN(pred_fake, torch.ones_like(pred_fake))
        self.loss_G_L1 = self.criterionL1(self.fake_B, self.real_B) * 10.0
        self.loss_G = self.loss_G_GAN + self.loss_G_L1
        self.loss_G.backward()

    def optimize_parameters(self):
        self.forward()
        self.set_requires_grad(self.netD, True)
        self.optimizer_D.zero_grad()
        self.backward_D()
        self.optimizer_D.step()
        self.set_requires_grad(self.netD, False)
        self.optimizer_G.zero_grad()
        self.backward_G()
        self.optimizer_G.step()


def main():
    model = Pix2Pix()
    for a, b in zip(arrays(8, 5, 6), arrays(8, 5, 6, seed=3)):
        model.set_input({"A": torch.from_numpy(a), "B": torch.from_numpy(b)})
        model.optimize_parameters()
        record(model.loss_G_GAN, model.loss_G_L1, model.loss_D_real, model.loss_D_fake)
    finish(model.netG, model.netD)
