import numpy as np
import torch
import torch.nn as nn
from models import densenet, resnet, vgg
from probe import array, attempt, fill, keep, say, whole


def sparsity(model, s):
    for m in model.modules():
        if isinstance(m, nn.BatchNorm2d):
            m.weight.grad.data.add_(s * torch.sign(m.weight.data))


def train(name, model, steps=2):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    for step in range(steps):
        model.train()
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(array(step, 8, 3, 32, 32)), whole(step, 10, 8))
        loss.backward()
        sparsity(model, 1e-3)
        optimizer.step()
        say("%s %d" % (name, step), loss.item())
    keep(name, model)


def prune(model):
    total = sum(m.weight.data.shape[0] for m in model.modules() if isinstance(m, nn.BatchNorm2d))
    bn = torch.zeros(total)
    index = 0
    for m in model.modules():
        if isinstance(m, nn.BatchNorm2d):
            size = m.weight.data.shape[0]
            bn[index:(index + size)] = m.weight.data.abs().clone()
            index += size
    y, i = torch.sort(bn)
    threshold = y[int(total * 0.3)]
    cfg, masks, pruned = [], [], 0
    for m in model.modules():
        if isinstance(m, nn.BatchNorm2d):
            mask = m.weight.data.abs().clone().gt(threshold).float()
            pruned = pruned + mask.shape[0] - torch.sum(mask)
            m.weight.data.mul_(mask)
            m.bias.data.mul_(mask)
            cfg.append(int(torch.sum(mask)))
            masks.append(mask.clone())
        elif isinstance(m, nn.MaxPool2d):
            cfg.append("M")
    say("pruned", pruned / total, len(cfg))
    new = vgg(dataset="cifar10", cfg=cfg)
    layer, start, end = 0, torch.ones(3), masks[0]
    for m0, m1 in zip(model.modules(), new.modules()):
        if isinstance(m0, nn.BatchNorm2d):
            idx1 = np.squeeze(np.argwhere(np.asarray(end.numpy())))
            m1.weight.data = m0.weight.data[idx1.tolist()].clone()
            m1.bias.data = m0.bias.data[idx1.tolist()].clone()
            m1.running_mean = m0.running_mean[idx1.tolist()].clone()
            m1.running_var = m0.running_var[idx1.tolist()].clone()
            layer += 1
            start = end.clone()
            if layer < len(masks):
                end = masks[layer]
        elif isinstance(m0, nn.Conv2d):
            idx0 = np.squeeze(np.argwhere(np.asarray(start.numpy())))
            idx1 = np.squeeze(np.argwhere(np.asarray(end.numpy())))
            w1 = m0.weight.data[:, idx0.tolist(), :, :].clone()
            m1.weight.data = w1[idx1.tolist(), :, :, :].clone()
        elif isinstance(m0, nn.Linear):
            idx0 = np.squeeze(np.argwhere(np.asarray(start.numpy())))
            m1.weight.data = m0.weight.data[:, idx0].clone()
            m1.bias.data = m0.bias.data.clone()
    model.eval()
    new.eval()
    with torch.no_grad():
        say("before and after", model(array(7, 2, 3, 32, 32)).sum(), new(array(7, 2, 3, 32, 32)).sum())
    train("slim", new)


def main():
    model = vgg(depth=11)
    fill(model)
    train("vgg", model)
    attempt("prune", lambda: prune(model))
    for name, make in [("resnet", lambda: resnet(depth=11)), ("densenet", lambda: densenet(depth=13))]:
        def run():
            net = make()
            fill(net)
            train(name, net)
        attempt(name, run)


main()
