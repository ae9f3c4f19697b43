import numpy as np
import torch
import ssd
from data import voc
from layers import box_utils
from layers.functions.prior_box import PriorBox
from layers.modules import MultiBoxLoss
from probe import array, attempt, fill, keep, say


def targets(seed):
    rng = np.random.RandomState(seed)
    found = []
    for n in (2, 3):
        low = rng.uniform(0, 0.5, (n, 2))
        found.append(torch.from_numpy(np.concatenate([low, low + rng.uniform(0.15, 0.5, (n, 2)), rng.randint(0, 20, (n, 1))], 1).astype("float32")))
    return found


def train():
    ssd.base["300"] = [8, 8, "M", 16, 16, "M", 16, 16, 16, "C", 32, 32, 512, "M", 32, 32, 512]
    net = ssd.build_ssd("train", 300, 21)
    fill(net)
    net.extras.apply(weights_init)
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-3, momentum=0.9, weight_decay=5e-4)
    criterion = MultiBoxLoss(21, 0.5, True, 0, True, 3, 0.5, False, False)
    net.train()
    for step in range(1):
        out = net(array(step, 2, 3, 300, 300) * 0.3)
        optimizer.zero_grad()
        loss_l, loss_c = criterion(out, targets(step))
        loss = loss_l + loss_c
        loss.backward()
        optimizer.step()
        say("ssd %d" % step, loss_l.item(), loss_c.item())
    keep("ssd", net)


def weights_init(m):
    if isinstance(m, torch.nn.Conv2d):
        m.bias.data.zero_()


def loss_alone():
    priors = PriorBox({**voc, "feature_maps": [5, 3], "steps": [60, 100], "min_sizes": [60, 111], "max_sizes": [111, 162], "aspect_ratios": [[2], [2, 3]]}).forward()
    say("priors", len(priors), priors.sum().item(), priors.max().item())
    criterion = MultiBoxLoss(21, 0.5, True, 0, True, 3, 0.5, False, False)
    loc = array(1, 2, len(priors), 4).requires_grad_(True)
    conf = array(2, 2, len(priors), 21).requires_grad_(True)
    for seed in range(3):
        one, two = criterion((loc, conf, priors), targets(seed))
        (one + two).backward()
        say("loss %d" % seed, one.item(), two.item(), loc.grad.abs().sum().item(), conf.grad.abs().sum().item())


def boxes():
    rng = np.random.RandomState(3)
    low = rng.uniform(0, 0.6, (30, 2))
    b = torch.from_numpy(np.concatenate([low, low + rng.uniform(0.1, 0.4, (30, 2))], 1).astype("float32"))
    scores = torch.from_numpy(rng.permutation(30).astype("float32") / 30)
    keep_, count = box_utils.nms(b, scores, 0.4, 20)
    say("nms", count, *keep_[:count].tolist())
    say("jaccard", box_utils.jaccard(b[:4], b[4:9]).sum().item(), box_utils.log_sum_exp(array(0, 4, 3)).sum().item())
    center = torch.cat([(b[:, :2] + b[:, 2:]) / 2, b[:, 2:] - b[:, :2]], 1)
    say("decode", box_utils.decode(array(4, 30, 4) * 0.1, center, [0.1, 0.2]).abs().sum().item())
    say("encode", box_utils.encode(b, center, [0.1, 0.2]).abs().sum().item())


attempt("loss", loss_alone)
attempt("boxes", boxes)
attempt("train", train)
