"""Options that are called like a tensor's method: read without being called they are no tensor's."""

from __future__ import annotations

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
