"""Draws a network out of blocks as people write them, in one of the forms people write networks in, and uses it. For composed.py --kind networks.

Blocks are classes of composed/blocks.txt (a kind of input, a class with holes, arguments that it is made by); each is kept where torch computes something by it of the shape that stands there. A program may be two files,
parted by a line ``# file: name.py``. Weights are written by a formula, and nothing draws numbers when it runs.
"""

from __future__ import annotations

import random
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from composed_network_uses import HEAD, USES

BLOCKS = Path(__file__).parent / "composed" / "blocks.txt"
IMPORTS = "import copy\nimport math\nfrom collections import OrderedDict\nfrom functools import partial\n\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
#: What holes of blocks are filled with.
HOLES = {
    "act": ("nn.ReLU()", "nn.ReLU(inplace=True)", "nn.GELU()", "nn.SiLU()", "nn.Tanh()", "nn.LeakyReLU(0.2)", "nn.ELU()", "nn.Sigmoid()", "nn.Hardswish()", "nn.PReLU()", "nn.LeakyReLU(0.1, inplace=True)", "nn.Softplus()", "nn.Mish()"),
    "f": ("F.relu", "torch.tanh", "F.gelu", "F.silu", "torch.sigmoid", "F.elu", "F.leaky_relu", "F.softplus", "torch.relu", "F.selu", "F.mish"),
    "bool": ("True", "False"),
    "pad": ("reflect", "replicate", "circular", "constant"),
    "mode": ("zeros", "reflect", "replicate", "circular"),
    "cell": ("GRUCell", "RNNCell"),
    "actname": ("relu", "gelu"),
    "choice": ("relu", "tanh", "id"),
}  # fmt: skip
NAMES = ("Block", "Mixer", "Stage", "Unit", "Layer", "Encoder", "Module1", "Branch")
SHAPES = {"image": (4, 3, 8, 8), "sequence": (4, 5, 4), "vector": (6, 6)}
MOST = 3000


@dataclass(frozen=True)
class Block:
    """A class as drawn: its name, text, the arguments it is made by, and what comes out of it for the next one."""

    name: str
    text: str
    arguments: str
    out: tuple[int, ...]


def read() -> list[tuple[str, str, list[str]]]:
    """(kind of input, text, ways to make it) of each block."""
    found = []
    for part in BLOCKS.read_text(encoding="utf-8").split("=== ")[1:]:
        lines = part.rstrip("\n").split("\n")
        made = [line[4:] for line in lines if line.startswith("--- ")]
        found.append((lines[0].split(" ")[0], "\n".join(line for line in lines[1:] if not line.startswith("--- ")), made))
    return found


ALL = read()


def kind_of(shape: tuple[int, ...]) -> str:
    """What a tensor of this shape is to the blocks."""
    return {4: "image", 3: "sequence", 2: "vector"}[len(shape)]


def width(shape: tuple[int, ...]) -> int:
    """The number of a tensor's features."""
    return shape[1] if len(shape) == 4 else shape[-1]


def drawn(draw: random.Random, shape: tuple[int, ...], number: int) -> Block | None:
    """A block for this shape that torch runs."""
    for _ in range(20):
        _, text, made = draw.choice([one for one in ALL if one[0] == kind_of(shape)])
        name = f"{draw.choice(NAMES)}{number}"
        text = re.sub(r"\{(\w+)\}", lambda m, name=name: {"C": name, "c": name.lower()}.get(m[1]) or draw.choice(HOLES.get(m[1], (m[0],))), text)
        arguments = draw.choice(made).replace("{w}", str(width(shape)))
        out = _computed(text, f"{name}({arguments})", shape)
        if not isinstance(out, torch.Tensor) or out.dim() not in (2, 3, 4) or out.numel() > MOST or 0 in out.shape:
            continue
        return Block(name, text, arguments, tuple(out.shape))
    return None


def _computed(text: str, made: str, shape: tuple[int, ...]) -> object:
    """What a block computes of a tensor of this shape; None where it does not fit."""
    names: dict[str, Any] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(IMPORTS + text, names)
            return eval(made, names)(torch.sin(torch.arange(float(torch.Size(shape).numel()))).reshape(shape))
    except Exception:
        return None


def program(draw: random.Random) -> str:
    """A program's text; its `outcome` holds what it computed."""
    shape = SHAPES[draw.choice(("image", "image", "sequence", "sequence", "vector"))]
    start, blocks = shape, []
    for number in range(draw.choice((2, 3, 3, 4))):
        block = drawn(draw, shape, number)
        if block is None:
            break
        blocks.append(block)
        shape = block.out
    while len(shape) > 2:  # the head wants vectors
        flat = [one for one in ALL if one[0] == kind_of(shape)]
        block = drawn(draw, shape, len(blocks)) if draw.random() < 0.7 else None
        if block is None or len(block.out) > 2 or not flat:
            name = f"Flat{len(blocks)}"
            dims = draw.choice((f"x.mean(dim={'(2, 3)' if len(shape) == 4 else '1'})", "x.flatten(2).mean(-1)" if len(shape) == 4 else "x[:, -1]", "torch.flatten(x, 2).amax(2)" if len(shape) == 4 else "x.sum(1) / x.size(1)"))
            text = f"class {name}(nn.Module):\n    def __init__(self, dim=None):\n        super().__init__()\n        self.dim = dim\n\n    def forward(self, x):\n        return {dims}"
            block = Block(name, text, draw.choice(("", str(width(shape)))), (shape[0], width(shape)))
        blocks.append(block)
        shape = block.out
    network = FORMS[draw.choice(tuple(FORMS))](draw, blocks, shape[-1])
    classes = list(dict.fromkeys(block.text for block in blocks))
    draw.shuffle(classes)
    model = "\n\n\n".join([*classes, network])
    data = f"X = torch.sin(torch.arange({float(torch.Size(start).numel())}) * 0.7).reshape({start})\nY = torch.arange({start[0]}) % 3\n"
    fill = draw.choice(FILLS)
    use = "\n".join(USES[name] for name in draw.sample(tuple(USES), draw.choice((1, 2, 2, 3))))
    end = "outcome.append([p.detach().reshape(-1) for p in net.parameters()])\noutcome.append([b for n, b in net.named_buffers() if not n.endswith('num_batches_tracked')])\n"
    make = "torch.manual_seed(0)\nnet = Net()\n"
    if draw.random() < 0.3:
        return f"# file: model.py\n{IMPORTS}\n\n{model}\n# file: program.py\n{HEAD}\nfrom model import Net\n\n{data}\n{make}{fill}\noutcome = []\n{use}\n{end}"
    return f"{HEAD}\n{model}\n\n\n{data}\n{make}{fill}\noutcome = []\n{use}\n{end}"


FILLS = (
    "with torch.no_grad():\n    for i, p in enumerate(net.parameters()):\n        p.copy_(0.4 * torch.sin(torch.arange(float(p.numel())) + i).view_as(p))",
    "for i, (name, p) in enumerate(net.named_parameters()):\n    p.data = 0.3 * torch.cos(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape)",
    "for i, p in enumerate(net.parameters()):\n    p.data.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape))",
)


def _calls(blocks: list[Block]) -> list[str]:
    return [f"{block.name}({block.arguments})" for block in blocks]


def plain(draw: random.Random, blocks: list[Block], features: int) -> str:
    """Attributes, called one after the other."""
    made = [f"        self.{block.name.lower()} = {call}" for block, call in zip(blocks, _calls(blocks), strict=True)]
    used = [f"        x = self.{block.name.lower()}(x)" for block in blocks]
    return "\n".join(["class Net(nn.Module):", "    def __init__(self, num_classes=3):", "        super(Net, self).__init__()", *made, f"        self.head = nn.Linear({features}, num_classes)", "", "    def forward(self, x):", *used, "        return self.head(x)"])


def sequential(draw: random.Random, blocks: list[Block], features: int) -> str:
    """A function that makes a Sequential."""
    return "\n".join(["def make_layers(num_classes):", f"    layers = [{', '.join(_calls(blocks))}]", f"    layers += [nn.Linear({features}, num_classes)]", "    return nn.Sequential(*layers)", "", "", "class Net(nn.Module):", "    def __init__(self):", "        super().__init__()", "        self.body = make_layers(3)", "", "    def forward(self, x):", "        return self.body(x)"])


def listed(draw: random.Random, blocks: list[Block], features: int) -> str:
    """A ModuleList with intermediate results."""
    return f"""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList([{', '.join(_calls(blocks))}])
        self.head = nn.Linear({features}, 3)
        self.scales = nn.ParameterList([nn.Parameter(torch.ones(1)) for _ in self.stages])

    def features(self, x):
        outs = []
        for i, stage in enumerate(self.stages):
            x = stage(x) * self.scales[i]
            outs.append(x)
        return outs

    def forward(self, x):
        *rest, last = self.features(x)
        return self.head(last) + sum(r.mean() for r in rest)"""


def hierarchy(draw: random.Random, blocks: list[Block], features: int) -> str:
    """A base class whose child gives the parts."""
    calls = ", ".join(_calls(blocks))
    return f"""class BaseNet(nn.Module):
    num_classes = 3

    def __init__(self, **kwargs):
        super().__init__()
        self.config = kwargs
        self.build()
        self.reset()

    def build(self):
        raise NotImplementedError

    def reset(self):
        for m in self.modules():
            if isinstance(m, nn.Linear) and m.bias is not None:
                nn.init.constant_(m.bias, 0.0)

    def forward_features(self, x):
        return self.body(x)

    def forward(self, x):
        return self.classifier(self.forward_features(x))


class Net(BaseNet):
    def __init__(self, features={features}):
        super().__init__(features=features, scale=0.5)

    def build(self):
        self.body = nn.Sequential({calls})
        self.classifier = nn.Linear(self.config["features"], self.num_classes, bias=self.config.get("bias", True))

    def forward_features(self, x):
        return super().forward_features(x) * self.config["scale"]"""


def registered(draw: random.Random, blocks: list[Block], features: int) -> str:
    """A registry and a configuration."""
    entries = "\n".join(f'    ("{block.name}", dict(args=({block.arguments.partition(",")[0]}{"," if block.arguments else ""}), kwargs=dict({_keywords(block)}))),' for block in blocks)
    return f"""REGISTRY = {{}}


def register(cls):
    REGISTRY[cls.__name__] = cls
    return cls


for cls in ({', '.join(dict.fromkeys(block.name for block in blocks))},):
    register(cls)

CONFIG = [
{entries}
]


def build(config):
    modules = OrderedDict()
    for i, (name, options) in enumerate(config):
        modules[f"{{name.lower()}}_{{i}}"] = REGISTRY[name](*options["args"], **options["kwargs"])
    return nn.Sequential(modules)


class Net(nn.Module):
    def __init__(self, config=CONFIG):
        super().__init__()
        self.backbone = build(config)
        self.fc = nn.Linear({features}, 3)

    def forward(self, x):
        for name, module in self.backbone.named_children():
            x = module(x)
        return self.fc(x)"""


def _keywords(block: Block) -> str:
    rest = block.arguments.split(", ")[1:]
    return ", ".join(rest) if all("=" in one and "(" not in one for one in rest) else ""


def by_name(draw: random.Random, blocks: list[Block], features: int) -> str:
    """Attributes by setattr, a dataclass of options, a class method that makes the network."""
    lines = "\n".join(f'        self.add_module("block{n}", {call})' if n % 2 else f'        setattr(self, f"block{{{n}}}", {call})' for n, call in enumerate(_calls(blocks)))
    return f"""from dataclasses import dataclass


@dataclass
class Options:
    features: int = {features}
    classes: int = 3
    depth: int = {len(blocks)}


class Net(nn.Module):
    def __init__(self, opt=None):
        super().__init__()
        self.opt = opt or Options()
{lines}
        self.head = nn.ModuleDict({{"cls": nn.Linear(self.opt.features, self.opt.classes), "aux": nn.Linear(self.opt.features, 1)}})

    @classmethod
    def small(cls):
        return cls(Options())

    def forward(self, x, return_aux=False):
        for i in range(self.opt.depth):
            x = getattr(self, f"block{{i}}")(x)
        out = {{k: head(x) for k, head in self.head.items()}}
        if return_aux:
            return out["cls"], out["aux"]
        return out["cls"] + 0.1 * out["aux"]"""


def mixed_in(draw: random.Random, blocks: list[Block], features: int) -> str:
    """A mixin, a property and a normalisation made by a partial."""
    made = [f"        self.stage{n} = {call}" for n, call in enumerate(_calls(blocks))]
    used = " ".join(f"self.stage{n}," for n in range(len(blocks)))
    return f"""class CountMixin:
    calls = 0

    def count(self):
        self.calls += 1
        return self.calls

    @property
    def num_params(self):
        return sum(p.numel() for p in self.parameters() if p.requires_grad)


class Net(CountMixin, nn.Module):
    def __init__(self, norm_layer=partial(nn.LayerNorm, eps=1e-3)):
        super().__init__()
{chr(10).join(made)}
        self.norm = norm_layer({features})
        self.fc = nn.Linear({features}, 3)

    def forward(self, x):
        self.count()
        for stage in ({used}):
            x = stage(x)
        return self.fc(self.norm(x))"""


FORMS = {f.__name__: f for f in (plain, sequential, listed, hierarchy, registered, by_name, mixed_in)}
