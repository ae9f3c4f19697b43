import collections
import importlib
import os
import numpy as np
import torch
import torch.optim as optim
from retinanet import model
from retinanet.dataloader import Augmenter, Normalizer, collater
from probe import array, attempt, fill, keep, say


if os.environ.get("SIDE") == "torch":  # torchvision may be one that was made for another torch
    importlib.import_module("torchvision.ops.boxes")._assert_has_ops = lambda: None


def made(seed, boxes):
    rng = np.random.RandomState(seed)
    starts = rng.uniform(0, 30, (boxes, 2))
    annot = np.concatenate([starts, starts + rng.uniform(10, 30, (boxes, 2)), rng.randint(0, 3, (boxes, 1))], 1)
    sample = Normalizer()({"img": rng.rand(64, 64 - 16 * (seed % 2), 3), "annot": annot})
    return {"img": torch.from_numpy(sample["img"]), "annot": torch.from_numpy(sample["annot"]), "scale": 1.0}


def run(name, make):
    retinanet = make(num_classes=3, pretrained=False)
    fill(retinanet)
    with torch.no_grad():
        for layer in (retinanet.classificationModel.output, retinanet.regressionModel.output):
            layer.weight.mul_(0.05)
        retinanet.classificationModel.output.bias.fill_(-2.0)
    retinanet = torch.nn.DataParallel(retinanet)
    retinanet.training = True
    optimizer = optim.Adam(retinanet.parameters(), lr=1e-5)
    scheduler = optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=3)
    hist = collections.deque(maxlen=500)
    for step in range(2):
        retinanet.train()
        retinanet.module.freeze_bn()
        data = collater([made(2 * step, 2), made(2 * step + 1, 3 if step else 0)])
        optimizer.zero_grad()
        classification, regression = retinanet([data["img"].float(), data["annot"]])
        classification, regression = classification.mean(), regression.mean()
        loss = classification + regression
        loss.backward()
        torch.nn.utils.clip_grad_norm_(retinanet.parameters(), 0.1)
        optimizer.step()
        hist.append(float(loss))
        say("%s %d" % (name, step), float(classification), float(regression), np.mean(hist))
        del classification, regression
    scheduler.step(np.mean(hist))
    retinanet.eval()
    with torch.no_grad():
        scores, labels, boxes = retinanet(array(5, 1, 3, 64, 64))
    say(name + " eval", scores.numel(), scores.sum().item(), labels.sum().item(), boxes.abs().sum().item())
    keep(name, retinanet)


attempt("18", lambda: run("18", model.resnet18))
