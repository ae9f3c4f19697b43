"""Compares builders of torchvision.models on both frameworks, many in one process.

    python torchvision_worker.py SOURCE CONVERTED    # jobs on stdin, one JSON object a line; one answer a line and mode

Both packages are called torchvision: torch's is imported first and moved out of `sys.modules`, then the
converted one takes the name. A process for all builders saves the frameworks' start, which costs more
than most comparisons.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import importlib
import json
import os
import runpy
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from torchvision_inputs import calibrate, permutations, picture, shift, target

HERE = Path(__file__).parent
#: Layers that draw random numbers while training: on both sides they are left in evaluation mode.
DRAWING = ("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "StochasticDepth", "DropPath", "DropBlock2d", "DropBlock3d")


def main() -> None:
    """Answer jobs until stdin ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the models print must not mix with the answers
    packages = load(Path(sys.argv[1]), Path(sys.argv[2]))
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        job = json.loads(line)
        for answer in compare(job, *packages):
            print(json.dumps(answer), file=answers, flush=True)
        print("done", file=answers, flush=True)


def load(source: Path, converted: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The modules of either package by name."""
    import mindspore as ms
    import torch

    torch.set_num_threads(1)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    ms.runtime.launch_blocking()  # else one builder's error is reported by the next one
    from mindspore.common import initializer

    # Torch's weights replace what layers draw for themselves, which takes longer than all the rest of constructing.
    initializer._random_normal = initializer._random_uniform = lambda seed, array, first, second: array.fill(0.5)
    packages = []
    kept = runpy.run_path(str(HERE.parent / "examples" / "torchvision_prelude.py"))
    for folder in (source, converted):
        sys.path.insert(0, str(folder))
        for name in ("", ".classification", ".segmentation", ".video", ".optical_flow", ".detection", ".quantization"):
            with contextlib.suppress(ModuleNotFoundError):
                importlib.import_module("torchvision.models" + name)
        packages.append({k: v for k, v in sys.modules.items() if k.split(".")[0] == "torchvision"})
        packages[-1]["torchvision.ops.boxes"]._assert_has_ops = lambda: None
        for name in packages[-1]:
            del sys.modules[name]
        sys.path.pop(0)
    # The compiled operators' equivalents stand in the converted package; torch's side takes torchvision's Python version.
    packages[1]["torchvision.ops.roi_align"]._assert_has_ops = lambda: None
    packages[1]["torchvision.ops.roi_align"]._has_ops = lambda: True
    packages[0]["kept"] = kept
    return packages[0], packages[1]


@contextlib.contextmanager
def named(package: dict[str, Any]) -> Any:
    """While this lasts, `torchvision` is that package."""
    modules = {k: v for k, v in package.items() if k != "kept"}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name in [k for k in sys.modules if k.split(".")[0] == "torchvision"]:
            package[name] = sys.modules.pop(name)


def compare(job: dict[str, Any], source: dict[str, Any], converted: dict[str, Any]) -> Any:
    """One answer a mode: verdict, largest error as a share, reason, seconds."""
    started = time.perf_counter()
    try:
        pair = Pair(job, source, converted)
    except Exception as error:
        for mode in job["modes"]:
            yield {"mode": mode, "verdict": "could not run", "reason": describe(error)}
        return
    built = round(time.perf_counter() - started, 2)
    for mode in job["modes"]:
        started = time.perf_counter()
        try:
            answer = getattr(pair, mode)()
        except Exception as error:
            answer = {"verdict": "could not run", "reason": describe(error)}
        seconds = {"construct": built, mode: round(time.perf_counter() - started, 2)}
        yield {"mode": mode, "seconds": seconds, "megabytes": pair.megabytes, **answer}


def describe(error: BaseException) -> str:
    """The error's first lines, and the innermost place in the converted package."""
    import traceback

    frames = [f for f in traceback.extract_tb(error.__traceback__) if "/torchvision/" in f.filename]
    place = f" ({frames[-1].filename.split('/torchvision/')[-1]}:{frames[-1].lineno})" if frames else ""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:300]}{place}"


class Pair:
    """One builder's model in both frameworks, with the same weights and inputs."""

    def __init__(self, job: dict[str, Any], source: dict[str, Any], converted: dict[str, Any]) -> None:
        import mindspore as ms
        import torch

        from mindport.verify.recording.torch_side import _perturb
        from mindport.weights import derive
        from mindport.weights.tree import Tree
        from mindport.weights.walk_mindspore import walk as walk_mindspore
        from mindport.weights.walk_torch import walk as walk_torch

        self.job, self.source, self.converted = job, source, converted
        torch.manual_seed(job["seed"])
        ms.set_seed(job["seed"])
        with named(source):
            self.torch = getattr(source[job["module"]], job["function"])(**job["options"])
        _perturb(self.torch, job["seed"])
        if "train" in job["modes"]:
            shift(self.torch, job["seed"])
        generator = np.random.default_rng(job["seed"])
        self.arrays = [picture(generator, shape) for shape in job["inputs"]]
        if job["family"] == "detection":
            self.arrays = [1 / (1 + np.exp(-a)) for a in self.arrays]
            with named(source):
                calibrate(self.torch, self.inputs(torch.from_numpy))
        self.megabytes = round(sum(p.numel() * 4 for p in self.torch.parameters()) / 1e6, 1)
        with named(converted):
            self.mindspore = getattr(converted[job["module"]], job["function"])(**job["options"])
        #: Training changes statistics; every mode begins with these values. Weights stay as they are.
        weights = {n for n, _ in self.torch.named_parameters()}
        state = {n: v.detach() for n, v in self.torch.state_dict().items() if isinstance(v, torch.Tensor)}
        self.state = {n: v if n in weights else v.clone() for n, v in state.items()}
        self.layout = derive(msgspec.convert(walk_mindspore(self.mindspore), Tree), msgspec.convert(walk_torch(self.torch), Tree), _states())
        self.expected: dict[str, Any] | None = None

    def transfer(self) -> None:
        """Give MindSpore's model torch's weights and buffers."""
        import mindspore as ms

        state = self.state
        for name, tensor in self.torch.state_dict().items():
            if tensor.data_ptr() != state[name].data_ptr():
                tensor.copy_(state[name])
        parameters = {p.name: p for p in self.mindspore.get_parameters()}
        for name, entry in self.layout.entries.items():
            if entry.name is None or name not in state:
                continue
            value = state[name].detach().numpy()
            value = np.expand_dims(value, entry.insert_axis) if entry.insert_axis is not None else value
            if entry.kind == "buffer" or entry.name not in parameters:
                *way, last = (entry.path or entry.name).split(".")
                cell = self.mindspore
                for part in way:
                    cell = cell._cells[part]
                if last in cell._buffers:
                    cell._buffers[last].assign_value(ms.Tensor(value.copy()))
                    continue
            target = parameters[entry.name]
            if tuple(target.shape) != value.shape:
                raise ValueError(f"{name} has shape {value.shape}, {entry.name} {tuple(target.shape)}")
            target.set_data(ms.Tensor(value.copy(), target.dtype))

    def inputs(self, make: Any) -> tuple[Any, ...]:
        """The arguments of one call."""
        made = [make(a.copy()) for a in self.arrays]
        return (made,) if self.job["family"] == "detection" else tuple(made)

    def arguments(self, inputs: list[Any], make: Any) -> list[Any]:
        """The arguments of one call while training: a detector takes its images and their targets."""
        if self.job["family"] != "detection":
            return inputs
        persons = "keypoint" in self.job["function"]
        return [inputs, [{name: make(value) for name, value in target(number, persons).items()} for number in range(len(inputs))]]

    def eval(self) -> dict[str, Any]:
        """Outputs in evaluation mode."""
        import mindspore as ms

        self.transfer()
        expected = self._expected()
        self.mindspore.set_train(False)
        with named(self.converted):
            return self._judged(expected, flat(self.mindspore(*self.inputs(ms.Tensor)), ms.Tensor))

    def jit(self) -> dict[str, Any]:
        """Outputs of the compiled model in evaluation mode."""
        import mindspore as ms

        self.transfer()
        expected = self._expected()
        self.mindspore.set_train(False)
        with named(self.converted):
            return self._judged(expected, flat(ms.jit(self.mindspore)(*self.inputs(ms.Tensor)), ms.Tensor))

    def _judged(self, expected: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
        """The verdict on outputs; where they differ, with torch's float64 as a second right answer, if it has the same shapes."""
        import torch

        answer = judge({"output": (expected, found)})
        if answer["verdict"] == "differs":
            double = copy.deepcopy(self.torch).double().eval()
            with contextlib.suppress(RuntimeError, TypeError), named(self.source), torch.no_grad():  # code that fixes a dtype: then the plain tolerance holds
                exact = flat(double(*self.inputs(lambda a: torch.from_numpy(a).double())), torch.Tensor)
                if {n: v.shape for n, v in exact.items()} == {n: v.shape for n, v in expected.items()}:
                    answer = judge({"output": (expected, found)}, {"output": exact})
        return answer

    def _expected(self) -> dict[str, Any]:
        import torch

        if self.expected is None:
            self.torch.eval()
            with named(self.source), torch.no_grad():
                self.expected = flat(self.torch(*self.inputs(torch.from_numpy)), torch.Tensor)
        return self.expected

    def train(self) -> dict[str, Any]:
        """Outputs, running statistics and gradients in training mode; random layers are off on both sides."""
        import torch

        self.transfer()
        cotangents: dict[str, np.ndarray] = {}
        expected = self._torch_step(self.torch, torch.float32, cotangents)
        found = self._mindspore_step(cotangents)
        pairs = {role: (expected[role], found[role]) for role in expected}
        answer = judge(pairs)
        if answer["verdict"] == "differs":
            for name, buffer in self.torch.named_buffers():
                if name in self.state:
                    buffer.copy_(self.state[name])
            with contextlib.suppress(RuntimeError, TypeError):  # code that fixes a dtype: then the plain tolerance holds
                answer = judge(pairs, self._torch_step(self._copied().double(), torch.float64, cotangents))
        return answer

    def _copied(self) -> Any:
        return copy.deepcopy(self.torch)

    def _torch_step(self, model: Any, dtype: Any, cotangents: dict[str, np.ndarray]) -> dict[str, dict[str, Any]]:
        import torch

        model.train()
        for module in model.modules():
            if type(module).__name__ in DRAWING:
                module.eval()
        given = [torch.from_numpy(a.copy()).to(dtype).requires_grad_(True) for a in self.arrays]
        with named(self.source), permutations(torch, torch.from_numpy):
            called = self.arguments([g.clone() for g in given], lambda a: torch.from_numpy(a).to(dtype if a.dtype.kind == "f" else None))
            outputs = tensors(model(*called), torch.Tensor)
        generator = np.random.default_rng([self.job["seed"], 1])
        for name, value in outputs.items():
            if name not in cotangents:
                cotangents[name] = generator.standard_normal(tuple(value.shape)).astype(np.float32)
        total = sum((v * torch.from_numpy(cotangents[n]).to(dtype)).sum() for n, v in outputs.items())
        weights = {n: p for n, p in model.named_parameters() if p.requires_grad}
        gradients = torch.autograd.grad(total, [*given, *weights.values()], allow_unused=True)
        filled = [torch.zeros_like(w) if g is None else g for w, g in zip([*given, *weights.values()], gradients, strict=True)]
        return {
            "output": {n: v.detach().numpy() for n, v in outputs.items()},
            "input gradient": {str(i): g.numpy() for i, g in enumerate(filled[: len(given)])},
            "parameter gradient": {n: g.numpy() for n, g in zip(weights, filled[len(given):], strict=True)},
            "statistics": {n: b.detach().numpy().copy() for n, b in model.named_buffers() if n.endswith(("running_mean", "running_var"))},
        }  # fmt: skip

    def _mindspore_step(self, cotangents: dict[str, np.ndarray]) -> dict[str, dict[str, Any]]:
        import mindspore as ms

        self.mindspore.set_train(True)
        for _, cell in self.mindspore.cells_and_names():
            if type(cell).__name__ in DRAWING:
                cell.set_train(False)
        given = [ms.Tensor(a.copy()) for a in self.arrays]
        names: list[str] = []
        weights = ms.ParameterTuple(self.mindspore.trainable_params())

        def weighted(*inputs: Any) -> Any:
            outputs = tensors(self.mindspore(*self.arguments(list(inputs), ms.Tensor)), ms.Tensor)
            names[:] = outputs
            total = sum((v * ms.Tensor(cotangents[n])).sum() for n, v in outputs.items())
            return total, tuple(outputs.values())

        with named(self.converted), permutations(ms.ops, ms.Tensor):
            (_, outputs), (of_inputs, of_weights) = ms.value_and_grad(weighted, tuple(range(len(given))), weights, has_aux=True)(*given)
        of_inputs = of_inputs if isinstance(of_inputs, tuple) else (of_inputs,)
        torch_name = {e.name: (n, e.insert_axis) for n, e in self.layout.entries.items() if e.name is not None}
        values = {p.name: p for p in self.mindspore.get_parameters()}

        def back(name: str, value: Any) -> Any:
            axis = torch_name[name][1]
            return value.asnumpy() if axis is None else value.asnumpy().squeeze(axis)

        statistics = {n: back(m, values[m]) for m, (n, _) in torch_name.items() if n.endswith(("running_mean", "running_var"))}
        return {
            "output": {n: v.asnumpy() for n, v in zip(names, outputs, strict=True)},
            "input gradient": {str(i): g.asnumpy() for i, g in enumerate(of_inputs)},
            "parameter gradient": {torch_name[p.name][0]: back(p.name, g) for p, g in zip(weights, of_weights, strict=True)},
            "statistics": statistics,
        }


@functools.cache
def _states() -> Any:
    from mindport.weights import StateMaps

    return StateMaps.from_catalog()


def tensors(value: Any, kind: type) -> dict[str, Any]:
    """The floating tensors of a result, by name."""
    from mindport.verify.recording import values

    return {n: v for n, v in values.leaves(value, lambda v: isinstance(v, kind)) if isinstance(v, kind) and "loat" in str(v.dtype)}


def flat(value: Any, kind: type) -> dict[str, Any]:
    """All tensors of a result as arrays, by name; a number counts as one."""
    from mindport.verify.recording import values

    found = values.leaves(value, lambda v: isinstance(v, kind))
    return {n: v.asnumpy() if hasattr(v, "asnumpy") else v.numpy() if isinstance(v, kind) else np.asarray(v) for n, v in found if v is not None}


def judge(pairs: dict[str, tuple[dict[str, Any], dict[str, Any]]], exact: dict[str, dict[str, Any]] | None = None) -> dict[str, Any]:
    """The verdict by verify's tolerance; the largest error as a share of its tensor's largest value, by role."""
    from mindport.verify.tolerance import allowed

    errors: dict[str, float] = {}
    first = ""
    for role, (expected, found) in pairs.items():
        missing = [n for n in expected if n not in found]
        if missing or len(found) != len(expected):
            extra = [n for n in found if n not in expected]
            return {"verdict": "differs", "reason": f"{role}: missing {missing[:3]}, unexpected {extra[:3]}", "errors": errors}
        role_scale = max((float(np.abs(v).max(initial=0)) for v in expected.values() if v.dtype.kind == "f"), default=0.0)
        for name, value in expected.items():
            other = found[name]
            if value.shape != other.shape:
                return {"verdict": "differs", "reason": f"{role} {name}: shape {value.shape} became {other.shape}", "errors": errors}
            if value.size == 0:
                continue
            if value.dtype.kind != "f":
                error, scale, most = float((value != other).mean()), 1.0, 0.0
            else:
                error, scale = float(np.abs(value.astype(np.float64) - other).max()), float(np.abs(value).max())
                noise = 0.0
                if exact:  # right is what agrees with torch's float32, or with the same in float64
                    noise = float(np.abs(value - exact[role][name]).max())
                    error = min(error, float(np.abs(other - exact[role][name]).max()))
                most = allowed("float32", scale, role_scale, noise, {})
            # What is zero in exact arithmetic consists of rounding: its own largest value is no measure.
            measure = scale if value.dtype.kind != "f" or error > 1.2e-7 * role_scale else max(scale, role_scale)
            share = error / measure if measure else error
            errors[role] = max(errors.get(role, 0.0), share if share == share else 1e30)
            if not error <= most and not first:
                first = f"{role} {name} differs by {share:.1e} of its largest value {scale:.1e}"
    empty = all(v.size == 0 for v in pairs["output"][0].values())
    if empty:
        first = "the outputs are empty: nothing was compared"
    return {"verdict": "differs" if first else "equal", "reason": first, "errors": errors}


if __name__ == "__main__":
    main()
