"""Options that are called like a tensor's method: read without being called they are no tensor's."""

from __future__ import annotations

import ast

import pytest

from mindport.inference import Project
from mindport.source.file import SourceFile


def names_in(text: str) -> list[str]:
    """The names of all uses in a file, and the members of what is not known."""
    file = SourceFile.of(text, "module.py")
    facts = Project([file]).facts(file)
    return [use.name for use in facts.uses] + [found.text for found in facts.unresolved]


@pytest.mark.parametrize("option", ["mode", "flip", "norm", "dist", "cos"])
def test_an_option_is_no_method(option: str) -> None:
    assert names_in(f"import argparse\nargs = argparse.ArgumentParser().parse_args()\nif args.{option} == 'dev':\n    print(args.{option})\n") == []
    assert names_in(f"import torch\ndef run(args):\n    return args.{option} == 'dev'\n") == []


def test_a_method_that_is_called_is_a_tensors() -> None:
    assert names_in("def run(x):\n    return x.unsqueeze(0)\n") == ["torch.Tensor.unsqueeze"]


def types_of(text: str, name: str) -> list[str]:
    """What inference takes a name for, place by place."""
    file = SourceFile.of(text, "module.py")
    facts = Project([file]).facts(file)
    nodes = [node for node in file.nodes if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)]
    return [type(facts.value(node)).__name__ for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset))]


def test_what_has_other_settings_is_asked_for_its_device() -> None:
    text = "import torch\ndef run(read, path):\n    config = read(path)\n    rate = config.optim.lr\n    torch.load(path, map_location=config.device)\n    return rate, lambda x: x if config.data.centered else -x\n"
    assert set(types_of(text, "config")) == {"Unknown"}
    assert types_of("import torch\ndef run(read, path):\n    x = read(path)\n    y = torch.ones(2, device=x.device)\n    return y + x\n", "x") == ["TensorValue"] * 2


def test_a_member_that_the_project_stores_shows_nothing() -> None:
    text = "import torch\ndef step(read, g):\n    w = read()\n    torch.ones(2, device=w.device)\n    w.fast = w - g\n    return w.fast\n"
    assert types_of(text, "w")[0] == "TensorValue"


def test_a_name_that_is_bound_again_may_be_either() -> None:
    text = "import torch\ndef run(read):\n    x = read()\n    x = x.features if x.is_batch else x\n    return torch.ones(2, device=x.device), x + 1\n"
    assert types_of(text, "x")[-1] == "TensorValue"
