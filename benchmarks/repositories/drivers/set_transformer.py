import numpy as np
import torch
import torch.nn as nn
from mixture_of_mvns import MixtureOfMVNs
from models import DeepSet, SetTransformer
from mvn_diag import MultivariateNormalDiag
from probe import array, attempt, fill, keep, say, whole


def mixture(name, make):
    torch.manual_seed(0)
    mog = MixtureOfMVNs(MultivariateNormalDiag(2))
    net = make()
    fill(net)
    net.dec[-1].weight.data.mul_(0.1)
    X0, labels, pi, params = mog.sample(3, 12, 4, return_gt=True)
    assert X0.shape == (3, 12, 2) and labels.shape == (3, 12)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    for step in range(3):
        net.train()
        X = 3 * array(step, 5, 20, 2)
        ll = mog.log_prob(X, *mog.parse(net(X)))
        loss = -ll
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("%s %d" % (name, step), ll.item())
    net.eval()
    with torch.no_grad():
        X = array(9, 5, 20, 2)
        pi, params = mog.parse(net(X))
        ll, labels = mog.log_prob(X, pi, params, return_labels=True)
        mu, cov = mog.mvn.stats(params)
        say(name + " end", ll.item(), labels.float().mean().item(), mu.sum().item(), cov.abs().sum().item())
    keep(name, net)


def classes():
    net = SetTransformer(3, 1, 5, num_inds=4, dim_hidden=16, num_heads=4, ln=True)
    fill(net)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    losses, total, correct = [], 0, 0
    net.train()
    for step in range(3):
        imgs = torch.Tensor(array(step, 4, 15, 3).numpy())
        lbls = torch.Tensor(whole(step, 5, 4).numpy()).long()
        preds = net(imgs).squeeze()
        loss = criterion(preds, lbls)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        total += lbls.shape[0]
        correct += (preds.argmax(dim=1) == lbls).sum().item()
        say("classes %d" % step, np.mean(losses), correct / total)
    keep("classes", net)


attempt("deepset", lambda: mixture("deepset", lambda: DeepSet(2, 4, 5, 16)))
attempt("transformer", lambda: mixture("transformer", lambda: SetTransformer(2, 4, 5, num_inds=6, dim_hidden=16)))
attempt("classes", classes)
