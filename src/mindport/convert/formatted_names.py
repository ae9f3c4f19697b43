"""``getattr(nn, f"Conv{n}d")``, ``"MaxPool%dd" % n``: texts with holes that stand for a few of PyTorch's names.

What a hole holds is known when the program runs; which names it can make of the rest is known before: those that the written parts begin, end and
part. A text that fits more than `MOST` of them says too little (``f"{kind}Loss"``, ``f"{name}_"``): there the project's own words fill the hole.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from mindport.inference import torchfacts

#: So many names a text with holes may stand for; so many letters stand in it.
MOST = 6
LETTERS = 4
_HOLE = "\0"
_PERCENT = re.compile(r"%[0-9.]*[dsi]")
_BRACES = re.compile(r"\{[^{}]*\}")
_WRITTEN = re.compile(rf"[A-Za-z0-9_{_HOLE}]+")


def fitting(node: ast.AST) -> frozenset[str]:
    """The names that what an expression writes can be; nothing where it is no text with holes."""
    text = _text(node)
    if text is None or _HOLE not in text or not _WRITTEN.fullmatch(text) or sum(map(str.isalpha, text)) < LETTERS:
        return frozenset()
    return _matching(text)


def filled(node: ast.AST, words: Collection[str]) -> frozenset[str]:
    """The names that a text with one hole is with one of the project's words in it."""
    text = _text(node)
    if text is None or text.count(_HOLE) != 1 or text == _HOLE or not _WRITTEN.fullmatch(text):
        return frozenset()
    before, _, after = text.partition(_HOLE)
    return frozenset(name for name in _members() if name.startswith(before) and name.endswith(after) and name[len(before) : len(name) - len(after)] in words)


@lru_cache(maxsize=1024)
def _matching(text: str) -> frozenset[str]:
    """A number in the hole where that gives names, else any word."""
    for hole in (r"\d", r"\w+"):
        pattern = re.compile(hole.join(map(re.escape, text.split(_HOLE))))
        found = frozenset(name for name in _members() if pattern.fullmatch(name))
        if found:
            return found if len(found) <= MOST else frozenset()
    return frozenset()


@lru_cache(maxsize=1)
def _members() -> frozenset[str]:
    """The last parts of PyTorch's names of functions and classes in modules."""
    names = torchfacts.public_names()
    return frozenset(name.rpartition(".")[2] for name in names if not name.startswith("torch.Tensor.") and name.rpartition(".")[0] in _modules())


@lru_cache(maxsize=1)
def _modules() -> frozenset[str]:
    facts = ((name, torchfacts.lookup(name)) for name in torchfacts.public_names())
    return frozenset({"torch"} | {name for name, fact in facts if fact is not None and fact.kind == "module"})


def _text(node: ast.AST) -> str | None:
    """What an expression writes, its holes marked."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else _HOLE for part in values)
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()):
            return _PERCENT.sub(_HOLE, text)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return _BRACES.sub(_HOLE, text)
        case ast.BinOp(op=ast.Add()):
            return "".join(_parts(node))
    return None


def _parts(node: ast.expr) -> Iterator[str]:
    """The parts of a sum of texts; what is no text is a hole (a sum of numbers is holes alone)."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _parts(node.left)
        yield from _parts(node.right)
    else:
        yield node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else _HOLE
