"""Modules that a registry, a name or a choice makes are in training mode, as in torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides, printed_by_both

PROGRAM = """import sys

import torch
from torch import nn

KINDS = {}


def keep(cls):
    KINDS[cls.__name__.lower()] = cls
    return cls


@keep
class Noisy(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(4, 4), nn.Dropout(p))

    def forward(self, x):
        return self.inner(x)


class Quiet(Noisy):
    def __init__(self):
        super().__init__(0.0)
        self.eval()


TABLE = {"noisy": Noisy, "quiet": Quiet}


def build(name, **options):
    return KINDS[name](**options)


def modes(net):
    return [part.training for part in net.modules()]


by_registry = modes(build("noisy", p=0.1))
by_table = modes(TABLE["noisy"]())
quiet = modes(TABLE["quiet"]())
by_globals = modes(globals()["Noisy"]())
chosen = Noisy if len(sys.argv) else Quiet
by_choice = modes(chosen())
net = build("noisy")
net.eval()
after = modes(net)
dropped = (KINDS["noisy"]()(torch.ones(50, 4)) == 0).float().mean().item() > 0.2
"""


@pytest.mark.frameworks
def test_modes_are_those_of_torch(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, PROGRAM)
    for name in ("by_registry", "by_table", "quiet", "by_globals", "by_choice", "after", "dropped"):
        assert getattr(ours, name) == getattr(theirs, name), name


MODELS = "from torch import nn\n\n\nclass Net(nn.Module):\n    pass\n"


@pytest.mark.parametrize(("call", "asked"), [
    ("getattr(models, name)()", True),
    ("models.__dict__[name]()", True),
    ("vars(models)[name]()", True),
    ("eval(name)()", True),
    ("models.Net()", False),
    ("[m for m in [models.Net()] if isinstance(m, (models.Net, nn.Linear))]", False),
    ("getattr(nn, name)()", False),
    ("getattr(torch.optim, name)([nn.Parameter(torch.ones(1))], 0.1)", False),
])  # fmt: skip
def test_when_it_is_asked_for(tmp_path: Path, call: str, asked: bool) -> None:
    (tmp_path / "models.py").write_text(MODELS)
    (tmp_path / "train.py").write_text(f"import sys\n\nimport models\nimport torch\nfrom torch import nn\n\nname = sys.argv[1]\nmade = {call}\n")
    text = {path.name: text for path, text in convert(discover(tmp_path)).files.items()}["train.py"]
    assert ("BORN_IN_TRAINING" in text) is asked


HELD_CLASSES = """from functools import partial

import torch.nn as nn

KINDS = {"batch": nn.BatchNorm2d, "none": nn.Identity}


def chosen(kind, *sizes):
    return KINDS[kind](*sizes)


def by_default(size, norm=nn.BatchNorm1d):
    return norm(size)


def block(size, norm=nn.BatchNorm2d):
    return nn.Sequential(nn.Conv2d(1, size, 3), norm(size))


kind = "batch"
eps = partial(nn.BatchNorm2d, eps=1e-3)
held = nn.Dropout
norm = nn.InstanceNorm1d if len(kind) == 5 else nn.Identity
made = [KINDS["batch"](3), KINDS[kind](3), KINDS.get(kind)(3), chosen("batch", 3), by_default(3), eps(3), held(0.5), norm(3)]
made += [kind(0.5) for kind in [nn.Dropout, nn.RReLU]]
made += block(2)
evaluated = KINDS["batch"](3).eval().training
modes = [layer.training for layer in made]
"""


@pytest.mark.frameworks
def test_layers_whose_class_something_holds_train_from_birth(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, HELD_CLASSES)
    assert ours.modes == theirs.modes
    assert not ours.evaluated


METHODS = """from functools import partial

import torch.nn as nn


class Net(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.size = size
        self.norm = nn.BatchNorm1d(size)

    @classmethod
    def create(cls, **options):
        return cls(**options)

    @staticmethod
    def named(size):
        return Net(size)

    def again(self):
        return type(self)(self.size)

    def twin(self):
        return self.__class__(self.size)


class Below(Net):
    pass


class Still(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout()
        self.eval()

    @classmethod
    def create(cls):
        return cls()


def chosen(below):
    if below:
        return Below
    return Net


asleep = Net().eval()
made = {
    "class method": Net.create(size=3), "of a subclass": Below.create(), "static method": Net.named(3), "type of self": asleep.again(), "class of self": asleep.twin(),
    "chosen by a function": chosen(True)(3), "partial": partial(Net, 3)(),
}
print([(name, net.training, net.norm.training) for name, net in made.items()], Still.create().training)
"""


@pytest.mark.frameworks
def test_what_a_method_makes_of_a_class_trains_from_birth(tmp_path: Path) -> None:
    """``return cls(**options)`` stands inside of a module class, but no module holds what it makes; it stayed in evaluation."""
    theirs, ours = printed_by_both(tmp_path, METHODS)  # processes of their own: other programs set the mode at birth for all that follow
    assert ours == theirs
    assert theirs.count("False") == 1


TOLD_OF_SUBCLASSES = """import torch.nn as nn

BY_NAME = {}


class Base(nn.Module):
    def __init_subclass__(cls, key, **others):
        super().__init_subclass__(**others)
        BY_NAME[key] = cls


class Meta(type):
    def __init__(cls, name, bases, space):
        super().__init__(name, bases, space)
        BY_NAME[name] = cls


class First(Base, key="first"):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout()


class Second(nn.Module, metaclass=Meta):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout()


print(BY_NAME["first"]().drop.training, BY_NAME["Second"]().drop.training, Base.__subclasses__()[0]().drop.training)
"""


@pytest.mark.frameworks
def test_classes_that_are_told_of_their_subclasses(tmp_path: Path) -> None:
    theirs, ours = printed_by_both(tmp_path, TOLD_OF_SUBCLASSES)
    assert ours == theirs == "True True True\n"


HANDED_ON = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.width = width
        self.drop = nn.Dropout(0.5)


class Other(Net):
    pass


class Keeper:
    def __init__(self, **options):
        for name, value in options.items():
            setattr(self, name, value)

    def made(self):
        return self.kind(8)


class Runner:
    def __init__(self, model):
        self.model = model

    @classmethod
    def again(cls, kind, **options):
        return cls(kind(**options))


by_keyword = Keeper(kind=Net).made().training
several = []
for net in (Net(2), Other(3)):
    runner = Runner(net)
    several.append(Runner.again(type(runner.model), width=5).model.drop.training)
"""


@pytest.mark.frameworks
def test_classes_that_are_handed_on(tmp_path: Path) -> None:
    """Kept under a name that only the run knows; the class of one of several models."""
    theirs, ours = both_sides(tmp_path, HANDED_ON)
    assert theirs.by_keyword and all(theirs.several)
    assert (ours.by_keyword, ours.several) == (theirs.by_keyword, theirs.several)
