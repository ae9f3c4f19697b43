"""torch's own facts: which names exist, their signatures, types and bases. Read from shipped data.

`lookup`, `public_names`, `canonical`, `member`, `ancestors` and `returned` are for every room; names go in and
come out canonical (docs/architecture.md). The data is written by `build_stubs`; corrections to
it stand in `overlays/`.
"""

from __future__ import annotations

import ast
import gzip
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from mindport.inference.overlays import timm
from mindport.inference.overlays.names import CANONICAL, EXTRA, FUNCTORCH

_DATA = Path(__file__).parent / "data" / "torch-2.13.json.gz"
#: torchvision's models and what they hold, written by `evidence.build_torchvision`.
_MODELS = Path(__file__).parent / "data" / "torchvision-0.28.json.gz"
#: NumPy's names for parameters, and torch's. Which functions take them: `numpy_names`.
NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}
NUMPY_NAMES_DATA = Path(__file__).parent / "data" / "numpy-names.json"
_KINDS = {"f": "function", "c": "class", "a": "attribute", "k": "constant", "m": "module"}


@dataclass(frozen=True)
class TorchParameter:
    """One parameter; `kind` as in `inspect.Parameter.kind.name`, texts as torch's source has them."""

    name: str
    kind: str
    default: str | None
    annotation: str | None


@dataclass(frozen=True)
class Signature:
    """One overload; a method's has no ``self``."""

    parameters: tuple[TorchParameter, ...]
    returns: str | None


@dataclass(frozen=True)
class TorchApi:
    """What torch says about one name; `type` is an attribute's or constant's type as text."""

    name: str
    kind: Literal["function", "class", "attribute", "constant", "module"]
    record: str

    @cached_property
    def _lines(self) -> list[str]:
        return self.record[1:].split("\n")

    @property
    def type(self) -> str:
        """The type of an attribute or constant; empty where torch does not say."""
        return self._lines[0] if self.kind in ("attribute", "constant") else ""

    @property
    def bases(self) -> tuple[str, ...]:
        """The direct bases of a class."""
        return tuple(filter(None, self._lines[0].split(","))) if self.kind == "class" else ()

    @cached_property
    def signatures(self) -> tuple[Signature, ...]:
        """All overloads; of a class: how it is constructed. Empty where torch does not say."""
        if self.kind not in ("function", "class"):
            return ()
        lines = self._lines[1:] if self.kind == "class" else self._lines
        return tuple(signature(line) for line in lines if line)

    @property
    def returns(self) -> str | None:
        """The return type, where all overloads agree."""
        found = {one.returns for one in self.signatures}
        return found.pop() if len(found) == 1 else None


@cache
def signature(text: str) -> Signature:
    """Parse ``(a: int, *, b=1) -> Tensor``."""
    function: Any = ast.parse(f"def f{text}: ...").body[0]
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    found = []
    for i, (one, default) in enumerate(zip(positional, defaults, strict=False)):
        kind = "POSITIONAL_ONLY" if i < len(arguments.posonlyargs) else "POSITIONAL_OR_KEYWORD"
        found.append(_parameter(one, kind, default))
    if arguments.vararg:
        found.append(_parameter(arguments.vararg, "VAR_POSITIONAL", None))
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=False):
        found.append(_parameter(one, "KEYWORD_ONLY", default))
    if arguments.kwarg:
        found.append(_parameter(arguments.kwarg, "VAR_KEYWORD", None))
    return Signature(tuple(found), ast.unparse(function.returns) if function.returns else None)


def _parameter(one: ast.arg, kind: str, default: ast.expr | None) -> TorchParameter:
    annotation = ast.unparse(one.annotation) if one.annotation else None
    return TorchParameter(one.arg, kind, ast.unparse(default) if default else None, annotation)


class _Data(msgspec.Struct):
    version: str
    aliases: dict[str, str]
    names: dict[str, str]


@lru_cache(maxsize=1)
def _data() -> _Data:
    data = msgspec.json.decode(gzip.decompress(_DATA.read_bytes()), type=_Data)
    data.aliases.update(CANONICAL)
    for old, new in CANONICAL.items():
        data.names.pop(old, None)
        data.aliases.pop(new, None)
    models = msgspec.json.decode(gzip.decompress(_MODELS.read_bytes()), type=_Data)
    data.names.update(models.names)
    data.names.update(EXTRA)
    data.names.update(timm.RECORDS)
    data.aliases.update(models.aliases)
    return data


def is_known(name: str) -> bool:
    """Whether these facts are to be asked about a name: torch's own, torchvision's models, and what is held of timm."""
    return name.startswith("torch.") or lookup(name) is not None


def version() -> str:
    """The torch release that the facts are of."""
    return _data().version


@cache
def lookup(name: str) -> TorchApi | None:
    """The facts about a canonical name, None where torch has no such public name."""
    record = _data().names.get(name)
    if record is None:
        return None
    return TorchApi(name, _KINDS[record[0]], record)  # type: ignore[arg-type]


def is_installed(name: str) -> bool:
    """Whether an import of it never fails where a project runs: torch itself, and what torch 2.13 has."""
    return name in ("torch", "torchvision") or (name.startswith("torch.") and lookup(name) is not None)


def public_names() -> frozenset[str]:
    """All canonical names."""
    return frozenset(_data().names)


#: What torchvision called otherwise until 0.14 (classes derived from those of the present names, with nothing of their own).
FORMER_NAMES = {
    f"torchvision.transforms.{module}{former}": f"torchvision.transforms.{name}"
    for module in ("", "transforms.")
    for former, name in (("Scale", "Resize"), ("RandomSizedCrop", "RandomResizedCrop"))
}


@cache
def canonical(name: str) -> str:
    """The name under which torch documents what `name` means; other libraries' names as they are."""
    if name.startswith(FUNCTORCH):
        moved = f"torch.func.{name[len(FUNCTORCH) :]}"
        name = moved if moved in _data().names or moved in _data().aliases else name
    if name.startswith("timm."):
        return timm.documented(name)
    if not name.startswith("torch."):
        return _data().aliases.get(name) or FORMER_NAMES.get(name) or _where_documented(name)
    if ".torch." in name:  # `torch.torch` and `torch.sparse.torch` are torch itself
        name = f"torch.{name.rpartition('.torch.')[2]}"
    data = _data()
    for _ in range(4):  # an alias may lead to a module that has another name
        if name in data.names and name not in data.aliases:
            return name
        head, rest = name, ""
        while head not in data.aliases:
            head, dot, tail = head.rpartition(".")
            if not dot:
                return name
            rest = f".{tail}{rest}"
        name = data.aliases[head] + rest
    return name


def _where_documented(name: str) -> str:
    """torchvision's transforms and data sets by the module that defines them: ``torchvision.datasets.mnist.MNIST`` is ``torchvision.datasets.MNIST``."""
    parts = name.split(".")
    inside = len(parts) == 4 and (parts[:3] == ["torchvision", "transforms", "transforms"] or parts[:2] == ["torchvision", "datasets"])
    return f"torchvision.{parts[1]}.{parts[3]}" if inside and parts[3][:1].isupper() else name


@cache
def ancestors(cls: str) -> tuple[str, ...]:
    """`cls` and all its bases, nearest first."""
    found = [cls]
    api = lookup(cls)
    for base in api.bases if api else ():
        found += [name for name in ancestors(base) if name not in found]
    return tuple(found)


MODULE = "torch.nn.Module"


@cache
def makes_modules(namespace: str) -> bool:
    """Whether the functions of a namespace make modules: ``torchvision.models``."""
    start = f"{namespace}."
    return any(gives_module(name) for name in _data().names if name.startswith(start) and "." not in name[len(start) :])


def gives_module(name: str) -> bool:
    """Whether a name is a function that makes a module, so its annotation says."""
    api = lookup(name)
    return api is not None and api.kind == "function" and api.returns is not None and MODULE in ancestors(api.returns)


@cache
def is_method(name: str) -> bool:
    """Whether what tensors and modules call so are methods alone: read without being called, it says nothing of its object (``args.mode == "dev"``)."""
    found = [lookup(f"{cls}.{name}") for cls in ("torch.Tensor", MODULE)]
    return any(found) and all(api is None or api.kind == "function" for api in found)


@cache
def may_give_tensor(method: str) -> bool:
    """Whether a tensor's method may give a tensor, or several: not an array (`numpy`), a number (`item`) or a text."""
    api = lookup(f"torch.Tensor.{method}")
    given = [signature.returns for signature in api.signatures] if api is not None else []
    return any(one is None or "Tensor" in one or one.startswith("torch.return_types.") for one in given)


@cache
def member(cls: str, name: str) -> TorchApi | None:
    """A class's method or attribute, its own or inherited; `.name` is the defining class's name.

    A module class that overrides what every module has (``DistributedDataParallel.train``), with the same parameters,
    keeps what it means: it is the module's.
    """
    for owner in ancestors(cls):
        found = lookup(f"{owner}.{name}")
        if found is not None:
            everyone = lookup(f"{MODULE}.{name}") if owner != MODULE and MODULE in ancestors(owner) else None
            return everyone if everyone is not None and _parameters(everyone) == _parameters(found) and name != "forward" else found
    return None


def _parameters(api: TorchApi) -> list[list[str]]:
    return [[parameter.name for parameter in signature.parameters] for signature in api.signatures]


@cache
def members(cls: str) -> frozenset[str]:
    """The names of a class's own members."""
    start = len(cls) + 1
    return frozenset(
        name[start:] for name in _data().names if name.startswith(f"{cls}.") and "." not in name[start:]
    )


@lru_cache(maxsize=1)
def _numpy_names() -> dict[str, list[str]]:
    return msgspec.json.decode(NUMPY_NAMES_DATA.read_bytes(), type=dict[str, list[str]])


def numpy_names(name: str) -> dict[str, str]:
    """For ``torch.sum``: ``{"axis": "dim", "keepdims": "keepdim"}``, as torch's compiled argument parser takes them."""
    return {theirs: NUMPY_NAMES[theirs] for theirs in _numpy_names().get(name, ())}
