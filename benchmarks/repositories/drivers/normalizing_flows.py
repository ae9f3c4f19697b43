import os
import tempfile
from types import SimpleNamespace
import torch
import torch.distributions as D
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset
import bnaf
import glow
import maf
import planar_flow
from probe import array, attempt, fill, keep, say, whole

folder = tempfile.mkdtemp()
args = SimpleNamespace(device=torch.device("cpu"), cond_label_size=None, log_interval=1, n_epochs=2, start_epoch=0, output_dir=folder, results_file=os.path.join(folder, "results.txt"), dataset="other", step=0, batch_size=8)


def flow(name, model, labels=None):
    fill(model)
    args.cond_label_size = labels
    data = TensorDataset(array(0, 24, 4) * 0.5, torch.eye(3)[whole(1, 3, 24)])
    loader = DataLoader(data, batch_size=8)
    optimizer = optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-6)
    maf.train_and_evaluate(model, loader, loader, optimizer, args)
    mean, spread = maf.evaluate(model, loader, 2, args)
    say(name, mean, spread)
    model.eval()
    with torch.no_grad():
        cond = None if labels is None else torch.eye(3)[whole(1, 3, 6)]
        u, logdet = model(array(5, 6, 4), cond)
        say(name + " forward", u.abs().sum().item(), logdet.sum().item())
        x, back = model.inverse(array(5, 6, 4), cond)
        say(name + " inverse", x.abs().sum().item(), back.sum().item())
    stored = torch.load(os.path.join(folder, "model_checkpoint.pt"))
    model.load_state_dict(stored["model_state"])
    optimizer.load_state_dict(stored["optimizer_state"])
    maf.train(model, loader, optimizer, 3, args)
    keep(name, model)


def mixture(name, model):
    fill(model)
    optimizer = optim.Adam(model.parameters(), lr=1e-3)
    for step in range(3):
        loss = -model.log_prob(array(step, 8, 4)).mean(0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("%s %d" % (name, step), loss.item())
    keep(name, model)


def block(samples):
    model = bnaf.BNAF(2, 1, 6)
    fill(model)
    optimizer = optim.Adam(model.parameters(), lr=0.01, amsgrad=True)
    scheduler = optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1, min_lr=0.0005)
    options = SimpleNamespace(n_steps=3, step=0, batch_size=12, log_interval=100, output_dir=folder)
    bnaf.train_flow(model, lambda n: array(3, n, 2), bnaf.compute_kl_pq_loss, optimizer, scheduler, options)
    zk, logdet = model(array(4, 5, 2))
    say("bnaf", zk.sum().item(), logdet.sum().item(), bnaf.potential_fn("u1")(zk).sum().item() if samples else 0)
    keep("bnaf", model)


class Writer:
    def add_scalar(self, key, value, step):
        say("glow %s %d" % (key, step), value)

    def add_image(self, *rest):
        pass


def image_flow(name, lu, checkpoint):
    model = glow.Glow(6, 2, 1, (3, 8, 8), checkpoint_grads=checkpoint, lu_factorize=lu)
    fill(model)
    options = SimpleNamespace(step=0, world_size=1, n_epochs_warmup=2, lr=1e-3, checkpoint_grads=checkpoint, device=torch.device("cpu"), grad_norm_clip=50, log_interval=1, save_interval=100, on_main_process=True, start_epoch=0, n_epochs=1, output_dir=folder)
    for m in model.modules():
        if isinstance(m, glow.Invertible1x1Conv) and lu:
            m.p.data.copy_(torch.eye(len(m.p)))
            m.sign_s.fill_(1.0)
    with torch.no_grad():
        model(array(9, 8, 3, 8, 8).sigmoid())
    optimizer = optim.Adam(model.parameters(), lr=1e-3)
    loader = DataLoader(TensorDataset(array(7, 12, 3, 8, 8).sigmoid(), whole(8, 2, 12)), batch_size=4)
    glow.generate = lambda model, n_samples, z_stds: torch.zeros(4, 3, 8, 8)
    glow.train_epoch(model, loader, optimizer, Writer(), 1, options)
    with torch.no_grad():
        zs, logdets = model(array(2, 4, 3, 8, 8).sigmoid())
        x, back = model.inverse(zs)
        say(name, logdets.sum().item(), back.sum().item(), (x - array(2, 4, 3, 8, 8).sigmoid()).abs().max().item() < 1e-3)
    keep(name, model)


class Base(D.MultivariateNormal):
    def sample(self, shape=()):
        return array(shape[0], shape[0], 2)


def planar():
    net = nn.Sequential(planar_flow.AffineTransform(True), *[planar_flow.PlanarTransform() for _ in range(3)])
    fill(net)
    options = SimpleNamespace(start_step=1, n_steps=4, batch_size=10, device=torch.device("cpu"), beta=1.0, output_dir=folder, flow_length=3)
    optimizer = optim.RMSprop(net.parameters(), lr=1e-3, momentum=0.9, alpha=0.9, eps=1e-6, weight_decay=1e-3)
    planar_flow.optimize_flow(Base(torch.zeros(2), torch.eye(2)), net, planar_flow.u_z2, optimizer, options)
    keep("planar", net)


attempt("made", lambda: flow("made", maf.MADE(4, 8, 1)))
attempt("maf", lambda: flow("maf", maf.MAF(2, 4, 8, 1)))
attempt("cond", lambda: flow("cond", maf.MAF(2, 4, 8, 1, cond_label_size=3, activation="tanh"), 3))
attempt("realnvp", lambda: flow("realnvp", maf.RealNVP(2, 4, 8, 1)))
attempt("mog", lambda: mixture("mog", maf.MADEMOG(2, 4, 8, 1)))
attempt("mafmog", lambda: mixture("mafmog", maf.MAFMOG(2, 2, 4, 8, 1)))
attempt("bnaf", lambda: block(True))
attempt("glow", lambda: image_flow("glow", False, False))
attempt("glowcheck", lambda: image_flow("glowcheck", False, True))
attempt("planar", planar)
