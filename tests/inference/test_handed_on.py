"""What Python's own functions hand on, and what code loaded by its name makes, may be a tensor or a module; other libraries' results are their own."""

from __future__ import annotations

import pytest

from tests.inference.files import facts_of

_HEAD = """import collections, copy, functools, heapq, importlib, itertools, json, operator, os, pickle, pydoc, queue, random, sys, threading
from concurrent.futures import ThreadPoolExecutor
import cv2
import torch


def f(a, xs, name, fn, pool):
"""


def _asks(text: str) -> bool:
    """Whether the member `size` of an expression is listed as one that may be torch's."""
    facts, _ = facts_of(_HEAD + f"    return {text}.size(0)\n")
    return any("torch.Tensor.size" in place.candidates for place in facts.unresolved) or any(use.name == "torch.Tensor.size" for use in facts.uses)


@pytest.mark.parametrize(
    "text",
    [
        "importlib.import_module(name).Net(3)", "__import__(name).Net(3)", "eval(name)(3)", "globals()[name](3)", "vars(a)[name](3)", "pydoc.locate(name)(3)",
        "random.sample(xs, 2)[0]", "random.choices(xs)[0]", "operator.itemgetter(0)(xs)", "operator.add(a, a)", "queue.Queue().get()", "heapq.heappop(xs)",
        "list(ThreadPoolExecutor(2).map(fn, xs))[0]", "functools.lru_cache(None)(fn)(3)", "list(itertools.accumulate(xs))[0]", "next(itertools.cycle(xs))",
        "pickle.load(a)['x']", "collections.ChainMap(a, a)['x']", "threading.local().x", "locals()['a']", "sys.modules[name].Net(3)",
    ],
)  # fmt: skip
def test_what_is_handed_on_may_be_a_tensor(text: str) -> None:
    assert _asks(text)


@pytest.mark.parametrize("text", ["cv2.imread(name)", "cv2.VideoCapture(0).read()[1]", "os.stat(name)", "json.load(a)", "threading.Thread(target=fn)"])
def test_what_others_make_is_theirs(text: str) -> None:
    assert not _asks(text)
