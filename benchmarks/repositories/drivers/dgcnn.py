import types
import torch
from torch.optim.lr_scheduler import CosineAnnealingLR, StepLR
from model import DGCNN_cls, DGCNN_partseg, DGCNN_semseg_s3dis, PointNet
from util import adjust_lr, cal_loss, get_lr
from probe import array, attempt, fill, keep, quiet, say, whole

ARGS = types.SimpleNamespace(k=6, emb_dims=64, dropout=0.5)


def classify(name, make, sgd):
    model = make(ARGS, output_channels=10)
    fill(model)
    quiet(model)
    if sgd:
        opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)
        scheduler = CosineAnnealingLR(opt, 4, eta_min=1e-3)
    else:
        opt = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-4)
        scheduler = StepLR(opt, step_size=2, gamma=0.7)
    for epoch in range(3):
        model.train()
        data, label = array(epoch, 8, 24, 3), whole(epoch, 10, 8, 1).squeeze()
        data = data.permute(0, 2, 1)
        opt.zero_grad()
        logits = model(data)
        loss = cal_loss(logits, label, smoothing=sgd)
        loss.backward()
        opt.step()
        preds = logits.max(dim=1)[1]
        scheduler.step()
        if get_lr(opt) < 8e-4:
            adjust_lr(opt, 5e-4)
        say("%s %d" % (name, epoch), loss.item(), preds.sum(), get_lr(opt))
    torch.save(model.state_dict(), name + ".t7")
    other = make(ARGS, output_channels=10)
    other.load_state_dict(torch.load(name + ".t7"))
    other = other.eval()
    say(name + " eval", other(array(9, 4, 24, 3).permute(0, 2, 1)).abs().mean())
    keep(name, other)


def segment(name, model, inputs, classes):
    fill(model)
    quiet(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)
    for step in range(2):
        model.train()
        opt.zero_grad()
        pred = model(*inputs(step)).permute(0, 2, 1).contiguous()
        loss = cal_loss(pred.view(-1, classes), whole(step, classes, 2, 32).view(-1, 1).squeeze())
        loss.backward()
        opt.step()
        say("%s %d" % (name, step), loss.item(), pred.max(dim=2)[1].sum())
    keep(name, model)


def onehot(step):
    label = torch.zeros(2, 16)
    for i, index in enumerate(whole(step, 16, 2)):
        label[i, index] = 1
    return label


BIG = types.SimpleNamespace(k=6, emb_dims=1024, dropout=0.5)
attempt("pointnet", lambda: classify("pointnet", PointNet, False))
attempt("dgcnn", lambda: classify("dgcnn", DGCNN_cls, True))
attempt("part", lambda: segment("part", DGCNN_partseg(BIG, 50), lambda s: (array(s, 2, 3, 32), onehot(s)), 50))
attempt("sem", lambda: segment("sem", DGCNN_semseg_s3dis(BIG), lambda s: (array(s, 2, 9, 32),), 13))
