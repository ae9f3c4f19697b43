import numpy as np
import torch
from pysot.core.config import cfg
from pysot.models.model_builder import ModelBuilder
from pysot.tracker.tracker_builder import build_tracker
from pysot.utils.lr_scheduler import build_lr_scheduler
from probe import array, attempt, fill, keep, say, whole


def data(i, size=17):
    return {"template": array(i, 2, 3, 127, 127), "search": array(i + 1, 2, 3, 255, 255), "label_cls": whole(i, 3, 2, 5, size, size) - 1, "label_loc": array(i + 2, 2, 4, 5, size, size), "label_loc_weight": (array(i + 3, 2, 5, size, size) > 1).float() / 20}


def build_opt_lr(model):
    for param in model.backbone.parameters():
        param.requires_grad = False
    for m in model.backbone.modules():
        if isinstance(m, torch.nn.BatchNorm2d):
            m.eval()
    for name in ("layer4", "layer5"):
        if hasattr(model.backbone, name):
            getattr(model.backbone, name).requires_grad_(True)
    for param in list(model.backbone.parameters())[-4:]:
        param.requires_grad = True
    trainable = [{"params": filter(lambda x: x.requires_grad, model.backbone.parameters()), "lr": 0.1 * 0.005}]
    trainable += [{"params": model.rpn_head.parameters(), "lr": 0.005}]
    return torch.optim.SGD(trainable, momentum=0.9, weight_decay=1e-4)


def train():
    cfg.BACKBONE.TYPE = "alexnetlegacy"
    cfg.BACKBONE.KWARGS.width_mult = 0.25
    cfg.RPN.TYPE = "DepthwiseRPN"
    cfg.RPN.KWARGS.anchor_num, cfg.RPN.KWARGS.in_channels, cfg.RPN.KWARGS.out_channels = 5, 64, 16
    cfg.ADJUST.ADJUST = False
    model = ModelBuilder()
    fill(model)
    model.train()
    optimizer = build_opt_lr(model)
    schedule = build_lr_scheduler(optimizer, epochs=20)
    for step in range(2):
        schedule.step(step)
        outputs = model(data(step * 5))
        loss = outputs["total_loss"]
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        optimizer.step()
        say("train %d" % step, *[outputs[k].item() for k in sorted(outputs)], schedule.get_cur_lr())
    keep("siamrpn", model)
    return model


def track(model):
    cfg.TRACK.TYPE = "SiamRPNTracker"
    model.eval()
    with torch.no_grad():
        model.template(array(50, 1, 3, 127, 127))
        for i in range(2):
            out = model.track(array(60 + i, 1, 3, 255, 255))
            say("track %d" % i, out["cls"].sum(), out["loc"].std())
    tracker = build_tracker(model)
    say("score", tracker._convert_score(out["cls"]).sum())


model = train()
attempt("track", lambda: track(model))
