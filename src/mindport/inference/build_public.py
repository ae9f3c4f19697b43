"""Writes ``data/public-<version>.txt``: every public torch callable that the catalog owes a verdict.

``python -m mindport.inference.build_public [--torchvision FOLDER]`` runs where torch is installed. It
walks torch's own namespaces (`NAMESPACES`, `CLASSES`) and keeps what is public: no leading underscore,
callable, torch's own (a `__module__` below torch), and canonical there, so that a name that torch only
re-exports is counted once, where torch documents it. torchvision is only read: its ``__all__`` lists are
literals, so a folder of its sources is enough; without one its lines stay as they are.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mindport.inference.public import DATA, public_callables
from mindport.inference.torchfacts import canonical

#: The namespaces whose callables users write.
NAMESPACES = (
    "torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.utils", "torch.nn.utils.rnn", "torch.nn.utils.parametrize",
    "torch.nn.utils.parametrizations", "torch.nn.utils.prune", "torch.nn.utils.stateless", "torch.nn.parallel", "torch.nn.attention",
    "torch.optim", "torch.optim.lr_scheduler", "torch.optim.swa_utils", "torch.linalg", "torch.fft", "torch.special",
    "torch.signal.windows", "torch.distributions", "torch.distributions.constraints", "torch.distributions.transforms",
    "torch.utils.data", "torch.utils.data.distributed", "torch.utils.checkpoint", "torch.utils.dlpack", "torch.utils.model_zoo",
    "torch.utils.cpp_extension", "torch.utils.benchmark", "torch.utils.hooks",
    "torch.autograd", "torch.autograd.functional", "torch.autograd.graph", "torch.autograd.forward_ad", "torch.autograd.profiler",
    "torch.amp", "torch.cuda", "torch.cuda.amp", "torch.cpu", "torch.mps", "torch.xpu", "torch.accelerator", "torch.sparse", "torch.func",
    "torch.distributed", "torch.distributed.fsdp", "torch.distributed.rpc", "torch.jit", "torch.random", "torch.overrides", "torch.nested",
    "torch.masked", "torch.onnx", "torch.export", "torch.compiler", "torch.profiler", "torch.hub", "torch.library", "torch.testing",
    "torch.backends.cudnn", "torch.backends.cuda", "torch.backends.mps", "torch.backends.mkldnn", "torch.backends.mkl",
    "torch.backends.openmp", "torch.backends.cpu", "torch.multiprocessing", "torch.futures", "torch.package", "torch.fx",
    "torch.ao.quantization", "torch.quantization",
)  # fmt: skip
#: The classes whose members users call.
CLASSES = (
    "torch.Tensor", "torch.Generator", "torch.nn.Module", "torch.nn.Sequential", "torch.nn.ModuleList",
    "torch.nn.ModuleDict", "torch.nn.ParameterList", "torch.nn.ParameterDict", "torch.optim.Optimizer",
    "torch.optim.lr_scheduler.LRScheduler", "torch.distributions.Distribution", "torch.amp.GradScaler", "torch.autograd.Function",
    "torch.nn.utils.rnn.PackedSequence",
)  # fmt: skip
#: What `torch.nn.functional` and others, which have no ``__all__``, import for their own use.
IMPORTED = frozenset(("assert_int_or_pair", "boolean_dispatch", "handle_torch_function", "Tensor", "DType"))
#: torchvision's packages whose ``__all__`` lists hold what is in daily use.
VISION = ("ops", "transforms", "models")
#: transforms.functional has no ``__all__``.
VISION_FUNCTIONS = ("transforms/functional.py",)


def torch_names() -> Iterator[str]:
    """The public callables of the torch that is installed."""
    for space in NAMESPACES:
        try:
            module = importlib.import_module(space)
        except ImportError:
            continue
        listed = set(getattr(module, "__all__", ()))
        for name in dir(module):
            value = getattr(module, name, None)
            if name.startswith("_") or not callable(value) or not _ours(value):
                continue
            full = canonical(f"{space}.{name}")
            if name in IMPORTED and space != "torch" or name.startswith("has_torch_function"):
                continue
            if full.rpartition(".")[0] in NAMESPACES and (not listed or space == "torch" or name in listed):
                yield full
    for owner in CLASSES:
        space, _, name = owner.rpartition(".")
        cls = getattr(importlib.import_module(space), name)
        for member in dir(cls):
            if not member.startswith("_") and _defined_by_torch(cls, member):
                yield f"{owner}.{member}"


def _ours(value: Any) -> bool:
    module = getattr(value, "__module__", None) or ""
    return module in ("", "builtins", "_VariableFunctions") or module.startswith("torch")


def _defined_by_torch(cls: type, member: str) -> bool:
    """Whether a member is a documented one of this class itself; of a module's subclasses only what they add."""
    for owner in cls.__mro__:
        if member in vars(owner):
            shared = owner.__module__ == "builtins" or (owner is not cls and owner.__name__ in ("Module", "object", "Tensor"))
            value = inspect.getattr_static(cls, member)
            return not shared and (owner.__module__.startswith("torch") or callable(value))
    return False


def vision_names(folder: Path) -> Iterator[str]:
    """torchvision's public callables, read from its sources."""
    for package in VISION:
        for path in sorted((folder / package).glob("*.py")):
            if path.name == "_api.py" or not path.name.startswith("_") or path.name == "__init__.py":
                yield from (f"torchvision.{package}.{name}" for name in _all(path))
    for path in (folder / "models").glob("*/*.py"):
        yield from (f"torchvision.models.{path.parent.name}.{name}" for name in _all(path))
    for relative in VISION_FUNCTIONS:
        tree = ast.parse((folder / relative).read_text())
        space = "torchvision." + relative.removesuffix(".py").replace("/", ".")
        yield from (f"{space}.{n.name}" for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name[0] != "_")


def _all(path: Path) -> list[str]:
    for node in ast.parse(path.read_text()).body:
        # A sum repeats the lists of other files.
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List) and ast.unparse(node.targets[0]) == "__all__":
            return [name for name in ast.literal_eval(node.value) if not name.endswith("Weights")]
    return []


def main() -> None:
    """Write the list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--torchvision", type=Path, help="a folder of torchvision's sources")
    options = parser.parse_args()
    names = set(torch_names())
    if options.torchvision:
        names |= set(vision_names(options.torchvision))
    elif DATA.exists():
        names |= {name for name in public_callables() if name.startswith("torchvision.")}
    DATA.write_text("\n".join(sorted(names)) + "\n", "utf-8")
    print(f"{DATA}: {len(names)} names")


if __name__ == "__main__":
    main()
