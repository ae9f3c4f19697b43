"""Tensors shared through calls, containers, attributes and modules."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def _add_one(x: torch.Tensor):
    x.add_(1)
    return x


def _scaled(x: torch.Tensor):
    x *= 2
    return x


def _normalised(x: torch.Tensor):
    y = x - x.mean()
    y.div_(2)
    return y


def _same(x: torch.Tensor):
    return x


def _first_row(x: torch.Tensor):
    return x[0]


def parameter_changed(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    y = _add_one(x)
    return x, y


def parameter_augmented(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    _scaled(x)
    return x


def parameter_kept(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    y = _normalised(x)
    return x, y


def through_identity(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    y = _same(x)
    y.add_(1)
    return x, y


def through_function_view(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    r = _first_row(x)
    r.add_(1)
    return x, r


def call_with_views(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    f = x.view(-1)
    _add_one(x)
    return x, f


def call_on_view(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    r = x[0]
    _add_one(r)
    return x, r


def call_on_temporary(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    _add_one(x[0])
    return x


def list_of_tensors(a: torch.Tensor, b: torch.Tensor):
    x, y = a * 1, b * 1
    parts = [x, y]
    for part in parts:
        part.mul_(2)
    return x, y, parts[0]


def list_indexed(a: torch.Tensor, b: torch.Tensor):
    parts = [a * 1, b * 1]
    parts[0].add_(parts[1])
    return parts[0], parts[1]


def list_augmented(a: torch.Tensor, b: torch.Tensor):
    parts = [a * 1, b * 1]
    parts[0] += 1
    return parts[0], parts[1]


def dictionary(a: torch.Tensor, b: torch.Tensor):
    state = {"x": a * 1}
    x = state["x"]
    x.add_(b)
    return x, state["x"]


def dictionary_ema(a: torch.Tensor, b: torch.Tensor):
    shadow = {"w": a.clone()}
    for name in shadow:
        shadow[name].mul_(0.9).add_(b, alpha=0.1)
    return shadow["w"]


def appended(a: torch.Tensor, b: torch.Tensor):
    kept = []
    x = a * 1
    kept.append(x)
    x.add_(b)
    return x, kept[0]


def closure(a: torch.Tensor, b: torch.Tensor):
    x = a * 1

    def later():
        return x * 2

    x.add_(b)
    return later(), x


class Box:
    def __init__(self, value: torch.Tensor):
        self.value = value

    def grow(self, by: torch.Tensor):
        self.value += by
        return self.value


def boxed(a: torch.Tensor, b: torch.Tensor):
    x = a * 1
    box = Box(x)
    y = box.grow(b)
    return x, y, box.value


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.tensor(0))
        self.register_buffer("running", torch.zeros(3))

    def forward(self, x: torch.Tensor):
        self.count += 1
        self.running.mul_(0.9).add_(x.detach().mean(0), alpha=0.1)
        return x * self.count + self.running


def buffers(a: torch.Tensor, b: torch.Tensor):
    counter = Counter()
    y = counter(a)
    y = counter(y) + b
    return y, counter.count, counter.running


class Queue(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("queue", torch.zeros(4, 3))
        self.register_buffer("at", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def put(self, keys: torch.Tensor):
        at = int(self.at)
        self.queue[at:at + 2] = keys
        self.at[0] = (at + 2) % 4

    def forward(self, x: torch.Tensor):
        self.put(x)
        return x @ self.queue.t()


def queue(a: torch.Tensor, b: torch.Tensor):
    q = Queue()
    y = q(a)
    z = q(b)
    return y, z, q.queue, q.at


class Initialised(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(3, 3))
        self.bias = nn.Parameter(torch.zeros(3))
        self.reset()

    def reset(self):
        self.weight.data.fill_(0.5)
        nn.init.ones_(self.bias)
        with torch.no_grad():
            self.bias[0] = 3.0
            self.bias.mul_(2)
            self.weight[1].fill_(0.25)

    def forward(self, x: torch.Tensor):
        return x @ self.weight + self.bias


def initialised(a: torch.Tensor, b: torch.Tensor):
    m = Initialised()
    return m(a) * b


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU(inplace=True)
        self.scale = nn.Parameter(torch.ones(3))

    def forward(self, x: torch.Tensor):
        identity = x
        out = x * self.scale
        out = self.relu(out)
        out = out * 2
        out += identity
        out = self.relu(out)
        return out


def residual(a: torch.Tensor, b: torch.Tensor):
    return Block()(a - b)


class HardSigmoid(nn.Module):
    """Its activation overwrites the sum, not what the module gets."""

    def __init__(self, inplace=True):
        super().__init__()
        self.relu = nn.ReLU(inplace=inplace)

    def forward(self, x):
        return self.relu(x + 3.5) / 6


class HardSwish(nn.Module):
    def __init__(self, inplace=True):
        super().__init__()
        self.sigmoid = HardSigmoid(inplace=inplace)

    def forward(self, x):
        return x * self.sigmoid(x)


def module_of_the_project_in_place(a: torch.Tensor, b: torch.Tensor):
    x = a * 3
    y = HardSwish()(x)
    return x, y


class PreActivated(nn.Module):
    """The residual connection reads what the activation has overwritten."""

    def __init__(self):
        super().__init__()
        self.act = nn.ReLU(inplace=True)

    def forward(self, x: torch.Tensor):
        out = self.act(x)
        out = out * 2
        return out + x


def preactivated(a: torch.Tensor, b: torch.Tensor):
    x = a + b - 3
    y = PreActivated()(x)
    return x, y


class Sequence(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Flatten(), nn.ReLU(inplace=True))
        self.head = nn.Sequential(nn.ReLU(inplace=True), nn.Flatten())

    def forward(self, x: torch.Tensor):
        y = x - 3
        z = self.head(y)
        return z + y


def sequence(a: torch.Tensor, b: torch.Tensor):
    return Sequence()(a + b)


def dropped(a: torch.Tensor, b: torch.Tensor):
    x = a + b
    y = F.dropout(x, 0.5, training=False)
    y.add_(1)
    return y


def ema_update(a: torch.Tensor, b: torch.Tensor):
    average, model = nn.Linear(3, 2), nn.Linear(3, 2)
    with torch.no_grad():
        for q, p in zip(average.parameters(), model.parameters(), strict=True):
            q.fill_(1.0)
            p.fill_(3.0)
            q.mul_(0.9).add_(p, alpha=0.1)
    return average(a), model(b)


def sgd_by_hand(a: torch.Tensor, b: torch.Tensor):
    m = nn.Linear(3, 2)
    with torch.no_grad():
        for p in m.parameters():
            p.zero_()
            p.add_(torch.ones_like(p), alpha=0.5)
            p -= 0.25
    for p in m.parameters():
        p.data -= 0.125
        p.data.mul_(2)
    return m(a)


def data_assigned(a: torch.Tensor, b: torch.Tensor):
    m = nn.Linear(3, 3)
    m.weight.data = torch.full((3, 3), 0.5)
    m.bias.data = torch.zeros(3)
    m.weight.data[0] = 1
    return m(a)


def copied_weights(a: torch.Tensor, b: torch.Tensor):
    m, n = nn.Linear(3, 3), nn.Linear(3, 3)
    nn.init.constant_(m.weight, 0.25)
    nn.init.zeros_(m.bias)
    n.weight.data.copy_(m.weight.data)
    n.bias.data.copy_(m.bias)
    m.weight.data.zero_()
    return n(a), m(b)


class Attended(nn.Module):
    def forward(self, q: torch.Tensor, mask: torch.Tensor):
        scores = q @ q.transpose(-2, -1)
        scores /= 2
        scores.masked_fill_(mask, float("-1e9"))
        return scores.softmax(-1)


def attended(a: torch.Tensor, b: torch.Tensor):
    mask = torch.tensor([[False, True], [False, False]])
    return Attended()(a, mask)


class Positional(nn.Module):
    def __init__(self):
        super().__init__()
        table = torch.zeros(5, 3)
        position = torch.arange(0, 5).unsqueeze(1).float()
        table[:, 0::2] = torch.sin(position * torch.tensor([1.0, 0.5]))
        table[:, 1::2] = torch.cos(position * torch.tensor([1.0]))
        self.register_buffer("table", table)

    def forward(self, x: torch.Tensor):
        x = x + self.table[: x.size(0)]
        x += 1
        return x


def positional(a: torch.Tensor, b: torch.Tensor):
    return Positional()(a)


def boxes(a: torch.Tensor, b: torch.Tensor):
    boxes = a * 1
    wide = boxes[:, 2] - boxes[:, 0]
    boxes[:, 0] -= wide / 2
    boxes[:, 1:].clamp_(min=1.5)
    return boxes


def gradient_reset(a: torch.Tensor, b: torch.Tensor):
    total = torch.tensor(0.0)
    for i in range(2):
        loss = (a[i] * b[i]).sum()
        total += loss
    return total
