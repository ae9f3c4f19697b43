import random
import torch
from experiment import VAEXperiment
from models import BetaTCVAE, BetaVAE, CategoricalVAE, ConditionalVAE, DIPVAE, HVAE, InfoVAE, IWAE, JointVAE, LogCoshVAE, LVAE, MIWAE, MSSIMVAE, SWAE, VampVAE, VanillaVAE, VQVAE, WAE_MMD
from probe import array, attempt, fill, keep, say, whole

HIDDEN = [4, 4, 8, 8, 512]


def run(name, make, **changes):
    model = make()
    fill(model)
    params = dict(LR=0.005, weight_decay=0.0, scheduler_gamma=0.95, kld_weight=0.00025)
    params.update(changes)
    experiment = VAEXperiment(model, params)
    random.seed(0)
    found = experiment.configure_optimizers()
    optimizers, schedulers = found if isinstance(found, tuple) else (found, [])
    for step in range(3):
        model.train()
        labels = torch.eye(5)[whole(step, 5, 4)]
        for i, optimizer in enumerate(optimizers):
            loss = experiment.training_step((array(step, 4, 3, 64, 64).tanh(), labels), step, optimizer_idx=i)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            say("%s %d %d" % (name, step, i), loss.item())
        for scheduler in schedulers:
            scheduler.step()
    model.eval()
    with torch.no_grad():
        out = model.generate(array(9, 4, 3, 64, 64).tanh(), labels=torch.eye(5)[whole(9, 5, 4)])
        say(name + " generated", out.abs().sum().item(), optimizers[0].param_groups[0]["lr"])
    keep(name, model)


attempt("vanilla", lambda: run("vanilla", lambda: VanillaVAE(3, 6, HIDDEN[:])))
attempt("betah", lambda: run("betah", lambda: BetaVAE(3, 6, HIDDEN[:], loss_type="H")))
attempt("betab", lambda: run("betab", lambda: BetaVAE(3, 6, HIDDEN[:], loss_type="B")))
attempt("tc", lambda: run("tc", lambda: BetaTCVAE(3, 6, [4, 4, 8, 32])))
attempt("cat", lambda: run("cat", lambda: CategoricalVAE(3, 6, 4, HIDDEN[:], anneal_interval=1)))
attempt("cond", lambda: run("cond", lambda: ConditionalVAE(3, 5, 6, HIDDEN[:])))
attempt("dip", lambda: run("dip", lambda: DIPVAE(3, 6, HIDDEN[:])))
attempt("hvae", lambda: run("hvae", lambda: HVAE(3, 6, 6, HIDDEN[:], pseudo_input_size=16)))
attempt("info", lambda: run("info", lambda: InfoVAE(3, 6, HIDDEN[:])))
attempt("iwae", lambda: run("iwae", lambda: IWAE(3, 6, HIDDEN[:], 2)))
attempt("joint", lambda: run("joint", lambda: JointVAE(3, 6, 4, hidden_dims=HIDDEN[:])))
attempt("logcosh", lambda: run("logcosh", lambda: LogCoshVAE(3, 6, HIDDEN[:])))
attempt("ladder", lambda: run("ladder", lambda: LVAE(3, [2, 3, 4, 5, 6], HIDDEN[:])))
attempt("miwae", lambda: run("miwae", lambda: MIWAE(3, 6, HIDDEN[:], 2, 3)))
attempt("mssim", lambda: run("mssim", lambda: MSSIMVAE(3, 6, HIDDEN[:], 5)))
attempt("swae", lambda: run("swae", lambda: SWAE(3, 6, HIDDEN[:], num_projections=7)))
attempt("vamp", lambda: run("vamp", lambda: VampVAE(3, 6, HIDDEN[:], 5)))
attempt("vq", lambda: run("vq", lambda: VQVAE(3, 6, 10, [6, 8])))
attempt("rbf", lambda: run("rbf", lambda: WAE_MMD(3, 6, HIDDEN[:], kernel_type="rbf")))
attempt("imq", lambda: run("imq", lambda: WAE_MMD(3, 6, HIDDEN[:])))
