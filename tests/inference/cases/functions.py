import functools
from dataclasses import dataclass, field
from typing import NamedTuple, Optional

import torch
import torch.nn as nn
from torch import Tensor


def plain(x):
    return x


#? def plain
plain
#? Tensor
plain(torch.zeros(1))


def declared(x) -> Tensor:
    return something(x)


#? Tensor
declared(1)


def form(x) -> Tensor: ...


def empty(x) -> Tensor:
    return None


#? Tensor
form(1)
#? None
empty(1)


def optional(flag):
    if flag:
        return torch.zeros(1)


#? None | Tensor
optional(1)


def recursive(n):
    if n == 0:
        return torch.zeros(1)
    return recursive(n - 1)


#? Tensor
recursive(3)


def pair(x: Tensor, n=2, name="a", scale=1.0, flag=False, nothing=None, *rest: Tensor, **options: int):
    #? int
    n
    #? str
    name
    #? float
    scale
    #? bool
    flag
    #? None | unknown
    nothing
    #? tuple[Tensor]
    rest
    #? int
    options["k"]
    return x, n


#? tuple(Tensor, int)
pair(torch.zeros(1))
a, b = pair(torch.zeros(1))
#? Tensor
a
#? int
b


def google(pred, weight, names, mode):
    """Loss.

    Args:
        pred (torch.Tensor): The prediction.
        weight (Tensor, optional): Weights. Default: None.
        names (list[str]): Names.
        mode (str): How.
    """
    #? Tensor?
    pred
    #? Tensor?
    weight
    #? str
    mode


def numpy_style(pred, count):
    """Loss.

    Parameters
    ----------
    pred : Tensor
        The prediction.
    count : int
    """
    #? Tensor?
    pred
    #? int
    count


def sphinx(pred):
    """Loss.

    :param pred: the prediction
    :type pred: torch.Tensor
    """
    #? Tensor?
    pred


def evidence(pred):
    q = pred.sigmoid()
    #? Tensor?
    pred
    #? Tensor?
    q


def no_evidence(thing):
    #? unknown
    thing
    #? unknown
    thing.view(-1)
    thing.append(1)


def commented(x, n):
    # type: (Tensor, int) -> Tensor
    #? Tensor?
    x
    #? int
    n


def generator():
    yield torch.zeros(1)


for g in generator():
    #? Tensor
    g


def outer(x: Tensor):
    scale = 2

    def inner(y):
        #? 2
        scale
        #? Tensor
        x
        return x * y

    #? def outer.inner
    inner
    return inner


#? Tensor
outer(a)(1)


class Point(NamedTuple):
    x: Tensor
    y: int


point = Point(a, 1)
#? Point()
point
#? Tensor
point.x
#? int
point.y


@dataclass
class Config:
    width: int = 3
    weight: Optional[Tensor] = None
    names: list = field(default_factory=list)


config = Config()
#? int
config.width
#? None | Tensor
config.weight


class Box:
    shared = torch.zeros(1)

    def __init__(self, content):
        self.content = content
        self._cache = None

    @property
    def doubled(self) -> Tensor:
        return self.content * 2

    @staticmethod
    def make(n: int):
        #? int
        n
        return torch.zeros(n)

    @classmethod
    def empty(cls):
        #? class Box
        cls
        return cls(None)

    def fill(self):
        self._cache = torch.ones(1)
        #? Tensor
        self._cache

    def __getitem__(self, i):
        return torch.zeros(1)

    def __len__(self):
        return 3


box = Box(torch.zeros(1))
#? Tensor?
box.content
#? Tensor
box.doubled
#? Tensor
Box.make(2)
#? Box()
Box.empty()
#? None | Tensor
box._cache
#? Tensor
box[0]
#? Tensor
Box.shared
#? Tensor
box.shared
#? Tensor
getattr(box, "shared")


class Child(Box):
    def __init__(self):
        super().__init__(torch.ones(1))
        #? None | Tensor?
        self.content

    def fill(self):
        #? method def Box.fill
        super().fill
        return super().make(3)


#? Tensor
Child().make(1)
#? Tensor
Child().fill()


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * x


#? Tensor?
Square.apply(a)
#? functools.reduce
functools.reduce


@torch.no_grad()
def decorated():
    return torch.zeros(1)


#? Tensor
decorated()


def wrap(f):
    @functools.wraps(f)
    def inner(*args):
        return f(*args)

    return inner


@wrap
def wrapped():
    return torch.zeros(1)


#? Tensor?
wrapped()
