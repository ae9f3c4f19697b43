import numpy as np
import torch
import torch.optim as optim
from torch.autograd import Variable
from functions import MSE, SIMSE, DiffLoss
from model_compat import DSN
from probe import array, fill, keep, say, whole


def slower(optimizer, step, start=0.01):
    current = start * (0.95 ** (step / 2))
    for group in optimizer.param_groups:
        group["lr"] = current
    return optimizer


net = DSN()
fill(net)
optimizer = optim.SGD(net.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-6)
losses = torch.nn.CrossEntropyLoss(), MSE(), SIMSE(), DiffLoss(), torch.nn.CrossEntropyLoss()
for p in net.parameters():
    p.requires_grad = True
for step in range(3):
    for mode in ("target", "source"):
        net.zero_grad()
        loss = 0
        pictures, classes = torch.sigmoid(array(step, 4, 3, 28, 28)), whole(step, 10, 4)
        held, labels = torch.FloatTensor(4, 3, 28, 28), torch.LongTensor(4)
        held.resize_as_(pictures).copy_(pictures)
        labels.resize_as_(classes).copy_(classes)
        held, labels = Variable(held), Variable(labels)
        domain = Variable((torch.ones(4) if mode == "target" else torch.zeros(4)).long())
        if step > 0:
            p = 2.0 / (1.0 + np.exp(-10 * step / 3)) - 1
            result = net(input_data=held, mode=mode, rec_scheme="all", p=p)
            private, shared, domains, rec = result[0], result[1], result[2], result[-1]
            loss += 0.25 * losses[4](domains, domain)
        else:
            result = net(input_data=held, mode=mode, rec_scheme="share" if mode == "source" else "private")
            private, shared, _, rec = result[0], result[1], result[2], result[-1]
        if mode == "source":
            loss += losses[0](result[3], labels)
        loss += 0.075 * losses[3](private, shared)
        loss += 0.01 * losses[1](rec, held)
        loss += 0.01 * losses[2](rec, held)
        loss.backward()
        optimizer = slower(optimizer, step)
        optimizer.step()
        say("%s %d" % (mode, step), loss.cpu().data.numpy(), private.abs().sum().item())
keep("dsn", net)
