import types
import numpy as np
import torch
import train_classifier as classifier
import train_pointlk as module
from probe import array, attempt, fill, keep, say, whole


def run(name, symfn, learn, pointnet="tune"):
    args = types.SimpleNamespace(pointnet=pointnet, transfer_from="", dim_k=16, symfn=symfn, delta=0.1, learn_delta=learn, max_iter=2)
    action = module.Action(args)
    net = action.create_model()
    held = net.dt.data.clone()
    fill(net, 3)
    net.dt.data.copy_(held)
    twist = module.ptlk.se3.exp(0.2 * array(1, 3, 6))
    p0 = [array(i, 3, 20, 3) * 0.3 for i in range(2)]
    loader = [(p, module.ptlk.se3.transform(twist.unsqueeze(1), p), twist) for p in p0]
    optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, net.parameters()), lr=1e-4, eps=1e-4)
    for epoch in range(2):
        say(f"{name} train {epoch}", *action.train_1(net, loader, optimizer, torch.device("cpu")))
        say(f"{name} eval {epoch}", *action.eval_1(net, loader, torch.device("cpu")))
    say(name, net.itr, net.g.abs().sum(), net.g_series.abs().sum(), module.ptlk.se3.log(net.g).abs().sum())
    keep(name, net)


def classes():
    features = module.ptlk.pointnet.PointNet_features(12, use_tnet=True, sym_fn=module.ptlk.pointnet.symfn_avg)
    net = module.ptlk.pointnet.PointNet_classifier(4, features, 12)
    fill(net, 6)
    for layers in net.modules():
        if isinstance(layers, torch.nn.Sequential):
            held = list(layers)
            for first, second in zip(held, held[1:]):
                if isinstance(second, torch.nn.BatchNorm1d):
                    first.bias.requires_grad_(False)
    action = classifier.Action(types.SimpleNamespace(num_classes=4, use_tnet=True, dim_k=12, symfn="avg"), 4)
    optimizer = torch.optim.SGD(filter(lambda p: p.requires_grad, net.parameters()), lr=1e-6)
    loader = [(array(i, 6, 14, 3), whole(i, 4, 6)) for i in range(2)]
    for epoch in range(2):
        say(f"classes train {epoch}", *action.train_1(net, loader, optimizer, torch.device("cpu")))
        say(f"classes eval {epoch}", *action.eval_1(net, loader, torch.device("cpu")))
    keep("classes", net)


def groups():
    so3, se3, invmat = module.ptlk.so3, module.ptlk.se3, module.ptlk.invmat
    w = array(5, 4, 3)
    R = so3.exp(w)
    say("so3", *R.flatten().tolist(), *so3.log(R).flatten().tolist())
    x = (array(7, 2, 5, 3)).requires_grad_()
    y, dy = invmat.batch_pinv_dx(x)
    say("pinv", y.abs().sum(), dy.abs().sum())
    invmat.InvMatrix.apply(x.transpose(1, 2).bmm(x)).bmm(x.transpose(1, 2)).sum().backward()
    say("slope", *x.grad.flatten().tolist())


attempt("max", lambda: run("max", "max", True))
attempt("fixed", lambda: run("fixed", "avg", True, "fixed"))
attempt("classes", classes)
attempt("groups", groups)
