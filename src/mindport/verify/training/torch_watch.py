"""Puts the watch into torch: models' calls, backward passes, optimizers' steps, and data loaders."""

from __future__ import annotations

import atexit
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch.nn.utils.parametrize import ParametrizationList
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from mindport.verify.recording.torch_side import _array
from mindport.verify.training import seeding, torch_draws, torch_operators
from mindport.verify.training.journal import SAMPLERS
from mindport.verify.training.names import Names
from mindport.verify.training.watch import Watch
from mindport.weights.walk_torch import walk


class Torch:
    """torch, as the watch sees it."""

    name = "torch"

    def __init__(self) -> None:
        #: Whether the program has set torch's seed, where the recording set one before it.
        self.seeded: dict[str, bool] = {}
        #: By module: its parameters with the names that they had first, which MindSpore's keep where a part of the module is replaced.
        self.named: dict[int, Names] = {}

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, torch.Tensor)

    def array(self, value: Any) -> tuple[np.ndarray, str]:
        return _array(value)

    def wide(self, value: Any) -> np.ndarray:
        value = value.detach().cpu()
        return (value.float() if value.dtype in (torch.bfloat16, torch.float16) else value).numpy()

    def norm(self, gradients: list[Any]) -> float:
        if not gradients:
            return 0.0
        with torch.no_grad():
            dense = [g.coalesce().values() if g.is_sparse else g.detach() for g in gradients]
            return float(torch.linalg.vector_norm(torch.stack([n.to(dense[0].device) for n in torch._foreach_norm(dense)])))

    def children(self, root: Any) -> list[tuple[str, Any]]:
        return [(path, module) for path, module in root.named_modules() if path]

    def hook(self, module: Any, note: Callable[[Any], None]) -> Any:
        return module.register_forward_hook(lambda m, i, output: note(output))

    def traced(self, module: Any, done: Callable[[list[dict[str, Any]]], None]) -> None:
        torch_operators.traced(module, done)

    def named_parameters(self, root: Any) -> list[tuple[str, Any]]:
        return list(root.named_parameters())

    def state(self, root: Any) -> list[tuple[str, Any]]:
        if type(root).__module__ == "torch.nn.modules.loss" and not any(True for _ in root.parameters()):
            return []  # weights of classes are arguments, and the other side keeps them as such
        if isinstance(root, ParametrizationList):
            return []  # a weight that is read between calls
        if any(map(torch._C._functorch.is_functorch_wrapped_tensor, root.parameters())):
            return []  # a function's call with values in the parameters' place (torch.func)
        if any(torch.nn.parameter.is_lazy(p) for p in root.parameters()):
            return []  # the call that gives them their shapes shows no model yet
        own = root._parameters or root._buffers
        if not own and not any(True for _ in root.parameters()) and not any(True for _ in root.buffers()):
            return []
        known, now = self.named.setdefault(id(root), Names()), dict(root.named_parameters(remove_duplicate=False))
        first = {path: known.put(parameter, path) for path, parameter in now.items()}
        gone = {path: name for path, name in first.items() if name not in now}
        return [(gone.get(k, k), v) for k, v in root.state_dict().items() if isinstance(v, torch.Tensor)]

    def opened(self, watch: Watch, number: int, root: Any) -> None:
        job = watch.job
        if job.get("dropout") is False:
            torch_draws.without_dropout(root)
        if job.get("move") and not watch.total:
            own = [p for p in root.parameters() if p not in watch.names]
            shift(own, job["move"]["by"], np.random.default_rng([job["move"]["seed"], number]))
        if job.get("detail"):
            folder = os.path.join(job["out"], "roots", str(number))
            os.makedirs(folder, exist_ok=True)
            state = {k: v for k, v in root.state_dict().items() if isinstance(v, torch.Tensor)}
            torch.save(state, os.path.join(folder, "weights.pth"))
            watch.journal.json(f"roots/{number}/tree", walk(root))
        reference = os.path.join(job.get("reference", ""), "roots", str(number), "weights.pth")
        if job.get("double"):
            if os.path.exists(reference):
                # In another default dtype the initialisers draw other numbers.
                root.load_state_dict(torch.load(reference, weights_only=True), strict=False)
            root.double()
            root.register_forward_pre_hook(_widen, with_kwargs=True)
        if job.get("reach"):
            shift(root.parameters(), job["reach"], np.random.default_rng([job["perturb"], number]))
        elif job.get("perturb"):
            nudge(root.parameters(), job["perturb"])

    def environment(self) -> dict[str, Any]:
        return {
            "version": str(torch.__version__), "numpy": np.__version__, "threads": torch.get_num_threads(),
            "cuda": torch.version.cuda if torch.cuda.is_available() else None, "seed": torch.initial_seed(),
            "deterministic": torch.are_deterministic_algorithms_enabled(),
            **({"seeded": self.seeded["own"]} if self.seeded else {}),
        }


def nudge(parameters: Any, seed: int) -> None:
    """Move every value to one of its neighbours among the floats, by chance: the least that differs."""
    generator = nudge.__dict__.setdefault("generator", np.random.default_rng(seed))
    with torch.no_grad():
        for parameter in parameters:
            if parameter.is_floating_point():
                up = torch.from_numpy(np.asarray(generator.random(tuple(parameter.shape)) < 0.5)).to(parameter.device)
                infinite = torch.full_like(parameter, float("inf"))
                # Zeros stay: their neighbours are denormal, and what is zero by design should be.
                moved = torch.where(up, torch.nextafter(parameter, infinite), torch.nextafter(parameter, -infinite))
                parameter.copy_(torch.where(parameter == 0, parameter, moved))


def shift(parameters: Any, share: float, generator: np.random.Generator) -> None:
    """Move every value by up to a share of itself, by chance. Zeros stay zeros."""
    with torch.no_grad():
        for parameter in parameters:
            if parameter.is_floating_point():
                factors = 1 + share * (2 * generator.random(tuple(parameter.shape)) - 1)
                parameter.mul_(torch.from_numpy(np.asarray(factors)).to(parameter))


def _wide(value: Any) -> Any:
    """A value with its floating-point tensors in float64."""
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.double()
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return type(value)(_wide(v) for v in value)
    return {k: _wide(v) for k, v in value.items()} if isinstance(value, dict) else value


def _widen(module: Any, args: Any, kwargs: Any) -> Any:
    return _wide(args), _wide(kwargs)


def install(job: dict[str, Any]) -> Watch:
    """Patch torch for the job; the watch starts with the first event."""
    framework = Torch()
    watch = Watch(job, framework)
    atexit.register(watch.finish)
    if "seed" in job:
        framework.seeded = seeding.watched(torch, job["seed"])
    if job.get("double"):
        torch.set_default_dtype(torch.float64)
        torch_draws.in_float32()
    if job.get("share"):
        torch_draws.share()
    if job.get("dropout") is False:
        torch_draws.without_functional_dropout()
    _models(watch)
    _backward(watch)
    _optimizers(watch)
    _loaders(watch)
    return watch


def _models(watch: Watch) -> None:
    plain = torch.nn.Module.__call__

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if watch.depth:
            return plain(self, *args, **kwargs) if watch.classes is None else watch.within(self, lambda: plain(self, *args, **kwargs))
        return watch.called(self, lambda: plain(self, *args, **kwargs), (args, kwargs) if kwargs else args)

    torch.nn.Module.__call__ = call  # type: ignore[method-assign]


def _backward(watch: Watch) -> None:
    plain = torch.autograd.backward

    def backward(tensors: Any, *args: Any, **kwargs: Any) -> Any:
        several = [tensors] if isinstance(tensors, torch.Tensor) else list(tensors)
        moved = _leaves(several) if watch.job.get("perturb") and watch.by_hand() else []
        for loss in _losses(several, args[0] if args else kwargs.get("grad_tensors")):
            watch.loss(loss)
        began = time.perf_counter()
        watch.depth += 1  # a checkpointed module that is called again is no model of the program's
        try:
            return plain(tensors, *args, **kwargs)
        finally:
            watch.depth -= 1
            watch.seconds["backward"] += time.perf_counter() - began
            nudge(moved, watch.job.get("perturb", 0))

    # Tensor.backward calls it by this name.
    torch.autograd.backward = backward


def _losses(tensors: list[Any], weights: Any) -> list[Any]:
    """What is differentiated: tensors of one element, and those that are given a gradient, times it (``score.backward(minus_one)``)."""
    given = [weights] if weights is None or isinstance(weights, torch.Tensor) else list(weights)
    given += [None] * (len(tensors) - len(given))
    with torch.no_grad():
        weighted = [tensor if weight is None else (tensor * weight).sum() for tensor, weight in zip(tensors, given, strict=True)]
    return [loss for loss in weighted if loss.numel() == 1]


def _leaves(tensors: list[Any]) -> list[Any]:
    """The leaf tensors that a backward pass from here gives gradients to."""
    found: dict[int, Any] = {}
    seen: set[Any] = set()
    waiting = [t.grad_fn for t in tensors if t.grad_fn is not None]
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            found[id(node.variable)] = node.variable
        waiting += [following for following, _ in node.next_functions if following is not None]
    return list(found.values())


def _optimizers(watch: Watch) -> None:
    def groups(optimizer: Any) -> list[tuple[float, list[Any], list[Any]]]:
        return [(float(g["lr"]), list(g["params"]), [p.grad for p in g["params"]]) for g in optimizer.param_groups]

    first: dict[int, tuple[int, dict[str, tuple[Any, np.ndarray]]]] = {}

    def before(optimizer: Any, args: Any, kwargs: Any) -> None:
        if id(optimizer) in first and watch.active():
            with watch.aside():
                _free(watch, *first.pop(id(optimizer)))
        watch.stepping(optimizer, groups(optimizer))

    def after(optimizer: Any, args: Any, kwargs: Any) -> None:
        if watch.job.get("perturb"):
            # What the step changed, and nothing else: a graph that is still to be gone back through may hold the rest.
            with watch.aside():
                nudge([p for _, members, gradients in groups(optimizer) for p, g in zip(members, gradients, strict=True) if g is not None], watch.job["perturb"])
        watch.stepped(optimizer, groups(optimizer))

    plain = torch.optim.Optimizer.__init__
    built = {"optimizers": 0}

    def build(self: Any, *args: Any, **kwargs: Any) -> None:
        plain(self, *args, **kwargs)
        built["optimizers"] += 1
        watch.built = True
        if watch.detail and watch.active():
            with watch.aside():
                first[id(self)] = built["optimizers"], _values(watch, self)

    torch.optim.Optimizer.__init__ = build  # type: ignore[method-assign]
    register_optimizer_step_pre_hook(before)
    register_optimizer_step_post_hook(after)


def _values(watch: Watch, optimizer: Any) -> dict[str, tuple[Any, np.ndarray]]:
    """An optimizer's parameters and their values now, by place."""
    return {
        f"{g}.{i}": (parameter, watch.framework.wide(parameter).copy())
        for g, group in enumerate(optimizer.param_groups) for i, parameter in enumerate(group["params"])
    }


def _free(watch: Watch, number: int, values: dict[str, tuple[Any, np.ndarray]]) -> None:
    """The first values of parameters that no model's call has shown: nothing else carries them to the other side."""
    free = {place: value for place, (parameter, value) in values.items() if parameter not in watch.names}
    if free:
        watch.journal.arrays(f"free-{number}", free)


def _generator_at(watch: Watch, place: str) -> None:
    """Put torch's generator where the reference run's stood at this place, and keep where it stands.

    That decides a shuffle or a draw; the other side's starts from there.
    """
    reference = os.path.join(watch.job.get("reference", ""), f"{place}.npz")
    if watch.job.get("reference") and os.path.exists(reference):
        with np.load(reference) as archive:
            torch.set_rng_state(torch.from_numpy(archive["state"]))
    if watch.detail and watch.active():
        with watch.aside():
            watch.journal.arrays(place, {"state": torch.get_rng_state().numpy()})


def _loaders(watch: Watch) -> None:
    loader = torch.utils.data.DataLoader
    plain = loader.__iter__
    counts = {"iterations": 0}

    def iterate(self: Any) -> Any:
        counts["iterations"] += 1
        number = counts["iterations"]
        _generator_at(watch, f"generator-{number}")
        if watch.detail and watch.active():
            with watch.aside():
                watch.journal.write("iteration", n=number)
        return _Batches(watch, plain(self))

    loader.__iter__ = iterate  # type: ignore[method-assign]
    _samplers(watch)


def _samplers(watch: Watch) -> None:
    """A sampler, or a split of data, draws from torch's generator: where it stands then is kept, as for a loader."""
    counts = {"iterations": 0}

    def watched(plain: Any) -> Any:
        def iterate(*args: Any, **kwargs: Any) -> Any:
            counts["iterations"] += 1
            number = counts["iterations"]
            _generator_at(watch, f"sampler-{number}")
            return plain(*args, **kwargs)

        return iterate

    for name in SAMPLERS:
        cls = getattr(torch.utils.data, name)
        cls.__iter__ = watched(cls.__iter__)
    torch.utils.data.random_split = watched(torch.utils.data.random_split)


class _Batches:
    """A data loader's iterator, with a look at every batch."""

    def __init__(self, watch: Watch, inner: Any) -> None:
        self._watch, self._inner = watch, inner

    def __iter__(self) -> Any:
        return self

    def __len__(self) -> int:
        return len(self._inner)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def __next__(self) -> Any:
        began = time.perf_counter()
        batch = next(self._inner)
        if self._watch.job.get("double"):
            batch = _wide(batch)
        self._watch.batch(batch, time.perf_counter() - began)
        return batch
