"""Compares networks of one package on both frameworks in one process, for unseen_networks.py.

    python unseen_worker.py SOURCE CONVERTED    # jobs on stdin, one JSON object a line; one answer a line

Either side's modules have the same names: the source's are imported first and leave `sys.modules`, then the
converted ones take the names.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import random
import sys
import traceback
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from torchvision_worker import DRAWING, Pair, _states, flat, judge, tensors


def main() -> None:
    """Answer jobs until stdin ends."""
    import mindspore as ms
    import torch

    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the models print must not mix with the answers
    torch.set_num_threads(1)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    ms.runtime.launch_blocking()  # else one network's error is reported by the next one
    sides = Side(Path(sys.argv[1])), Side(Path(sys.argv[2]))
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(compare(json.loads(line), *sides)), file=answers, flush=True)


class Side:
    """The modules of one folder, importable only while the side is entered."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.tops = {p.stem for p in folder.iterdir() if p.suffix == ".py" or any(p.rglob("*.py"))}
        self.modules: dict[str, Any] = {}

    def __enter__(self) -> Side:
        sys.modules.update(self.modules)
        sys.path.insert(0, str(self.folder))
        importlib.invalidate_caches()
        return self

    def __exit__(self, *error: object) -> None:
        sys.path.remove(str(self.folder))
        for name in [n for n in sys.modules if n.split(".")[0] in self.tops]:
            self.modules[name] = sys.modules.pop(name)

    def make(self, job: dict[str, Any]) -> Any:
        """The network that the job's expression makes in its module."""
        module = importlib.import_module(job["module"])
        return eval(job["make"], vars(module))  # the plan is ours


def compare(job: dict[str, Any], source: Side, converted: Side) -> dict[str, Any]:
    """Verdict and reason by stage: construction, evaluation, training."""
    answer: dict[str, Any] = {}
    stage = "torch"
    try:
        pair = Networks(job, source)
        stage = "construct"
        pair.construct(converted)
        answer["construct"] = {"verdict": "equal", "reason": ""}
        for stage in ("eval", "train"):
            try:
                answer[stage] = getattr(pair, stage)()
            except Exception as error:
                answer[stage] = failure(error, converted)
    except Exception as error:
        answer[stage] = failure(error, source if stage == "torch" else converted)
    return answer


def failure(error: BaseException, side: Side) -> dict[str, Any]:
    """What was raised and where in that side's code; announced if convert had said so at that place."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(str(side.folder))]
    own = [f for f in frames if not f.filename.endswith("torch_equivalents.py")]
    place = f"{Path(own[-1].filename).relative_to(side.folder)}:{own[-1].lineno}" if own else "outside"
    text = " ".join(str(error).split())
    last = frames[-1] if frames else None
    marked = bool(own) and _marked(own[-1].filename, own[-1].lineno or 1)
    refused = type(error) is NotImplementedError and last is not None and last.filename.endswith("torch_equivalents.py")
    named = "mindport" in text or "was not converted" in text
    verdict = "announced" if marked or named else "refused at run" if refused else "could not run"
    return {"verdict": verdict, "reason": f"{type(error).__name__}: {text[:300]} ({place}: {own[-1].line if own else ''})"}


def _marked(path: str, line: int) -> bool:
    """Whether a comment of convert's stands over the statement."""
    above = Path(path).read_text(encoding="utf-8").split("\n")[max(0, line - 6) : line]
    return any("# mindport: MP" in text for text in above)


class Networks(Pair):
    """One network in both frameworks, with the same weights and inputs."""

    def __init__(self, job: dict[str, Any], source: Side) -> None:
        import torch

        from mindport.verify.recording.torch_side import _perturb

        self.job, self.source = job, source
        self.called = job.get("call", "__call__")
        #: Networks that change their input in place raise in torch if it wants a gradient.
        self.detached = job.get("detached", False)
        self._seed()
        with source:
            self.torch = source.make(job)
        _perturb(self.torch, job["seed"])
        for module in self.torch.modules():
            if isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
                module.register_forward_hook(_contiguous_gradient)
        self.state = {n: v.detach().clone() for n, v in self.torch.state_dict().items() if isinstance(v, torch.Tensor)}
        generator = np.random.default_rng(job["seed"])
        made = [_array(spec, generator) for spec in [*job["inputs"], *job.get("keywords", {}).values()]]
        self.given = made
        self.arrays = [a for a in _leaves(made) if isinstance(a, np.ndarray) and a.dtype.kind == "f"]
        self.expected: dict[str, Any] | None = None
        self.torch.eval()
        self.expected = self._evaluate_torch()
        again = self._evaluate_torch(7)
        if judge({"output": (self.expected, again)})["verdict"] != "equal":
            raise ValueError("the network draws random numbers in evaluation mode")

    def construct(self, converted: Side) -> None:
        """The converted side's network and the layout of its weights."""
        from mindport.weights import derive
        from mindport.weights.tree import Tree
        from mindport.weights.walk_mindspore import walk as walk_mindspore
        from mindport.weights.walk_torch import walk as walk_torch

        self.converted = converted
        self._seed()
        with converted:
            self.mindspore = converted.make(self.job)
        self.mindspore.update_parameters_name("")  # as the first call does: lists that were filled later have no prefix before it
        trees = msgspec.convert(walk_mindspore(self.mindspore), Tree), msgspec.convert(walk_torch(self.torch), Tree)
        self.layout = derive(*trees, _states())
        missing = [n for n in self.state if n not in self.layout.entries and not n.endswith("num_batches_tracked")]
        if missing:
            raise ValueError(f"weights without a place: {missing[:4]}")
        self.parameters = [(p.name, p) for p in self.mindspore.get_parameters()]

    def transfer(self) -> None:
        """Give MindSpore's model torch's weights; a container that is made in the forward pass renames parameters."""
        self._named()
        super().transfer()

    def _named(self) -> None:
        for name, parameter in self.parameters:
            parameter.name = name

    def _seed(self, seed: int = 0) -> None:
        import mindspore as ms
        import torch

        random.seed(0)
        np.random.seed(seed)
        torch.manual_seed(seed)
        ms.set_seed(seed)

    def _call(self, network: Any, make: Any, floats: list[Any]) -> Any:
        """One call, with these for the floating inputs."""
        left = iter(floats)

        def of(value: Any) -> Any:
            if isinstance(value, tuple):
                return tuple(map(of, value))
            if not isinstance(value, np.ndarray):
                return value
            return next(left) if value.dtype.kind == "f" else make(value.copy())

        values = [of(v) for v in self.given]
        count = len(self.job["inputs"])
        keywords = dict(zip(self.job.get("keywords", {}), values[count:], strict=True))
        if self.called == "__call__":
            return network(*values[:count], **keywords)
        return getattr(network, self.called)(*values[:count], **keywords)

    def _evaluate_torch(self, seed: int = 0) -> dict[str, Any]:
        import torch

        self._seed(seed)
        with self.source, torch.no_grad():
            return flat(self._call(self.torch, torch.from_numpy, [torch.from_numpy(a.copy()) for a in self.arrays]), torch.Tensor)

    def eval(self) -> dict[str, Any]:
        """Outputs in evaluation mode."""
        import mindspore as ms

        self.transfer()
        self.mindspore.set_train(False)
        self._seed()
        assert self.expected is not None
        with self.converted:
            found = flat(self._call(self.mindspore, ms.Tensor, [ms.Tensor(a.copy()) for a in self.arrays]), ms.Tensor)
        return judge({"output": (self.expected, found)})

    def train(self) -> dict[str, Any]:
        """As `Pair.train`; what torch itself tells as differently, of inputs a millionth away, is rounding."""
        import torch

        answer = super().train()
        if answer["verdict"] != "differs":
            return answer
        steps = []
        arrays, generator = self.arrays, np.random.default_rng([self.job["seed"], 2])
        moved = [a * (1 + 1e-6 * generator.standard_normal(a.shape)).astype(np.float32) for a in arrays]
        cotangents: dict[str, np.ndarray] = {}
        for self.arrays in (arrays, moved):
            self.torch.load_state_dict({**self.torch.state_dict(), **self.state})
            steps.append(self._torch_step(self.torch, torch.float32, cotangents))
        self.arrays = arrays
        self.transfer()
        found = self._mindspore_step(cotangents)
        pairs = {role: (steps[0][role], found[role]) for role in steps[0]}
        again = judge(pairs, steps[1])
        return {**again, "judged": "by torch's own step of inputs a millionth away"} if again["verdict"] == "equal" else answer

    def _copied(self) -> Any:
        with self.source:  # a class with `__new__` is looked up in its module
            return super()._copied()

    def _torch_step(self, model: Any, dtype: Any, cotangents: dict[str, np.ndarray]) -> dict[str, dict[str, Any]]:
        import torch

        model.train()
        for module in model.modules():
            if type(module).__name__ in DRAWING:
                module.eval()
        self._seed()
        given = [torch.from_numpy(a.copy()).to(dtype).requires_grad_(not self.detached) for a in self.arrays]
        wanted = [] if self.detached else given
        with self.source:
            outputs = tensors(self._call(model, torch.from_numpy, [g.clone() for g in given]), torch.Tensor)
        generator = np.random.default_rng([self.job["seed"], 1])
        for name, value in outputs.items():
            if name not in cotangents:
                cotangents[name] = generator.standard_normal(tuple(value.shape)).astype(np.float32)
        total = sum((v * torch.from_numpy(cotangents[n]).to(dtype)).sum() for n, v in outputs.items())
        weights = {n: p for n, p in model.named_parameters() if p.requires_grad}
        gradients = torch.autograd.grad(total, [*wanted, *weights.values()], allow_unused=True)
        filled = [torch.zeros_like(w) if g is None else g.to_dense() if g.is_sparse else g for w, g in zip([*wanted, *weights.values()], gradients, strict=True)]
        return {
            "output": {n: v.detach().numpy() for n, v in outputs.items()},
            "input gradient": {str(i): g.numpy() for i, g in enumerate(filled[: len(wanted)])},
            "parameter gradient": {n: g.numpy() for n, g in zip(weights, filled[len(wanted):], strict=True)},
            "statistics": {n: b.detach().numpy().copy() for n, b in model.named_buffers() if n.endswith(("running_mean", "running_var"))},
        }  # fmt: skip

    def _mindspore_step(self, cotangents: dict[str, np.ndarray]) -> dict[str, dict[str, Any]]:
        import mindspore as ms

        self.mindspore.set_train(True)
        for _, cell in self.mindspore.cells_and_names():
            if type(cell).__name__ in DRAWING:
                cell.set_train(False)
        self._seed()
        given = [ms.Tensor(a.copy()) for a in self.arrays]
        names: list[str] = []
        weights = ms.ParameterTuple(self.mindspore.trainable_params())

        def weighted(*inputs: Any) -> Any:
            outputs = tensors(self._call(self.mindspore, ms.Tensor, list(inputs)), ms.Tensor)
            names[:] = outputs
            total = sum((v * ms.Tensor(cotangents[n])).sum() for n, v in outputs.items())
            return total, tuple(outputs.values())

        positions = None if self.detached else tuple(range(len(given))) or None
        with self.converted:
            (_, outputs), gradients = ms.value_and_grad(weighted, positions, weights, has_aux=True)(*given)
        self._named()
        of_inputs, of_weights = gradients if positions else ((), gradients)
        of_inputs = of_inputs if isinstance(of_inputs, tuple) else (of_inputs,)
        # Of the names of a shared parameter the first one is torch's.
        torch_name = {e.name: (n, e.insert_axis) for n, e in reversed(self.layout.entries.items()) if e.name is not None}
        values = {p.name: p for p in self.mindspore.get_parameters()}

        def back(name: str, value: Any) -> Any:
            axis = torch_name[name][1]
            return value.asnumpy() if axis is None else value.asnumpy().squeeze(axis)

        cells = dict(self.mindspore.cells_and_names())
        statistics = {}
        for m, (n, _) in torch_name.items():
            if n.endswith(("running_mean", "running_var")):
                place, _, last = n.rpartition(".")
                buffer = getattr(cells.get(place), last, None)  # a tensor that the program registered itself
                if m in values:
                    statistics[n] = back(m, values[m])
                elif buffer is not None:
                    statistics[n] = buffer.asnumpy()
        return {
            "output": {n: v.asnumpy() for n, v in zip(names, outputs, strict=True)},
            "input gradient": {str(i): g.asnumpy() for i, g in enumerate(of_inputs)},
            "parameter gradient": {torch_name[p.name][0]: back(p.name, g) for p, g in zip(weights, of_weights, strict=True)},
            "statistics": statistics,
        }


def _leaves(values: Any) -> list[Any]:
    """What tuples hold, in order."""
    return [leaf for v in values for leaf in (_leaves(v) if isinstance(v, tuple) else [v])]


def _contiguous_gradient(module: Any, inputs: Any, output: Any) -> None:
    """torch's BatchNorm on CPU reads a gradient of other strides as if it were contiguous where the batch has one image
    (torch 2.13; differences from quotients of small steps confirm it): the reference must not have that error."""
    if output.requires_grad:
        output.register_hook(lambda gradient: gradient.contiguous())


def _array(spec: Any, generator: np.random.Generator) -> Any:
    """An input: a shape, ``{"ints": shape, "below": n}``, ``{"mask": shape}``, ``{"uniform": shape}``, ``{"tuple": [inputs]}``, or ``{"value": anything}``."""
    if isinstance(spec, list):
        return generator.standard_normal(spec).astype(np.float32)
    if "tuple" in spec:
        return tuple(_array(s, generator) for s in spec["tuple"])
    if "ints" in spec:
        return generator.integers(0, spec["below"], spec["ints"])
    if "uniform" in spec:
        return generator.random(spec["uniform"]).astype(np.float32)
    if "mask" in spec:
        return generator.random(spec["mask"]) < 0.7
    return spec["value"]


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
