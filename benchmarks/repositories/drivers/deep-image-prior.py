import numpy as np
import torch
from models import get_net
from models.downsampler import Downsampler
from models.resnet import ResNet
from models.skip import skip
from probe import array, attempt, fill, keep, say
from utils.common_utils import get_noise, get_params, np_to_pil, np_to_torch, optimize, pil_to_np, torch_to_np


def run(name, make, opt_over="net", kind="adam"):
    net = make()
    fill(net)
    net_input = array(1, 1, 4, 32, 32) * 0.1
    target = torch.sigmoid(array(2, 1, 3, 32, 32))
    saved = net_input.detach().clone()
    noise = array(3, 1, 4, 32, 32)
    mse = torch.nn.MSELoss()
    step = [0]

    def closure():
        current = saved + noise * 0.03 if "input" not in opt_over else net_input
        out = net(current)
        total_loss = mse(out, target)
        total_loss.backward()
        say("%s %d" % (name, step[0]), total_loss.item(), out.mean().item())
        step[0] += 1
        return total_loss

    optimize(kind, get_params(opt_over, net, net_input), closure, 0.01, 3)
    say(name + " numpy", torch_to_np(net(saved)).sum(), sum(np.prod(list(p.size())) for p in net.parameters()))
    keep(name, net)


def down(name, kind, phase, factor):
    module = Downsampler(3, factor, kind, phase, preserve_size=True)
    x = array(5, 1, 3, 16, 16).requires_grad_()
    y = module(x)
    (y**2).sum().backward()
    say(name, y.abs().sum().item(), x.grad.abs().sum().item(), module.x.sum().item(), *y.shape)


attempt("skip", lambda: run("skip", lambda: skip(4, 3, [4, 6], [4, 6], [2, 2], upsample_mode="bilinear", pad="reflection")))
attempt("avg", lambda: run("avg", lambda: skip(4, 3, [4, 6], [4, 6], [2, 0], upsample_mode="nearest", downsample_mode="avg", act_fun="Swish"), "net,input"))
attempt("lanczos", lambda: run("lanczos", lambda: skip(4, 3, [4, 6], [4, 6], [2, 2], downsample_mode="lanczos2", act_fun="ELU")))
attempt("resnet", lambda: run("resnet", lambda: ResNet(4, 3, 2, 8, True, "ELU")))
attempt("unet", lambda: run("unet", lambda: get_net(4, "UNet", "zero", "deconv")))
attempt("lanczos2", lambda: down("lanczos2", "lanczos2", 0.5, 4))
attempt("gauss", lambda: down("gauss", "gauss12", 0, 2))
picture = np_to_pil(np.tile(np.linspace(0, 1, 8, dtype="float32"), (3, 8, 1)))
say("picture", pil_to_np(picture).sum(), np_to_torch(pil_to_np(picture)).sum().item(), *get_noise(4, "noise", 8, "n").shape, get_noise(2, "meshgrid", 8).sum().item())
