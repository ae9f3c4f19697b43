"""Records a MindSpore callable or model the way `torch_side` records torch's, in PyNative mode."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import nn

from mindport.verify.recording import targets, values
from mindport.weights.walk_mindspore import walk


def record(job: dict[str, Any], stage: Callable[[str], None], handshake: Callable[[], None]) -> dict[str, Any]:
    """Run the job; after the tree is written, `handshake` waits for the converted weights."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    # An operator's error is otherwise reported by a later one.
    ms.runtime.launch_blocking()
    ms.set_seed(job["seed"])
    stage("import")
    target = targets.load(job)
    with np.load(job["inputs"]) as archive:
        arrays = {key: archive[key] for key in archive.files}
    model = None
    if job["construct"] is not None or isinstance(target, type):
        stage("construct")
        construct = job["construct"] or {"args": [], "kwargs": {"$": "dict", "items": {}}}
        decode = _Decoder(arrays)
        target = target(*decode(construct["args"]), **decode(construct["kwargs"]))
    if isinstance(target, nn.Cell):
        model = target
        model.set_train(job["mode"] == "train")
        with open(os.path.join(job["out"], "tree.json"), "w", encoding="utf-8") as stream:
            json.dump(walk(model), stream)
        if job.get("tree only"):
            return {"framework": f"mindspore {ms.__version__}", "model": True, "cases": []}
        stage("weights")
        handshake()
        _apply(model, job)
    with np.load(job["cotangents"]) as archive:
        cotangents = {key: archive[key] for key in archive.files}
    cases = []
    for number, case in enumerate(job["cases"]):
        stage(f"case {case['name']}")
        own = {k.partition("/")[2]: v for k, v in cotangents.items() if k.partition("/")[0] == str(number)}
        cases.append(_case(job, case, arrays, own, target, model))
    return {"framework": f"mindspore {ms.__version__}", "model": model is not None, "notes": [], "cases": cases}


def _apply(model: Any, job: dict[str, Any]) -> None:
    """Load the converted weights; whatever stays without a value, or without a place, is an error."""
    with open(os.path.join(job["out"], "placement.json"), encoding="utf-8") as stream:
        placement = json.load(stream)
    if not placement["weights"]:
        return
    loaded = _loaded(placement["weights"])
    buffers = {name: loaded.pop(name) for name in placement["buffers"] if name in loaded}
    missing, unexpected = [], []
    if loaded:
        missing, unexpected = ms.load_param_into_net(model, loaded, strict_load=True)
    problems = [f"{name} got no value" for name in missing if name not in placement["mindspore_only"]]
    problems += [f"{name} has no place in the model" for name in unexpected]
    for name, value in buffers.items():
        *way, last = placement["buffers"][name].split(".")
        cell = model
        for part in way:
            cell = cell._cells[part]
        old = cell._buffers[last]
        if old.shape != value.shape or old.dtype != value.dtype:
            problems.append(f"the buffer {name} is {old.dtype}{old.shape}, the checkpoint has {value.dtype}{value.shape}")
            continue
        # Not the loaded Parameter's own storage: the buffer would then be a leaf that no operator may change in place.
        old.assign_value(ms.ops.stop_gradient(value).copy())
    if problems:
        raise ValueError("the converted weights do not fit: " + "; ".join(problems[:10]))


def _loaded(path: str) -> dict[str, Any]:
    """Parameters by name, out of a checkpoint or of NumPy's arrays (`moved_weights`)."""
    if not path.endswith(".npz"):
        return dict(ms.load_checkpoint(path))
    with np.load(path) as archive:
        return {name: ms.Parameter(ms.Tensor(archive[name]), name=name) for name in archive.files}


class _Decoder:
    """Makes the arguments; the floating tensors among them are numbered for the gradient."""

    def __init__(self, arrays: dict[str, np.ndarray]) -> None:
        self.arrays = arrays
        self.inputs: list[tuple[str, Any]] = []
        #: Set while differentiating: the tensors to use instead of new ones.
        self.given: list[Any] | None = None

    def __call__(self, value: Any) -> Any:
        return values.decode(value, self._tensor, lambda name: getattr(ms, "bool_" if name == "bool" else name))

    def _tensor(self, value: dict[str, Any]) -> Any:
        dtype = getattr(ms, "bool_" if value["dtype"] == "bool" else value["dtype"])
        floating = "float" in value["dtype"]
        if floating and self.given is not None:
            return self.given.pop(0)
        made = ms.Tensor(self.arrays[value["key"]].copy()).astype(dtype)
        if floating:
            self.inputs.append((value["name"], made))
        return made


def _array(value: Any) -> tuple[np.ndarray, str]:
    value = value.to_dense() if _is_sparse(value) else value
    name = str(value.dtype).lower()
    if name == "bfloat16":
        bits = value.astype(ms.float32).asnumpy().view(np.uint32) >> 16
        return bits.astype(np.uint16), name
    return value.asnumpy().copy(), name


def _is_tensor(value: Any) -> bool:
    return isinstance(value, ms.Tensor) or _is_sparse(value)


def _is_sparse(value: Any) -> bool:
    """Whether it is one of MindSpore's sparse tensors, or a converted project's own (equivalents/sparse_tensors.py): recorded with all of its elements."""
    return not isinstance(value, (ms.Tensor, type)) and callable(getattr(value, "to_dense", None))


def _case(job: Any, case: Any, arrays: Any, cotangents: dict[str, np.ndarray], target: Any, model: Any) -> dict[str, Any]:
    ms.set_seed(job["seed"])
    recorder = values.Recorder(_is_tensor, _array)
    answer = {"name": case["name"], "error": None, "gradient_error": None, "records": recorder.records}
    state = {}
    if model is not None and job["mode"] == "train":
        state = {id(p): (p, p.asnumpy().copy()) for p in model.get_parameters()}
    try:
        decode = _Decoder(arrays)
        args, kwargs = decode(case["args"]), decode(case["kwargs"])
        hooks = _hooks(model, recorder) if model is not None and job["layers"] else []
        try:
            output = target(*args, **kwargs)
        finally:
            for hook in hooks:
                hook.remove()
        for name, value in values.leaves(output, _is_tensor):
            recorder.add("output", name, value)
        if model is not None and job["mode"] == "train":
            for parameter in model.get_parameters():
                if not parameter.requires_grad:
                    recorder.add("buffer", parameter.name, parameter)
            for name, buffer in model.named_buffers():
                recorder.add("buffer", name, buffer)
    except Exception as error:  # the user's code may raise anything; it is the answer then
        answer["error"] = targets.describe(error)
        return answer
    finally:
        for parameter, value in state.values():
            parameter.set_data(ms.Tensor(value, parameter.dtype))
    if job["gradient"] and cotangents:
        try:
            _gradients(recorder, case, arrays, decode.inputs, cotangents, target, model)
        except Exception as error:
            # A finding of the comparison: the forward pass can still be compared.
            answer["gradient_error"] = targets.describe(error)
        finally:
            for parameter, value in state.values():
                parameter.set_data(ms.Tensor(value, parameter.dtype))
    return answer


def _hooks(model: Any, recorder: values.Recorder) -> list[Any]:
    def make(path: str, cell: Any) -> Any:
        def note(cell: Any, inputs: Any, output: Any) -> None:
            recorder.layer(path, type(cell).__name__, output)

        return cell.register_forward_hook(note)

    return [make(path, cell) for path, cell in model.cells_and_names() if path]


def _gradients(
    recorder: values.Recorder, case: Any, arrays: Any, inputs: list[tuple[str, Any]],
    cotangents: dict[str, np.ndarray], target: Any, model: Any,
) -> None:
    """The gradient of sum(output * cotangent) over the outputs that torch could differentiate."""

    def scalar(*given: Any) -> Any:
        decode = _Decoder(arrays)
        decode.given = list(given)
        found = dict(values.leaves(target(*decode(case["args"]), **decode(case["kwargs"])), _is_tensor))
        terms = []
        for name, cotangent in cotangents.items():
            if name in found:
                value = found[name]
                value = value if value.dtype == ms.float64 else value.astype(ms.float32)
                terms.append((value * ms.Tensor(cotangent).astype(value.dtype)).sum())
        total = terms[0]
        for term in terms[1:]:
            total = total + term
        return total

    parameters = [p for p in model.trainable_params()] if model is not None else []
    if not inputs and not parameters:
        return
    places = tuple(range(len(inputs))) if inputs else None
    differentiate = ms.value_and_grad(scalar, places, ms.ParameterTuple(parameters) if parameters else None)
    _, gradients = differentiate(*(tensor for _, tensor in inputs))
    of_inputs, of_parameters = gradients if inputs and parameters else (
        (gradients, ()) if inputs else ((), gradients)
    )
    if _is_tensor(of_inputs):
        of_inputs = (of_inputs,)
    if _is_tensor(of_parameters):
        of_parameters = (of_parameters,)
    for (key, _), gradient in zip(inputs, of_inputs, strict=True):
        recorder.add("input gradient", key, gradient)
    for parameter, gradient in zip(parameters, of_parameters, strict=True):
        recorder.add("parameter gradient", parameter.name, gradient)
