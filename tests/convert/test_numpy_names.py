"""Calls that spell parameters as NumPy does: `axis`, `keepdims`, `x2`. torch's own parser decides where."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mindport import catalog
from mindport.convert import convert
from mindport.convert.bind import Binding, Unbound, bind
from mindport.inference.torchfacts import numpy_names
from mindport.source.discover import Discovery
from mindport.source.file import SourceFile


def bound(name: str, call: str) -> Binding | Unbound:
    """How the call binds to the first entry of `name`."""
    tree = ast.parse(call, mode="eval").body
    assert isinstance(tree, ast.Call)
    arguments = catalog.load().find(name)[0].arguments
    assert arguments is not None
    return bind(arguments, tree.args, tree.keywords, numpy_names(name))


def test_axis_and_keepdims_bind_to_torchs_names() -> None:
    found = bound("torch.sum", "f(x, axis=1, keepdims=True)")
    assert isinstance(found, Binding)
    assert {name: ast.unparse(node) for name, node in found.given.items()} == {"input": "x", "dim": "1", "keepdim": "True"}


def test_both_spellings_at_once_do_not_bind() -> None:
    assert isinstance(bound("torch.sum", "f(x, dim=0, axis=1)"), Unbound)


def test_functions_written_in_python_take_torchs_names_only() -> None:
    assert isinstance(bound("torch.nn.functional.softmax", "f(x, axis=1)"), Unbound)


@pytest.mark.frameworks
@pytest.mark.parametrize("name", ["sum", "mean", "amax", "cumsum", "squeeze", "flip", "index_select", "logsumexp"])
def test_torch_takes_what_the_data_says(name: str) -> None:
    import torch

    if "axis" not in numpy_names(f"torch.{name}"):
        with pytest.raises(TypeError):
            getattr(torch, name)(torch.ones(2, 3), axis=(0,))
        return
    x = torch.arange(6.0).reshape(2, 3)
    more = {"index": torch.tensor([0])} if name == "index_select" else {}
    function = getattr(torch, name)
    assert torch.equal(function(x, dim=1, **more), function(x, axis=1, **more))


def test_a_form_of_an_api_takes_the_apis_names() -> None:
    """In a file that makes sparse tensors ``torch.sum`` has another form, which takes ``axis``, too."""
    text = "import torch\n\n\ndef f(x, i, v):\n    a = torch.sparse.FloatTensor(i, v, (3, 3))\n    return torch.sparse.mm(a, x), torch.sum(x, axis=1)\n"
    result = convert(Discovery(root=Path("."), files=[SourceFile.of(text, "m.py")]))
    assert not [f for f in result.findings if f.code == "MP106"]
