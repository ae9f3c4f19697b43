"""Writes the table of the MindSpore version that is installed: ``python -m mindport.targets.build``.

By import, because many names are bound when MindSpore loads and stand in no source file.
"""

from __future__ import annotations

import gzip
import importlib
import inspect
import re
import sys
from types import ModuleType
from typing import Any

import msgspec

from mindport.targets.load import DATA, TargetApi
from mindport.targets.signatures import overloads, parameters

MODULES = (
    "mindspore", "mindspore.ops", "mindspore.nn", "mindspore.mint", "mindspore.mint.nn", "mindspore.mint.nn.functional",
    "mindspore.mint.linalg", "mindspore.mint.special", "mindspore.mint.optim", "mindspore.mint.distributed",
    "mindspore.common.initializer", "mindspore.experimental.optim", "mindspore.experimental.optim.lr_scheduler",
    "mindspore.numpy", "mindspore.scipy", "mindspore.scipy.linalg", "mindspore.dataset", "mindspore.dataset.transforms",
    "mindspore.dataset.vision", "mindspore.dataset.text", "mindspore.dataset.audio", "mindspore.amp",
    "mindspore.communication", "mindspore.train", "mindspore.parallel", "mindspore.runtime", "mindspore.nn.probability.distribution",
    "mindspore.rewrite", "mindspore.hal", "mindspore.device_context.cpu",
)  # fmt: skip

#: Classes whose members are names of their own.
CLASSES = ("mindspore.Tensor", "mindspore.Parameter", "mindspore.nn.Cell", "mindspore.COOTensor", "mindspore.CSRTensor", "mindspore.dataset.GeneratorDataset")

_PLATFORMS = re.compile(r"Supported Platforms:\s*\n\s*(.+)")
_DEPRECATED = re.compile(r"\bdeprecated\b", re.IGNORECASE)
#: A sentence with one of these speaks about a part of the API, not about the API.
_PART = re.compile(r"\b(parameters?|arguments?|values?|format|option|attribute|element|backend|inputs?|default|provided|specify_prefix|optional)\b", re.IGNORECASE)


def main() -> int:
    """Build and write the table; prints where it went."""
    import mindspore

    found: dict[str, TargetApi] = {}
    for name in MODULES:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        for member in public(module):
            add(found, f"{name}.{member}", getattr(module, member))
    for name in CLASSES:
        owner, _, member = name.rpartition(".")
        cls = getattr(importlib.import_module(owner), member, None)
        for attribute in dir(cls) if cls is not None else ():
            if not attribute.startswith("_") or attribute == "__call__":
                add(found, f"{name}.{attribute}", getattr(cls, attribute, None))
    path = DATA / f"mindspore-{mindspore.__version__}.json.gz"
    path.parent.mkdir(exist_ok=True)
    data = msgspec.json.encode(dict(sorted(found.items())))
    path.write_bytes(gzip.compress(data, mtime=0))
    print(f"{path}: {len(found)} names, {path.stat().st_size / 1e3:.0f} kB")
    return 0


def public(module: ModuleType) -> list[str]:
    """The public names of a module, submodules left out."""
    names = [n for n in dir(module) if not n.startswith("_")]
    names += [n for n in getattr(module, "__all__", ()) if n.startswith("_") and hasattr(module, n)]
    names += [n for n in ("_no_grad", "_Function") if hasattr(module, n)]
    return sorted({n for n in names if not isinstance(getattr(module, n, None), ModuleType)})


def add(found: dict[str, TargetApi], name: str, thing: Any) -> None:
    """Describe one name."""
    kind = "class" if inspect.isclass(thing) else "function" if callable(thing) else "attribute"
    doc = inspect.getdoc(thing) or ""
    if inspect.isclass(thing):
        doc += "\n" + (inspect.getdoc(thing.__init__) or "")
    platforms = _PLATFORMS.search(doc)
    known, source = parameters(thing, name) if kind != "attribute" else (None, "")
    found[name] = TargetApi(
        name, kind, known,
        re.findall(r"``(\w+)``", platforms.group(1)) or [platforms.group(1).strip()] if platforms else None,
        deprecation(doc), source, overloads(doc, name.rpartition(".")[2]) if kind == "function" else [],
    )  # fmt: skip


def deprecation(doc: str) -> str | None:
    """The sentence by which a docstring calls the whole API deprecated, or None."""
    for paragraph in re.split(r"\n\s*\n|\n\s*[-*] ", doc):
        for sentence in re.split(r"(?<=[.!?])\s+", " ".join(paragraph.split())):
            if _DEPRECATED.search(sentence) and not _PART.search(sentence):
                return re.sub(r"^(?:(?:\.\. )?\w+:: |Note: |Supported Platforms: |- )*", "", sentence).replace("`", "")
    return None


if __name__ == "__main__":
    sys.exit(main())
