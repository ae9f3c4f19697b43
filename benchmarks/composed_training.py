"""Draws a training script out of parts that people combine: data, network, loss, optimizer, schedule, and what a loop does besides. For composed.py --kind training.

Nothing in it draws numbers when it runs: weights are written by a formula, data are sines, and loaders keep their order.
"""

from __future__ import annotations

import random
import sys
import types
from typing import Any

import numpy as np
import torch

#: From here on torch's own runs from data a rounding apart are no measure of another library's.
NOISY = 2e-5
HEAD = "import copy\nimport io\nimport math\n\nimport numpy as np\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nfrom torch.utils.data import DataLoader, Dataset, TensorDataset\n"
DATA = 'X = torch.sin(torch.arange(96.0)).reshape(16, 6)\nLABELS = torch.arange(16) % 3\nTARGETS = torch.cos(torch.arange(48.0)).reshape(16, 3)\n'
LOADERS = {
    "tensors": "loader = DataLoader(TensorDataset(X, LABELS, TARGETS), batch_size=4)",
    "dataset": '''class Rows(Dataset):
    def __init__(self, x, labels, targets):
        self.x, self.labels, self.targets = x, labels, targets

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.labels[i], self.targets[i]


loader = DataLoader(Rows(X, LABELS, TARGETS), batch_size=5, drop_last=True)''',
    "slices": "loader = [(X[i:i + 4], LABELS[i:i + 4], TARGETS[i:i + 4]) for i in range(0, 16, 4)]",
    "arrays": "loader = [(torch.from_numpy(X.numpy()[i:i + 8]), torch.as_tensor(LABELS.numpy()[i:i + 8]), TARGETS[i:i + 8]) for i in (0, 8)]",
    "splits": "loader = list(zip(X.split(4), LABELS.split(4), TARGETS.chunk(4)))",
}
NETWORKS = {
    "sequential": "model = nn.Sequential(nn.Linear(6, 8), nn.{act}(), nn.Linear(8, 3))",
    "class": '''class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.first = nn.Linear(6, width)
        self.norm = nn.{norm}(width)
        self.act = nn.{act}()
        self.head = nn.Linear(width, 3, bias=False)

    def forward(self, x):
        h = self.act(self.norm(self.first(x)))
        return self.head(h)


model = Net()''',
    "residual": '''class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.{act}())
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return x + self.scale * self.inner(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(6, 5)
        self.blocks = nn.ModuleList([Block(5) for _ in range(2)])
        self.head = nn.Linear(5, 3)
        self.register_buffer("steps", torch.zeros(1))

    def forward(self, x):
        x = self.stem(x)
        for i, block in enumerate(self.blocks):
            x = block(x) if i else F.relu(block(x))
        if self.training:
            self.steps += 1
        return self.head(x)


model = Net()''',
    "convolution": '''class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 4, 3, padding=1)
        self.bn = nn.BatchNorm1d(4)
        self.pool = nn.AdaptiveAvgPool1d(2)
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        x = F.relu(self.bn(self.conv(x.unsqueeze(1))))
        return self.fc(self.pool(x).flatten(1))


model = Net()''',
    "recurrent": '''class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(2, 4, batch_first=True)
        self.out = nn.Linear(4, 3)

    def forward(self, x):
        y, h = self.rnn(x.view(x.size(0), 3, 2))
        return self.out(y[:, -1] + h[-1])


model = Net()''',
    "attention": '''class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(2, 4)
        self.attn = nn.MultiheadAttention(4, 2, batch_first=True)
        self.ln = nn.LayerNorm(4)
        self.out = nn.Linear(4, 3)

    def forward(self, x):
        x = self.embed(x.reshape(-1, 3, 2))
        a, _ = self.attn(x, x, x, need_weights=False)
        return self.out(self.ln(x + a).mean(dim=1))


model = Net()''',
    "tied": '''class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(6, 3)
        self.dec = nn.Linear(3, 6)
        self.dec.weight = nn.Parameter(self.enc.weight.detach().t().clone())
        self.gain = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        z = torch.tanh(self.enc(x))
        back = self.dec(z)
        return self.enc(back) * self.gain.exp() + z


model = Net()''',
}
FILLS = (
    "with torch.no_grad():\n    for i, p in enumerate(model.parameters()):\n        p.copy_(0.4 * torch.sin(torch.arange(float(p.numel())) + i).view_as(p))",
    "for i, (name, p) in enumerate(model.named_parameters()):\n    p.data = 0.4 * torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape)",
    "state = {k: (0.4 * torch.cos(torch.arange(float(v.numel()))).reshape(v.shape) if v.is_floating_point() and 'running' not in k else v) for k, v in model.state_dict().items()}\nmodel.load_state_dict(state)",
    "def fill(m):\n    if isinstance(m, nn.Linear):\n        m.weight.data.copy_(0.4 * torch.sin(torch.arange(float(m.weight.numel()))).view_as(m.weight))\n        if m.bias is not None:\n            nn.init.constant_(m.bias, 0.1)\n\n\nfor p in model.parameters():\n    nn.init.constant_(p, 0.2)\nmodel.apply(fill)",
)
LOSSES = {
    "cross entropy": ("criterion = nn.CrossEntropyLoss()", "criterion(out, labels)"),
    "smoothed": ("criterion = nn.CrossEntropyLoss(label_smoothing=0.1, reduction='sum')", "criterion(out, labels) / len(out)"),
    "nll": ("", "F.nll_loss(F.log_softmax(out, dim=1), labels)"),
    "squares": ("criterion = nn.MSELoss()", "criterion(out, targets)"),
    "binary": ("criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor([1.0, 2.0, 0.5]))", "criterion(out, F.one_hot(labels, 3).float())"),
    "huber": ("", "F.smooth_l1_loss(out, targets, beta=0.5) + 0.1 * F.cross_entropy(out, labels)"),
    "divergence": ("", 'F.kl_div(out.log_softmax(-1), targets.softmax(-1), reduction="batchmean")'),
    "own": ('class Margin(nn.Module):\n    def __init__(self, margin=0.2):\n        super().__init__()\n        self.margin = margin\n\n    def forward(self, out, labels):\n        right = out.gather(1, labels.view(-1, 1))\n        rest = (out - right + self.margin).clamp(min=0)\n        return rest.pow(2).sum(1).mean()\n\n\ncriterion = Margin()', "criterion(out, labels)"),
    "penalty": ("", "F.cross_entropy(out, labels) + 1e-2 * sum(p.pow(2).sum() for p in model.parameters())"),
}
OPTIMIZERS = (
    "torch.optim.SGD({params}, lr={lr})", "torch.optim.SGD({params}, lr={lr}, momentum=0.9, weight_decay=1e-2)", "torch.optim.SGD({params}, {lr}, momentum=0.9, nesterov=True)",
    "torch.optim.Adam({params}, lr={lr})", "torch.optim.Adam({params}, lr={lr}, betas=(0.5, 0.9), weight_decay=0.1)", "torch.optim.AdamW({params}, lr={lr}, weight_decay=0.05)",
    "torch.optim.RMSprop({params}, lr={lr}, momentum=0.5)", "torch.optim.Adagrad({params}, lr={lr})",
)  # fmt: skip
PARAMETERS = (
    ("", "model.parameters()"),
    ("", "[p for p in model.parameters() if p.requires_grad]"),
    ("decay = [p for p in model.parameters() if p.dim() > 1]\nplain = [p for p in model.parameters() if p.dim() <= 1]", '[{"params": decay, "weight_decay": 0.1}, {"params": plain, "weight_decay": 0.0, "lr": 0.02}]'),
    ("", '[{"params": [p for n, p in model.named_parameters() if "bias" not in n]}, {"params": [p for n, p in model.named_parameters() if "bias" in n], "lr": 0.01}]'),
)
SCHEDULES = {
    "none": ("", "", ""),
    "steps": ("scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)", "", "scheduler.step()"),
    "cosine": ("scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=8)", "scheduler.step()", ""),
    "lambda": ("scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / 3))", "scheduler.step()", ""),
    "cycle": ("scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=20)", "scheduler.step()", ""),
    "plateau": ("scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, factor=0.5)", "", "scheduler.step(total)"),
    "by hand": ("", "for group in optimizer.param_groups:\n    group['lr'] = group['lr'] * 0.9", ""),
    "warm": ("warm = torch.optim.lr_scheduler.LinearLR(optimizer, 0.1, total_iters=3)\nrest = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)\nscheduler = torch.optim.lr_scheduler.SequentialLR(optimizer, [warm, rest], milestones=[3])", "scheduler.step()", ""),
}
#: What a loop does besides: (before the loop, behind backward, behind the step, at an epoch's end, behind all).
BESIDES = {
    "clip": ("norms = []", "norms.append(float(torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)))", "", "", "outcome.append(norms)"),
    "clip values": ("", "nn.utils.clip_grad_value_(model.parameters(), 0.05)", "", "", ""),
    "average": ("ema = copy.deepcopy(model)\nfor p in ema.parameters():\n    p.requires_grad_(False)", "", "with torch.no_grad():\n    for a, p in zip(ema.parameters(), model.parameters()):\n        a.mul_(0.9).add_(p, alpha=0.1)", "", "outcome.append([p.detach() for p in ema.parameters()])"),
    "shadow": ("shadow = {n: p.detach().clone() for n, p in model.named_parameters()}", "", "for n, p in model.named_parameters():\n    shadow[n] = 0.8 * shadow[n] + 0.2 * p.data", "", "outcome.append(list(shadow.values()))"),
    "best": ("best, best_state = float('inf'), None", "", "", "if total < best:\n    best = total\n    best_state = copy.deepcopy(model.state_dict())", "model.load_state_dict(best_state)\noutcome.append(best)"),
    "saved": ("", "", "", "buffer = io.BytesIO()\ntorch.save({'model': model.state_dict(), 'optimizer': optimizer.state_dict()}, buffer)\nbuffer.seek(0)\nloaded = torch.load(buffer)\nmodel.load_state_dict(loaded['model'])\noptimizer.load_state_dict(loaded['optimizer'])", ""),
    "measured": ("accuracies = []", "", "", "model.eval()\nright, seen = 0, 0\nwith torch.no_grad():\n    for x, labels, targets in loader:\n        guess = model(x).argmax(dim=1)\n        right += (guess == labels).sum().item()\n        seen += labels.size(0)\naccuracies.append(right / seen)\nmodel.train()", "outcome.append(accuracies)"),
    "frozen": ("", "", "", "if epoch == 0:\n    for p in list(model.parameters())[:2]:\n        p.requires_grad = False", ""),
    "norms": ("logged = []", "logged.append(sum(p.grad.norm().item() for p in model.parameters() if p.grad is not None))", "", "", "outcome.append(logged)"),
    "scaled gradients": ("", "for p in model.parameters():\n    if p.grad is not None:\n        p.grad.mul_(0.5)", "", "", ""),
    "noise-free noise": ("", "for p in model.parameters():\n    if p.grad is not None:\n        p.grad = p.grad + 1e-3 * p.detach()", "", "", ""),
    "clamped weights": ("", "", "for p in model.parameters():\n    p.data.clamp_(-0.45, 0.45)", "", ""),
    "decay by hand": ("", "", "with torch.no_grad():\n    for p in model.parameters():\n        p -= 1e-2 * p", "", ""),
    "hook": ("seen_outputs = []\nhandle = list(model.children())[-1].register_forward_hook(lambda m, i, o: seen_outputs.append(o.detach().mean().item()))", "", "", "", "handle.remove()\noutcome.append(seen_outputs)"),
    "vector": ("", "", "", "flat = torch.nn.utils.parameters_to_vector(model.parameters())\nnumbers = (flat.norm().item(), flat.numel())", "outcome.append(numbers)"),
    "rates": ("rates = []", "", "rates.append([group['lr'] for group in optimizer.param_groups])", "", "outcome.append(rates)"),
    "predictions": ("kept = []", "", "", "model.eval()\nwith torch.no_grad():\n    kept.append(torch.cat([model(x) for x, _, _ in loader]))\nmodel.train()", "outcome.append(torch.stack(kept))"),
}


def program(draw: random.Random) -> str:
    """A script's text; its `outcome` holds losses, what the loop collected, and the parameters in the end."""
    act, norm = draw.choice(("ReLU", "Tanh", "GELU", "SiLU", "LeakyReLU")), draw.choice(("LayerNorm", "BatchNorm1d"))
    network = NETWORKS[draw.choice(tuple(NETWORKS))].replace("{act}", act).replace("{norm}", norm)
    made, loss = LOSSES[draw.choice(tuple(LOSSES))]
    groups, params = draw.choice(PARAMETERS)
    optimizer = draw.choice(OPTIMIZERS).format(params=params, lr=draw.choice(("0.05", "0.01", "0.1")))
    schedule, by_step, by_epoch = SCHEDULES[draw.choice(tuple(SCHEDULES))]
    besides = [BESIDES[name] for name in draw.sample(tuple(BESIDES), draw.choice((0, 1, 2, 2, 3)))]
    before = [made, groups, f"optimizer = {optimizer}", schedule, *(one[0] for one in besides)]
    accumulates = draw.random() < 0.25
    step = _step(draw, loss, accumulates, [one[1] for one in besides], [by_step, *(one[2] for one in besides)])
    ends = [by_epoch, *(one[3] for one in besides)]
    behind = [one[4] for one in besides]
    epochs = draw.choice((2, 3))
    lines = [HEAD, DATA, LOADERS[draw.choice(tuple(LOADERS))], "", network, "", draw.choice(FILLS), "", *(part for part in before if part), "model.train()", "outcome = []"]
    loop = [f"for epoch in range({epochs}):", "    total = 0.0", "    for index, (x, labels, targets) in enumerate(loader):", *_indented(step, 2), *_indented([part for part in ends if part], 1)]
    if draw.random() < 0.4 and not any("best =" in part for part in before):
        inner = _indented(step, 2)
        loop = [
            "", "", "def train_epoch(model, loader, optimizer, epoch):", "    total = 0.0", "    for index, (x, labels, targets) in enumerate(loader):", *inner, "    return total", "", "",
            f"for epoch in range({epochs}):", "    total = train_epoch(model, loader, optimizer, epoch)", *_indented([part for part in ends if part], 1),
        ]  # fmt: skip
    return "\n".join([*lines, *loop, *(part for part in behind if part), "outcome.append([p.detach() for p in model.parameters()])", "outcome.append([b for n, b in model.named_buffers() if 'num_batches' not in n])"]) + "\n"


def _step(draw: random.Random, loss: str, accumulates: bool, after_backward: list[str], after_step: list[str]) -> list[str]:
    """The statements of one step, each maybe of several lines."""
    clear = draw.choice(("optimizer.zero_grad()", "optimizer.zero_grad(set_to_none=True)", "model.zero_grad()"))
    forward = ["out = model(x)", f"loss = {loss}"]
    done = ["total += loss.item()" if not accumulates else "total += loss.item() * 2", "outcome.append(loss.item())"]
    if accumulates:
        inner = [*after_backward, "optimizer.step()", *after_step, clear]
        text = "if (index + 1) % 2 == 0:\n" + "\n".join(_indented([part for part in inner if part], 1))
        return [*forward, "loss = loss / 2", "loss.backward()", text, *done]
    if draw.random() < 0.3:
        return [*forward, clear, "loss.backward()", *(p for p in after_backward if p), "optimizer.step()", *(p for p in after_step if p), *done]
    return [clear, *forward, "loss.backward()", *(p for p in after_backward if p), "optimizer.step()", *(p for p in after_step if p), *done]


def _indented(parts: list[str], depth: int) -> list[str]:
    return ["    " * depth + line if line else line for part in parts for line in part.split("\n")]


def noise(text: str) -> float:
    """How far torch's own outcomes are apart, at most, from data (the line of `X`) that are a rounding apart; 0 where that is less than `NOISY`."""
    start = next(line for line in text.split("\n") if line.startswith("X = "))
    plain = _numbers(_outcome(text))
    apart = 0.0
    for seed in range(3):
        moved = f"{start}\ntorch.manual_seed({seed})\nX = X * (1 + 1.2e-7 * torch.randn_like(X))"
        apart = max([apart, *(abs(a - b) / (abs(a) + 1e-3) for a, b in zip(plain, _numbers(_outcome(text.replace(start, moved))), strict=True))])
    return apart if apart > NOISY else 0.0


def _outcome(text: str) -> Any:
    first, _, rest = text.removeprefix("# file: model.py\n").partition("# file: program.py\n")
    model = types.ModuleType("model" if rest else "program")
    sys.modules[model.__name__] = model
    try:
        for part in (first, rest):
            exec(compile(part, "program.py", "exec"), model.__dict__)
    finally:
        del sys.modules[model.__name__]
    return model.__dict__["outcome"]


def _numbers(value: Any) -> list[float]:
    match value:
        case dict():
            return _numbers(list(value.values()))
        case list() | tuple():
            return [number for one in value for number in _numbers(one)]
        case int() | float():
            return [float(value)]
        case torch.Tensor() | np.ndarray():
            return torch.as_tensor(value).detach().double().flatten().tolist()
    return []
