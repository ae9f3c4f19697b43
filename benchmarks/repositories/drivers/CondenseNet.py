import argparse
import torch
import torch.nn as nn
import models
from utils import convert_model, measure_model
from probe import array, attempt, fill, keep, quiet, say, whole

ARGS = argparse.Namespace(stages=[2, 2, 2], growth=[4, 8, 8], data="cifar10", num_classes=10, bottleneck=2, group_1x1=2, group_3x3=2, condense_factor=2, dropout_rate=0.1, reduction=0.5)


def run(name):
    model = getattr(models, name)(ARGS)
    fill(model)
    quiet(model)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9, weight_decay=1e-4, nesterov=True)
    model.train()
    learned = [m for m in model.modules() if m.__str__().startswith("LearnedGroupConv")]
    for step in range(3):
        images, target = array(step, 4, 3, 32, 32), whole(step, 10, 4)
        output = model(images, 0.3 * step) if name != "densenet" else model(images)
        loss = criterion(output, target)
        lasso = 0
        for m in learned:
            lasso = lasso + m.lasso_loss
        loss = loss + 1e-3 * lasso
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("%s %d" % (name, step), loss.item(), float(lasso), *[m.count + m.stage for m in learned])
    keep(name, model)
    model.eval()
    say(name + " eval", model(array(7, 2, 3, 32, 32)).abs().sum())
    if learned:
        convert_model(model, ARGS)
        model.eval()
        say(name + " converted", model(array(7, 2, 3, 32, 32)).abs().sum())
        keep(name + "-converted", model)
    say(name + " measured", *measure_model(model, 32, 32))


attempt("condensenet", lambda: run("condensenet"))
attempt("densenet_LGC", lambda: run("densenet_LGC"))
attempt("densenet", lambda: run("densenet"))
