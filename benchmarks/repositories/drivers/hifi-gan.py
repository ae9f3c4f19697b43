import itertools
import torch
import torch.nn.functional as F
from env import AttrDict
from models import Generator, MultiPeriodDiscriminator, MultiScaleDiscriminator, discriminator_loss, feature_loss, generator_loss
from probe import array, attempt, fill, keep, say
from utils import load_checkpoint, save_checkpoint


def vectors(net):
    state = net.state_dict()
    for i, (key, value) in enumerate(sorted(state.items())):
        if key.endswith(("weight_u", "weight_v")):
            state[key] = F.normalize(array(i, *value.shape), dim=0)
    net.load_state_dict(state)


def run(name, block):
    h = AttrDict(dict(resblock=block, upsample_rates=[4, 4], upsample_kernel_sizes=[8, 8], upsample_initial_channel=16, resblock_kernel_sizes=[3, 5], resblock_dilation_sizes=[[1, 3, 5], [1, 3, 5]]))
    generator, mpd, msd = Generator(h), MultiPeriodDiscriminator(), MultiScaleDiscriminator()
    for i, net in enumerate((generator, mpd, msd)):
        fill(net, i)
    vectors(msd)
    optim_g = torch.optim.AdamW(generator.parameters(), 2e-4, betas=[0.8, 0.99])
    optim_d = torch.optim.AdamW(itertools.chain(msd.parameters(), mpd.parameters()), 2e-4, betas=[0.8, 0.99])
    scheduler_g = torch.optim.lr_scheduler.ExponentialLR(optim_g, gamma=0.9, last_epoch=-1)
    scheduler_d = torch.optim.lr_scheduler.ExponentialLR(optim_d, gamma=0.9, last_epoch=-1)
    generator.train()
    for step in range(2):
        x, y = torch.autograd.Variable(array(step, 2, 80, 16)), torch.autograd.Variable(torch.tanh(array(step + 9, 2, 256))).unsqueeze(1)
        y_g_hat = generator(x)
        optim_d.zero_grad()
        r, g, _, _ = mpd(y, y_g_hat.detach())
        loss_f, losses_r, losses_g = discriminator_loss(r, g)
        r, g, _, _ = msd(y, y_g_hat.detach())
        loss_s, _, _ = discriminator_loss(r, g)
        loss_disc_all = loss_s + loss_f
        loss_disc_all.backward()
        optim_d.step()
        optim_g.zero_grad()
        loss_mel = F.l1_loss(y, y_g_hat) * 45
        _, g_f, fmap_f_r, fmap_f_g = mpd(y, y_g_hat)
        _, g_s, fmap_s_r, fmap_s_g = msd(y, y_g_hat)
        loss_fm = feature_loss(fmap_f_r, fmap_f_g) + feature_loss(fmap_s_r, fmap_s_g)
        loss_gen_all = generator_loss(g_s)[0] + generator_loss(g_f)[0] + loss_fm + loss_mel
        loss_gen_all.backward()
        optim_g.step()
        say("%s %d" % (name, step), loss_disc_all.item(), loss_gen_all.item(), loss_fm.item(), *losses_r, *losses_g)
        scheduler_g.step()
        scheduler_d.step()
    save_checkpoint(name + "_do", {"mpd": mpd.state_dict(), "msd": msd.state_dict(), "optim_d": optim_d.state_dict(), "steps": 2})
    state = load_checkpoint(name + "_do", torch.device("cpu"))
    mpd.load_state_dict(state["mpd"])
    optim_d.load_state_dict(state["optim_d"])
    keep(name, generator)
    keep(name + "d", mpd)
    generator.eval()
    generator.remove_weight_norm()
    with torch.no_grad():
        say(name + " removed", generator(array(5, 1, 80, 8)).abs().sum().item(), state["steps"])


attempt("one", lambda: run("one", "1"))
attempt("two", lambda: run("two", "2"))
