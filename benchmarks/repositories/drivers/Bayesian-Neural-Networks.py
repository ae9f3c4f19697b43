import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "src", "KF_Laplace"))
import numpy as np
import torch
from src.Bayes_By_Backprop.model import BBP_Bayes_Net
from src.KF_Laplace.model import KBayes_Net
from src.MC_dropout.model import MC_drop_net
from src.priors import isotropic_gauss_prior, laplace_prior, spike_slab_2GMM
from src.Stochastic_Gradient_HMC_SA.model import BNN_cat
from probe import array, attempt, fill, keep, say, whole


def steps(name, net, **more):
    fill(net.model)
    for step in range(3):
        net.set_mode_train(True)
        result = net.fit(torch.sigmoid(array(step, 6, 1, 4, 4)), whole(step, 10, 6), **more)
        say("%s %d" % (name, step), *result)
    net.set_mode_train(False)
    loss, err, probs = net.eval(torch.sigmoid(array(7, 6, 1, 4, 4)), whole(7, 10, 6))
    say(name + " eval", loss, err, probs.max(dim=1)[0].sum())
    keep(name, net.model)


def laplace():
    net = KBayes_Net(lr=1e-3, channels_in=1, side_in=4, cuda=False, classes=10, n_hid=8, batch_size=6, prior_sig=0.5)
    steps("laplace", net)
    parts = net.get_K_laplace_params([(torch.sigmoid(array(i, 6, 1, 4, 4)), whole(i, 10, 6)) for i in range(2)])
    say("factors", *[p.abs().sum() for p in parts])


def backprop():
    for prior in (laplace_prior(mu=0, b=0.1), isotropic_gauss_prior(mu=0, sigma=0.1)):
        net = BBP_Bayes_Net(lr=1e-3, channels_in=1, side_in=4, cuda=False, classes=10, batch_size=6, Nbatches=3, nhid=8, prior_instance=prior)
        steps("bbp" + type(prior).__name__, net, samples=2)
    say("prior", spike_slab_2GMM(mu1=0, mu2=0, sigma1=0.135, sigma2=0.1, pi=0.5).loglike(array(0, 3, 3) * 0.1))


def dropout():
    net = MC_drop_net(lr=1e-3, channels_in=1, side_in=4, cuda=False, classes=10, batch_size=6, weight_decay=1e-3, n_hid=8)
    net.model.pdrop = 0
    steps("mc", net)


def langevin():
    net = BNN_cat(60, lr=1e-3, cuda=False)
    fill(net.model)
    for step in range(3):
        result = net.fit(torch.sigmoid(array(step, 6, 784)), whole(step, 10, 6), burn_in=step < 2, resample_momentum=False, resample_prior=step == 1)
        say("sghmc %d" % step, *result)
        net.save_sampled_net(max_samples=2)
    say("buffer", *net.grad_buff)
    say("samples", net.sample_predict(torch.sigmoid(array(9, 3, 784))).sum(), len(net.weight_set_samples), np.abs(net.get_weight_samples(1)).sum())
    keep("sghmc", net.model)


attempt("laplace", laplace)
attempt("backprop", backprop)
attempt("dropout", dropout)
attempt("langevin", langevin)
