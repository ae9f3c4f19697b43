import torch
import torch.nn as nn
from model import Flowavenet
from probe import array, attempt, fill, keep, say


def run(name, affine, split, pretrained):
    model = Flowavenet(1, 4, 3, 2, 2, affine=affine, pretrained=pretrained, block_per_split=split)
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    for step in range(3):
        x, c = array(step, 2, 1, 256), array(step + 9, 2, 4, 1)
        optimizer.zero_grad()
        log_p, logdet = model(x, c)
        log_p, logdet = torch.mean(log_p), torch.mean(logdet)
        loss = -(log_p + logdet)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        say("%s %d" % (name, step), loss.item(), log_p.item(), logdet.item())
        del x, c, log_p, logdet, loss
    model.eval()
    with torch.no_grad():
        made = model.reverse(array(30, 2, 1, 256), array(31, 2, 4, 1))
        say(name + " reverse", made.abs().sum().item())
    keep(name, model)


attempt("affine", lambda: run("affine", True, 2, False))
attempt("additive", lambda: run("additive", False, 8, True))
