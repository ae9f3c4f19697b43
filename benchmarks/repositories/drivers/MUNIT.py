import os
import sys
import types
import torch

sys.modules["yaml"] = types.ModuleType("yaml")

import trainer as module
import utils
from probe import array, attempt, fill, keep, say


def options(**changes):
    gen = dict(dim=4, mlp_dim=8, style_dim=4, activ="relu", n_downsample=2, n_res=2, pad_type="reflect")
    dis = dict(dim=4, norm="none", activ="lrelu", n_layer=2, gan_type=changes.pop("gan", "lsgan"), num_scales=2, pad_type="reflect")
    return dict(dict(display_size=2, weight_decay=1e-4, beta1=0.5, beta2=0.999, init="kaiming", lr=1e-3, lr_policy="step", step_size=2, gamma=0.5, gan_w=1, recon_x_w=10, recon_s_w=1, recon_c_w=1, recon_kl_w=0.01, recon_kl_cyc_w=0.01, recon_x_cyc_w=1, vgg_w=0, input_dim_a=3, input_dim_b=3, gen=gen, dis=dis), **changes)


def steps(name, trainer, hyper, first, count):
    for step in range(first, first + count):
        trainer.update_learning_rate()
        x_a, x_b = array(step, 2, 3, 24, 24).tanh(), array(step + 50, 2, 3, 24, 24).tanh()
        trainer.dis_update(x_a, x_b, hyper)
        trainer.gen_update(x_a, x_b, hyper)
        losses = [m for m in sorted(vars(trainer)) if "loss" in m and torch.is_tensor(getattr(trainer, m))]
        say(f"{name} {step}", len(losses), trainer.gen_opt.param_groups[0]["lr"], *(getattr(trainer, m).item() for m in losses))


def run(name, kind, **changes):
    hyper = options(**changes)
    trainer = kind(hyper)
    fill(trainer)
    steps(name, trainer, hyper, 0, 3)
    folder = "made_" + name
    os.makedirs(folder, exist_ok=True)
    trainer.save(folder, 2)
    with torch.no_grad():
        for image in trainer.sample(array(7, 2, 3, 24, 24).tanh(), array(8, 2, 3, 24, 24).tanh()):
            say(f"{name} sample", *image.shape, image.abs().mean())
        for image in trainer.forward(array(7, 2, 3, 24, 24).tanh(), array(8, 2, 3, 24, 24).tanh()):
            say(f"{name} forward", image.abs().mean(), trainer.training)
    keep(name, trainer)
    again = kind(hyper)
    say(f"{name} resumed", again.resume(folder, hyper))
    steps(f"{name} resumed", again, hyper, 3, 2)
    keep(name + "-resumed", again)


attempt("munit", lambda: run("munit", module.MUNIT_Trainer))
attempt("nsgan", lambda: run("nsgan", module.MUNIT_Trainer, gan="nsgan", recon_x_cyc_w=0, lr_policy="constant", init="orthogonal"))
attempt("unit", lambda: run("unit", module.UNIT_Trainer, init="xavier"))
