"""``block.conv, block.bn = fused, nn.Identity()``: parts of models that one statement sets get a statement each, before anything else is converted.

What is written otherwise where a part of a model is set (a module in a sequence, a layer's bias) asks for a statement with one target. They stand in
one line, so that lines keep their numbers. Python reads all values first: where a later one may read what an earlier target sets, the values get names.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.convert.instances import is_instance_of, may_be_instance_of
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source import edits
from mindport.source.edits import Edit
from mindport.source.file import SourceFile, parse

_MODULE = "torch.nn.Module"


def single_targets(file: SourceFile, facts: Facts) -> SourceFile:
    """The file with a statement for every part of a model that is set; itself where each has one."""
    changes = []
    for node in file.nodes:
        if isinstance(node, ast.Assign):
            statements = _apart(file, facts, node)
            start, end = file.offsets(node)
            if statements:
                old = file.text[start:end]
                missing = old.count("\n") - "".join(statements).count("\n")
                changes.append(Edit(start, end, old, "; ".join([*statements[:-1], "\\\n" * missing + statements[-1]])))
    if not changes:
        return file
    text = edits.apply(file.text, changes)
    return replace(file, text=text, tree=parse(text))


def _apart(file: SourceFile, facts: Facts, node: ast.Assign) -> list[str]:
    """The statements in place of one; none where it stays."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=targets) | ast.List(elts=targets)], value=ast.Tuple(elts=values) | ast.List(elts=values)) if len(targets) == len(values):
            pairs = list(zip(targets, values, strict=True))
            if not all(isinstance(part, ast.Name | ast.Attribute) for part in targets) or any(isinstance(part, ast.Starred) for part in values):
                return []
            if any(_sets_part(facts, target, value) for target, value in pairs):
                return _of_pairs(file, pairs)
        case ast.Assign(targets=[_, _, *_] as targets, value=value) if all(isinstance(part, ast.Name | ast.Attribute) for part in targets):
            if any(_sets_part(facts, target, value) for target in targets):
                first, *others = map(file.segment, targets)  # Python sets them from the left
                return [f"{first} = {_whole(file, value)}", *[f"{target} = {first}" for target in others]]
    return []


def _sets_part(facts: Facts, target: ast.expr, value: ast.expr) -> bool:
    """Whether a target may be a part of a model: of something but `self`, whose own parts MindSpore's cells take as torch's modules do."""
    if not isinstance(target, ast.Attribute) or isinstance(target.value, ast.Name) and target.value.id == "self":
        return False
    if not any(may_be_instance_of(kind, {_MODULE}) for kind in v.options(facts.value(target.value))):
        return False
    kinds = v.options(facts.value(value))
    module = any(is_instance_of(kind, {_MODULE}) for kind in kinds)
    return module or target.attr == "bias" and any(kind == v.NONE or isinstance(kind, v.TensorValue) and kind.parameter for kind in kinds)


def _of_pairs(file: SourceFile, pairs: list[tuple[ast.expr, ast.expr]]) -> list[str]:
    texts = [(file.segment(target), _whole(file, value)) for target, value in pairs]
    if not any(_may_read(value, [before for before, _ in pairs[:at]]) for at, (_, value) in enumerate(pairs)):
        return [f"{target} = {value}" for target, value in texts]
    taken = {node.id for node in file.nodes if isinstance(node, ast.Name)}
    names = [name for name in (f"part_{n}" for n in range(len(taken) + len(pairs))) if name not in taken][: len(pairs)]
    named = [f"{name} = {value}" for name, (_, value) in zip(names, texts, strict=True)]
    return [*named, *[f"{target} = {name}" for name, (target, _) in zip(names, texts, strict=True)]]


def _whole(file: SourceFile, value: ast.expr) -> str:
    """A value's text; one of several lines lost the brackets that held them together."""
    text = file.segment(value)
    return f"({text})" if "\n" in text else text


def _may_read(value: ast.expr, targets: list[ast.expr]) -> bool:
    """Whether a value may read one of these: it names what holds one, or the name that one binds."""
    roots = set()
    for part in targets:
        while isinstance(part, ast.Attribute):
            part = part.value
        roots.add(part.id if isinstance(part, ast.Name) else None)
    return None in roots or any(isinstance(part, ast.Name) and part.id in roots for part in ast.walk(value))
