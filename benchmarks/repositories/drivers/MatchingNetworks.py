import sys

sys.path.insert(0, "models")
import torch
from MatchingNetwork import MatchingNetwork
from probe import array, attempt, fill, keep, say, whole


def slower(optimizer, lr, decay, total):
    for group in optimizer.param_groups:
        steps = group.setdefault("step", 1)
        group["lr"] = lr / (1 + steps * decay)
        group["step"] = steps + 1


def run(name, fce):
    net = MatchingNetwork(0.0, 3, 1, 1e-3, fce, 4, 1, nClasses=0, image_size=16)
    fill(net)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3, weight_decay=1e-4)
    for step in range(3):
        x, y = array(step, 3, 4, 1, 16, 16), whole(step, 4, 3, 4)
        one_hot = torch.zeros(3, 4, 4).scatter_(2, y.unsqueeze(2).data, 1)
        accuracy, loss = net(x, one_hot, array(step + 9, 3, 2, 1, 16, 16), whole(step + 9, 4, 3, 2))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        slower(optimizer, 1e-3, 1e-6, 3)
        say("%s %d" % (name, step), accuracy.item(), loss.item(), optimizer.param_groups[0]["lr"])
    keep(name, net)


attempt("plain", lambda: run("plain", False))
attempt("fce", lambda: run("fce", True))
