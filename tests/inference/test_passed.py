"""What a parameter holds once the calls are known, also where they turn out to be of something else."""

from __future__ import annotations

import ast

from mindport.inference import values as v
from tests.inference.files import facts_of

_NETS = "".join(f"\n\nclass Net{i}(nn.Module):\n    def encode(self, ids):\n        return ids.size()\n" for i in range(10))
#: At first `placed` is known to hand on a Net0, also where it is given the ids; at the end, more than can be followed.
_PROGRAM = f"""import torch
import torch.nn as nn


def placed(thing, cuda=False):
    return thing.cuda() if cuda else thing
{_NETS}

class Model:
    def fit(self, ids):
        self.net = placed(Net0())
        ids = placed(torch.from_numpy(ids))
        return self.net.encode(ids)


def others():
    return [{", ".join(f"placed(Net{i}())" for i in range(1, 10))}]


sizes = [Model().fit([1]), len(others())]
"""


def test_a_call_of_something_else_passes_nothing() -> None:
    """What is left of the first call would say that the ids are a network."""
    facts, file = facts_of(_PROGRAM)
    loads = [n for n in ast.walk(file.tree) if isinstance(n, ast.Name) and n.id == "ids" and isinstance(n.ctx, ast.Load)]
    of_first = min(loads, key=lambda n: n.lineno)
    assert not any(isinstance(option, v.ProjectInstance) for option in v.options(facts.value(of_first)))
