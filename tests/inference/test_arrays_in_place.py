"""What NumPy's arrays are after an operation in place with something unknown."""

from __future__ import annotations

import ast

from mindport.inference import Project
from mindport.inference import values as v
from mindport.source.file import SourceFile

PROGRAM = """
import gym
import numpy as np


class Recorder(gym.Wrapper):
    def __init__(self, env):
        super().__init__(env)
        self.returns = None

    def reset(self):
        self.returns = np.zeros(self.n, dtype=np.float32)

    def step(self, action):
        rewards, infos = super().step(action)
        self.returns += rewards
        self.returns *= 1 - infos["ended"]
        return seen(self.returns)
"""


def test_an_array_takes_any_operand_in_and_stays_one() -> None:
    file = SourceFile.of(PROGRAM, "module.py")
    facts = Project([file]).facts(file)
    call = next(n for n in ast.walk(file.tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "seen")
    kinds = [kind for kind in v.options(facts.value(call.args[0])) if kind != v.NONE]
    assert kinds and all(isinstance(kind, v.Instance) and kind.cls == "numpy.ndarray" for kind in kinds), kinds
