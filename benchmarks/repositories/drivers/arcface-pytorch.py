import numpy as np
import torch
from torch.nn import DataParallel
from torch.optim.lr_scheduler import StepLR
from models import resnet_face18
from models.metrics import ArcMarginProduct, AddMarginProduct, SphereProduct
from models.focal_loss import FocalLoss
from probe import array, fill, keep, quiet, say, whole


def run(name, make):
    model = resnet_face18(use_se=True)
    fill(model)
    quiet(model)
    metric_fc = make()
    fill(metric_fc, 1)
    model = DataParallel(model)
    metric_fc = DataParallel(metric_fc)
    criterion = FocalLoss(gamma=2)
    optimizer = torch.optim.SGD([{'params': model.parameters()}, {'params': metric_fc.parameters()}], lr=0.01, weight_decay=5e-4)
    scheduler = StepLR(optimizer, step_size=1, gamma=0.1)
    for i in range(3):
        model.train()
        faces, who = array(i, 2, 1, 128, 128), whole(i, 6, 2)
        scores = metric_fc(model(faces), who)
        loss = criterion(scores, who)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        guessed = np.argmax(scores.data.cpu().numpy(), axis=1)
        say("%s %d" % (name, i), loss.item(), np.mean((guessed == who.data.cpu().numpy()).astype(int)))
    keep(name + "-fc", metric_fc)
    keep(name, model)


run("arc", lambda: ArcMarginProduct(512, 6, s=30, m=0.5, easy_margin=False))
run("add", lambda: AddMarginProduct(512, 6, s=30, m=0.35))
run("sphere", lambda: SphereProduct(512, 6, m=4))
