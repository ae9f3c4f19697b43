"""What is in evaluation when a construction ends stays so: ``Net().set_train()`` put it into training, silently, until 27 November."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import both_sides, converted_script

START = """import torch
from torch import nn


def modes(net):
    return [part.training for part in net.modules()]


"""

PROGRAMS = {
    "if eval": """class A(nn.Module):
    def __init__(self, quiet=True):
        super().__init__()
        self.d = nn.Dropout(0.5)
        if quiet:
            self.eval()
seen=[modes(A()), modes(A(False))]
""",
    "by method": """class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.d = nn.Dropout(0.5)
        self.n = nn.BatchNorm1d(3)
        self.freeze()
    def freeze(self):
        self.n.eval()
        for p in self.n.parameters():
            p.requires_grad = False
seen=[modes(A())]
""",
    "subclass adds": """class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.d = nn.Dropout(0.5)
        self.eval()
class B(A):
    def __init__(self):
        super().__init__()
        self.e = nn.Dropout(0.5)
seen=[modes(A()), modes(B())]
""",
    "eval then part": """class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.d = nn.Dropout(0.5)
        self.eval()
        self.e = nn.Dropout(0.5)
seen=[modes(A())]
""",
    "function": """def frozen():
    net = nn.Sequential(nn.Dropout(0.5), nn.BatchNorm1d(3))
    net.eval()
    return net
class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.vgg = frozen()
        self.d = nn.Dropout(0.5)
seen=[modes(A())]
""",
    "given": """class A(nn.Module):
    def __init__(self, teacher):
        super().__init__()
        self.teacher = teacher
        self.d = nn.Dropout(0.5)
t = nn.Sequential(nn.Dropout(0.5))
t.eval()
seen=[modes(A(t))]
""",
    "given list": """class A(nn.Module):
    def __init__(self, parts):
        super().__init__()
        self.parts = nn.ModuleList(parts)
t = nn.Sequential(nn.Dropout(0.5)).eval()
seen=[modes(A([t, nn.Dropout(0.1)]))]
""",
    "train(flag)": """class A(nn.Module):
    def __init__(self, training=False):
        super().__init__()
        self.d = nn.Dropout(0.5)
        self.train(training)
seen=[modes(A()), modes(A(True))]
""",
    "part train(flag)": """class A(nn.Module):
    def __init__(self, tune=False):
        super().__init__()
        self.net = nn.Sequential(nn.Dropout(0.5))
        self.net.train(tune)
        self.d = nn.Dropout(0.5)
seen=[modes(A()), modes(A(True))]
""",
    "training attr": """class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Dropout(0.5)
        self.net.training = False
        self.d = nn.Dropout(0.5)
seen=[modes(A())]
""",
    "apply": """def quiet(m):
    if isinstance(m, nn.BatchNorm1d):
        m.eval()
class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.BatchNorm1d(3), nn.Dropout(0.5))
        self.net.apply(quiet)
seen=[modes(A())]
""",
    "static method": """class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = self.build()
        self.d = nn.Dropout(0.5)
    @staticmethod
    def build():
        net = nn.Sequential(nn.Dropout(0.5))
        net.eval()
        return net
seen=[modes(A())]
""",
    "mode of another class": """class T(nn.Module):
    def __init__(self):
        super().__init__()
        self.d = nn.Dropout(0.5)
class Learner:
    def __init__(self):
        self.net = T()
        self.net.eval()
class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = Learner().net
        self.d = nn.Dropout(0.5)
seen=[modes(A())]
""",
    "encoder layer": """layer = nn.TransformerEncoderLayer(8, 2).eval()
seen=[modes(nn.TransformerEncoder(layer, 2)), modes(nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2), 2))]
""",
    "child of evaluated": """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Dropout(0.5))
        self.head = nn.Linear(2, 2)
class Probe(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.d = nn.Dropout(0.2)
net = Net()
net.eval()
seen=[modes(Probe(net.encoder))]
""",
    "by config dict": """def make(name):
    return {"a": nn.Dropout, "b": nn.Sequential}[name]()
class Probe(nn.Module):
    def __init__(self, parts):
        super().__init__()
        self.net = parts["net"]
        self.d = nn.Dropout(0.2)
parts = {"net": make("a")}
parts["net"].eval()
seen=[modes(Probe(parts))]
""",
    "partial": """from functools import partial
class Probe(nn.Module):
    def __init__(self, encoder, width=3):
        super().__init__()
        self.encoder = encoder
        self.d = nn.Dropout(0.2)
t = nn.Dropout(0.5).eval()
build = partial(Probe, t)
seen=[modes(build()), modes(build(width=2))]
""",
    "property": """class Probe(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = self.base
        self.d = nn.Dropout(0.2)
    @property
    def base(self):
        net = nn.Dropout(0.5)
        net.eval()
        return net
seen=[modes(Probe())]
""",
    "other class keeps": """class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.build()
class Probe(Base):
    def build(self):
        self.net = nn.Dropout(0.2)
        self.net.eval()
        self.d = nn.Dropout(0.2)
seen=[modes(Probe())]
""",
    "load": """class Probe(nn.Module):
    def __init__(self):
        super().__init__()
        self.d = nn.Dropout(0.2)
    @classmethod
    def load(cls):
        net = cls()
        net.eval()
        return net
class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.p = Probe.load()
        self.d = nn.Dropout(0.2)
seen=[modes(Outer())]
""",
    "global made": """BACK = nn.Dropout(0.2).eval()
class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.p = BACK
        self.d = nn.Dropout(0.2)
seen=[modes(Outer())]
""",
    "global dict": """POOL = {}
def get():
    if "a" not in POOL:
        POOL["a"] = nn.Dropout(0.5)
        POOL["a"].eval()
    return POOL["a"]
class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.p = get()
        self.d = nn.Dropout(0.2)
seen=[modes(Outer())]
""",
    "class attribute": """class Outer(nn.Module):
    drop = nn.Dropout(0.2)
    def __init__(self):
        super().__init__()
        self.d = nn.Dropout(0.2)
net = Outer()
net.eval()
seen=[[Outer.drop.training, net.drop.training, net.d.training, net.training]]
""",
    "held as no part": """class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.pair = tuple(nn.Dropout(0.2) for _ in range(2))
        self.named = dict(a=nn.Dropout(0.2))
        self.d = nn.Dropout(0.2)
net = Outer()
net.eval()
seen=[[net.d.training, *(m.training for m in net.pair), net.named["a"].training]]
""",
    "asked for": """def evaluated(net):
    was = net.training
    net.eval()
    net.train(was)
    return modes(net)
def build():
    layers = [nn.Linear(2, 2)]
    layers += [nn.Dropout(0.2)]
    return nn.Sequential(*layers)
still = nn.Dropout(0.2).eval()
seen=[evaluated(build()), evaluated(nn.Linear(2, 2)), modes(nn.Sequential(still, nn.Dropout(0.2)))]
""",
    "deepcopy of given": """import copy
class Outer(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.p = copy.deepcopy(net)
        self.d = nn.Dropout(0.2)
def evaluate(net):
    net.eval()
net = nn.Sequential(nn.Dropout(0.2))
evaluate(net)
seen=[modes(Outer(net)), modes(copy.deepcopy(net))]
""",
}


@pytest.mark.frameworks
@pytest.mark.parametrize("name", PROGRAMS)
def test_modes_are_torchs(tmp_path: Path, name: str) -> None:
    theirs, ours = both_sides(tmp_path, START + PROGRAMS[name])
    assert ours.seen == theirs.seen
    assert not all(map(all, theirs.seen))


def test_a_project_that_evaluates_elsewhere_calls_set_train(tmp_path: Path) -> None:
    text = converted_script(tmp_path, START + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.drop = nn.Dropout(0.5)\n\n\nnet = Net()\nnet.eval()\n")
    assert "net = Net().set_train()" in text
    assert "BORN_IN_TRAINING" not in text
