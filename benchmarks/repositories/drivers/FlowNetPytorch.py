from types import SimpleNamespace

import main as program
import models
import numpy as np
import torch
from multiscaleloss import EPE, multiscaleEPE, realEPE
from util import flow2rgb

from probe import array, fill, keep, say


class Writer:
    def add_scalar(self, name, value, step):
        say(f"{name} {step}", value)

    def add_image(self, name, value, step):
        say(f"{name.replace(' ', '_')} {step}", np.nansum(np.asarray(value, dtype=np.float64)))


def main():
    program.device, program.n_iter = torch.device("cpu"), 0
    model = models.__dict__["flownets_bn"](None)
    fill(model)
    groups = [{"params": model.bias_parameters(), "weight_decay": 0}, {"params": model.weight_parameters(), "weight_decay": 4e-4}]
    optimizer = torch.optim.Adam(groups, 1e-4, betas=(0.9, 0.999))
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1], gamma=0.5)
    batches = [([array(i, 2, 3, 64, 64), array(i + 9, 2, 3, 64, 64)], array(i + 20, 2, 2, 64, 64)) for i in range(2)]
    for epoch, sparse in enumerate((False, True)):
        program.args = SimpleNamespace(epoch_size=0, sparse=sparse, multiscale_weights=[0.005, 0.01, 0.02, 0.08, 0.32], div_flow=20.0, print_freq=10, start_epoch=0)
        say(f"epoch {epoch}", *program.train(batches, model, optimizer, epoch, Writer()))
        scheduler.step()
        with torch.no_grad():
            say(f"validated {epoch}", program.validate(batches[:1], model, epoch, [Writer()]), optimizer.param_groups[0]["lr"])
    keep("flownet", model)
    a, b = array(1, 2, 2, 8, 8), array(2, 2, 2, 8, 8)
    b[0, :, :4] = 0
    say("errors", EPE(a, b, sparse=True), realEPE(a, array(3, 2, 2, 16, 16)), multiscaleEPE(a, b, [0.3], True), flow2rgb(a[0], 2).sum())


main()
