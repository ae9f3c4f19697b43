import sys

sys.argv = ["train_toy.py", "--nblocks", "2", "--dims", "6-6", "--niters", "3", "--batch_size", "8", "--actnorm", "True", "--brute-force", "True", "--val_freq", "100", "--viz_freq", "100"]

import numpy as np  # noqa: E402
import torch  # noqa: E402
import train_toy as toy  # noqa: E402
from probe import attempt, fill, keep, say  # noqa: E402


def run(name, arch, act="swish", **options):
    np.random.seed(0)
    blocks = [toy.layers.ActNorm1d(2)]
    for i in range(2):
        if arch == "iresnet":
            blocks.append(toy.layers.iResBlock(toy.build_nnet([2, 6, 6, 2], toy.ACTIVATION_FNS[act]), neumann_grad=False, grad_in_forward=False, **options))
        else:
            blocks += [toy.layers.CouplingBlock(2, torch.nn.Sequential(torch.nn.Linear(1, 5), torch.nn.ReLU(), torch.nn.Linear(5, 2)), swap=swap) for swap in (False, True)]
        blocks.append(toy.layers.MovingBatchNorm1d(2) if options.get("exact_trace") else toy.layers.ActNorm1d(2))
    model = toy.layers.SequentialFlow(blocks)
    fill(model)
    for key, buffer in model.named_buffers():
        if key.endswith((".u", ".v")):
            buffer.copy_(torch.sin(torch.arange(buffer.numel()).float() + 1).view(buffer.shape) / buffer.numel() ** 0.5)
    optimizer = toy.optim.Adam(model.parameters(), lr=1e-2, weight_decay=1e-5)
    model.train()
    for step in range(3):
        optimizer.zero_grad()
        loss, logpz, delta = toy.compute_loss(toy.args, model, beta=min(1, (step + 1) / 2))
        loss.backward()
        optimizer.step()
        toy.update_lipschitz(model, 5)
        say(f"{name} loss {step}", loss.item(), logpz.item(), delta.item())
    keep(name, model)
    model.eval()
    with torch.no_grad():
        z, change = model(torch.from_numpy(toy.toy_data.inf_train_gen("8gaussians", batch_size=4)).float(), torch.zeros(4, 1))
        say(f"{name} back", *z.flatten(), *change.flatten(), *model.inverse(z).flatten())
        say(f"{name} ords", *toy.get_ords(model))


attempt("brute", lambda: run("brute", "iresnet", brute_force=True))
attempt("exact", lambda: run("exact", "iresnet", "elu", exact_trace=True))
attempt("series", lambda: run("series", "iresnet", "lcube", n_power_series=3))
attempt("coupling", lambda: run("coupling", "realnvp"))
