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
        f"MLP, {name}", f"self.first = nn.Linear(6, 8)\nself.last = nn.Linear(8, 1)\n{builds}",
        "self.last(h)", before=f"h = {activation.replace('@', 'self.first(x)')}",
    )  # fmt: skip


def _critic(name: str, between: str, builds: str = "", size: int = 8) -> Network:
    return Network(
        f"critic, {name}", f"self.conv = nn.Conv2d(2, 4, 3, stride=1, padding=1)\nself.last = nn.Conv2d(4, 1, 3)\n{builds}",
        "self.last(torch.tanh(h)).mean(dim=(1, 2, 3))", (3, 2, size, size), f"h = {between.replace('@', 'self.conv(x)')}",
    )  # fmt: skip


def _attention(name: str, attended: str, before: str = "") -> Network:
    return Network(
        f"attention, {name}" if not before else f"attention {name}", "".join(f"self.{part} = nn.Linear(6, 6)\n" for part in "qkv") + "self.last = nn.Linear(6, 1)",
        f"self.last({attended}.mean(dim=1))", (2, 5, 6), before,
    )  # fmt: skip


def _recurrent(name: str, cell: str, returns: str = "self.last(self.rnn(x)[0][:, -1])", step: str = "") -> Network:
    """A layer over the whole sequence, or a cell that `step` calls for each time."""
    loop = f"h = torch.zeros(2, 5)\nfor t in range(4):\n    h = {step}" if step else ""
    return Network(name, f"{cell}\nself.last = nn.Linear(5, 1)", returns, (2, 4, 3), loop)


def _computed(name: str, computed: str, start: str) -> Network:
    return Network(
        f"MLP, {name}", f"self.first = {computed.replace('@', 'nn.Linear(6, 8)')}\nself.last = nn.Linear(8, 1)\n{start}", "self.last(torch.tanh(self.first(x)))",
    )  # fmt: skip


def _matrices(name: str, score: str) -> Network:
    """Of h h^T + I, with h of 3 x 3 from a linear layer."""
    return Network(name, "self.first = nn.Linear(9, 9)", score.replace("@", "torch.matmul(h, h.transpose(1, 2)) + torch.eye(3)"), (4, 9), "h = self.first(x).view(4, 3, 3)")


ACTIVATIONS = {
    "relu": "torch.relu(@)", "tanh": "torch.tanh(@)", "sigmoid": "torch.sigmoid(@)", "softplus": "F.softplus(@)",
    "silu": "F.silu(@)", "gelu": "F.gelu(@)", "gelu tanh": "F.gelu(@, approximate='tanh')", "elu": "F.elu(@)",
    "selu": "F.selu(@)", "celu": "F.celu(@)", "leaky relu": "F.leaky_relu(@, 0.2)", "hardswish": "F.hardswish(@)",
    "hardtanh": "F.hardtanh(@)", "relu6": "F.relu6(@)", "mish": "F.mish(@)", "softsign": "F.softsign(@)",
    "logsigmoid": "F.logsigmoid(@)", "log softmax": "F.log_softmax(@, dim=1)", "softmax": "F.softmax(@, dim=1)",
    "layer norm": "F.layer_norm(@, (8,))", "square": "(@) ** 2", "sine": "torch.sin(@)", "exp": "torch.exp(@ * 0.1)",
    "normalize": "F.normalize(@, dim=1)",
}  # fmt: skip

#: Name, what stands for h (@: the first layer of x), further layers.
MLPS = (
    *((name, text, "") for name, text in ACTIVATIONS.items()),
    ("prelu", "self.act(@)", "self.act = nn.PReLU()"),
    ("batch norm", "torch.tanh(self.norm(@))", "self.norm = nn.BatchNorm1d(8)"),
    ("layer norm", "torch.tanh(self.norm(@))", "self.norm = nn.LayerNorm(8)"),
    ("sorted", "torch.sort(@, dim=1)[0]", ""),
    ("maximum of pieces", "@.view(4, 4, 2).max(dim=2)[0].repeat(1, 2)", ""),
    ("clamped", "torch.clamp(@, -0.5, 0.5)", ""),
    ("log-sum-exp", "torch.logsumexp(@, dim=1, keepdim=True).expand(4, 8)", ""),
)

#: The same with a convolution, and the size of the image.
CRITICS = (
    ("leaky relu", "F.leaky_relu(@, 0.2)", "", 8),
    ("strided", "F.leaky_relu(self.down(@), 0.2)", "self.down = nn.Conv2d(4, 4, 4, stride=2, padding=1)", 8),
    ("depthwise", "torch.tanh(self.deep(@))", "self.deep = nn.Conv2d(4, 4, 3, padding=1, groups=4)", 8),
    ("dilated", "torch.tanh(self.wide(@))", "self.wide = nn.Conv2d(4, 4, 3, padding=2, dilation=2)", 8),
    ("batch norm", "self.norm(@)", "self.norm = nn.BatchNorm2d(4)", 8),
    ("group norm", "self.norm(@)", "self.norm = nn.GroupNorm(2, 4)", 8),
    ("instance norm", "self.norm(@)", "self.norm = nn.InstanceNorm2d(4)", 8),
    ("layer norm", "self.norm(@)", "self.norm = nn.LayerNorm([4, 8, 8])", 8),
    ("max pooling", "F.max_pool2d(torch.tanh(@), 2)", "", 8),
    ("average pooling", "F.avg_pool2d(torch.tanh(@), 2)", "", 8),
    ("adaptive average pooling", "F.adaptive_avg_pool2d(torch.tanh(@), 4)", "", 8),
    ("adaptive max pooling", "F.adaptive_max_pool2d(torch.tanh(@), 4)", "", 8),
    ("nearest up-sampling", "F.interpolate(@, scale_factor=2)", "", 6),
    ("bilinear up-sampling", "F.interpolate(@, scale_factor=2, mode='bilinear', align_corners=False)", "", 6),
    ("transposed convolution", "torch.tanh(self.up(@))", "self.up = nn.ConvTranspose2d(4, 4, 4, stride=2, padding=1)", 6),
    ("pixel shuffle", "self.mix(F.pixel_shuffle(@, 2))", "self.mix = nn.Conv2d(1, 4, 3, padding=1)", 8),
    ("reflected borders", "torch.tanh(F.pad(@, (1, 1, 1, 1), mode='reflect'))", "", 8),
    ("residual", "@ + F.leaky_relu(self.more(self.conv(x)), 0.2)", "self.more = nn.Conv2d(4, 4, 3, padding=1)", 8),
    ("squeeze and excitation", "self.excite(@)", "self.gate = nn.Linear(4, 4)", 8),
)

#: Scores of the features that one linear layer gives, as expressions of h and x.
OF_FEATURES = (
    ("cumulated", "torch.cumsum(torch.tanh(@), dim=1).mean(dim=1)"),
    ("gathered columns", "torch.tanh(@).gather(1, torch.tensor([[0], [3], [5], [7]])).squeeze(1)"),
    ("selected and joined", "torch.cat((torch.tanh(@)[:, :3], x.index_select(1, torch.tensor([0, 2])) ** 2), dim=1).mean(dim=1)"),
    ("variance over features", "torch.tanh(@).var(dim=1)"),
    ("norm of features", "torch.tanh(@).norm(dim=1)"),
)

#: Layers whose weight is computed: the name, how it is computed, and the layer's power method begun from the same vectors on both sides.
COMPUTED = (
    ("weight norm", "nn.utils.weight_norm(@)", ""),
    ("parametrized weight norm", "nn.utils.parametrizations.weight_norm(@)", ""),
    ("spectral norm", "nn.utils.spectral_norm(@)", "self.first.weight_u.fill_(0.3)\nself.first.weight_v.fill_(0.4)"),
)

NETWORKS = (
    *(_mlp(*row) for row in MLPS),
    *(_critic(*row) for row in CRITICS),
    Network("convolution over time", "self.conv = nn.Conv1d(3, 4, 3, padding=1)\nself.last = nn.Linear(4, 1)", "self.last(torch.tanh(self.conv(x)).mean(dim=2))", (4, 3, 9)),
    Network("convolution over volumes", "self.conv = nn.Conv3d(1, 2, 3)\nself.last = nn.Linear(2, 1)", "self.last(torch.tanh(self.conv(x)).mean(dim=(2, 3, 4)))", (2, 1, 5, 5, 5)),
    _attention("by hand", "torch.matmul(weights, self.v(x))", "weights = F.softmax(torch.matmul(self.q(x), self.k(x).transpose(1, 2)) / 6 ** 0.5, dim=-1)"),
    _attention("scaled_dot_product_attention", "F.scaled_dot_product_attention(self.q(x), self.k(x), self.v(x))"),
    Network("attention, MultiheadAttention", "self.attention = nn.MultiheadAttention(6, 2, batch_first=True)\nself.last = nn.Linear(6, 1)", "self.last(self.attention(x, x, x)[0].mean(dim=1))", (2, 5, 6)),
    _recurrent("recurrent by hand", "self.inner = nn.Linear(3, 5)\nself.again = nn.Linear(5, 5)", "self.last(h)", "torch.tanh(self.inner(x[:, t]) + self.again(h))"),
    *(_recurrent(f"recurrent, {kind}", f"self.rnn = nn.{kind}(3, 5, batch_first=True)") for kind in ("RNN", "GRU", "LSTM")),
    _recurrent("recurrent, GRUCell", "self.cell = nn.GRUCell(3, 5)", "self.last(h)", "self.cell(x[:, t], h)"),
    Network(
        "embeddings weighted by the input", "self.words = nn.Embedding(5, 6)\nself.last = nn.Linear(6, 1)",
        "self.last(torch.tanh((self.words(torch.arange(5)) * x.unsqueeze(2)).sum(dim=1)))", (4, 5),
    ),
    Network("bilinear form", "self.form = nn.Bilinear(6, 6, 1)", "self.form(torch.tanh(x), x)"),
    Network("einsum", "self.weight = nn.Parameter(torch.zeros(6, 8))", "torch.tanh(torch.einsum('bi,ij->bj', x, self.weight)).mean(dim=1)"),
    Network("distance to prototypes", "self.points = nn.Parameter(torch.zeros(3, 6))", "((x.unsqueeze(1) - self.points) ** 2).sum(dim=2).sqrt().mean(dim=1)"),
    Network("cosine similarity", "self.first = nn.Linear(6, 5)\nself.second = nn.Linear(6, 5)", "F.cosine_similarity(self.first(x), self.second(x), dim=1)"),
    Network("masked", "self.first = nn.Linear(6, 8)", "torch.where(h > 0, h * h, torch.sin(h)).mean(dim=1)", before="h = self.first(x)"),
    *(Network(name, "self.first = nn.Linear(6, 8)", score.replace("@", "self.first(x)")) for name, score in OF_FEATURES),
    *(_computed(*row) for row in COMPUTED),
    _matrices("logarithm of a determinant", "torch.logdet(@)"),
    _matrices("inverse matrices", "torch.inverse(@).mean(dim=(1, 2))"),
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
