import sys
import tempfile
import types
import numpy as np
import torch

for name in ("mcubes", "icecream", "pyhocon"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["icecream"].ic, sys.modules["pyhocon"].ConfigFactory = print, None

import exp_runner as module
from probe import array, attempt, fill, keep, say


class Rays:
    n_images = 1

    def gen_random_rays_at(self, i, count):
        o = torch.nn.functional.normalize(array(3, count, 3), dim=-1) * 2
        d = torch.nn.functional.normalize(array(4, count, 3) * 0.2 - o, dim=-1)
        return torch.cat([o, d, array(5, count, 3).sigmoid(), (array(6, count, 1) > 0).float()], -1)

    def near_far_from_sphere(self, rays_o, rays_d):
        a = torch.sum(rays_d ** 2, dim=-1, keepdim=True)
        mid = -torch.sum(rays_o * rays_d, dim=-1, keepdim=True) / a
        return mid - 1.0, mid + 1.0


class Board:
    def __init__(self, log_dir):
        pass

    def add_scalar(self, key, value, step):
        say(f"{key} {step}", value)


module.SummaryWriter = Board


def run(name, mask_weight, n_outside, white, weight_norm=True):
    r = module.Runner.__new__(module.Runner)
    r.base_exp_dir = tempfile.mkdtemp()
    r.dataset, r.iter_step, r.end_iter, r.save_freq, r.report_freq, r.val_freq, r.val_mesh_freq, r.batch_size = Rays(), 0, 3, 2, 1, 90, 90, 4
    r.learning_rate, r.learning_rate_alpha, r.use_white_bkgd, r.warm_up_end, r.anneal_end, r.igr_weight, r.mask_weight, r.device = 1e-3, 0.05, white, 2.0, 4.0, 0.1, mask_weight, torch.device("cpu")
    r.nerf_outside = module.NeRF(D=3, W=8, d_in=4, d_in_view=3, multires=2, multires_view=1, output_ch=4, skips=[1], use_viewdirs=True)
    r.sdf_network = module.SDFNetwork(d_in=3, d_out=9, d_hidden=20, n_layers=3, skip_in=(2,), multires=2, bias=0.5, scale=1.0, geometric_init=True, weight_norm=weight_norm)
    r.deviation_network = module.SingleVarianceNetwork(init_val=0.3)
    r.color_network = module.RenderingNetwork(d_feature=8, mode="idr", d_in=9, d_out=3, d_hidden=10, n_layers=2, weight_norm=weight_norm, multires_view=1, squeeze_out=True)
    params = []
    for i, net in enumerate((r.nerf_outside, r.sdf_network, r.deviation_network, r.color_network)):
        fill(net, i)
        params += list(net.parameters())
    r.optimizer = torch.optim.Adam(params, lr=r.learning_rate, eps=1e-5)
    r.renderer = module.NeuSRenderer(r.nerf_outside, r.sdf_network, r.deviation_network, r.color_network, n_samples=8, n_importance=8, n_outside=n_outside, up_sample_steps=2, perturb=0.0)
    r.train()
    for key in ("nerf_outside", "sdf_network", "deviation_network", "color_network"):
        keep(f"{name} {key}", getattr(r, key))


attempt("mask", lambda: run("mask", 0.1, 0, True))
attempt("plain", lambda: run("plain", 0.0, 4, False, weight_norm=False))
