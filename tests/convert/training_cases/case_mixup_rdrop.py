"""x"""
import torch
import torch.nn.functional as F
from nets import Block, Net
from shared import arrays, finish, record, start
from torch import nn



def mixup_criterion(criterion, pred, y_a, y_b, lam):
    return lam * criterion(pred, y_a) + (1 - lam) * criterion(pred, y_b)


def compute_kl_loss(p, q):
    p_loss = F.kl_div(F.log_softmax(p, dim=-1), F.softmax(q, dim=-1), reduction='none')
    q_loss = F.kl_div(F.log_softmax(q, dim=-1), F.softmax(p, dim=-1), reduction='none')
    return (p_loss.sum() + q_loss.sum()) / 2


def main():
    model = Block(6, 3)
    start(model)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    correct = total = 0
    for i, (x, y) in enumerate([(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3))]):
        index = torch.arange(4, -1, -1)
        lam = 0.3 + 0.05 * i
        mixed = lam * x + (1 - lam) * x[index, :]
        y_a, y_b = y, y[index]
        out, out2 = model(mixed), model(mixed + 0.1)
        loss = mixup_criterion(criterion, out, y_a, y_b, lam)
        loss += 0.3 * compute_kl_loss(out, out2)
        _, predicted = torch.max(out.data, 1)
        total += y.size(0)
        correct += (lam * predicted.eq(y_a.data).cpu().sum().float() + (1 - lam) * predicted.eq(y_b.data).cpu().sum().float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        record(loss, correct / total)
    finish(model)
