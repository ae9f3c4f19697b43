"""Finds out which torch functions accept NumPy's names for their parameters, by calling them.

torch's compiled argument parser takes ``axis`` for ``dim``, ``keepdims`` for ``keepdim``, ``x2`` for ``other``;
functions written in Python do not. ``python -m mindport.evidence.numpy_names`` calls every function of the
catalog with its own sample, once with each name, and writes those that accept it to
`inference/data/numpy-names.json`. Imports torch.
"""

from __future__ import annotations

import inspect
import json
import sys
import warnings
from typing import Any

import torch

from mindport import catalog
from mindport.catalog import Entry
from mindport.evidence import own  # noqa: F401  registers our own samples
from mindport.evidence.knowledge import declaration
from mindport.evidence.samples import Sample, copied, plain, resolve
from mindport.inference.torchfacts import NUMPY_NAMES, NUMPY_NAMES_DATA

#: Samples tried for a function, until one has the parameter.
TRIED = 30


def accepted(entry: Entry, name: str) -> set[str]:
    """The NumPy names that the function `name` takes for the parameters of our entry."""
    arguments = entry.arguments
    assert arguments is not None
    parameters = {a.arg for a in [*arguments.args, *arguments.kwonlyargs]}
    wanted = {theirs for theirs, ours in NUMPY_NAMES.items() if ours in parameters and theirs not in parameters}
    if not wanted:
        return set()
    signature = inspect.signature(declaration(entry).target)
    found: set[str] = set()
    for sample in plain(name, entry.opinfo, torch.float32, TRIED) or plain(name, entry.opinfo, torch.int64, TRIED):
        try:
            bound = signature.bind(*sample.args, **sample.kwargs).arguments
        except TypeError:
            continue
        found |= {theirs for theirs in wanted - found if NUMPY_NAMES[theirs] in bound and _takes(name, sample, signature, theirs)}
    return found


def _takes(name: str, sample: Sample, signature: inspect.Signature, theirs: str) -> bool:
    bound = signature.bind(*copied(sample).args, **copied(sample).kwargs)
    ours = NUMPY_NAMES[theirs]
    position = list(bound.arguments).index(ours)
    items = list(bound.arguments.items())
    if any(signature.parameters[key].kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD for key, _ in items[:position]):
        return False
    before = [value for _, value in items[:position]]
    rest = dict(items[position:])
    rest[theirs] = rest.pop(ours)
    try:
        resolve(name)(*before, **rest)
    except (TypeError, RuntimeError, ValueError):
        return False
    return True


def names() -> dict[str, list[str]]:
    """torch name → the NumPy names it accepts."""
    told: dict[str, list[str]] = {}
    for entry in catalog.load().entries:
        if entry.kind != "function" or entry.arguments is None:
            continue
        for name in entry.names:
            if not name.startswith("torch.") or name.rpartition(".")[2].endswith("__"):
                continue
            try:
                function: Any = resolve(name)
            except AttributeError:
                continue
            if not (inspect.isbuiltin(function) or inspect.ismethoddescriptor(function)):
                continue
            if found := accepted(entry, name):
                told[name] = sorted({*told.get(name, []), *found})
    return dict(sorted(told.items()))


def main() -> int:
    """Write the data."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        told = names()
    text = ",\n".join(f' "{name}": {json.dumps(found)}' for name, found in told.items())
    NUMPY_NAMES_DATA.write_text("{\n" + text + "\n}\n", encoding="utf-8")
    print(f"{len(told)} functions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
