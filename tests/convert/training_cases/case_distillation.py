"""A frozen teacher in evaluation mode."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def distil(student, teacher, batches, optimizer, temperature=2.0):
    teacher.eval()
    student.train()
    for x, y in batches:
        with torch.no_grad():
            targets = teacher(x)
        logits = student(x)
        soft = F.kl_div(F.log_softmax(logits / temperature, dim=1), F.softmax(targets / temperature, dim=1), reduction="batchmean")
        hard = F.cross_entropy(logits, y)
        loss = 0.3 * hard + 0.7 * soft * temperature**2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        record(loss, hard, soft)


def main():
    student, teacher = Net(), Net(6, 16, 3)
    start(student)
    start(teacher, 1)
    optimizer = torch.optim.Adam(student.parameters(), lr=0.01)
    distil(student, teacher, [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3))], optimizer)
    finish(student)
