"""x"""
import torch
import torch.nn.functional as F
from nets import Block, Net
from shared import arrays, finish, record, start
from torch import nn



def main():
    nets = {'g': Net(4, 8, 6), 'd': Net(6, 8, 1)}
    for i, n in enumerate(nets.values()):
        start(n, i)
    opts = {k: torch.optim.Adam(n.parameters(), lr=0.01) for k, n in nets.items()}
    for x, z in zip(arrays(6, 5, 6), arrays(6, 5, 4, seed=3)):
        real, z = torch.from_numpy(x), torch.from_numpy(z)
        for o in opts.values():
            o.zero_grad()
        fake = nets['g'](z)
        d_loss = F.softplus(nets['d'](fake.detach())).mean() + F.softplus(-nets['d'](real)).mean()
        d_loss.backward()
        opts['d'].step()
        opts['g'].zero_grad()
        g_loss = F.softplus(-nets['d'](fake)).mean()
        g_loss.backward()
        opts['g'].step()
        record(d_loss, g_loss)
    finish(*nets.values())
