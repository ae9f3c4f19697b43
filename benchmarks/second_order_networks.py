"""Small networks whose gradients are differentiated again: their source in PyTorch, for benchmarks/second_order.py.

A network is what ``__init__`` builds and what ``forward`` returns for ``x`` of a shape; it is trained with a penalty
on the gradient of its score, as the critic of a WGAN-GP is. Functional ones take an inner step of gradient descent
inside the loss, as MAML does.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Network:
    """`builds`: statements of ``__init__``; `returns`: the score, an expression of ``self`` and ``x``; `shape`: of ``x``."""

    name: str
    builds: str
    returns: str
    shape: tuple[int, ...] = (4, 6)
    before: str = ""


def _mlp(name: str, activation: str, builds: str = "") -> Network:
    return Network(
        name, f"self.first = nn.Linear(6, 8)\nself.last = nn.Linear(8, 1)\n{builds}",
        "self.last(h)", before=f"h = {activation.replace('@', 'self.first(x)')}",
    )  # fmt: skip


def _conv(name: str, between: str, builds: str = "", size: int = 8) -> Network:
    return Network(
        name, f"self.conv = nn.Conv2d(2, 4, 3, stride=1, padding=1)\nself.last = nn.Conv2d(4, 1, 3)\n{builds}",
        "self.last(torch.tanh(h)).mean(dim=(1, 2, 3))", (3, 2, size, size), f"h = {between.replace('@', 'self.conv(x)')}",
    )  # fmt: skip


ACTIVATIONS = {
    "relu": "torch.relu(@)", "tanh": "torch.tanh(@)", "sigmoid": "torch.sigmoid(@)", "softplus": "F.softplus(@)",
    "silu": "F.silu(@)", "gelu": "F.gelu(@)", "gelu tanh": "F.gelu(@, approximate='tanh')", "elu": "F.elu(@)",
    "selu": "F.selu(@)", "celu": "F.celu(@)", "leaky relu": "F.leaky_relu(@, 0.2)", "hardswish": "F.hardswish(@)",
    "hardtanh": "F.hardtanh(@)", "relu6": "F.relu6(@)", "mish": "F.mish(@)", "softsign": "F.softsign(@)",
    "logsigmoid": "F.logsigmoid(@)", "log softmax": "F.log_softmax(@, dim=1)", "softmax": "F.softmax(@, dim=1)",
    "layer norm": "F.layer_norm(@, (8,))", "square": "(@) ** 2", "sine": "torch.sin(@)", "exp": "torch.exp(@ * 0.1)",
    "normalize": "F.normalize(@, dim=1)",
}  # fmt: skip

NETWORKS = (
    *(_mlp(f"MLP, {name}", text) for name, text in ACTIVATIONS.items()),
    _mlp("MLP, prelu", "self.act(@)", "self.act = nn.PReLU()"),
    _mlp("MLP, batch norm", "torch.tanh(self.norm(@))", "self.norm = nn.BatchNorm1d(8)"),
    _mlp("MLP, layer norm", "torch.tanh(self.norm(@))", "self.norm = nn.LayerNorm(8)"),
    _mlp("MLP, sorted", "torch.sort(@, dim=1)[0]"),
    _mlp("MLP, maximum of pieces", "@.view(4, 4, 2).max(dim=2)[0].repeat(1, 2)"),
    _mlp("MLP, clamped", "torch.clamp(@, -0.5, 0.5)"),
    _mlp("MLP, log-sum-exp", "torch.logsumexp(@, dim=1, keepdim=True).expand(4, 8)"),
    _conv("critic, leaky relu", "F.leaky_relu(@, 0.2)"),
    _conv("critic, strided", "F.leaky_relu(self.down(@), 0.2)", "self.down = nn.Conv2d(4, 4, 4, stride=2, padding=1)"),
    _conv("critic, depthwise", "torch.tanh(self.deep(@))", "self.deep = nn.Conv2d(4, 4, 3, padding=1, groups=4)"),
    _conv("critic, dilated", "torch.tanh(self.wide(@))", "self.wide = nn.Conv2d(4, 4, 3, padding=2, dilation=2)"),
    _conv("critic, batch norm", "self.norm(@)", "self.norm = nn.BatchNorm2d(4)"),
    _conv("critic, group norm", "self.norm(@)", "self.norm = nn.GroupNorm(2, 4)"),
    _conv("critic, instance norm", "self.norm(@)", "self.norm = nn.InstanceNorm2d(4)"),
    _conv("critic, layer norm", "self.norm(@)", "self.norm = nn.LayerNorm([4, 8, 8])"),
    _conv("critic, max pooling", "F.max_pool2d(torch.tanh(@), 2)"),
    _conv("critic, average pooling", "F.avg_pool2d(torch.tanh(@), 2)"),
    _conv("critic, adaptive average pooling", "F.adaptive_avg_pool2d(torch.tanh(@), 4)"),
    _conv("critic, adaptive max pooling", "F.adaptive_max_pool2d(torch.tanh(@), 4)"),
    _conv("critic, nearest up-sampling", "F.interpolate(@, scale_factor=2)", size=6),
    _conv("critic, bilinear up-sampling", "F.interpolate(@, scale_factor=2, mode='bilinear', align_corners=False)", size=6),
    _conv("critic, transposed convolution", "torch.tanh(self.up(@))", "self.up = nn.ConvTranspose2d(4, 4, 4, stride=2, padding=1)", 6),
    _conv("critic, pixel shuffle", "self.mix(F.pixel_shuffle(@, 2))", "self.mix = nn.Conv2d(1, 4, 3, padding=1)"),
    _conv("critic, reflected borders", "torch.tanh(F.pad(@, (1, 1, 1, 1), mode='reflect'))"),
    _conv("critic, residual", "@ + F.leaky_relu(self.more(self.conv(x)), 0.2)", "self.more = nn.Conv2d(4, 4, 3, padding=1)"),
    _conv("critic, squeeze and excitation", "self.excite(@)", "self.gate = nn.Linear(4, 4)"),
    Network("convolution over time", "self.conv = nn.Conv1d(3, 4, 3, padding=1)\nself.last = nn.Linear(4, 1)", "self.last(torch.tanh(self.conv(x)).mean(dim=2))", (4, 3, 9)),
    Network("convolution over volumes", "self.conv = nn.Conv3d(1, 2, 3)\nself.last = nn.Linear(2, 1)", "self.last(torch.tanh(self.conv(x)).mean(dim=(2, 3, 4)))", (2, 1, 5, 5, 5)),
    Network(
        "attention by hand", "self.q = nn.Linear(6, 6)\nself.k = nn.Linear(6, 6)\nself.v = nn.Linear(6, 6)\nself.last = nn.Linear(6, 1)",
        "self.last(torch.matmul(weights, self.v(x)).mean(dim=1))", (2, 5, 6),
        "weights = F.softmax(torch.matmul(self.q(x), self.k(x).transpose(1, 2)) / 6 ** 0.5, dim=-1)",
    ),
    Network(
        "attention, scaled_dot_product_attention", "self.q = nn.Linear(6, 6)\nself.k = nn.Linear(6, 6)\nself.v = nn.Linear(6, 6)\nself.last = nn.Linear(6, 1)",
        "self.last(F.scaled_dot_product_attention(self.q(x), self.k(x), self.v(x)).mean(dim=1))", (2, 5, 6),
    ),
    Network("attention, MultiheadAttention", "self.attention = nn.MultiheadAttention(6, 2, batch_first=True)\nself.last = nn.Linear(6, 1)", "self.last(self.attention(x, x, x)[0].mean(dim=1))", (2, 5, 6)),
    Network(
        "recurrent by hand", "self.inner = nn.Linear(3, 5)\nself.again = nn.Linear(5, 5)\nself.last = nn.Linear(5, 1)", "self.last(h)", (2, 4, 3),
        "h = torch.zeros(2, 5)\nfor t in range(4):\n    h = torch.tanh(self.inner(x[:, t]) + self.again(h))",
    ),
    Network("recurrent, RNN", "self.rnn = nn.RNN(3, 5, batch_first=True)\nself.last = nn.Linear(5, 1)", "self.last(self.rnn(x)[0][:, -1])", (2, 4, 3)),
    Network("recurrent, GRU", "self.rnn = nn.GRU(3, 5, batch_first=True)\nself.last = nn.Linear(5, 1)", "self.last(self.rnn(x)[0][:, -1])", (2, 4, 3)),
    Network("recurrent, LSTM", "self.rnn = nn.LSTM(3, 5, batch_first=True)\nself.last = nn.Linear(5, 1)", "self.last(self.rnn(x)[0][:, -1])", (2, 4, 3)),
    Network("recurrent, GRUCell", "self.cell = nn.GRUCell(3, 5)\nself.last = nn.Linear(5, 1)", "self.last(h)", (2, 4, 3), "h = torch.zeros(2, 5)\nfor t in range(4):\n    h = self.cell(x[:, t], h)"),
    Network(
        "embeddings weighted by the input", "self.words = nn.Embedding(5, 6)\nself.last = nn.Linear(6, 1)",
        "self.last(torch.tanh((self.words(torch.arange(5)) * x.unsqueeze(2)).sum(dim=1)))", (4, 5),
    ),
    Network("bilinear form", "self.form = nn.Bilinear(6, 6, 1)", "self.form(torch.tanh(x), x)"),
    Network("einsum", "self.weight = nn.Parameter(torch.zeros(6, 8))", "torch.tanh(torch.einsum('bi,ij->bj', x, self.weight)).mean(dim=1)"),
    Network("distance to prototypes", "self.points = nn.Parameter(torch.zeros(3, 6))", "((x.unsqueeze(1) - self.points) ** 2).sum(dim=2).sqrt().mean(dim=1)"),
    Network("cosine similarity", "self.first = nn.Linear(6, 5)\nself.second = nn.Linear(6, 5)", "F.cosine_similarity(self.first(x), self.second(x), dim=1)"),
    Network("cumulated", "self.first = nn.Linear(6, 8)", "torch.cumsum(torch.tanh(self.first(x)), dim=1).mean(dim=1)"),
    Network("gathered columns", "self.first = nn.Linear(6, 8)", "torch.tanh(self.first(x)).gather(1, torch.tensor([[0], [3], [5], [7]])).squeeze(1)"),
    Network("selected and joined", "self.first = nn.Linear(6, 8)", "torch.cat((torch.tanh(self.first(x))[:, :3], x.index_select(1, torch.tensor([0, 2])) ** 2), dim=1).mean(dim=1)"),
    Network("masked", "self.first = nn.Linear(6, 8)", "torch.where(h > 0, h * h, torch.sin(h)).mean(dim=1)", before="h = self.first(x)"),
    Network("variance over features", "self.first = nn.Linear(6, 8)", "torch.tanh(self.first(x)).var(dim=1)"),
    Network("norm of features", "self.first = nn.Linear(6, 8)", "torch.tanh(self.first(x)).norm(dim=1)"),
    Network("logarithm of a determinant", "self.first = nn.Linear(9, 9)", "torch.logdet(torch.matmul(h, h.transpose(1, 2)) + torch.eye(3))", (4, 9), "h = self.first(x).view(4, 3, 3)"),
    Network("inverse matrices", "self.first = nn.Linear(9, 9)", "torch.inverse(torch.matmul(h, h.transpose(1, 2)) + torch.eye(3)).mean(dim=(1, 2))", (4, 9), "h = self.first(x).view(4, 3, 3)"),
)

#: One inner step of gradient descent: (name, loss of weights w, inputs x and targets y).
INNER = (
    ("inner step, linear regression", "((torch.matmul(x, w) - y) ** 2).mean()"),
    ("inner step, tanh", "((torch.tanh(torch.matmul(x, w)) - y) ** 2).mean()"),
    ("inner step, logistic", "F.binary_cross_entropy_with_logits(torch.matmul(x, w), torch.sigmoid(y))"),
    ("inner step, mse_loss", "F.mse_loss(torch.relu(torch.matmul(x, w)), y)"),
    ("inner step, cross entropy", "F.cross_entropy(torch.matmul(x, w), torch.tensor([0, 1, 0, 1]))"),
    ("inner step, smooth L1", "F.smooth_l1_loss(torch.matmul(x, w), y)"),
)

HEAD = '''import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def numbers(seed, *shape):
    return np.random.default_rng(seed).normal(0, 0.4, shape).astype("float32")

'''

PENALIZED = '''
class Net(nn.Module):
    def __init__(self):
        super().__init__()
{builds}

    def forward(self, x):
{before}
        return {returns}

    def excite(self, h):
        return h * torch.sigmoid(self.gate(h.mean(dim=(2, 3)))).unsqueeze(2).unsqueeze(3)


def penalty(net, x):
    x = x.detach().requires_grad_(True)
    score = net(x)
    grad = torch.autograd.grad(score.sum(), x, create_graph=True)[0]
    return ((grad.reshape(grad.size(0), -1).norm(2, dim=1) - 1) ** 2).mean()


def main():
    net = Net()
    with torch.no_grad():
        for number, parameter in enumerate(net.parameters()):
            parameter.copy_(torch.from_numpy(numbers(number, *parameter.shape)))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    told = []
    for number in range(2):
        x = torch.from_numpy(numbers(100 + number, {shape}))
        optimizer.zero_grad()
        loss = net(x).mean() + penalty(net, x)
        loss.backward()
        optimizer.step()
        told.append(loss.detach().numpy().reshape(-1))
    return told + [parameter.detach().numpy().reshape(-1) for parameter in net.parameters()]
'''

STEPPED = '''
def inner(w, x, y):
    return {loss}


def main():
    start = nn.Parameter(torch.from_numpy(numbers(0, 3, 2)))
    optimizer = torch.optim.SGD([start], lr=0.5)
    told = []
    for number in range(2):
        x = torch.from_numpy(numbers(10 + number, 4, 3))
        y = torch.from_numpy(numbers(20 + number, 4, 2))
        optimizer.zero_grad()
        w = start * 1.0
        first = inner(w, x, y)
        grad = torch.autograd.grad(first, w, create_graph=True)[0]
        loss = inner(start - 0.3 * grad, x * 0.5, y)
        loss.backward()
        optimizer.step()
        told.append(loss.detach().numpy().reshape(-1))
    return told + [start.detach().numpy().reshape(-1)]
'''


def programs() -> dict[str, str]:
    """Name → the whole program in PyTorch."""
    found = {}
    for network in NETWORKS:
        builds = _indented(network.builds)
        before = _indented(network.before)
        shape = ", ".join(map(str, network.shape))
        text = PENALIZED.format(builds=builds, before=before, returns=network.returns, shape=shape)
        if "self.excite" not in text.replace("def excite", ""):
            start, end = text.index("    def excite"), text.index("def penalty")
            text = text[:start].rstrip() + "\n\n\n" + text[end:]
        found[network.name] = HEAD + text
    for name, loss in INNER:
        found[name] = HEAD + STEPPED.format(loss=loss)
    return found


def _indented(text: str) -> str:
    return "\n".join(f"        {line}" for line in text.strip().splitlines())
