import torch
import torch.nn as nn
from oct_resnet import oct_resnet26
from oct_mobilenet import *
import oct_mobilenet
from probe import array, attempt, fill, keep, say, whole


def train(name, model, size):
    fill(model)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), 0.01, momentum=0.9, weight_decay=1e-4)
    for step in range(3):
        model.train()
        output = model(array(step, 4, 3, size, size))
        loss = criterion(output, whole(step, 10, 4))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        _, best = output.topk(3, 1, True, True)
        say("%s %d" % (name, step), loss.item(), best.t()[0].sum().item())
    keep(name, model)


attempt("resnet", lambda: train("resnet", oct_resnet26(num_classes=10, norm_layer=None), 64))
attempt("mobilenet", lambda: train("mobilenet", oct_mobilenet.oct_mobilenet(num_classes=10), 64))
