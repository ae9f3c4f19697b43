"""Puts the trace's watch into torch: calls of modules, data loaders' batches, losses, optimizers' steps."""

from __future__ import annotations

import atexit
import functools
import inspect
import math
import os
import platform
import sys
import threading
import time
import types
from typing import Any

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook
from torch.overrides import TorchFunctionMode

from mindport.trace.calls import Calls
from mindport.trace.journal import Journal
from mindport.trace.networks import Networks
from mindport.trace.results import Results
from mindport.trace.shapes import leaves

_PACKAGES = ("torch", "torchvision", "torchaudio", "torchtext")
#: The class of compiled modules: nothing may look into their calls.
_COMPILED = "OptimizedModule"
#: Every loss up to this iteration is kept, then one of ten.
_ALL_LOSSES = 200
#: Different batch shapes of one loader that are recorded.
_MOST_BATCHES = 256


def _is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


def _about(module: Any) -> dict[str, Any]:
    """The class, and for one that is not the library's the place of its definition."""
    cls = type(module)
    found: dict[str, Any] = {"class": f"{cls.__module__}.{cls.__qualname__}"}
    if cls.__module__.partition(".")[0] not in _PACKAGES:
        code = getattr(cls.forward, "__code__", None)
        if code is not None:
            found |= {"file": os.path.realpath(code.co_filename), "line": code.co_firstlineno}
    return found


def _work(module: Any, args: Any, result: Any) -> int | None:
    """Multiply-adds of a convolution's or linear layer's call; None for every other layer."""
    if not _is_tensor(result) or not getattr(module, "weight", None).__class__ or not args or not _is_tensor(args[0]):
        return None
    if isinstance(module, torch.nn.modules.conv._ConvTransposeNd):
        return args[0].numel() * module.weight.numel() // module.weight.shape[0]
    if isinstance(module, (torch.nn.modules.conv._ConvNd, torch.nn.Linear)):
        return result.numel() * module.weight.numel() // module.weight.shape[0]
    return None


def _parameters(parameter: Any) -> int | None:
    lazy = isinstance(parameter, torch.nn.parameter.UninitializedParameter)
    return None if lazy else int(parameter.numel())


def _in_module(module: str, name: str) -> str:
    """``torch._C._nn.gelu`` is documented as ``torch.nn.functional.gelu``."""
    part = module.rpartition(".")[2]
    if module == "torch._C._nn":
        return f"torch.nn.functional.{name}"
    if module in ("torch._C._linalg", "torch._C._fft", "torch._C._special"):
        return f"torch.{part[1:]}.{name.removeprefix(part[1:] + '_')}"
    return f"{module}.{name}"


def _in_class(cls: type, name: str) -> str:
    if cls.__name__ == "_VariableFunctionsClass":
        return f"torch.{name}"
    if issubclass(cls, torch._C.TensorBase):
        return f"torch.Tensor.{name}"
    return f"{cls.__module__}.{cls.__qualname__}.{name}"


def _operation(function: Any) -> str:
    """``torch.Tensor.__getitem__``, ``torch.nn.functional.relu``: where torch keeps it, or its plain name."""
    name = str(getattr(function, "__name__", "an operation"))
    owner = getattr(function, "__objclass__", None) or getattr(function, "__self__", None)
    if isinstance(owner, type):
        return _in_class(owner, name)
    if isinstance(owner, types.ModuleType):
        return _in_module(owner.__name__, name)
    if owner is not None and not inspect.isfunction(function):  # an attribute's getter: torch.Tensor.T.__get__
        return f"torch.Tensor.{getattr(owner, '__name__', '')}.{name}"
    return f"{getattr(function, '__module__', None) or 'torch'}.{getattr(function, '__qualname__', name)}"


class _Operations(TorchFunctionMode):
    """Sees every operation on tensors while a network runs."""

    def __init__(self, results: Results) -> None:
        super().__init__()
        self.results = results

    def __torch_function__(self, func: Any, classes: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        self.results.note(func, args, kwargs, result)
        return result


class Recorder:
    """One process's trace."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.journal = Journal(job["out"], self._header)
        self.networks = Networks(self.journal, _is_tensor, _about, _work, _parameters)
        self.calls = Calls(self.journal, job["roots"], _PACKAGES)
        self.calls.in_module, self.calls.in_class = _in_module, _in_class
        self.results = Results(self.journal, self.calls, _is_tensor, _operation)
        self.thread = threading.get_ident()
        self.pid = os.getpid()
        self.steps: dict[int, int] = {}
        self.roots: dict[int, int] = {}
        self.modes: set[tuple[int, bool, Any]] = set()
        self.optimizers = 0
        self.iteration = 0
        self.loaders: dict[str, list[Any]] = {}
        self.batches: list[dict[Any, list[int]]] = []
        self.waited: list[float] = []
        self.ended = False

    def here(self) -> bool:
        """Whether a call is the recording's: workers, other threads, compilers and tracers are let through."""
        return (
            not self.ended and threading.get_ident() == self.thread and os.getpid() == self.pid
            and torch._C._get_tracing_state() is None
        )

    def called(self, plain: Any, module: Any, args: Any, kwargs: Any) -> Any:
        """A module's call."""
        if self.networks.running:
            return self.networks.called(module, lambda: plain(module, *args, **kwargs), args, kwargs)
        site = self.calls.line(sys._getframe(2))
        mode = (id(module), bool(getattr(module, "training", False)), site)
        if mode not in self.modes and len(self.modes) < 1000:
            self.modes.add(mode)
            self.calls.new()
        if self.calls.on and type(module).__name__ != _COMPILED:
            found = leaves(args, _is_tensor)
            self.results.entry = tuple(leaves(kwargs, _is_tensor, "", found) if kwargs else found)
            with _Operations(self.results):
                result = self.networks.called(module, lambda: plain(module, *args, **kwargs), args, kwargs, site)
        else:
            result = self.networks.called(module, lambda: plain(module, *args, **kwargs), args, kwargs, site)
        if not self.optimizers:
            # Without an optimizer, a call of the busiest network is an iteration.
            self.roots[id(module)] = count = self.roots.get(id(module), 0) + 1
            if count > self.iteration:
                self.turned(count)
        return result

    def stepped(self, optimizer: Any) -> None:
        """An optimizer's step ended; with several, the busiest counts the iterations."""
        if not self.here():
            return
        if not self.steps:
            self.iteration = 0
        self.steps[id(optimizer)] = count = self.steps.get(id(optimizer), 0) + 1
        if count > self.iteration:
            self.turned(count)

    def turned(self, iteration: int) -> None:
        """One more iteration is over."""
        self.iteration = self.networks.iteration = self.results.iteration = iteration
        self.calls.turn(iteration)
        if self.job.get("steps") and iteration >= self.job["steps"]:
            self.finish("steps")
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)  # nothing of the user's may catch this end
        if self.journal.due():
            self.counts()

    def loss(self, tensor: Any) -> None:
        """What backward starts from, where it is one number."""
        if self.here() and tensor.numel() == 1 and (self.iteration <= _ALL_LOSSES or self.iteration % 10 == 0):
            value = float(tensor.detach())
            self.journal.write("loss", iteration=self.iteration, value=value if math.isfinite(value) else repr(value))

    def loader(self, loader: Any) -> int:
        """The number of a data loader: those of one place with one data set's class are one."""
        frame = sys._getframe(2)
        place = (os.path.realpath(frame.f_code.co_filename), frame.f_lineno)
        kind = f"{type(loader.dataset).__module__}.{type(loader.dataset).__qualname__}"
        key = f"{place} {kind} {loader.batch_size}"
        if key not in self.loaders:
            self.loaders[key] = [len(self.batches)]
            self.batches.append({})
            self.waited.append(0.0)
            self.journal.write(
                "loader", number=self.loaders[key][0], dataset=kind, batch_size=loader.batch_size, file=place[0], line=place[1],
                workers=loader.num_workers, drop_last=bool(loader.drop_last),
            )  # fmt: skip
        return int(self.loaders[key][0])

    def batch(self, number: int, batch: Any, waited: float) -> None:
        """A data loader gave a batch."""
        if not self.here():
            return
        self.waited[number] += waited
        key = tuple(leaves(batch, _is_tensor))
        seen = self.batches[number].get(key)
        if seen is not None:
            seen[1] += 1
            seen[3] = self.iteration
        elif len(self.batches[number]) < 10_000:
            place = len(self.batches[number])
            self.batches[number][key] = [place, 1, self.iteration, self.iteration]
            if place < _MOST_BATCHES:
                self.journal.write("batch", loader=number, number=place, tensors=key, iteration=self.iteration)

    def counts(self, event: str = "counts", **more: Any) -> None:
        """All that is counted, as it stands now."""
        self.journal.counts(
            event, iterations=self.iteration, unit="optimizer steps" if self.steps else "calls", watched=self.calls.watched,
            layers=self.networks.counts(), places=self.results.counts(), apis=self.calls.counts(),
            loaders=[[round(w, 6), [s[:] for s in b.values()]] for w, b in zip(self.waited, self.batches)],  # noqa: B905
            memory=_memory(), **more,
        )  # fmt: skip

    def finish(self, why: str | None = None) -> None:
        """The last line. `why`: finished, steps, or the exception that ended the program."""
        if self.ended or os.getpid() != self.pid:
            return
        self.ended = True
        self.calls.stop()
        if why is None:
            why = _ending(getattr(sys, "last_value", None))
        if self.journal._stream is not None:
            self.counts("end", why=why)

    def _header(self) -> dict[str, Any]:
        return {
            "torch": str(torch.__version__), "python": platform.python_version(), "roots": self.job["roots"],
            "command": self.job["command"], "device": "cuda" if torch.cuda.is_available() else "cpu",
            "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        }


def _ending(failure: BaseException | None) -> str:
    """The class of what ended the program: the interrupt where another exception wraps it, as Python 3.11 does where it meets a class that is being made."""
    beneath = failure
    while beneath is not None and not isinstance(beneath, KeyboardInterrupt):
        beneath = beneath.__cause__ or (None if beneath.__suppress_context__ else beneath.__context__)
    found = beneath or failure
    return "finished" if found is None else type(found).__name__


def install(job: dict[str, Any]) -> Recorder:
    """Patch torch for the job; the trace starts with the first event."""
    recorder = Recorder(job)
    atexit.register(recorder.finish)
    _modules(recorder)
    _backward(recorder)
    _loaders(recorder)
    _optimizers(recorder)
    register_optimizer_step_post_hook(lambda optimizer, args, kwargs: recorder.stepped(optimizer))
    recorder.calls.start()
    return recorder


def _modules(recorder: Recorder) -> None:
    plain = torch.nn.Module.__call__
    compiling = getattr(getattr(torch, "compiler", None), "is_compiling", lambda: False)

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if compiling() or not recorder.here():
            return plain(self, *args, **kwargs)
        return recorder.called(plain, self, args, kwargs)

    torch.nn.Module.__call__ = call  # type: ignore[method-assign]


def _backward(recorder: Recorder) -> None:
    plain = torch.autograd.backward

    @functools.wraps(plain)
    def backward(tensors: Any, *args: Any, **kwargs: Any) -> Any:
        for tensor in [tensors] if isinstance(tensors, torch.Tensor) else tensors:
            recorder.loss(tensor)
        return plain(tensors, *args, **kwargs)

    torch.autograd.backward = backward


def _optimizers(recorder: Recorder) -> None:
    plain = torch.optim.Optimizer.__init__

    @functools.wraps(plain)
    def build(self: Any, *args: Any, **kwargs: Any) -> None:
        plain(self, *args, **kwargs)
        recorder.optimizers += 1

    torch.optim.Optimizer.__init__ = build  # type: ignore[method-assign]


def _loaders(recorder: Recorder) -> None:
    plain = torch.utils.data.DataLoader.__iter__

    def iterate(self: Any) -> Any:
        found = plain(self)
        return _Batches(recorder, recorder.loader(self), found) if recorder.here() else found

    torch.utils.data.DataLoader.__iter__ = iterate  # type: ignore[method-assign]


class _Batches:
    """A data loader's iterator, with a look at every batch."""

    def __init__(self, recorder: Recorder, number: int, inner: Any) -> None:
        self._recorder, self._number, self._inner = recorder, number, inner

    def __iter__(self) -> Any:
        return self

    def __len__(self) -> int:
        return len(self._inner)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def __next__(self) -> Any:
        began = time.perf_counter()
        batch = next(self._inner)
        self._recorder.batch(self._number, batch, time.perf_counter() - began)
        return batch


def _memory() -> dict[str, int]:
    """Bytes: the largest resident memory so far, and the largest that CUDA's allocator gave."""
    found = {}
    try:
        import resource

        found["resident"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    except ImportError:  # not on Windows
        pass
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        found["cuda"] = int(torch.cuda.max_memory_allocated())
    return found
