import types
import numpy as np
import torch
import losses
import sde_lib
from models import ddpm, ncsnpp, ncsnv2
from models import utils as mutils
from models.ema import ExponentialMovingAverage
from sampling import get_sampling_fn
from probe import array, attempt, fill, keep, quiet, say

space = types.SimpleNamespace


def configuration(name, **other):
    model = dict(name=name, scale_by_sigma=False, ema_rate=0.99, dropout=0.0, normalization="GroupNorm", nonlinearity="swish", nf=32, ch_mult=(1, 2), num_res_blocks=1, attn_resolutions=(8,), resamp_with_conv=True, conditional=True, fir=False, fir_kernel=[1, 3, 3, 1], skip_rescale=True, resblock_type="biggan", progressive="none", progressive_input="none", progressive_combine="sum", attention_type="ddpm", init_scale=0.0, embedding_type="positional", fourier_scale=16, conv_size=3, sigma_min=0.01, sigma_max=50, num_scales=1000, beta_min=0.1, beta_max=20.0)
    model.update(other)
    return space(model=space(**model), data=space(image_size=16, num_channels=3, centered=True, random_flip=False, dataset="CIFAR10"), training=space(continuous=False, reduce_mean=True, sde="rectified_flow"), optim=space(optimizer="Adam", lr=2e-3, beta1=0.9, eps=1e-8, weight_decay=0.0, warmup=5, grad_clip=1.0), sampling=space(method="rectified_flow", init_noise_scale=1.0, use_ode_sampler="euler"), device=torch.device("cpu"))


def run(name, config, **flow):
    np.random.seed(0)
    model = mutils.create_model(config)
    fill(model)
    quiet(model)
    ema = ExponentialMovingAverage(model.parameters(), decay=config.model.ema_rate)
    optimizer = losses.get_optimizer(config, model.parameters())
    state = dict(optimizer=optimizer, model=model, ema=ema, step=0)
    sde = sde_lib.RectifiedFlow(init_type="gaussian", noise_scale=1.0, sample_N=3, use_ode_sampler="euler", **flow)
    train_step = losses.get_step_fn(sde, train=True, optimize_fn=losses.optimization_manager(config), reduce_mean=True, continuous=False)
    eval_step = losses.get_step_fn(sde, train=False, optimize_fn=losses.optimization_manager(config), reduce_mean=False, continuous=False)
    for step in range(3):
        batch = torch.tanh(array(step, 2, 3, 16, 16))
        if sde.reflow_flag:
            batch = (array(step + 5, 2, 3, 16, 16), batch)
        loss = train_step(state, batch)
        say("%s %d" % (name, step), loss.item(), state["optimizer"].param_groups[0]["lr"], sum(p.abs().sum().item() for p in ema.shadow_params))
    say(name + " eval", eval_step(state, batch).item())
    keep(name, model)
    ema.store(model.parameters())
    ema.copy_to(model.parameters())
    sample = sde.euler_ode(array(11, 1, 3, 16, 16), model, N=2)
    say(name + " sample", sample.mean().item(), sample.std().item(), *sample.flatten()[:5])
    ema.load_state_dict(ema.state_dict())
    ema.restore(model.parameters())
    sampling = get_sampling_fn(config, sde, (1, 3, 16, 16), lambda x: (x + 1.0) / 2.0, 1e-3)
    image, nfe = sampling(model)
    say(name + " drawn", image.mean().item(), image.std().item(), nfe)


attempt("ncsnpp", lambda: run("ncsnpp", configuration("ncsnpp")))
attempt("reflow", lambda: run("reflow", configuration("ncsnpp", progressive="output_skip", progressive_input="residual", progressive_combine="cat", resblock_type="ddpm", embedding_type="fourier"), reflow_flag=True, reflow_t_schedule="uniform"))
attempt("ddpm", lambda: run("ddpm", configuration("ddpm", skip_rescale=False), reflow_flag=True, reflow_t_schedule="t0"))
