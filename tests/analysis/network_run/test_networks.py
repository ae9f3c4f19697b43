"""Whole networks, hand-written and full of traps: the numbers are torch's exactly, or unknown with the reason."""

from __future__ import annotations

import pytest

from tests.analysis.network_run.running import run, truth

#: Name → source, construction, input shapes.
NETWORKS: dict[str, tuple[str, str, tuple[tuple[int, ...], ...]]] = {
    "tied weights": (
        """
class LM(nn.Module):
    def __init__(self, words=50, width=8):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.body = nn.Linear(width, width)
        self.head = nn.Linear(width, words, bias=False)
        self.head.weight = self.embedding.weight
    def forward(self, x):
        return self.head(F.relu(self.body(x)))
""", "LM(60)", ((2, 3, 8),),
    ),
    "a residual network": (
        """
def conv3x3(a, b, stride=1):
    return nn.Conv2d(a, b, 3, stride, 1, bias=False)
class Block(nn.Module):
    expansion: int = 2
    def __init__(self, inner, outer, stride=1, norm=None):
        super(Block, self).__init__()
        norm = norm or nn.BatchNorm2d
        self.conv1, self.bn1 = conv3x3(inner, outer, stride), norm(outer)
        self.conv2 = conv3x3(outer, outer * self.expansion)
        self.relu = nn.ReLU(inplace=True)
        self.short = None
        if stride != 1 or inner != outer * self.expansion:
            self.short = nn.Sequential(nn.Conv2d(inner, outer * self.expansion, 1, stride), norm(outer * self.expansion))
    def forward(self, x):
        y = self.conv2(self.relu(self.bn1(self.conv1(x))))
        return self.relu(y + (x if self.short is None else self.short(x)))
class Net(nn.Module):
    def __init__(self, block, counts, classes=10):
        super().__init__()
        self.width = 16
        self.stem = conv3x3(3, 16)
        for n, count in enumerate(counts):
            setattr(self, f"layer{n + 1}", self._make(block, 16 * 2 ** n, count, 1 if n == 0 else 2))
        self.pool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(self.width, classes)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight)
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.constant_(m.weight, 1)
    def _make(self, block, width, count, stride):
        layers = []
        for s in [stride] + [1] * (count - 1):
            layers.append(block(self.width, width, s))
            self.width = width * block.expansion
        return nn.Sequential(*layers)
    def forward(self, x):
        x = self.stem(x)
        for n in range(3):
            x = getattr(self, f"layer{n + 1}")(x)
        x = torch.flatten(self.pool(x), 1)
        return self.fc(x)
""", "Net(Block, [1, 2, 1])", ((2, 3, 32, 32),),
    ),
    "a u-net": (
        """
class Double(nn.Sequential):
    def __init__(self, a, b):
        super().__init__(nn.Conv2d(a, b, 3, padding=1), nn.GroupNorm(2, b), nn.SiLU(), nn.Conv2d(b, b, 3, padding='same'))
class UNet(nn.Module):
    def __init__(self, widths=(4, 8, 16), classes=2):
        super().__init__()
        self.downs = nn.ModuleList(Double(a, b) for a, b in zip((3, *widths[:-1]), widths))
        self.ups = nn.ModuleList()
        for b, a in zip(widths[-2::-1], widths[:0:-1]):
            self.ups.append(nn.ConvTranspose2d(a, b, 2, stride=2))
            self.ups.append(Double(2 * b, b))
        self.pool = nn.MaxPool2d(2)
        self.last = nn.Conv2d(widths[0], classes, 1)
    def forward(self, x):
        kept = []
        for down in self.downs[:-1]:
            x = down(x)
            kept.append(x)
            x = self.pool(x)
        x = self.downs[-1](x)
        for i in range(0, len(self.ups), 2):
            x = self.ups[i](x)
            old = kept.pop()
            if x.shape[-2:] != old.shape[-2:]:
                x = F.interpolate(x, size=old.shape[-2:])
            x = self.ups[i + 1](torch.cat((old, x), dim=1))
        return self.last(x)
""", "UNet()", ((1, 3, 18, 24),),
    ),
    "a vision transformer": (
        """
class Attention(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.heads, self.scale = heads, (dim // heads) ** -0.5
        self.qkv, self.proj = nn.Linear(dim, dim * 3), nn.Linear(dim, dim)
    def forward(self, x):
        B, N, C = x.shape
        q, k, v = self.qkv(x).reshape(B, N, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        a = ((q @ k.transpose(-2, -1)) * self.scale).softmax(dim=-1)
        return self.proj((a @ v).transpose(1, 2).reshape(B, N, C))
class Drop(nn.Module):
    def __init__(self, p=0.0):
        super().__init__()
        self.p = p
    def forward(self, x):
        if self.p == 0.0 or not self.training:
            return x
        return x * x.new_empty((x.shape[0],)).bernoulli_(1 - self.p)
class ViT(nn.Module):
    def __init__(self, size=16, patch=4, dim=12, depth=3, rate=0.1):
        super().__init__()
        n = (size // patch) ** 2
        self.patch = nn.Conv2d(3, dim, patch, patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.place = nn.Parameter(torch.randn(1, n + 1, dim) * 0.02)
        rates = [x.item() for x in torch.linspace(0, rate, depth)]
        self.blocks = nn.ModuleList([nn.ModuleDict({'a': Attention(dim), 'd': Drop(rates[i]) if rates[i] > 0.0 else nn.Identity(), 'n': nn.LayerNorm(dim)}) for i in range(depth)])
        self.register_buffer('used', torch.zeros(3))
        self.head = nn.Linear(dim, 5)
    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat((self.cls.expand(x.shape[0], -1, -1), x), dim=1) + self.place
        for block in self.blocks:
            x = x + block['d'](block['a'](block['n'](x)))
        return self.head(x[:, 0])
""", "ViT()", ((2, 3, 16, 16),),
    ),
    "copies and shared layers": (
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.Linear(4, 4)
        self.shared = nn.Sequential(layer, nn.Tanh(), layer)
        self.copies = nn.ModuleList([copy.deepcopy(layer) for _ in range(3)])
        self.conv = nn.Conv2d(1, 2, 3)
        self.conv.bias = None
        self.hidden = [nn.Linear(9, 9)]
        self.rnn = nn.LSTM(4, 6, num_layers=2, batch_first=True, bidirectional=True)
    def forward(self, x):
        for layer in self.copies:
            x = layer(x)
        y, (h, c) = self.rnn(self.shared(x))
        return y[:, -1], h
""", "Net()", ((2, 5, 4),),
    ),
    "a configuration and partial": (
        """
from dataclasses import dataclass
@dataclass
class Config:
    width: int = 8
    depth: int = 2
    norm: bool = True
ACTS = {'relu': nn.ReLU, 'gelu': nn.GELU}
def build(config, act='relu', **more):
    make = partial(nn.Linear, bias=more.get('bias', True))
    layers = OrderedDict()
    for i in range(config.depth):
        layers[f'fc{i}'] = make(config.width, config.width)
        if config.norm:
            layers[f'n{i}'] = nn.LayerNorm(config.width)
        layers[f'a{i}'] = ACTS[act]()
    return nn.Sequential(layers)
class Net(nn.Module):
    def __init__(self, config=Config(depth=3), **kwargs):
        super().__init__()
        self.body = build(config, **kwargs)
        assert config.width > 0
    @property
    def first(self):
        return self.body[0]
    @torch.no_grad()
    def forward(self, x):
        return self.body(x), self.first(x).mean()
""", "Net(Config(16), act='gelu', bias=False)", ((3, 16),),
    ),
    "a mixture of branches": (
        """
class Branch(nn.Module):
    def __init__(self, kind, c):
        super().__init__()
        if kind == 'conv':
            self.op = nn.Conv1d(c, c, 3, padding=1, groups=c)
        elif kind in ('pool', 'avg'):
            self.op = nn.AvgPool1d(3, 1, 1)
        else:
            raise ValueError(kind)
    def forward(self, x):
        return self.op(x)
class Net(nn.Module):
    KINDS = ['conv', 'pool', 'conv']
    def __init__(self, c=6):
        super().__init__()
        self.branches = nn.ModuleDict({f'{k}{i}': Branch(k, c) for i, k in enumerate(self.KINDS)})
        self.gate = nn.Parameter(torch.ones(len(self.KINDS)))
        self.mix = nn.Conv1d(c * len(self.branches), c, 1)
    def forward(self, x):
        return self.mix(torch.cat([b(x) * self.gate[i] for i, b in enumerate(self.branches.values())], 1)).max(dim=-1)[0]
""", "Net()", ((2, 6, 7),),
    ),
    "a generator": (
        """
class G(nn.Module):
    def __init__(self, nz=5, ngf=4, out=16):
        super().__init__()
        def up(a, b, last=False):
            made = [nn.ConvTranspose2d(a, b, 4, 2, 1, bias=False)]
            made += [nn.Tanh()] if last else [nn.BatchNorm2d(b), nn.ReLU(True)]
            return made
        n, width, layers = 4, ngf * 4, [nn.ConvTranspose2d(nz, ngf * 4, 4, 1, 0)]
        while n < out:
            layers += up(width, 3 if n * 2 == out else width // 2, n * 2 == out)
            width //= 2
            n *= 2
        self.net = nn.Sequential(*layers)
    def forward(self, z):
        return self.net(z.view(z.size(0), -1, 1, 1))
""", "G()", ((2, 5),),
    ),
}  # fmt: skip
#: Where nothing may be claimed: source, construction, a word of the reason.
UNKNOWN: dict[str, tuple[str, str, str]] = {
    "another library's network": ("import timm\nclass N(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.body = timm.create_model('x')\n", "N()", "timm"),
    "a condition that only a run knows": ("import os\nclass N(nn.Module):\n    def __init__(self):\n        super().__init__()\n        if os.environ.get('WIDE'):\n            self.a = nn.Linear(3, 3)\n", "N()", "condition"),
    "a size that only a run knows": ("import json\nclass N(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(json.load(open('w')), 3)\n", "N()", "in_features"),
    "a lazy layer": ("class N(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.LazyLinear(3)\n", "N()", "LazyLinear"),
    "parameters in a list": ("class N(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.ParameterList([nn.Parameter(torch.zeros(3))])\n", "N()", "ParameterList"),
    "a function that changes the network": ("from torch.nn.utils import weight_norm\nclass N(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = weight_norm(nn.Linear(2, 2))\n", "N()", "weight_norm"),
    "a base class from elsewhere": ("from other import Base\nclass N(Base):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(2, 2)\n", "N()", "base class"),
    "a missing argument": ("class N(nn.Module):\n    def __init__(self, n):\n        super().__init__()\n        self.a = nn.Linear(n, 2)\n", "N()", "n has no value"),
    "a loop without an end": ("class N(nn.Module):\n    def __init__(self):\n        super().__init__()\n        while True:\n            pass\n", "N()", "end"),
    "recursion without an end": ("class N(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = N()\n", "N()", "deep"),
    "a huge loop": ("class N(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = [i for i in range(10 ** 9)]\n", "N()", "long"),
}  # fmt: skip


@pytest.mark.frameworks
@pytest.mark.parametrize("name", NETWORKS)
def test_the_numbers_are_torchs(name: str) -> None:
    source, made, shapes = NETWORKS[name]
    found = run(source, made, *shapes)
    assert (found.parameters, found.macs, found.output) == truth(source, made, *shapes), (found.why, found.stopped)


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_is_not_decided_is_unknown_and_says_why(name: str) -> None:
    source, made, word = UNKNOWN[name]
    found = run(source, made)
    assert found.parameters is None and word in found.why, found


def test_a_wrong_input_ends_the_shapes_and_not_the_count() -> None:
    source, made, _ = NETWORKS["a generator"]
    found = run(source, made, (2, 7))
    assert found.parameters is not None and found.output is None and "channels" in found.stopped


def test_data_decide_a_branch() -> None:
    source = "class N(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(2, 2)\n    def forward(self, x):\n        x = self.a(x)\n        if x.sum() > 0:\n            return x\n        return x[0]\n"
    found = run(source, "N()", (3, 2))
    assert found.parameters == 6 and found.output is None and "condition" in found.stopped and found.parts[0].outputs == ((3, 2),)
