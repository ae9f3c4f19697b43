"""Sizes of Gym's discrete spaces are NumPy integers, which MindSpore's layers do not take."""

from __future__ import annotations

from pathlib import Path

from tests.convert.both_sides import converted_script

HEAD = "import gymnasium as gym\nimport torch\nfrom torch import nn\n\nenv = gym.make('CartPole-v1')\n"


def test_sizes_become_python_numbers(tmp_path: Path) -> None:
    made = converted_script(tmp_path, HEAD + "n = env.action_space.n\nfc = nn.Linear(4, env.single_action_space.n)\nk = int(env.action_space.n)\n")
    assert "n = int(env.action_space.n)\n" in made
    assert "nn.Dense(4, int(env.single_action_space.n))" in made
    assert "k = int(env.action_space.n)\n" in made


def test_other_attributes_stay(tmp_path: Path) -> None:
    text = "import torch\n\n\ndef f(box):\n    return torch.zeros(box.action_space.n)\n"
    assert "int(" not in converted_script(tmp_path, text)
    made = converted_script(tmp_path, HEAD + "class A:\n    n = 3\nm = A().n\nshape = env.observation_space.shape[0]\n")
    assert "int(" not in made
