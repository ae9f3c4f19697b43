import torch
from lib.lr_scheduler import WarmupPolyLrScheduler
from lib.models.bisenetv1 import BiSeNetV1
from lib.models.bisenetv2 import BiSeNetV2
from lib.ohem_ce_loss import OhemCELoss
from probe import array, attempt, fill, keep, quiet, say, whole


def set_optimizer(model):
    wd, nowd, headwd, headnowd = model.get_params()
    return torch.optim.SGD([{"params": wd}, {"params": nowd, "weight_decay": 0}, {"params": headwd, "lr": 0.05}, {"params": headnowd, "weight_decay": 0, "lr": 0.05}], lr=0.005, momentum=0.9, weight_decay=5e-4)


def run(name, make):
    net = make()
    fill(net)
    quiet(net)
    net.train()
    optimizer = set_optimizer(net)
    schedule = WarmupPolyLrScheduler(optimizer, power=0.9, max_iter=10, warmup_iter=2, warmup_ratio=0.1, warmup="exp", last_epoch=-1)
    main_loss = OhemCELoss(0.7)
    aux = [OhemCELoss(0.7) for _ in range(4)]
    for step in range(3):
        labels = whole(step, 5, 2, 64, 64)
        labels[0, :3] = 255
        logits, *logits_aux = net(array(step, 2, 3, 64, 64))
        loss_pre = main_loss(logits, labels)
        loss_aux = [crit(lgt, labels) for crit, lgt in zip(aux, logits_aux)]
        loss = loss_pre + sum(loss_aux)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        say("%s %d" % (name, step), loss.item(), loss_pre.item(), *schedule.get_lr()[:3])
    keep(name, net)
    net.eval()
    net.aux_mode = "eval"
    with torch.no_grad():
        say(name + " eval", net(array(7, 1, 3, 64, 64))[0].argmax(1).sum())


attempt("v2", lambda: run("v2", lambda: BiSeNetV2(5)))
attempt("v1", lambda: run("v1", lambda: BiSeNetV1(5)))
