import copy
import numpy as np
import torch
from R3GAN.Networks import Discriminator, Generator
from torch_utils import training_stats
from training.loss import R3GANLoss
from probe import array, attempt, fill, keep, say


def run(name, classes):
    condition = {} if classes is None else {"ConditionDimension": classes, "ConditionEmbeddingDimension": 5}
    G = Generator(6, [8, 8, 4], [2, 2, 1], [1, 1, 1], 2, **condition).train().requires_grad_(False)
    D = Discriminator([4, 8, 8], [1, 2, 2], [1, 1, 1], 2, **condition).train().requires_grad_(False)
    fill(G, 1)
    fill(D, 2)
    averaged = copy.deepcopy(G).eval()
    loss = R3GANLoss(G, D)
    optimizers = {"G": torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.0, 0.9), eps=1e-8), "D": torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.0, 0.9), eps=1e-8)}
    collector = training_stats.Collector(regex=".*")
    for step in range(3):
        real = array(step, 4, 3, 16, 16)
        labels = torch.eye(3)[[0, 2, 1, step]] if classes else None
        for phase, part in (("D", D), ("G", G)):
            part.requires_grad_(True)
            for half in range(2):
                rows = slice(2 * half, 2 * half + 2)
                loss.accumulate_gradients(phase, real[rows], labels[rows] if classes else None, array(10 * step + half, 2, 6), 0.5, 0.5)
            part.requires_grad_(False)
            params = [param for param in part.parameters() if param.grad is not None]
            flat = torch.cat([param.grad.flatten() for param in params])
            torch.nan_to_num(flat, nan=0, posinf=1e5, neginf=-1e5, out=flat)
            grads = flat.split([param.numel() for param in params])
            for param, grad in zip(params, grads):
                param.grad = grad.reshape(param.shape)
            say(f"{name} {phase} {step}", flat.norm(), flat.abs().max(), len(params))
            optimizers[phase].step()
            optimizers[phase].zero_grad(set_to_none=True)
        with torch.no_grad():
            for p_ema, p in zip(averaged.parameters(), G.parameters()):
                p_ema.copy_(p.lerp(p_ema, 0.9))
            for b_ema, b in zip(averaged.buffers(), G.buffers()):
                b_ema.copy_(b)
        collector.update()
        found = collector.as_dict()
        for key in sorted(found):
            say(f"{name} {key} {step}", found[key].num, found[key].mean, found[key].std)
    for key, part in (("G", G), ("D", D), ("averaged", averaged)):
        keep(f"{name}-{key}", part)


attempt("plain", lambda: run("plain", None))
attempt("classes", lambda: run("classes", 3))
