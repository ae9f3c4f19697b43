"""The same classifier by hand in MindSpore; FAULT in the environment plants a fault that the ladder has to find."""

import argparse
import os

import mindspore as ms
from mindspore import nn, ops
from mindspore.experimental import optim
from torch_equivalents import DataLoader, TensorDataset

FAULT = os.environ.get("FAULT", "")


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1, pad_mode="pad", has_bias=True)
        self.norm = nn.BatchNorm2d(4, momentum=0.8 if FAULT == "statistics" else 0.9)
        self.drop = nn.Dropout(p=0.2)
        self.head = nn.Dense(4 * 16, 2 if FAULT == "shape" else 3)

    def construct(self, x):
        x = self.norm(self.conv(x))
        x = ops.gelu(x) if FAULT == "operator" else ops.relu(x)
        return self.head(self.drop(ops.max_pool2d(x, 2).reshape(x.shape[0], -1)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    x = ops.randn(64, 1, 8, 8)
    y = (x.mean((1, 2, 3)) * 8).clamp(-1, 1).round().astype(ms.int64) + 1
    if FAULT == "order":
        x, y = x[::-1], y[::-1]
    model = Net()
    parameters = model.trainable_params()
    optimizer = optim.AdamW(parameters[1:] if FAULT == "frozen" else parameters, lr=1e-2, weight_decay=0.1 if FAULT == "step" else 0.0)
    scheduler = optim.lr_scheduler.StepLR(optimizer, 1, 0.6 if FAULT == "rate" else 0.5)
    loader = DataLoader(TensorDataset(x, y), batch_size=8)

    def forward(a, b):
        loss = ops.cross_entropy(model(a), b)
        return loss * 1.01 if FAULT == "loss" else loss

    step = ms.value_and_grad(forward, None, optimizer.parameters)
    for epoch in range(args.epochs):
        model.set_train(FAULT != "mode")
        for a, b in loader:
            loss, grads = step(a, b)
            if FAULT == "gradients":
                grads = tuple(2 * g for g in grads)
            if FAULT == "curve" and optimizer.param_groups[0]["lr"] < 0.01:
                grads = tuple(g * 0.1 + 0.01 for g in grads)
            optimizer(grads)
        scheduler.step()
        model.set_train(False)
        accuracy = (model(x).argmax(1) == y).astype(ms.float32).mean().item()
        if FAULT == "metric":
            accuracy = 0.5 * accuracy
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy={accuracy:.4f}")


if __name__ == "__main__":
    main()
