"""Other spellings of one member of torch's tensors, read as the documented one: ``p._grad`` is ``p.grad``.

torch's tensors have both (`_grad` is older, and shared optimizers set it on the parameters of another process's network).
MindSpore's have neither name of their own: what is stored under the one is not seen by what reads the other. Everything that looks
for gradients asks for the documented name, so the text is read with it, before anything else sees it.

A project whose own classes have such a member keeps it.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.source import edits
from mindport.source.file import SourceFile, parse

#: What torch's tensors call by two names: the other one, and the documented one.
_SPELLINGS = {"_grad": "grad"}


def unified(files: list[SourceFile]) -> list[SourceFile]:
    """The files with one spelling; those that have no other one are the same objects."""
    other = {name for name in _SPELLINGS if any(f".{name}" in file.text for file in files)}
    other -= {name for name in other if any(_is_own(file, name) for file in files)}
    return [_with_one(file, other) for file in files] if other else files


def _is_own(file: SourceFile, name: str) -> bool:
    """Whether a class of the file has a member of that name: by `self`, or in its body."""
    for node in file.nodes:
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=attr) if attr == name:
                return True
            case ast.FunctionDef(name=defined) | ast.AsyncFunctionDef(name=defined) if defined == name:
                return True
            case ast.ClassDef(body=body) if any(isinstance(n, ast.Name) and n.id == name for s in body if isinstance(s, (ast.Assign, ast.AnnAssign)) for n in ast.walk(s)):
                return True
    return False


def _with_one(file: SourceFile, names: set[str]) -> SourceFile:
    planned = []
    for node in file.nodes:
        if isinstance(node, ast.Attribute) and node.attr in names:
            _, end = file.offsets(node)
            planned.append(edits.Edit(end - len(node.attr), end, node.attr, _SPELLINGS[node.attr]))
    if not planned:
        return file
    text = edits.apply(file.text, planned)
    return replace(file, text=text, tree=parse(text))
