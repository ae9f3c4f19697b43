"""Handlers around operations on tensors meet the errors that torch raises, at their lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.convert.both_sides import converted_script, printed_by_both

PROGRAM = """
import contextlib

import torch
import torch.nn as nn

a, b = torch.ones(2, 3), torch.ones(2, 4)


def attempt(name, f):
    try:
        f()
        print(name, "fits")
    except RuntimeError:
        print(name, "RuntimeError")
    except IndexError:
        print(name, "IndexError")


try:
    y = a + b
    print("goes on")
except RuntimeError:
    print("told at its line")
with contextlib.suppress(RuntimeError):
    a.view(7)
    print("goes on")
attempt("add", lambda: a + b)
attempt("matmul", lambda: a @ b)
attempt("cat", lambda: torch.cat([a, b]))
attempt("view", lambda: a.view(7))
attempt("sum", lambda: a.sum(4))
attempt("linear", lambda: nn.Linear(5, 2)(a))
attempt("cholesky", lambda: torch.linalg.cholesky(-torch.eye(2)))
attempt("nothing", lambda: a + a)


def own(x):
    raise ValueError("the program's")


try:
    attempt("own", lambda: own(a))
except ValueError as error:
    print(error)
"""


@pytest.mark.frameworks
def test_the_errors_of_shapes(tmp_path: Path) -> None:
    """In processes of their own: tests have MindSpore run each kernel at once."""
    theirs, ours = printed_by_both(tmp_path, PROGRAM)
    assert ours == theirs


@pytest.mark.parametrize(("body", "handler", "written", "ordered"), [
    ("y = torch.cat([a, b])", "except RuntimeError:\n    y = None", "except torch_errors(RuntimeError):", True),
    ("y = a + b", "except (KeyError, RuntimeError) as e:\n    y = None", "except torch_errors((KeyError, RuntimeError)) as e:", True),
    ("y = a + b", "except (RuntimeError, ValueError):\n    y = None", "except (RuntimeError, ValueError):", True),
    ("y = a + b", "except Exception:\n    y = 1", "except Exception:", True),
    ("y = a + b", "except:\n    y = 1", "except:", True),
    ("y = a + b", "except RuntimeError as e:\n    print(e)\n    raise", "except RuntimeError as e:", False),
    ("y = a + b", "except RuntimeError as e:\n    if 'out of memory' in str(e):\n        y = None", "except RuntimeError as e:", False),
    ("y = a + b", "except KeyError:\n    y = None", "except KeyError:", False),
    ("y = torch.load('x.pt')", "except RuntimeError:\n    y = None", "except RuntimeError:", False),
    ("y = int('3')", "except RuntimeError:\n    y = None", "except RuntimeError:", False),
])  # fmt: skip
def test_what_is_written(tmp_path: Path, body: str, handler: str, written: str, ordered: bool) -> None:
    converted = converted_script(tmp_path, f"import torch\na = torch.ones(2)\nb = torch.ones(3)\ntry:\n    {body}\n{handler}\n")
    assert f"\n{written}\n" in converted
    assert ("torch_equivalents" in converted) is (ordered or "torch.load" in body)


@pytest.mark.parametrize(("handler", "written"), [
    ("except Exception:", "except errors_on_tape(Exception):"),
    ("except (TypeError, KeyError) as e:", "except errors_on_tape((TypeError, KeyError)) as e:"),
    ("except:", "except errors_on_tape(BaseException):"),
    ("except KeyError:", "except KeyError:"),
])  # fmt: skip
def test_on_the_tape(tmp_path: Path, handler: str, written: str) -> None:
    """An operator that refuses its arguments' types leaves the recording off; it goes on where the error is caught."""
    program = f"""
import torch

net, held = torch.nn.Linear(2, 1), []
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(2):
    held.append(net(torch.ones(3, 2)))
    try:
        joined = torch.cat((None, held[-1]))
    {handler}
        joined = held[-1]
    optimizer.zero_grad()
    held[-1].mean().backward(retain_graph=True)
    joined.sum().backward()
    optimizer.step()
"""
    converted = converted_script(tmp_path, program)
    assert "from torch_equivalents import" in converted and "backward(" in converted
    assert f"\n    {written}\n" in converted
