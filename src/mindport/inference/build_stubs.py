"""Writes ``data/torch-<version>.json.gz``: torch's own facts, so that torch need not be installed.

``python -m mindport.inference.build_stubs`` runs where torch is installed. It imports torch to
learn which names exist and which are the same object (``torch.nn.modules.conv.Conv2d`` is
``torch.nn.Conv2d``), and reads signatures from torch's ``.pyi`` files and ``.py`` sources, whose
text keeps annotations as they were written. Nothing else in `inference` imports torch.

The file is a JSON object: ``version``; ``aliases`` (other spelling → canonical name); ``names``
(canonical name → record). A record is one string: its first character is the kind (``f`` function
or method, ``c`` class, ``a`` attribute, ``k`` constant, ``m`` module), the rest are lines. A
class's first line holds its bases; every other line is one signature ``(…) -> …``; an attribute's
line is its type.
"""

from __future__ import annotations

import contextlib
import gzip
import importlib
import json
import sys
import types
import warnings
from pathlib import Path
from typing import Any

from mindport.inference.stub_reader import Sources

#: Namespaces that torch documents: a name found there is canonical as it is.
DOCUMENTED = ["torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.utils", "torch.nn.utils.rnn", "torch.nn.utils.parametrizations", "torch.nn.utils.parametrize", "torch.nn.utils.prune", "torch.nn.utils.stateless", "torch.nn.attention", "torch.nn.parallel", "torch.optim", "torch.optim.lr_scheduler", "torch.optim.swa_utils", "torch.autograd", "torch.autograd.functional", "torch.autograd.profiler", "torch.autograd.graph", "torch.autograd.forward_ad", "torch.cuda", "torch.cuda.amp", "torch.amp", "torch.cpu", "torch.mps", "torch.xpu", "torch.utils", "torch.utils.data", "torch.utils.data.distributed", "torch.utils.checkpoint", "torch.utils.dlpack", "torch.utils.model_zoo", "torch.utils.hooks", "torch.utils.cpp_extension", "torch.utils.bottleneck", "torch.utils.mobile_optimizer", "torch.utils.benchmark", "torch.utils.tensorboard", "torch.utils.flop_counter", "torch.utils.weak", "torch.distributions", "torch.distributions.constraints", "torch.distributions.kl", "torch.distributions.transforms", "torch.fft", "torch.linalg", "torch.special", "torch.sparse", "torch.jit", "torch.onnx", "torch.hub", "torch.random", "torch.backends", "torch.backends.cudnn", "torch.backends.cuda", "torch.backends.mps", "torch.backends.mkl", "torch.backends.mkldnn", "torch.backends.openmp", "torch.distributed", "torch.distributed.optim", "torch.distributed.fsdp", "torch.distributed.rpc", "torch.func", "torch.fx", "torch.profiler", "torch.overrides", "torch.testing", "torch.multiprocessing", "torch.compiler", "torch.library", "torch.package", "torch.signal", "torch.signal.windows", "torch.masked", "torch.nested", "torch.futures", "torch.types", "torch.version", "torch.serialization", "torch.storage", "torch.ao", "torch.ao.quantization", "torch.ao.nn", "torch.quantization", "torch.export", "torch.accelerator", "torch.return_types", "torch.nn.modules.batchnorm", "torch.nn.modules.utils", "torch.nn.modules.conv", "torch.nn.modules.loss", "torch.nn.modules.module", "torch.nn.parameter", "torch.functional", "torch.nn.common_types", "torch.nn.modules", "torch.nn.modules.normalization", "torch.nn.modules.activation", "torch.nn.modules.container", "torch.nn.modules.pooling", "torch.nn.modules.linear", "torch.nn.modules.dropout", "torch.nn.modules.rnn", "torch.nn.modules.transformer", "torch.nn.modules.padding", "torch.nn.modules.upsampling", "torch.nn.utils.spectral_norm", "torch.nn.utils.weight_norm", "torch.nn.utils.clip_grad", "torch.nn.utils.fusion", "torch.nn.utils.convert_parameters", "torch.optim.optimizer", "torch.utils.data.dataset", "torch.utils.data.sampler", "torch.utils.data.dataloader", "torch.utils.data._utils.collate", "torch.autograd.function", "torch.autograd.variable", "torch.autograd.gradcheck", "torch.autograd.anomaly_mode", "torch.autograd.grad_mode", "torch.amp.autocast_mode", "torch.amp.grad_scaler", "torch.cuda.amp.autocast_mode", "torch.cuda.amp.grad_scaler", "torch.cuda.random", "torch.cuda.memory", "torch.nn.parallel.distributed", "torch.nn.parallel.data_parallel", "torch.nn.parallel.scatter_gather", "torch.distributed.algorithms", "torch.distributed.elastic", "torch.utils.collect_env", "torch.torch_version", "torch.utils._pytree", "torch.jit.annotations", "torch.distributed.launch", "torch.nn.qat", "torch.nn.quantized"]

#: Implementation modules: where a documented namespace above holds the same object, that name wins.
IMPLEMENTATION = frozenset(
    name for name in DOCUMENTED
    if name.startswith(("torch.nn.modules", "torch.nn.parameter", "torch.functional", "torch.autograd.function",
                        "torch.autograd.variable", "torch.autograd.grad_mode", "torch.autograd.anomaly_mode",
                        "torch.autograd.gradcheck", "torch.amp.autocast_mode", "torch.amp.grad_scaler",
                        "torch.cuda.amp.", "torch.cuda.random", "torch.cuda.memory", "torch.nn.utils.spectral_norm",
                        "torch.nn.utils.weight_norm", "torch.nn.utils.clip_grad", "torch.nn.utils.fusion",
                        "torch.nn.utils.convert_parameters", "torch.optim.optimizer", "torch.utils.data.data",
                        "torch.utils.data.sampler", "torch.utils.data._utils", "torch.nn.parallel.",
                        "torch.random", "torch.serialization", "torch.storage", "torch.types"))
    and name != "torch.autograd.functional"
)  # fmt: skip


def documented_modules() -> dict[str, types.ModuleType]:
    """The documented namespaces that this installation can import."""
    found: dict[str, types.ModuleType] = {}
    for name in DOCUMENTED:
        with warnings.catch_warnings(), contextlib.suppress(ImportError, AttributeError, RuntimeError):
            warnings.simplefilter("ignore")
            module: Any = importlib.import_module(name)
            if isinstance(module, types.ModuleType):
                found[name] = module
    for name, module in list(sys.modules.items()):
        if name.startswith(("torch.optim.", "torch.distributions.")) and "._" not in name and module is not None:
            found.setdefault(name, module)
    return found


def _belongs(value: object) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = getattr(value, "__module__", None)
    if isinstance(value, types.ModuleType):
        return value.__name__.startswith("torch")
    if module is None:
        return type(value).__module__.startswith("torch") or isinstance(value, types.BuiltinFunctionType)
    return str(module).startswith("torch")


def _functional(value: object) -> bool:
    """Whether ``torch.nn.functional`` offers the object, rather than importing it for its own use."""
    module = str(getattr(value, "__module__", None) or "")
    return callable(value) and not isinstance(value, type) and (
        module in ("", "torch.nn.functional") or module.startswith("torch._C") or isinstance(value, types.BuiltinFunctionType)
    )  # fmt: skip


def _private_home(value: object) -> bool:
    return isinstance(value, (type, types.FunctionType)) and str(value.__module__).startswith("torch._")


class Builder:
    """Collects records and aliases, namespace by namespace, documented ones before implementation."""

    def __init__(self) -> None:
        import torch

        self.torch = torch
        self.sources = Sources(Path(torch.__file__).parent)
        self.names: dict[str, str] = {}
        self.aliases: dict[str, str] = {}
        self.homes: dict[int, str] = {}
        self.unlisted: set[str] = set()
        self.keep: list[object] = []

    def build(self) -> dict[str, Any]:
        """The whole file's content."""
        modules = documented_modules()
        ordered = sorted(modules, key=lambda n: (n in IMPLEMENTATION or n not in DOCUMENTED, n.count("."), n))
        ordered.remove("torch.nn.functional")
        ordered.insert(0, "torch.nn.functional")  # torch.conv2d is torch.nn.functional.conv2d: documented there
        found: list[tuple[str, Any]] = []
        for name in ordered:
            self.names.setdefault(name, "m")
            found += self._namespace(name, modules[name], secondary=name in IMPLEMENTATION or name not in DOCUMENTED)
        # A name in __all__ wins over one that is merely there; torch lists only part of its own.
        found.sort(key=lambda item: item[0] in self.unlisted and item[0].count(".") > 1)
        self.homes[id(self.torch.amp.GradScaler)] = "torch.amp.GradScaler"
        for full, value in found:  # where each object lives, before any record names a base
            if isinstance(value, type) or callable(value):
                self.homes.setdefault(id(value), full)
        for full, value in found:
            self._one(full, value)
        self._tensor()
        for name, fields in self.sources.return_types().items():
            self.names[f"torch.return_types.{name}"] = f"c\n({', '.join(fields)})"
        self.aliases["torch._tensor.Tensor"] = "torch.Tensor"
        self.aliases = {raw: name for raw, name in self.aliases.items() if raw not in self.names or self.names[raw] == "m"}
        return {"version": self.torch.__version__.split("+")[0], "aliases": self.aliases, "names": self.names}

    def _namespace(self, name: str, module: types.ModuleType, secondary: bool) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = []
        listed = set(getattr(module, "__all__", ())) or {n for n in vars(module) if not n.startswith("_")}
        public = set(listed)
        if name in DOCUMENTED:
            listed |= {n for n, value in vars(module).items() if not n.startswith("_") and _private_home(value)}
        if secondary:
            listed |= {n for n, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__ and not n.startswith("__")}
        if name in ("torch", "torch.nn.functional"):
            listed |= {n for n in vars(module) if not n.startswith("_")}
        for attribute in sorted(listed):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # deprecated names announce themselves
                value = getattr(module, attribute, None)
            if value is None or attribute.startswith("__") or not (_belongs(value) or name == "torch"):
                continue
            if name == "torch.nn.functional" and not _functional(value):
                continue
            full = f"{name}.{attribute}"
            if isinstance(value, types.ModuleType):
                if value.__name__ != full and value.__name__ != "torch" and value.__name__.startswith("torch"):
                    self.aliases.setdefault(full, value.__name__)
                continue
            if attribute not in public:
                self.unlisted.add(full)
            found.append((full, value))
        return found

    def _one(self, full: str, value: Any) -> None:
        if isinstance(value, self.torch.dtype):
            canonical = repr(value)
            self.names.setdefault(canonical, "ktorch.dtype")
            if canonical != full:
                self.aliases[full] = canonical
            return
        shareable = isinstance(value, type) or callable(value)
        home = self.homes.get(id(value)) if shareable else None
        if home is not None and full != home:
            self.aliases.setdefault(full, home)
            return
        if full in self.names and self.names[full] != "m":
            return
        if isinstance(value, type):
            self._class(full, value)
        elif callable(value):
            signatures = self.sources.function(full, value)
            raw = f"{getattr(value, '__module__', None)}.{getattr(value, '__qualname__', '')}"
            if raw != full and raw.startswith("torch.") and isinstance(value, types.FunctionType) and "<" not in raw:
                self.aliases.setdefault(raw, full)
            self.names[full] = "f" + "\n".join(signatures)
        else:
            kind = type(value)
            self.names[full] = "k" + (f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins."))

    def _class_name(self, cls: type) -> str:
        home = self.homes.get(id(cls))
        if home is None:
            home = f"{cls.__module__}.{cls.__qualname__}"
            self.homes[id(cls)] = home
            self.keep.append(cls)
            if home.startswith("torch") and home not in self.names:
                self._class(home, cls)
        return home

    def _class(self, full: str, cls: type) -> None:
        self.names[full] = "c"
        raw = f"{cls.__module__}.{cls.__qualname__}"
        if raw != full and raw.startswith("torch"):
            self.aliases.setdefault(raw, full)
        bases = [self._class_name(base) for base in cls.__bases__ if base.__module__ not in ("typing", "abc", "builtins")]
        initial = self.sources.method(cls, "__init__") if "__init__" in vars(cls) or "__new__" in vars(cls) else []
        self.names[full] = "\n".join(["c" + ",".join(bases), *initial])
        if full == "torch.Tensor":
            return
        for name, value in list(vars(cls).items()):
            if name.startswith("_") and name not in ("__len__", "__iter__", "__getitem__", "__call__", "_BatchNorm"):
                continue
            member = f"{full}.{name}"
            raw_function = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
            if isinstance(raw_function, types.FunctionType) or callable(raw_function) and not isinstance(raw_function, type):
                self.names[member] = "f" + "\n".join(self.sources.method(cls, name))
            elif isinstance(value, property):
                returned = self.sources.method(cls, name)
                self.names[member] = "a" + (returned[0].rpartition("-> ")[2] if returned and "->" in returned[0] else "")
        for name, annotation in self.sources.attributes(cls).items():
            if not name.startswith("_"):
                self.names.setdefault(f"{full}.{name}", "a" + annotation)

    def _tensor(self) -> None:
        for name, record in self.sources.tensor_members().items():
            self.names[f"torch.Tensor.{name}"] = record
        for name in dir(self.torch.Tensor):
            if not name.startswith("_") and f"torch.Tensor.{name}" not in self.names:
                value = getattr(self.torch.Tensor, name)
                self.names[f"torch.Tensor.{name}"] = "f" if callable(value) else "a"


def main() -> None:
    """Build the file of the installed torch."""
    content = Builder().build()
    path = Path(__file__).parent / "data" / f"torch-{content['version'].rpartition('.')[0]}.json.gz"
    path.parent.mkdir(exist_ok=True)
    encoded = json.dumps(content, separators=(",", ":"), sort_keys=True).encode()
    path.write_bytes(gzip.compress(encoded, 9, mtime=0))
    print(f"{path}: {len(content['names'])} names, {len(content['aliases'])} aliases, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
