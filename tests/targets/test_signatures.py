"""Signatures and deprecations read from callables and docstrings that MindSpore's resemble."""

from __future__ import annotations

from typing import Any

import pytest

from mindport.targets.build import deprecation
from mindport.targets.load import Param
from mindport.targets.signatures import listed_arguments, overloads, parameters


def hidden(*args: Any, **kwargs: Any) -> None:
    """less(input, other, *, out=None) -> Tensor

    Compares.
    """


def plain(a, /, b, c=1, *rest, d="x", **more) -> None:  # type: ignore[no-untyped-def]
    """other(z) -> Tensor"""


def undocumented(*args: Any, **kwargs: Any) -> None:
    pass


def test_a_signature_of_stars_gives_way_to_the_docstring() -> None:
    assert parameters(hidden, "mindspore.ops.less") == (
        [Param("input"), Param("other"), Param("out", "KEYWORD_ONLY", "None")], "docstring"
    )  # fmt: skip


def test_a_docstring_of_another_name_is_not_believed() -> None:
    assert parameters(hidden, "mindspore.ops.greater") == (None, "")


def test_pythons_signature_comes_first() -> None:
    assert parameters(plain, "other") == (
        [
            Param("a", "POSITIONAL_ONLY"), Param("b"), Param("c", default_text="1"), Param("rest", "VAR_POSITIONAL"),
            Param("d", "KEYWORD_ONLY", "'x'"), Param("more", "VAR_KEYWORD"),
        ], "inspect",
    )  # fmt: skip


def test_nothing_known_is_none() -> None:
    assert parameters(undocumented, "x") == (None, "")


def wrapped(function: Any) -> Any:
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> None:
        function(self, *args, **kwargs)

    return wrapper


class Optimizer:
    @wrapped
    def __init__(self, params: Any, lr: float = 0.1) -> None: ...


class Inheriting(Optimizer):
    """Has no __init__ of its own."""


class Bare:
    """Takes nothing."""


@pytest.mark.parametrize("cls", [Optimizer, Inheriting])
def test_a_decorated_init_is_read_from_its_source(cls: type) -> None:
    assert parameters(cls, "mindspore.nn.X") == ([Param("params"), Param("lr", default_text="0.1")], "source")


def test_a_class_without_init_takes_nothing() -> None:
    assert parameters(Bare, "mindspore.nn.Bare") == ([], "inspect")


def test_listed_arguments() -> None:
    doc = (
        "LSTM.\n\nArgs:\n    input_size (int): Number of features\n        of the input.\n"
        "    dropout (float, optional): If not 0. Default ``0.0`` .\n    kwargs (dict, optional): More.\n\n"
        "Keyword Args:\n    dtype (int): Of it. Default: ``None``.\n\nInputs:\n    - **x** (Tensor) - no argument.\n"
    )
    assert listed_arguments(doc) == [
        Param("input_size"), Param("dropout", default_text="0.0"), Param("kwargs", default_text="None"),
        Param("dtype", "KEYWORD_ONLY", "None"),
    ]  # fmt: skip


def test_overloads_are_those_of_the_name() -> None:
    doc = "sum(dim) -> Tensor\n\n.. method:: Tensor.sum(axis=None) -> Tensor\n\n.. method:: Tensor.mean(x) -> Tensor\n"
    assert overloads(doc, "sum") == [[Param("axis", default_text="None")]]


@pytest.mark.parametrize(
    ("doc", "wanted"),
    [
        ("Does.\n\n.. warning::\n    This interface is deprecated and will be removed after version 2.9.0.\n", "This interface is deprecated and will be removed after version 2.9.0."),
        ("Does.\n\nSupported Platforms:\n    Deprecated\n", "Deprecated"),
        ("Does.\n\nArgs:\n    x (int): The parameter `x` is deprecated.\n", None),
        ("Does.\n\nNote:\n    - The value ``O2`` of `level` is deprecated from version 2.9.0.\n", None),
        ("Does things.", None),
    ],
)  # fmt: skip
def test_deprecation(doc: str, wanted: str | None) -> None:
    assert deprecation(doc) == wanted
