import torch
from circle_loss import CircleLoss, convert_label_to_similarity
from instance_loss import InstanceLoss
from model import ClassBlock, USAM, ft_net
from re_ranking import re_ranking
import numpy as np
from probe import array, attempt, fill, fit, keep, quiet, say, whole


class Small(torch.nn.Module):
    def __init__(self, return_f):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.attend = USAM()
        self.block = ClassBlock(8, 5, 0.5, linear=16, return_f=return_f)

    def forward(self, x):
        return self.block(self.attend(self.conv(x)).mean((2, 3)))


def small():
    model = Small(True)
    fill(model)
    quiet(model)
    circle, instance = CircleLoss(m=0.25, gamma=32), InstanceLoss(gamma=32)
    rest = [p for n, p in model.named_parameters() if not n.startswith("block.classifier") and p.requires_grad]
    optimizer = torch.optim.SGD([{"params": rest, "lr": 0.01}, {"params": model.block.classifier.parameters(), "lr": 0.1}], weight_decay=5e-4, momentum=0.9, nesterov=True)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    for step in range(3):
        labels = whole(step, 5, 12)
        optimizer.zero_grad()
        logits, ff = model(array(step, 12, 3, 8, 8))
        fnorm = torch.norm(ff, p=2, dim=1, keepdim=True)
        ff = ff.div(fnorm.expand_as(ff))
        loss = torch.nn.functional.cross_entropy(logits, labels)
        loss += circle(*convert_label_to_similarity(ff, labels)) / 12
        loss += instance(ff, labels) + instance(ff)
        loss.backward()
        optimizer.step()
        scheduler.step()
        say("small %d" % step, loss.item(), *[g["lr"] for g in optimizer.param_groups])
    keep("small", model)


def whole_net():
    model = ft_net(5, 0.0, stride=1, circle=True, linear_num=16, usam=True)
    fill(model)
    optimizer = torch.optim.SGD(filter(lambda p: p.requires_grad, model.parameters()), lr=0.001)
    for step in range(2):
        logits, f = model(array(step, 4, 3, 64, 32))
        loss = torch.nn.functional.cross_entropy(logits, whole(step, 5, 4)) + f.pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("ft_net %d" % step, loss.item())
    model.eval()
    with torch.no_grad():
        out = model(array(9, 2, 3, 64, 32))
        flipped = model(torch.flip(array(9, 2, 3, 64, 32), [3]))
    say("ft_net eval", out[0].sum(), (out[1] + flipped[1]).norm())


def ranks():
    q, g = array(1, 4, 16), array(2, 9, 16)
    q, g = q / q.norm(dim=1, keepdim=True), g / g.norm(dim=1, keepdim=True)
    dist = re_ranking((q @ g.t()).numpy(), (q @ q.t()).numpy(), (g @ g.t()).numpy(), k1=3, k2=2)
    say("ranks", *np.asarray(dist).ravel()[:8])


attempt("small", small)
attempt("ft_net", whole_net)
attempt("ranks", ranks)
