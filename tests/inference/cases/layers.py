from collections import OrderedDict
from functools import partial
from typing import Callable, Optional

import torch
from torch import Tensor, nn


class Block(nn.Module):
    expansion = 4

    def __init__(self, width: int, norm: Optional[Callable[..., nn.Module]] = None, act=nn.ReLU):
        super().__init__()
        if norm is None:
            norm = nn.BatchNorm2d
        #? callable -> torch.nn.Module()? | torch.nn.BatchNorm2d
        norm
        self.conv = nn.Conv2d(3, width, 3)
        self.norm = norm(width)
        self.act = act()
        self.down = None
        self.register_buffer("table", torch.zeros(3))
        self.scale = nn.Parameter(torch.ones(1))

    def helper(self, x):
        return x.view(-1)

    def forward(self, x: Tensor, extra=None):
        #? torch.nn.Conv2d()
        self.conv
        #? torch.nn.BatchNorm2d() | torch.nn.Module()?
        self.norm
        #? Tensor?
        self.norm(x)
        #? torch.nn.ReLU() | unknown
        self.act
        #? Tensor
        self.conv(x)
        #? Parameter
        self.conv.weight
        #? None | Parameter
        self.conv.bias
        #? tuple[int]
        self.conv.stride
        #? method torch.nn.Module.parameters
        self.conv.parameters
        #? bool
        self.training
        #? Tensor
        self.table
        #? Parameter
        self.scale
        #? 4
        self.expansion
        #? None | Tensor?
        extra
        #? Tensor?
        self.helper(x)
        #? method def Block.helper
        self.helper
        #? method def Block.forward
        self.forward
        #? unknown
        self.missing
        #? method torch.nn.Module.forward
        super().forward
        return self.conv(x)


block = Block(3)
#? Block()
block
#? Tensor
block(torch.zeros(1))
#? torch.nn.Conv2d()
block.conv
#? Block()
block.eval()
#? Block()
block.to("cpu")
#? iterator[Parameter]
block.parameters()
#? dict[Tensor?]
block.state_dict()
#? Parameter
[p for p in block.parameters()][0]
#? 4
Block.expansion
#? torch.nn.Linear()
nn.Linear(2, 3)
#? Tensor
nn.Linear(2, 3)(torch.zeros(2))
lstm = nn.LSTM(3, 4)
#? tuple(Tensor, tuple(Tensor, Tensor))
lstm(torch.zeros(2))
out, (h, c) = lstm(torch.zeros(2))
#? Tensor
c
#? tuple(Tensor, None | Tensor)
nn.MultiheadAttention(4, 2)(out, out, out)
#? Tensor
nn.Identity()(out)
seq = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU())
#? torch.nn.Sequential() of torch.nn.Conv2d() | torch.nn.ReLU()
seq
#? torch.nn.Conv2d() | torch.nn.ReLU()
seq[0]
#? Tensor?
seq(out)
#? torch.nn.Sequential() of torch.nn.Conv2d()
nn.Sequential(OrderedDict([("conv", nn.Conv2d(1, 2, 3))]))
layers = nn.ModuleList()
layers.append(Block(2))
#? torch.nn.ModuleList() of Block()
layers
#? Block()
layers[0]
for layer in layers:
    #? Block()
    layer
named = nn.ModuleDict({"a": nn.ReLU()})
#? torch.nn.ReLU()
named["a"]
for key, value in named.items():
    #? str
    key
    #? torch.nn.ReLU()
    value
make = partial(nn.BatchNorm2d, eps=0.001)
#? partial torch.nn.BatchNorm2d
make
#? torch.nn.BatchNorm2d()
make(3)
for m in block.modules():
    #? torch.nn.Module()?
    m
    if isinstance(m, nn.Conv2d):
        #? torch.nn.Conv2d()
        m
        #? Parameter
        m.weight
    elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
        #? torch.nn.BatchNorm2d() | torch.nn.GroupNorm()
        m
    elif isinstance(m, Block):
        #? Block()
        m
for name, p in block.named_parameters():
    #? str
    name
    #? Parameter
    p


class Pair(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Conv2d(1, 1, 1), nn.ReLU())


pair = Pair()
#? Tensor?
pair(out)
#? torch.nn.Conv2d() | torch.nn.ReLU()
pair[0]
for part in pair:
    #? torch.nn.Conv2d() | torch.nn.ReLU()
    part


class Loss(nn.Module):
    def forward(self, pred, target):
        #? Tensor?
        pred
        return pred.sub(target), None


#? tuple(Tensor?, None)
Loss()(out, out)
#? Tensor
nn.CrossEntropyLoss()(out, out)
#? Tensor
nn.init.zeros_(out)


def build(block: type[Block], layer: nn.Module, kind: "type[nn.Module]", act: Callable[[Tensor], Tensor]):
    #? class Block
    block
    #? Block()
    block(3)
    #? torch.nn.Module()
    layer
    #? Tensor?
    layer(out)
    #? torch.nn.Module()
    kind()
    #? Tensor?
    act(out)
    #? unknown
    layer.weight


class OwnOptimizer(torch.optim.Optimizer):
    def step(self, closure=None):
        for group in self.param_groups:
            #? float
            group["lr"]
            #? list[Parameter]
            group["params"]
            beta1, beta2 = group["betas"]
            #? float
            beta2
            #? unknown
            group["own"]
            for p in group["params"]:
                #? Parameter
                p


def rates(optimizer: torch.optim.SGD):
    #? Parameter
    optimizer.param_groups[0]["params"][0]
    #? float
    optimizer.param_groups[0]["lr"]
