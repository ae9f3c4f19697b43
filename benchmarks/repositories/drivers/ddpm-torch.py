import torch
from torch.optim import Adam, lr_scheduler
from torch.utils.data import DataLoader, TensorDataset
from ddpm_torch.diffusion import GaussianDiffusion, get_beta_schedule
from ddpm_torch.models.unet import UNet
from ddpm_torch.utils.train import Trainer
from probe import array, attempt, fill, keep, say


class Pictures(TensorDataset):
    def __getitem__(self, index):
        return super().__getitem__(index)[0]


class Fixed(Trainer):
    """Draws nothing."""

    def get_input(self, x):
        return {"x_0": x, "t": torch.arange(x.shape[0]) * 7 % self.timesteps, "noise": torch.sin(torch.arange(x.numel()).reshape(x.shape) * 1.0)}


def run(name, mean, var, loss, accumulate):
    betas = get_beta_schedule("linear", beta_start=0.001, beta_end=0.2, timesteps=20)
    diffusion = GaussianDiffusion(betas, model_mean_type=mean, model_var_type=var, loss_type=loss)
    model = UNet(3, 32, 3, (1, 2), 1, (False, True), drop_rate=0.0)
    fill(model)
    optimizer = Adam(model.parameters(), lr=2e-4, betas=(0.9, 0.999))
    scheduler = lr_scheduler.LambdaLR(optimizer, lr_lambda=lambda t: min((t + 1) / 3, 1.0))
    pictures = torch.tanh(array(0, 8, 3, 8, 8))
    trainer = Fixed(model=model, optimizer=optimizer, diffusion=diffusion, epochs=1, trainloader=DataLoader(Pictures(pictures), batch_size=4), scheduler=scheduler, num_accum=accumulate, use_ema=True, grad_norm=1.0, shape=(3, 8, 8), device=torch.device("cpu"), ema_decay=0.9)
    for step in range(4):
        model.train()
        trainer.step(pictures[step % 2 * 4 : step % 2 * 4 + 4], global_steps=step + 1)
        say("%s %d" % (name, step), *trainer.stats.extract().values(), optimizer.param_groups[0]["lr"])
    model.eval()
    with torch.no_grad(), trainer.ema:
        t = torch.full((2,), 5, dtype=torch.int64)
        got = diffusion.p_mean_var(model, pictures[:2], t, True, True)
        say(name + " mean", *[g.abs().sum().item() for g in got])
    keep(name, model)
    say(name + " shadow", sum(v.abs().sum().item() for v in trainer.ema.shadow.values()))


attempt("eps", lambda: run("eps", "eps", "fixed-large", "mse", 1))
attempt("x0", lambda: run("x0", "x_0", "fixed-small", "mse", 2))
attempt("kl", lambda: run("kl", "mean", "fixed-small", "kl", 1))
