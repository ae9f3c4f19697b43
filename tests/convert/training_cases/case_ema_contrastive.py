"""A momentum teacher follows the student; what it computes has no gradient."""

import copy

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


@torch.no_grad()
def follow(student, teacher, momentum):
    for a, b in zip(student.parameters(), teacher.parameters()):
        b.data = b.data * momentum + a.data * (1.0 - momentum)


def main():
    student, teacher = Net(6, 8, 4), Net(6, 8, 4)
    start(student)
    start(teacher)
    for p in teacher.parameters():
        p.requires_grad = False
    optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
    for first, second in zip(arrays(8, 5, 6), arrays(8, 5, 6, seed=4)):
        q = F.normalize(student(torch.from_numpy(first)), dim=1)
        with torch.no_grad():
            k = F.normalize(teacher(torch.from_numpy(second)), dim=1)
        logits = torch.einsum("nc,mc->nm", [q, k]) / 0.2
        labels = torch.arange(logits.shape[0])
        loss = F.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        follow(student, teacher, 0.9)
        record(loss)
    finish(student, teacher)
