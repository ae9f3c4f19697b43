import types
import torch
from conv_tasnet import ConvTasNet
from pit_criterion import cal_loss
from solver import Solver
from utils import remove_pad
from probe import array, attempt, fill, keep, say


def batch(seed):
    mixture, source = array(seed, 2, 80), array(seed + 50, 2, 2, 80)
    lengths = torch.from_numpy(__import__("numpy").array([80, 60]))
    mixture[1, 60:] = 0
    source[1, :, 60:] = 0
    return mixture, lengths, source


def run(name, norm, causal, mask):
    model = ConvTasNet(16, 8, 8, 12, 3, 2, 2, 2, norm_type=norm, causal=causal, mask_nonlinear=mask)
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=0.0)
    args = types.SimpleNamespace(use_cuda=False, epochs=2, half_lr=True, early_stop=True, max_norm=5, save_folder="saved-" + name, checkpoint=False, continue_from="", model_path="final.pth", print_freq=1, visdom=False, visdom_epoch=False, visdom_id="")
    wrapped = torch.nn.DataParallel(model)
    solver = Solver({"tr_loader": [batch(i) for i in range(3)], "cv_loader": [batch(9)]}, wrapped, optimizer, args)
    solver.train()
    say(name, *solver.tr_loss.tolist(), *solver.cv_loss.tolist())
    model.eval()
    with torch.no_grad():
        mixture, lengths, source = batch(20)
        estimate = model(mixture)
        loss, best, _, ordered = cal_loss(source, estimate, lengths)
        say(name + " eval", loss.item(), *best.view(-1).tolist(), ordered.abs().sum().item())
        say(name + " lengths", *[x.shape[-1] for x in remove_pad(estimate, lengths)])
    keep(name, model)


attempt("gLN", lambda: run("gLN", "gLN", False, "relu"))
attempt("cLN", lambda: run("cLN", "cLN", True, "softmax"))
attempt("BN", lambda: run("BN", "BN", False, "relu"))
