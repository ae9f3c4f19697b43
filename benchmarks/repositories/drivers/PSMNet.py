import torch
import torch.nn as nn
import torch.nn.functional as F
from models import basic, stackhourglass
from probe import array, attempt, fill, keep, say


def small(net):
    """The pooling branches of a picture of 64 x 64."""
    for branch, size in zip(("branch1", "branch2", "branch3", "branch4"), (16, 8, 4, 2)):
        getattr(net.feature_extraction, branch)[0] = nn.AvgPool2d((size, size), stride=(size, size))
    return net


def adjust_learning_rate(optimizer, epoch):
    for param_group in optimizer.param_groups:
        param_group["lr"] = 0.001 * 0.5**epoch


def run(name, make):
    model = small(make(16))
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.001, betas=(0.9, 0.999))
    for step in range(2):
        model.train()
        left, right = array(step, 2, 3, 64, 64), array(step + 9, 2, 3, 64, 64)
        truth = torch.abs(array(step + 5, 2, 64, 64)) * 9
        mask = truth < 16
        mask.detach_()
        optimizer.zero_grad()
        if name == "hourglass":
            out1, out2, out3 = [torch.squeeze(o, 1) for o in model(left, right)]
            loss = 0.5 * F.smooth_l1_loss(out1[mask], truth[mask], size_average=True) + 0.7 * F.smooth_l1_loss(out2[mask], truth[mask], size_average=True) + F.smooth_l1_loss(out3[mask], truth[mask], size_average=True)
        else:
            loss = F.smooth_l1_loss(torch.squeeze(model(left, right), 1)[mask], truth[mask], size_average=True)
        loss.backward()
        optimizer.step()
        adjust_learning_rate(optimizer, step)
        say("%s %d" % (name, step), loss.data)
    torch.save({"epoch": 1, "state_dict": model.state_dict(), "train_loss": loss.item()}, name + ".tar")
    state = torch.load(name + ".tar")
    model.load_state_dict(state["state_dict"])
    model.eval()
    with torch.no_grad():
        output = torch.squeeze(model(F.pad(array(3, 1, 3, 60, 64), (0, 0, 4, 0)), array(4, 1, 3, 64, 64)))
        say(name + " eval", output.mean(), output.max(), state["train_loss"])
    keep(name, model)


attempt("basic", lambda: run("basic", basic))
attempt("hourglass", lambda: run("hourglass", stackhourglass))
