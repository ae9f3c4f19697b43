from math import log10
from types import SimpleNamespace
import torch
import torch.nn as nn
import torch.optim as optim
from networks import GANLoss, define_D, define_G, get_scheduler, update_learning_rate
from probe import array, attempt, fill, keep, say

device = torch.device("cpu")


def run(name, norm, disc, lsgan, policy):
    opt = SimpleNamespace(lr_policy=policy, epoch_count=1, niter=1, niter_decay=3, lr_decay_iters=1)
    net_g = define_G(3, 3, 8, norm, False, "normal", 0.02, gpu_id=device)
    net_d = define_D(6, 8, disc, norm=norm, use_sigmoid=not lsgan, gpu_id=device)
    fill(net_g)
    fill(net_d, 1)
    criterion_gan = GANLoss(use_lsgan=lsgan).to(device)
    criterion_l1, criterion_mse = nn.L1Loss().to(device), nn.MSELoss().to(device)
    optimizer_g = optim.Adam(net_g.parameters(), lr=2e-4, betas=(0.5, 0.999))
    optimizer_d = optim.Adam(net_d.parameters(), lr=2e-4, betas=(0.5, 0.999))
    schedulers = get_scheduler(optimizer_g, opt), get_scheduler(optimizer_d, opt)
    for epoch in range(3):
        real_a, real_b = torch.tanh(array(epoch, 2, 3, 32, 32)), torch.tanh(array(9 + epoch, 2, 3, 32, 32))
        fake_b = net_g(real_a)
        optimizer_d.zero_grad()
        fake_ab = torch.cat((real_a, fake_b), 1)
        pred_fake = net_d.forward(fake_ab.detach())
        loss_d_fake = criterion_gan(pred_fake, False)
        real_ab = torch.cat((real_a, real_b), 1)
        pred_real = net_d.forward(real_ab)
        loss_d_real = criterion_gan(pred_real, True)
        loss_d = (loss_d_fake + loss_d_real) * 0.5
        loss_d.backward()
        optimizer_d.step()
        optimizer_g.zero_grad()
        fake_ab = torch.cat((real_a, fake_b), 1)
        pred_fake = net_d.forward(fake_ab)
        loss_g_gan = criterion_gan(pred_fake, True)
        loss_g_l1 = criterion_l1(fake_b, real_b) * 10
        loss_g = loss_g_gan + loss_g_l1
        loss_g.backward()
        optimizer_g.step()
        say("%s %d" % (name, epoch), loss_d.item(), loss_g.item())
        update_learning_rate(schedulers[0], optimizer_g)
        update_learning_rate(schedulers[1], optimizer_d)
    with torch.no_grad():
        say(name + " psnr", 10 * log10(1 / criterion_mse(net_g(real_a), real_b).item()), optimizer_g.param_groups[0]["lr"])
    keep(name + "g", net_g)
    keep(name + "d", net_d)
    torch.save(net_g.state_dict(), name + ".pth")


attempt("basic", lambda: run("basic", "batch", "basic", True, "lambda"))
attempt("pixel", lambda: run("pixel", "instance", "pixel", False, "step"))
attempt("layers", lambda: run("layers", "instance", "n_layers", True, "cosine"))
