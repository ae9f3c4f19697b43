"""A small student learns from a frozen teacher: soft labels and the features of two layers, taken by hooks."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split


class ConvNet(nn.Module):
    def __init__(self, width, num_classes=6):
        super().__init__()
        self.layer1 = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(), nn.MaxPool2d(2))
        self.layer2 = nn.Sequential(nn.Conv2d(width, width * 2, 3, padding=1), nn.BatchNorm2d(width * 2), nn.ReLU(), nn.MaxPool2d(2))
        self.classifier = nn.Linear(width * 2 * 3 * 3, num_classes)

    def forward(self, x):
        x = self.layer2(self.layer1(x))
        return self.classifier(x.view(x.size(0), -1))


class FeatureHook:
    """Keeps what a layer gives."""

    def __init__(self, module):
        self.features = None
        self.handle = module.register_forward_hook(self.hook_fn)

    def hook_fn(self, module, input, output):
        self.features = output

    def close(self):
        self.handle.remove()


class DistillationLoss(nn.Module):
    def __init__(self, temperature=4.0, alpha=0.7):
        super().__init__()
        self.T = temperature
        self.alpha = alpha
        self.kl = nn.KLDivLoss(reduction="batchmean")

    def forward(self, student_logits, teacher_logits, labels):
        soft = self.kl(F.log_softmax(student_logits / self.T, dim=1), F.softmax(teacher_logits / self.T, dim=1)) * (self.T * self.T)
        hard = F.cross_entropy(student_logits, labels)
        return self.alpha * soft + (1.0 - self.alpha) * hard


def make_data(n=768, num_classes=6):
    g = torch.Generator().manual_seed(5)
    prototypes = torch.randn(num_classes, 1, 12, 12, generator=g)
    labels = torch.randint(0, num_classes, (n,), generator=g)
    images = prototypes[labels] + 1.2 * torch.randn(n, 1, 12, 12, generator=g)
    return TensorDataset(images, labels)


def train_teacher(teacher, loader, epochs):
    optimizer = torch.optim.Adam(teacher.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    teacher.train()
    for epoch in range(epochs):
        for images, labels in loader:
            optimizer.zero_grad()
            loss = criterion(teacher(images), labels)
            loss.backward()
            optimizer.step()


def distill(student, teacher, loader, args):
    regressor = nn.Conv2d(args.student_width, args.teacher_width, 1)  # the student's features in the teacher's size
    criterion = DistillationLoss(args.temperature, args.alpha)
    optimizer = torch.optim.SGD(list(student.parameters()) + list(regressor.parameters()), lr=0.05, momentum=0.9, nesterov=True)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)
    hint_s, hint_t = FeatureHook(student.layer1), FeatureHook(teacher.layer1)
    for p in teacher.parameters():
        p.requires_grad_(False)
    teacher.eval()
    for epoch in range(args.epochs):
        student.train()
        running_loss = 0.0
        for images, labels in loader:
            with torch.no_grad():
                teacher_logits = teacher(images)
            student_logits = student(images)
            loss_kd = criterion(student_logits, teacher_logits, labels)
            loss_hint = F.mse_loss(regressor(hint_s.features), hint_t.features.detach())
            loss = loss_kd + args.beta * loss_hint

            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running_loss += loss.item() * images.size(0)
        scheduler.step()
        print(f"epoch {epoch} loss {running_loss / len(loader.dataset):.4f} lr {scheduler.get_last_lr()[0]:.4f}")
    hint_s.close()
    hint_t.close()


def evaluate(model, loader):
    model.eval()
    correct = 0
    with torch.no_grad():
        for images, labels in loader:
            _, predicted = torch.max(model(images).data, 1)
            correct += (predicted == labels).sum().item()
    return correct / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--teacher-epochs", type=int, default=2)
    parser.add_argument("--teacher-width", type=int, default=16)
    parser.add_argument("--student-width", type=int, default=4)
    parser.add_argument("--temperature", type=float, default=4.0)
    parser.add_argument("--alpha", type=float, default=0.7)
    parser.add_argument("--beta", type=float, default=0.5)
    args = parser.parse_args()
    torch.manual_seed(42)

    train_set, test_set = random_split(make_data(), [640, 128], generator=torch.Generator().manual_seed(0))
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=64)
    teacher, student = ConvNet(args.teacher_width), ConvNet(args.student_width)
    train_teacher(teacher, train_loader, args.teacher_epochs)
    print(f"teacher accuracy={evaluate(teacher, test_loader):.4f}")
    distill(student, teacher, train_loader, args)
    print(f"student accuracy={evaluate(student, test_loader):.4f}")


if __name__ == "__main__":
    main()
