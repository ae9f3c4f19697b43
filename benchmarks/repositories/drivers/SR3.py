import copy
import tempfile
import numpy as np
from model.model import DDPM
from probe import array, attempt, fill, keep, say

schedule = dict(schedule="linear", n_timestep=6, linear_start=1e-4, linear_end=2e-2)


def options(kind, conditional, folder):
    unet = dict(in_channel=6 if conditional else 3, out_channel=3, inner_channel=8, norm_groups=4, channel_multiplier=[1, 2], attn_res=[8], res_blocks=1, dropout=0)
    return dict(phase="train", gpu_ids=None, distributed=False, path=dict(resume_state=None, checkpoint=folder), model=dict(which_model_G=kind, finetune_norm=False, unet=unet, beta_schedule=dict(train=schedule, val={**schedule, "n_timestep": 4, "schedule": "cosine"}), diffusion=dict(image_size=16, channels=3, conditional=conditional)), train=dict(optimizer=dict(lr=1e-3)))


def run(kind, conditional):
    name, folder = f"{kind} {conditional}", tempfile.mkdtemp()
    opt = options(kind, conditional, folder)
    np.random.seed(3)
    diffusion = DDPM(copy.deepcopy(opt))
    fill(diffusion.netG)
    for step in range(3):
        diffusion.feed_data({"HR": array(step, 2, 3, 16, 16).tanh(), "SR": array(step + 9, 2, 3, 16, 16).tanh(), "Index": None})
        diffusion.optimize_parameters()
        say(f"{name} {step}", diffusion.get_current_log()["l_pix"])
    diffusion.set_new_noise_schedule(opt["model"]["beta_schedule"]["val"], schedule_phase="val")
    diffusion.test(continous=True) if conditional else diffusion.sample(2, continous=False)
    visuals = diffusion.get_current_visuals(sample=not conditional)
    for key, image in visuals.items():
        say(f"{name} {key}", *image.shape, image.abs().mean().item())
    keep(f"{kind}-{conditional}", diffusion.netG)
    diffusion.save_network(1, 3)
    again = copy.deepcopy(opt)
    again["path"]["resume_state"] = folder + "/I3_E1"
    attempt(f"{name} resumed", lambda: resumed(name, again))


def resumed(name, opt):
    opt["model"]["beta_schedule"]["train"] = opt["model"]["beta_schedule"]["val"]
    diffusion = DDPM(opt)
    say(f"{name} resumed", diffusion.begin_step, diffusion.begin_epoch, sum(p.abs().sum().item() for p in diffusion.netG.parameters()))
    diffusion.feed_data({"HR": array(5, 2, 3, 16, 16).tanh(), "SR": array(6, 2, 3, 16, 16).tanh()})
    diffusion.optimize_parameters()
    say(f"{name} goes on", diffusion.get_current_log()["l_pix"])


attempt("sr3", lambda: run("sr3", True))
attempt("sr3 free", lambda: run("sr3", False))
attempt("ddpm", lambda: run("ddpm", True))
