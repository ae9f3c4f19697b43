import sys
import numpy as np
import torch

sys.argv = ["train_simulation.py", "--batch_size", "2", "--epochs", "2", "--num_workers", "0", "--print_freq", "1", "--wf", "4", "--depth", "3", "--radius", "2", "--lr", "0.001", "--eps2", "0.001"]

import train_simulation as module
from probe import Board, array, attempt, fill, keep, say


class Pictures:
    def __init__(self, seed, count, parts):
        self.seed, self.count, self.parts = seed, count, parts

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        clean = array(self.seed + i, 3, 16, 16).sigmoid()
        noise = 0.1 * array(self.seed + 50 + i, 3, 16, 16)
        return (clean + noise, clean, noise**2 + 0.002, torch.ones(3, 16, 16) * 0.01)[: self.parts]


def psnr(found, clean):
    return float(-10 * np.log10(((found - clean) ** 2).mean().item()))


def run():
    nets = []

    def filled(net):
        fill(net, 2)
        return net

    build = module.VDN

    def built(*arguments, **options):
        nets.append(build(*arguments, **options))
        return nets[-1]

    data = module.DenoisingDatasets
    data.SimulateTrain = lambda *arguments, **options: Pictures(1, 4, 4)
    data.SimulateTest = lambda *arguments: Pictures(100, 2, 2)
    module.VDN, module.weight_init_kaiming, module.SummaryWriter = built, filled, Board
    module.batch_PSNR = psnr
    module.batch_SSIM = lambda found, clean: float((found * clean).mean().item())
    module.main()
    keep("first", nets[-1])
    module.args.resume, module.args.epochs = "model/model_2", 3
    module.main()
    keep("resumed", nets[-1])
    say("sigma", nets[-1](array(7, 1, 3, 16, 16), "sigma").abs().mean().item())


attempt("train", run)
