import torch
from builders.model_builder import build_model
from utils.losses.loss import CrossEntropyLoss2d, FocalLoss2d, ProbOhemCrossEntropy2d, LovaszSoftmax
from utils.optim import RAdam, Ranger, AdamW
from utils.scheduler.lr_scheduler import WarmupPolyLR
from utils.metric.metric import get_iou
from probe import array, attempt, fill, keep, quiet, say, whole


def run(name, criterion, kind):
    model = build_model(name, num_classes=5)
    fill(model)
    quiet(model)
    optimizer = kind(model)
    scheduler = WarmupPolyLR(optimizer, T_max=10, cur_iter=0, warmup_factor=1.0 / 3, warmup_iters=2, power=0.9)
    for step in range(3):
        model.train()
        images, labels = array(step, 2, 3, 64, 64), whole(step, 5, 2, 64, 64)
        output = model(images)
        if type(output) is tuple:
            loss = sum([criterion(o, labels) for o in output])
        else:
            loss = criterion(output, labels)
        scheduler.step()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("%s %d" % (name, step), loss.item(), optimizer.param_groups[0]['lr'])
    keep(name, model)


for name, criterion, kind in [
    ("ENet", CrossEntropyLoss2d(weight=torch.ones(5), ignore_label=255), lambda m: torch.optim.SGD(m.parameters(), lr=0.01, momentum=0.9)),
    ("DABNet", FocalLoss2d(), lambda m: torch.optim.Adam(m.parameters(), lr=1e-3)),
    ("ERFNet", ProbOhemCrossEntropy2d(ignore_label=255, thresh=0.7, min_kept=200, use_weight=False), lambda m: RAdam(m.parameters(), lr=1e-3)),
    ("ESPNet", LovaszSoftmax(ignore_index=255), lambda m: Ranger(m.parameters(), lr=1e-3)),
    ("FastSCNN", CrossEntropyLoss2d(ignore_label=255), lambda m: AdamW(m.parameters(), lr=1e-3)),
    ("CGNet", CrossEntropyLoss2d(ignore_label=255), lambda m: torch.optim.Adam(m.parameters(), lr=1e-3)),
]:
    attempt(name, lambda: run(name, criterion, kind))
