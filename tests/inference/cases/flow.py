from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

import torch

if TYPE_CHECKING:
    from torch import Tensor


def narrowing(a: Optional[Tensor], b: Union[Tensor, List[Tensor]], c: Tensor | None = None, d: Any = None):
    #? None | Tensor
    a
    if a is None:
        #? None
        a
        return None
    #? Tensor
    a
    if isinstance(b, torch.Tensor):
        #? Tensor
        b
        b = [b]
    #? list[Tensor]
    b
    #? Tensor
    b[0]
    if c:
        #? Tensor
        c
    if not c:
        #? None | Tensor
        c
    assert isinstance(d, torch.Tensor)
    #? Tensor
    d
    #? Tensor | bool
    c is not None and c.view(-1)
    #? Tensor
    c if c is not None else a
    return a


#? None | Tensor
narrowing(x, y)


def joins(flag):
    if flag:
        v = torch.zeros(1)
    else:
        v = 1
    #? 1 | Tensor
    v
    for i in range(3):
        #? int
        i
        v = torch.ones(1)
    #? 1 | Tensor
    v
    w = None
    while flag:
        if w is not None:
            #? Tensor
            w
            break
        w = torch.ones(1)
    #? None | Tensor
    w
    try:
        t = torch.ones(1)
    except ValueError:
        t = None
    #? None | Tensor
    t
    if flag > 1:
        u = 1
    elif flag > 2:
        raise ValueError
    else:
        return
    #? 1
    u


def early(x: Tensor, dims: Tuple[int, ...], pair: Tuple[int, Tensor], many: Sequence[Tensor], table: Dict[str, Tensor]):
    #? tuple[int]
    dims
    #? int
    dims[0]
    #? tuple(int, Tensor)
    pair
    #? Tensor
    pair[1]
    #? Tensor
    many[0]
    #? Tensor
    table["k"]
    for k, t in table.items():
        #? unknown
        k
        #? Tensor
        t
    for i, t in enumerate(many):
        #? int
        i
        #? Tensor
        t
    for s, t in zip(many, dims):
        #? Tensor
        s
        #? int
        t
    found = []
    #? list()
    found
    for t in many:
        found.append(t.view(-1))
    #? list[Tensor]
    found
    #? Tensor
    torch.cat(found)
    #? list[torch.Size[int]]
    [t.shape for t in many]
    #? dict[Tensor]
    {k: v for k, v in table.items()}
    #? tuple[Tensor]
    tuple(many)
    #? list[int]
    sorted(dims)
    #? list[int]
    list(range(3))
    first, *rest = many
    #? Tensor
    first
    #? list[Tensor]
    rest
    x, y = y, x
    #? Tensor
    y
    #? unknown
    (n := x)
    #? int
    len(dims)
    #? int
    max(dims)
    #? int
    int(x)


def constants():
    a = 4
    #? 4
    a
    #? 256
    a * 64
    #? 2.0
    a / 2
    #? 1
    a // 3
    #? 'ab'
    "a" + "b"
    #? str
    f"{a}"
    #? str
    "%d" % a
    #? tuple(1, 2, 3)
    (1, 2) + (3,)
    #? list(0, 0)
    [0] * 2
    #? bool
    not a
    #? bool
    a == 4
    #? 1
    {"k": 1}["k"]
    #? dict('k': 4)
    dict(k=a)
    a = random.random()
    #? float
    a
    a += 1
    #? float
    a
    #? def constants.<lambda>
    lambda q: q
    #? float
    (lambda: a)()
    #? list[str]
    "a,b".split(",")
    #? Ellipsis
    ...
    #? True
    True
    #? -1
    -1


def a_gradient_is_set_again(x: torch.Tensor):
    x.grad = None
    x.sum().backward()
    #? None | Tensor
    x.grad
    #? Tensor
    x.grad.clone()
