from types import SimpleNamespace
import torch
from models.LinearModel import LinearClassifierAlexNet
from models.alexnet import Normalize, alexnet_half
from NCE.alias_multinomial import AliasMethod
from NCE.NCEAverage import MemoryInsDis, MemoryMoCo, NCEAverage
from NCE.NCECriterion import NCECriterion, NCESoftmaxLoss
from probe import array, attempt, fill, keep, say, whole
from util import AverageMeter, accuracy, adjust_learning_rate

opt = SimpleNamespace(lr_decay_epochs=[1, 2], learning_rate=0.03, lr_decay_rate=0.1)
l2 = Normalize(2)


def memory(module, seed=5):
    for i, (key, buffer) in enumerate(module.named_buffers()):
        if "memory" in key:
            buffer.copy_(array(seed + i, *buffer.shape) * 0.1)


def cmc(name, softmax):
    nets = alexnet_half(1), alexnet_half(2)
    fill(nets[0])
    fill(nets[1], 1)
    contrast = NCEAverage(128, 30, 6, 0.07, 0.5, softmax)
    memory(contrast)
    criteria = [NCESoftmaxLoss() if softmax else NCECriterion(30) for _ in range(2)]
    optimizer = torch.optim.SGD([p for n in nets for p in n.parameters() if p.dim()], lr=0.03, momentum=0.9, weight_decay=1e-4)
    losses = AverageMeter()
    for step in range(3):
        adjust_learning_rate(step, opt, optimizer)
        lab, index = array(step, 4, 3, 64, 64), torch.arange(4) + 4 * step
        l, ab = torch.split(lab, [1, 2], dim=1)
        feat_l, feat_ab = (l2(net(x, 5).view(4, -1)) for net, x in zip(nets, (l, ab)))
        idx = whole(step, 30, 4, 7)
        idx.select(1, 0).copy_(index.data)
        out_l, out_ab = contrast(feat_l, feat_ab, index, idx)
        l_loss, ab_loss = criteria[0](out_l), criteria[1](out_ab)
        loss = l_loss + ab_loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.update(loss.item(), 4)
        say("%s %d" % (name, step), losses.val, losses.avg, out_l[:, 0].mean().item(), optimizer.param_groups[0]["lr"])
    keep(name + "memory", contrast)
    keep(name, nets[0].conv_block_1)


def single(name, softmax, moco):
    net = alexnet_half(2)
    fill(net)
    contrast = MemoryMoCo(128, 30, 12, 0.07, softmax) if moco else MemoryInsDis(128, 30, 6, 0.07, 0.5, softmax)
    memory(contrast)
    criterion = NCESoftmaxLoss() if softmax else NCECriterion(30)
    optimizer = torch.optim.SGD(net.conv_block_5.parameters(), lr=0.03, momentum=0.9)
    for step in range(4):
        x, index = array(step, 4, 2, 64, 64), torch.arange(4) + 4 * step
        q = l2(net(x, 5).view(4, -1))
        if moco:
            with torch.no_grad():
                k = l2(net(x + 0.1, 5).view(4, -1))
            out = contrast(q, k)
        else:
            idx = whole(step, 30, 4, 7)
            idx.select(1, 0).copy_(index.data)
            out = contrast(q, index, idx)
        loss = criterion(out)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("%s %d" % (name, step), loss.item(), out.mean().item())
    keep(name, contrast)


def linear():
    classifier = LinearClassifierAlexNet(layer=2, n_label=7, pool_type="max")
    fill(classifier)
    optimizer = torch.optim.SGD(classifier.parameters(), lr=0.1, momentum=0.9)
    for step in range(2):
        feat, target = array(step, 6, 256, 8, 8), whole(step, 7, 6)
        output = classifier(feat)
        loss = torch.nn.functional.cross_entropy(output, target)
        top = accuracy(output, target, topk=(1, 1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("linear %d" % step, loss.item(), top[0][0].item())


sampler = AliasMethod(torch.tensor([0.5, 1.0, 2.0, 0.25]))
say("alias", *sampler.prob.tolist(), *sampler.alias.tolist(), sampler.draw(20).max().item() < 4)
attempt("nce", lambda: cmc("nce", False))
attempt("softmax", lambda: cmc("softmax", True))
attempt("ins", lambda: single("ins", False, False))
attempt("moco", lambda: single("moco", True, True))
attempt("mocoz", lambda: single("mocoz", False, True))
attempt("linear", linear)
