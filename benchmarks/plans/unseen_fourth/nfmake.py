import torch
from nflows.nn import nets
from nflows.transforms import coupling

MASK = torch.tensor([1, 0, 1, 0, 1])


def net(i, o):
    return nets.ResidualNet(i, o, hidden_features=8)


def affine():
    return coupling.AffineCouplingTransform(MASK, net)


def additive():
    return coupling.AdditiveCouplingTransform(MASK, net)


def rq():
    return coupling.PiecewiseRationalQuadraticCouplingTransform(MASK, net, tails="linear", num_bins=4)


def cubic():
    return coupling.PiecewiseCubicCouplingTransform(MASK, net, tails="linear", num_bins=4)


def quadratic():
    return coupling.PiecewiseQuadraticCouplingTransform(MASK, net, tails="linear", num_bins=4)


def linear():
    return coupling.PiecewiseLinearCouplingTransform(MASK, net, tails="linear", num_bins=4)
