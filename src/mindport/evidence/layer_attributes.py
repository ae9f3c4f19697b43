"""What reading an attribute of a torch layer gives in a converted project: data of a run, read without either framework.

For every layer of torch's module database and every public attribute of its objects that holds a plain value, one of

* ``plain``: MindSpore's own class, under the name that convert writes, gives torch's value, and so does the vendored class;
* ``vendored``: only the vendored class does, under torch's name;
* ``given``, ``axes 2``, ``constant False``: the vendored class does under `layers.kept_arguments.keeping`, which keeps the
  constructor's argument as it was given, as a tuple for two axes, or a value that all such layers have;
* ``filled``: as ``plain`` where torch has a tensor; where it has None, as with ``affine=False``, MindSpore holds a tensor all the same;
* ``none``: nothing does.

Under the attribute's name with `` =`` stands whether the layer follows a value that is set after it was made: ``plain``,
``vendored``, ``follows`` (the vendored class does under `keeping`, which derives what it computes with anew), ``none``, ``unknown`` where
no run could say so (`evidence.attribute_stores`).

Written by ``python -m mindport.evidence.run_attributes``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

DATA = Path(__file__).parent / "data" / "layer-attributes.json"


@cache
def load() -> dict[str, dict[str, str]]:
    """Layer → attribute → outcome."""
    return msgspec.json.decode(DATA.read_bytes(), type=dict[str, dict[str, str]])


def outcome(name: str, *, set_later: bool = False) -> str:
    """The outcome of reading (or setting) ``torch.nn.Conv2d.padding``; "" where no run did."""
    layer, _, attribute = name.rpartition(".")
    return load().get(layer, {}).get(stored(attribute) if set_later else attribute, "")


def stored(attribute: str) -> str:
    """The key of what setting an attribute does."""
    return f"{attribute} ="


def is_lost(found: str) -> bool:
    """Whether an attribute is not there, or may be set without effect."""
    return found in ("none", "unknown")


def is_kept(found: str) -> bool:
    """Whether an outcome needs the vendored class under `keeping`."""
    return found in ("given", "follows") or found.startswith(("axes ", "constant "))
