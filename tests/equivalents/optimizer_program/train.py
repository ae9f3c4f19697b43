import numpy as np
import torch
from torch import nn, optim
from torch.amp import GradScaler
from torch.optim import lr_scheduler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 8)
        self.last = nn.Linear(8, 3)

    def forward(self, x):
        return self.last(torch.tanh(self.first(x)))


def fill(model: nn.Module) -> None:
    numbers = np.random.RandomState(3)
    state = {}
    for name, value in model.state_dict().items():
        state[name] = torch.from_numpy(numbers.randn(*value.shape).astype(np.float32) * 0.3)
    model.load_state_dict(state)


def train(optimizer: optim.Optimizer, scheduler, model: nn.Module, x: torch.Tensor, y: torch.Tensor) -> None:
    criterion = nn.CrossEntropyLoss()
    for _ in range(12):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        print(f"{loss.item():.6f} {scheduler.get_last_lr()[0]!r} {optimizer.param_groups[0]['lr']!r}")


def train_scaled(model: nn.Module, x: torch.Tensor, y: torch.Tensor) -> None:
    optimizer = optim.Adam(model.parameters(), lr=0.02)
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1, threshold=0.2)
    scaler = GradScaler("cpu", init_scale=1024.0, growth_interval=4)
    criterion = nn.CrossEntropyLoss()
    for _ in range(10):
        optimizer.zero_grad(set_to_none=True)
        loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_value_(model.parameters(), 0.5)
        scaler.step(optimizer)
        scaler.update()
        scheduler.step(loss.item())
        print(f"{loss.item():.6f} {optimizer.param_groups[0]['lr']!r} {scaler.get_scale()}")
    saved = optimizer.state_dict()
    print(sorted(saved["state"]), sorted(saved["param_groups"][0]))
    print(sorted(scaler.state_dict().items()))
    print(sorted(scheduler.state_dict()))
    optimizer.load_state_dict(saved)


def main() -> None:
    numbers = np.random.RandomState(0)
    x = torch.from_numpy(numbers.randn(16, 6).astype(np.float32))
    y = torch.from_numpy(numbers.randint(0, 3, 16).astype(np.int64))
    model = Net()
    fill(model)
    sgd = optim.SGD([{"params": model.first.parameters(), "weight_decay": 5e-2}, {"params": model.last.parameters()}], lr=0.1, momentum=0.9, nesterov=True)
    train(sgd, lr_scheduler.OneCycleLR(sgd, max_lr=0.1, total_steps=20), model, x, y)
    fill(model)
    adamw = optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.1)
    warm = lr_scheduler.LinearLR(adamw, 0.1, total_iters=3)
    train(adamw, lr_scheduler.SequentialLR(adamw, [warm, lr_scheduler.CosineAnnealingLR(adamw, 9)], [3]), model, x, y)
    fill(model)
    train_scaled(model, x, y)


if __name__ == "__main__":
    main()
