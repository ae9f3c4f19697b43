import logging
from types import SimpleNamespace
import torch
from hype.energy_function import DistanceEnergyFunction
from hype.manifolds import EuclideanManifold, LorentzManifold, PoincareManifold
from hype.rsgd import RiemannianSGD
from hype.train import train
from probe import array, attempt, fill, keep, say, whole


class Batches:
    burnin = False

    def __iter__(self):
        for seed in range(2):
            inputs = whole(seed, 9, 4, 6)
            yield inputs, torch.zeros(4).long()

    def __len__(self):
        return 2

    def nnegatives(self):
        return 5


def run(name, manifold, energy, sparse, **options):
    model = energy(manifold, 3, 9, sparse=sparse)
    fill(model)
    model.lt.weight.data.mul_(0.5)
    manifold.normalize(model.lt.weight.data)
    optimizer = RiemannianSGD(model.optim_params(), lr=0.3)
    opt = SimpleNamespace(epoch_start=0, epochs=3, lr=0.3, burnin=1, batchsize=4, ndproc=0, eval_each=1)
    train("cpu", model, Batches(), optimizer, opt, logging.getLogger(name), ctrl=lambda model, epoch, elapsed, loss: say(f"{name} {epoch}", loss, model.lt.weight.sum().item()))
    say(name + " norms", *manifold.norm(model.lt).detach())
    say(name + " distances", *manifold.distance(model.lt.weight[:3], model.lt.weight[3:6]).detach())
    keep(name, model)


def cones(name, manifold):
    u, v = (array(1, 5, 3) * 0.2), (array(2, 5, 3) * 0.2)
    if isinstance(manifold, LorentzManifold):
        u, v = [torch.cat([(1 + (w**2).sum(-1, keepdim=True)).sqrt(), w], -1) for w in (u, v)]
    u.requires_grad_()
    value = manifold.angle_at_u(u, v)
    value.sum().backward()
    say(name + " angles", *value.detach(), u.grad.abs().sum().item(), *manifold.half_aperture(v))


attempt("poincare", lambda: run("poincare", PoincareManifold(), DistanceEnergyFunction, False))
attempt("euclid", lambda: run("euclid", EuclideanManifold(max_norm=1), DistanceEnergyFunction, False))
attempt("lorentz", lambda: run("lorentz", LorentzManifold(), DistanceEnergyFunction, False))
attempt("sparse", lambda: run("sparse", LorentzManifold(), DistanceEnergyFunction, True))
attempt("poincare cones", lambda: cones("poincare", PoincareManifold(K=0.1)))
attempt("lorentz cones", lambda: cones("lorentz", LorentzManifold(K=0.1)))
