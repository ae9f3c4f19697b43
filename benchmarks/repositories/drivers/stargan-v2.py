import types
import torch
import core.solver as solver
from munch import Munch
from probe import array, attempt, fill, keep, say, whole


class Fetcher:
    """Made-up batches in the place of core.data_loader's."""

    def __init__(self, loader, loader_ref=None, latent_dim=16, mode=""):
        self.n, self.latent_dim = 0, latent_dim

    def __next__(self):
        n = self.n = self.n + 1
        return Munch(x_src=array(n, 2, 3, 32, 32), y_src=whole(n, 2, 2), x_ref=array(n + 20, 2, 3, 32, 32), x_ref2=array(n + 30, 2, 3, 32, 32), y_ref=whole(n + 7, 2, 2), z_trg=array(n + 40, 2, self.latent_dim), z_trg2=array(n + 50, 2, self.latent_dim))


ARGS = dict(img_size=32, style_dim=8, latent_dim=4, num_domains=2, w_hpf=0, wing_path="", mode="train", f_lr=1e-4, lr=1e-3, beta1=0.0, beta2=0.99, weight_decay=1e-4, checkpoint_dir="checkpoints", resume_iter=0, total_iters=2, lambda_reg=1, lambda_cyc=1, lambda_sty=1, lambda_ds=2, ds_iter=10, print_every=1, sample_every=100, save_every=2, eval_every=100)


def train():
    solver.InputFetcher = Fetcher
    args = types.SimpleNamespace(**ARGS)
    whole_thing = solver.Solver(args)
    for i, (name, net) in enumerate(whole_thing.nets.items()):
        fill(net, i)
        if name in whole_thing.nets_ema:
            fill(whole_thing.nets_ema[name], i)
    whole_thing.train(types.SimpleNamespace(src=None, ref=None, val=None))
    say("lambda", args.lambda_ds)
    inputs = next(Fetcher(None, latent_dim=4))
    for name, kwargs in (("latent", dict(z_trgs=[inputs.z_trg, inputs.z_trg2])), ("ref", dict(x_refs=[inputs.x_ref, inputs.x_ref2]))):
        loss, parts = solver.compute_g_loss(whole_thing.nets, args, inputs.x_src, inputs.y_src, inputs.y_ref, **kwargs)
        say("g " + name, loss.item(), parts.adv, parts.sty, parts.ds, parts.cyc)
    d_loss, parts = solver.compute_d_loss(whole_thing.nets, args, inputs.x_src, inputs.y_src, inputs.y_ref, z_trg=inputs.z_trg)
    say("d", d_loss.item(), parts.real, parts.fake, parts.reg)
    whole_thing._load_checkpoint(2)
    for name, net in whole_thing.nets.items():
        keep(name, net)
    keep("ema", whole_thing.nets_ema.generator)


attempt("train", train)
