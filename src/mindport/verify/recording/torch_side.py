"""Records a torch callable or model: outputs, layers, gradients, and how exact they are."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from mindport.verify.recording import targets, values
from mindport.weights.walk_torch import walk

Say = Callable[[str], None]


def record(job: dict[str, Any], stage: Say, handshake: Callable[[], None]) -> dict[str, Any]:
    """Run the job; the answer lists the cases. Raises what the user's code raises before the first case."""
    torch.manual_seed(job["seed"])
    stage("import")
    target = targets.load(job)
    with np.load(job["inputs"]) as archive:
        arrays = {key: archive[key] for key in archive.files}
    model = None
    if job["construct"] is not None or isinstance(target, type):
        stage("construct")
        construct = job["construct"] or {"args": [], "kwargs": {"$": "dict", "items": {}}}
        torch.manual_seed(job["seed"])
        decode = _Decoder(arrays)
        target = target(*decode(construct["args"]), **decode(construct["kwargs"]))
    if isinstance(target, torch.nn.Module):
        model = target.train(job["mode"] == "train")
        stage("weights")
        if job["weights"]:
            model.load_state_dict(torch.load(job["weights"], weights_only=True), strict=True)
        elif job["perturb"]:
            _perturb(model, job["seed"])
        with open(os.path.join(job["out"], "tree.json"), "w", encoding="utf-8") as stream:
            json.dump(walk(model), stream)
        if job.get("tree only"):
            return {"framework": f"torch {torch.__version__}", "model": True, "notes": [], "cases": []}
        # Left-over state that is no tensor (get_extra_state) has no place in a checkpoint of arrays.
        state = {k: v for k, v in model.state_dict().items() if isinstance(v, torch.Tensor)}
        torch.save(state, os.path.join(job["out"], "weights.pth"))
    cases = [_Case(job, case, arrays, target, model) for case in job["cases"]]
    cotangents: dict[str, np.ndarray] = {}
    for number, case in enumerate(cases):
        stage(f"case {case.name}")
        case.first(number, cotangents)
        if case.error is None:
            case.rerun()
    np.savez(os.path.join(job["out"], "cotangents.npz"), **cotangents)  # type: ignore[arg-type]
    notes = []
    if job["oracle"]:
        stage("float64")
        notes += _oracle(cases, model)
    # numpy's and the model's state are as the user's code left them; nothing runs after this.
    return {
        "framework": f"torch {torch.__version__}", "model": model is not None, "notes": notes,
        "cases": [case.answer() for case in cases],
    }


def _perturb(model: torch.nn.Module, seed: int) -> None:
    """Vary floating tensors that hold one repeated value: by a fifth, or around zero; signs stay."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for value in model.state_dict(keep_vars=True).values():
            if not _is_tensor(value) or not value.is_floating_point() or value.numel() < 2:
                continue
            first = value.flatten()[0]
            if not bool((value == first).all()):
                continue
            drawn = torch.rand(value.shape, generator=generator)
            varied = value * (0.8 + 0.4 * drawn) if float(first) else 0.1 * (drawn - 0.5)
            value.copy_(varied.to(value.dtype))


class _Decoder:
    def __init__(
        self, arrays: dict[str, np.ndarray], floating: torch.dtype | None = None, track: bool = False
    ) -> None:
        self.arrays, self.floating, self.track = arrays, floating, track
        self.inputs: list[tuple[str, torch.Tensor]] = []

    def __call__(self, value: Any) -> Any:
        return values.decode(value, self._tensor, lambda name: getattr(torch, name))

    def _tensor(self, value: dict[str, Any]) -> torch.Tensor:
        made = torch.from_numpy(self.arrays[value["key"]].copy()).to(getattr(torch, value["dtype"]))
        if made.is_floating_point() and self.floating is not None:
            made = made.to(self.floating)
        if not self.track or not made.is_floating_point():
            return made
        self.inputs.append((value["name"], made.requires_grad_(True)))
        # The call gets a copy in the graph, because a leaf may not be changed in place.
        return made.clone()


def dense(value: torch.Tensor) -> torch.Tensor:
    """A sparse tensor with all of its elements: two sides may hold the same one in different orders."""
    return value if value.layout is torch.strided else value.to_dense()


def _array(value: torch.Tensor) -> tuple[np.ndarray, str]:
    value = dense(value).detach().cpu().resolve_conj().resolve_neg().clone()
    name = str(value.dtype).removeprefix("torch.")
    if value.dtype is torch.bfloat16:
        return value.contiguous().view(torch.int16).numpy().view(np.uint16), name
    return value.numpy(), name


def _is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


class _Case:
    """One call, run up to three times: recorded, again with another seed, and in float64."""

    def __init__(self, job: Any, case: Any, arrays: Any, target: Any, model: torch.nn.Module | None) -> None:
        self.job, self.case, self.arrays, self.target, self.model = job, case, arrays, target, model
        self.name = case["name"]
        self.error: dict[str, str] | None = None
        self.gradient_error: dict[str, str] | None = None
        self.records: list[dict[str, Any]] = []
        self.cotangents: dict[str, np.ndarray] = {}
        self.saved: dict[str, torch.Tensor] = {}
        if model is not None and job["mode"] == "train":
            self.saved = {k: v.clone() for k, v in model.state_dict().items() if _is_tensor(v)}

    def first(self, number: int, cotangents: dict[str, np.ndarray]) -> None:
        try:
            self.records = self._run(self.job["seed"], None, number)
        except Exception as error:  # the user's code may raise anything; it is the answer then
            self.error = targets.describe(error)
        for name, value in self.cotangents.items():
            cotangents[f"{number}/{name}"] = value

    def rerun(self) -> None:
        """Another seed: what depends on random numbers differs now, and so does what is not deterministic."""
        try:
            self._noise(self._run(self.job["seed"] + 1, None, None), "rerun")
        except Exception as error:  # a call that works once only cannot be compared
            self.error = targets.describe(error)

    def oracle(self) -> None:
        self._noise(self._run(self.job["seed"], torch.float64, None), "oracle")

    def _noise(self, others: list[dict[str, Any]], key: str) -> None:
        found = {(r["role"], r["name"]): r for r in others}
        for record in self.records:
            other = found.get((record["role"], record["name"]))
            if "array" not in record or other is None or "array" not in other:
                continue
            mine, theirs = _wide(record), _wide(other)
            if mine.shape != theirs.shape or not np.issubdtype(mine.dtype, np.inexact):
                changed = mine.shape != theirs.shape or not np.array_equal(mine, theirs)
                record[key] = 1e30 if key == "rerun" and changed else 0.0
                continue
            with np.errstate(invalid="ignore", over="ignore"):
                difference = np.abs(mine - theirs)
            record[key] = float(np.max(difference[np.isfinite(difference)], initial=0.0))

    def _run(self, seed: int, floating: torch.dtype | None, number: int | None) -> list[dict[str, Any]]:
        torch.manual_seed(seed)
        if self.model is not None and self.saved:
            self.model.load_state_dict(self.saved, strict=False)
        wanted = self.job["gradient"]
        decode = _Decoder(self.arrays, floating, track=wanted)
        args, kwargs = decode(self.case["args"]), decode(self.case["kwargs"])
        recorder = values.Recorder(_is_tensor, _array)
        hooks = self._hooks(recorder) if self.model is not None and self.job["layers"] else []
        try:
            with torch.set_grad_enabled(wanted):
                output = self.target(*args, **kwargs)
        finally:
            for hook in hooks:
                hook.remove()
        found = values.leaves(output, _is_tensor)
        for name, value in found:
            recorder.add("output", name, value)
        if self.model is not None and self.job["mode"] == "train":
            for name, buffer in self.model.named_buffers():
                recorder.add("buffer", name, buffer)
        if wanted:
            self._gradients(recorder, found, decode.inputs, number)
        return recorder.records

    def _hooks(self, recorder: values.Recorder) -> list[Any]:
        assert self.model is not None

        def make(path: str, module: torch.nn.Module) -> Any:
            return module.register_forward_hook(lambda m, i, out: recorder.layer(path, type(m).__name__, out))

        return [make(path, module) for path, module in self.model.named_modules() if path]

    def _gradients(self, recorder: values.Recorder, found: Any, inputs: Any, number: int | None) -> None:
        outputs = [(n, v) for n, v in found if _is_tensor(v) and v.is_floating_point() and v.requires_grad]
        wanted = [("input gradient", n, t) for n, t in inputs]
        if self.model is not None:
            wanted += [("parameter gradient", n, p) for n, p in self.model.named_parameters() if p.requires_grad]
        if not outputs or not wanted:
            return
        if number is not None:
            rng = np.random.default_rng([self.job["seed"], number])
            self.cotangents = {n: np.asarray(rng.standard_normal(tuple(v.shape)), "float32") for n, v in outputs}
        try:
            # Summed in float32 at least: MindSpore's sum has no kernel for bfloat16 on a CPU.
            wide = [(n, v.to(torch.promote_types(v.dtype, torch.float32))) for n, v in outputs]
            terms = [(v * torch.from_numpy(self.cotangents[n]).to(v.dtype)).sum() for n, v in wide]
            scalar = torch.stack([term.to(terms[0].dtype) for term in terms]).sum()
            gradients = torch.autograd.grad(scalar, [t for _, _, t in wanted], allow_unused=True)
        except Exception as error:
            # A finding of the comparison: the forward pass can still be compared.
            self.gradient_error = targets.describe(error)
            return
        for (role, name, tensor), gradient in zip(wanted, gradients, strict=True):
            recorder.add(role, name, torch.zeros_like(tensor) if gradient is None else gradient)

    def answer(self) -> dict[str, Any]:
        return {
            "name": self.name, "error": self.error, "gradient_error": self.gradient_error, "records": self.records,
        }


def _wide(record: dict[str, Any]) -> np.ndarray:
    """The recorded values in a type that holds their differences."""
    array: np.ndarray = record["array"]
    if record["dtype"] == "bfloat16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if np.issubdtype(array.dtype, np.complexfloating):
        return array.astype(np.complex128)
    return array.astype(np.float64) if np.issubdtype(array.dtype, np.floating) else array


def _oracle(cases: list[_Case], model: torch.nn.Module | None) -> list[str]:
    """Run every case once more in float64; a note for each that cannot."""
    notes = []
    torch.set_default_dtype(torch.float64)
    if model is not None:
        model.double()
    for case in cases:
        if case.error is not None:
            continue
        try:
            case.oracle()
        except Exception as error:
            # Code that fixes a dtype cannot run in float64; the tolerance then follows from the dtype alone.
            found = targets.describe(error)
            notes.append(f"case {case.name!r}: no float64 run ({found['type']}: {found['message'][:160]})")
    return notes
