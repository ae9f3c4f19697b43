import numpy as np
import torch
from guided_diffusion.nn import update_ema
from guided_diffusion.resample import create_named_schedule_sampler
from guided_diffusion.script_util import create_classifier, create_gaussian_diffusion
from guided_diffusion.unet import UNetModel
from probe import array, attempt, fill, keep, say, whole


def small(**options):
    return UNetModel(image_size=16, in_channels=3, model_channels=32, out_channels=6, num_res_blocks=1, attention_resolutions=(2,), channel_mult=(1, 2), num_classes=4, num_head_channels=16, use_scale_shift_norm=True, resblock_updown=True, **options)


def train(name, **options):
    model = small(**options)
    fill(model)
    ema = [p.detach().clone() for p in model.parameters()]
    diffusion = create_gaussian_diffusion(steps=20, learn_sigma=True, noise_schedule="cosine")
    sampler = create_named_schedule_sampler("uniform", diffusion)
    say(name + " weights", sampler.weights().sum())
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    for step in range(3):
        model.train()
        t = whole(step, 20, 2)
        losses = diffusion.training_losses(model, array(step, 2, 3, 16, 16), t, model_kwargs={"y": whole(step, 4, 2)}, noise=array(step + 50, 2, 3, 16, 16))
        loss = losses["loss"].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        update_ema(ema, model.parameters(), rate=0.9)
        say("%s %d" % (name, step), loss.item(), losses["vb"].mean().item(), losses["mse"].mean().item())
    say(name + " ema", sum(float(e.abs().sum()) for e in ema))
    keep(name, model)
    return model, diffusion


def sample(model, diffusion):
    model.eval()
    with torch.no_grad():
        out = diffusion.ddim_sample_loop(model, (2, 3, 16, 16), noise=array(77, 2, 3, 16, 16), model_kwargs={"y": whole(5, 4, 2)}, device=torch.device("cpu"))
    say("ddim", out.mean(), out.std(), out.abs().max())


def guide(diffusion):
    classifier = create_classifier(16, False, 32, 1, "8", True, True, "attention") if False else None
    spaced = create_gaussian_diffusion(steps=20, learn_sigma=True, timestep_respacing="ddim5")
    model = small()
    fill(model, 3)
    model.eval()

    def cond_fn(x, t, y=None):
        with torch.enable_grad():
            x_in = x.detach().requires_grad_(True)
            score = (x_in ** 2).mean(dim=(1, 2, 3)).sum()
            return torch.autograd.grad(score, x_in)[0] * 10.0
    out = spaced.ddim_sample_loop(model, (2, 3, 16, 16), noise=array(78, 2, 3, 16, 16), cond_fn=cond_fn, model_kwargs={"y": whole(6, 4, 2)}, device=torch.device("cpu"))
    say("guided", out.mean(), out.std())


def main():
    model, diffusion = train("unet")
    attempt("sample", lambda: sample(model, diffusion))
    attempt("checkpointed", lambda: train("checkpointed", use_checkpoint=True))
    attempt("guide", lambda: guide(diffusion))
    bpd = diffusion.calc_bpd_loop
    say("prior", diffusion._prior_bpd(array(4, 2, 3, 16, 16)).mean())


main()
