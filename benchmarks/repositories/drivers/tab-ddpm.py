import sys
import numpy as np
import torch
from copy import deepcopy
from tab_ddpm import GaussianMultinomialDiffusion
from tab_ddpm.modules import MLP, MLPDiffusion, ResNet
from probe import array, attempt, fill, fit, keep, quiet, say, whole

sys.path.insert(0, "scripts")


def data(count=16):
    return torch.cat([array(0, count, 3), whole(1, 3, count, 1).float(), whole(2, 4, count, 1).float()], dim=1), whole(3, 2, count)


class Run:
    """What scripts/train.py's trainer does, without pandas."""

    def __init__(self, diffusion, lr, weight_decay, steps):
        self.diffusion, self.steps, self.init_lr = diffusion, steps, lr
        self.ema_model = deepcopy(self.diffusion._denoise_fn)
        for param in self.ema_model.parameters():
            param.detach_()
        self.optimizer = torch.optim.AdamW(self.diffusion.parameters(), lr=lr, weight_decay=weight_decay)

    def _anneal_lr(self, step):
        frac_done = step / self.steps
        lr = self.init_lr * (1 - frac_done)
        for param_group in self.optimizer.param_groups:
            param_group["lr"] = lr

    def _run_step(self, x, out_dict):
        for k in out_dict:
            out_dict[k] = out_dict[k].long()
        self.optimizer.zero_grad()
        loss_multi, loss_gauss = self.diffusion.mixed_loss(x, out_dict)
        loss = loss_multi + loss_gauss
        loss.backward()
        self.optimizer.step()
        return loss_multi, loss_gauss

    def run_loop(self, name, x, y):
        for step in range(self.steps):
            multi, gauss = self._run_step(x, {"y": y})
            self._anneal_lr(step)
            say("%s %d" % (name, step), multi.item(), gauss.item())
            for targ, src in zip(self.ema_model.parameters(), self.diffusion._denoise_fn.parameters()):
                targ.detach().mul_(0.9).add_(src.detach(), alpha=1 - 0.9)


def run(name, scheduler, **options):
    x, y = data()
    model = MLPDiffusion(10, 2, True, {"d_layers": [12, 12], "dropout": 0.0}, dim_t=8)
    fill(model)
    diffusion = GaussianMultinomialDiffusion(np.array([3, 4]), 3, model, num_timesteps=20, scheduler=scheduler, **options)
    diffusion.train()
    np.random.seed(0)
    trainer = Run(diffusion, 0.01, 1e-4, 4)
    trainer.run_loop(name, x, y)
    keep(name, diffusion)
    keep(name + "-ema", trainer.ema_model)
    diffusion.eval()
    np.random.seed(1)
    with torch.no_grad():
        sample, out = diffusion.sample(6, torch.tensor([0.3, 0.7]))
    say(name + " samples", *sample[:, :3].flatten(), *sample[:, 3:].flatten())


def baseline(name, model):
    fill(model)
    quiet(model)
    x, y = data()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    fit(name, model, lambda step: torch.nn.functional.cross_entropy(model(x), y), optimizer, 3)


attempt("cosine", lambda: run("cosine", "cosine"))
attempt("kl", lambda: run("kl", "cosine", gaussian_loss_type="kl", parametrization="direct"))
attempt("mlp", lambda: baseline("mlp", MLP.make_baseline(5, [8, 7, 7, 6], 0.1, 2)))
attempt("resnet", lambda: baseline("resnet", ResNet.make_baseline(d_in=5, n_blocks=2, d_main=6, d_hidden=7, dropout_first=0.1, dropout_second=0.1, d_out=2)))
