"""Layers that must be the vendored class wherever a project makes them, though MindSpore's own computes the same.

The project reads their torch attribute names off values whose class is not known or that MindSpore's class does not have
(`read_attributes`), checks for a class whose MindSpore base is shared with other layers, compares classes, or calls a layer with more than its input.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath

from mindport.catalog import Catalog, Entry
from mindport.convert.called_with_more import called_with_more
from mindport.convert.class_identity import compared
from mindport.convert.context import MODULE
from mindport.convert.decide import mindspore_base
from mindport.convert.empty_places import with_empty_places
from mindport.convert.read_attributes import LAYERS, Wanted, asked_attribute, matched
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Facts, Use
from mindport.source.file import SourceFile

#: Layers that take packed sequences, which only the vendored classes do: where a project packs, they stand in.
PACKING = ("torch.nn.utils.rnn.pack_", "torch.nn.utils.rnn.PackedSequence")
PACKABLE = frozenset(("torch.nn.RNN", "torch.nn.GRU", "torch.nn.LSTM"))


@dataclass
class _Known:
    """What the knowledge says of its layers."""

    aliases: dict[str, set[str]] = field(default_factory=dict)  # property of a vendored class → the layers that have it
    stored: set[str] = field(default_factory=set)  # those of parameters, which people read off modules they know nothing about
    followed: dict[str, set[str]] = field(default_factory=dict)  # attributes that only the vendored class follows when they are set later
    shared_base: dict[str, set[str]] = field(default_factory=dict)  # layer → all that are written as the same class of MindSpore's


@lru_cache(maxsize=2)
def _known(catalog: Catalog) -> _Known:
    known = _Known()
    bases: dict[str, set[str]] = {}
    for entry in catalog.entries:
        if entry.kind != "layer" or not isinstance(entry.node, ast.ClassDef):
            continue
        for statement in methods(catalog, entry):
            if statement.decorator_list:
                known.aliases.setdefault(statement.name, set()).update(entry.names)
                known.stored |= {statement.name} & set(entry.state)
                if any(isinstance(d, ast.Attribute) and d.attr == "setter" for d in statement.decorator_list):
                    for name in entry.names:
                        known.followed[f"{name}.{statement.name}"] = set(entry.names)
        base = mindspore_base(entry)
        if base is not None:
            bases.setdefault(ast.unparse(base), set()).update(entry.names)
    known.shared_base = {name: group for group in bases.values() if len(group) > 1 for name in group}
    return known


def methods(catalog: Catalog, entry: Entry) -> list[ast.FunctionDef]:
    """What a vendored layer's class defines, and what it has of another layer's (`SyncBatchNorm` of `BatchNorm2d`)."""
    found: list[ast.FunctionDef] = []
    bases = [entry.node]
    for node in bases:
        if isinstance(node, ast.ClassDef):
            found += [statement for statement in node.body if isinstance(statement, ast.FunctionDef)]
            bases += [e.node for base in node.bases if isinstance(base, ast.Name) for e in catalog.find(f"torch.nn.{base.id}") if e.kind == "layer" and e.node is not node]
    return found


def vendored_layers(catalog: Catalog, files: Sequence[SourceFile], facts: Mapping[PurePosixPath, Facts], read: Wanted, double: bool = False) -> frozenset[str]:
    """The layers' torch names. `read`: attributes that are read off layers; `double`: float64 is the project's default dtype."""
    layers = _known(catalog)
    found = compared(catalog, files, facts) | with_empty_places(facts.values()) | set(read)
    found |= called_with_more(catalog, [(file, facts[file.relative]) for file in files], double)
    for file in files:
        known = facts[file.relative]
        for use in known.uses:
            if use.name.startswith(PACKING):
                found |= PACKABLE
            if use.kind == "check" and use.name in layers.shared_base:
                found |= layers.shared_base[use.name]
            if use.kind == "store":
                found |= layers.followed.get(use.name, set()) | _given_children(catalog, use.name)
        for owner, attribute in matched(file, known):
            found |= layers.aliases.get(attribute, set()) if owner == MODULE else set()
        for use in ambiguous(known.uses):
            found |= layers.aliases.get(use.name.rpartition(".")[2], set()) & {use.name.rpartition(".")[0]}
        sure = {id(use.node) for use in known.uses if use.certainty == "certain"}
        for node in file.nodes:
            if isinstance(node, ast.Attribute) and node.attr in layers.aliases and id(node) not in sure and _may_be_layer(known, node.value, node.attr in layers.stored):
                found |= layers.aliases[node.attr]
            elif isinstance(node, ast.Call) and (asked := asked_attribute(node)) in layers.aliases and _may_be_layer(known, node.args[0], asked in layers.stored, by_name=True):
                found |= layers.aliases[asked]
    return frozenset(found)


def ambiguous(uses: Sequence[Use]) -> list[Use]:
    """Attributes that may be those of several classes: ``m.weight`` behind ``isinstance(m, (nn.Linear, nn.Embedding))``."""
    names: dict[int, set[str]] = {}
    for use in uses:
        if use.kind in ("attribute", "store"):
            names.setdefault(id(use.node), set()).add(use.name)
    return [use for use in uses if len(names.get(id(use.node), ())) > 1]


def _given_children(catalog: Catalog, name: str) -> set[str]:
    """The layer's names where the store ``torch.nn.Sequential.conv`` gives it an attribute that it does not have:
    a child that only the vendored class, with its own ``construct``, would call."""
    found = catalog.layer_attribute(name)
    if found is None or not found[0].base_suffices or torchfacts.member(*name.rsplit(".", 1)) is not None:
        return set()
    return set(found[0].names)


def _may_be_layer(facts: Facts, receiver: ast.expr, unknown_too: bool, by_name: bool = False) -> bool:
    """Whether a value may be a layer: a module of no known class (of any, where it is asked `by_name`), or anything at all where `unknown_too`."""
    for option in v.options(facts.value(receiver)):
        if isinstance(option, v.Instance) and (option.cls == MODULE or by_name and option.cls.startswith(LAYERS)):
            return True
        if isinstance(option, v.Unknown) and unknown_too and isinstance(receiver, (ast.Name, ast.Attribute)):
            return not (isinstance(receiver, ast.Name) and receiver.id in ("self", "cls"))
    return False
