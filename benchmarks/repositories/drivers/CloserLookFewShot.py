import numpy as np
import torch
import backbone
from methods.protonet import ProtoNet
from methods.matchingnet import MatchingNet
from methods.relationnet import RelationNet
from methods.baselinetrain import BaselineTrain
from methods.maml import MAML
from probe import array, attempt, fill, fit, keep, say, whole


def few(i, n_way=3, n=4):
    return array(i, n_way, n, 3, 20, 20), whole(i, 3, n_way, n)


def run(name, model, n_way):
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for i in range(3):
        x, _ = few(i)
        model.n_query = x.size(1) - model.n_support
        optimizer.zero_grad()
        loss = model.set_forward_loss(x)
        loss.backward()
        optimizer.step()
        say("%s %d" % (name, i), loss.item())
    keep(name, model)
    model.eval()
    say(name + " test", model.test_loop([few(8), few(9)]))
    correct, count = model.correct(few(10)[0])
    say(name + " correct", correct, count)


def pooled():
    return backbone.ConvNet(2)


def raw():
    net = backbone.ConvNetNopool(4)
    net.final_feat_dim = [64, 3, 3]
    return net


def main():
    for name, make in [
        ("proto", lambda: ProtoNet(Conv, n_way=3, n_support=2)),
        ("matching", lambda: MatchingNet(Conv, n_way=3, n_support=2)),
        ("relation", lambda: RelationNet(Raw, n_way=3, n_support=2, loss_type='mse')),
    ]:
        attempt(name, lambda: run(name, make(), 3))
    for kind in ("softmax", "dist"):
        base = BaselineTrain(Conv, 5, loss_type=kind)
        fill(base)
        optimizer = torch.optim.SGD(base.parameters(), lr=0.01)

        def loss_of(step):
            return base.forward_loss(array(step, 4, 3, 20, 20), whole(step, 5, 4))
        fit("baseline-" + kind, base, loss_of, optimizer, 3)
    backbone.ConvBlock.maml = True
    backbone.SimpleBlock.maml = True
    for approx in (True, False):
        attempt("maml %s" % approx, lambda: maml(approx))


def maml(approx):
    model = MAML(Conv, n_way=3, n_support=2, approx=approx)
    fill(model)
    model.n_query, model.n_task, model.task_update_num = 2, 2, 2
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(2):
        optimizer.zero_grad()
        loss = torch.stack([model.set_forward_loss(few(step * 5 + t)[0]) for t in range(2)]).sum(0)
        loss.backward()
        optimizer.step()
        say("maml %s %d" % (approx, step), loss.item())
    keep("maml%d" % approx, model)


def Conv():
    net = backbone.ConvNet(4)
    net.final_feat_dim = 64
    return net


def Raw():
    net = backbone.ConvNetNopool(4)
    net.final_feat_dim = [64, 3, 3]
    return net


main()
