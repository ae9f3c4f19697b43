"""Runs a declared layer beside torch's module: same constructor arguments, same weights, same inputs.

Runs inside a worker; imports both frameworks. Both layers stand inside a parent, because MindSpore names the
parameters of some cells only there.
"""

from __future__ import annotations

import copy
from typing import Any

import mindspore as ms
import torch

from mindport import catalog
from mindport.declare import Declaration, Layout
from mindport.evidence import compare
from mindport.evidence.bridge import tensor_to_mindspore, tensor_to_torch, to_mindspore
from mindport.evidence.distribution import apart
from mindport.evidence.hard_samples import LARGE_NUMBERS, LAYOUTS
from mindport.evidence.knowledge import declaration
from mindport.evidence.layer_samples import LayerSample, Part
from mindport.evidence.lazy_layers import sized, sized_here
from mindport.evidence.programs import CallText, module, reproduction
from mindport.evidence.run_gradient import without_poles
from mindport.evidence.run_sample import DRAWS, GRADIENT_LOOSENED, MOST_CALLS, Result, TorchRefuses, judged
from mindport.evidence.samples import STRIDED, Sample, copied, mapped, resolve, tensors
from mindport.evidence.vendored_copy import as_vendored

#: Layers built for the comparison of initial values, at most.
MOST_BUILT = 150
TRAINING_STEPS = 3
#: A result of fewer values may be the same twice though it is drawn: it is asked for so often.
FEW, FEW_TRIALS = 64, 12


class Parent(ms.nn.Cell):
    """Holds the layer under the name that torch's parent gives it."""

    def __init__(self, layer: ms.nn.Cell) -> None:
        super().__init__()
        self.layer = layer

    def construct(self, *args: Any) -> Any:
        return self.layer(*args)


def told(name: str, sample: LayerSample) -> str:
    """The sample as a line."""
    return reproduction(name, sample.build.args, sample.build.kwargs) + reproduction("", sample.call.args, sample.call.kwargs, sample.call.edge)


def has_state(name: str, declared: Declaration, sample: LayerSample) -> bool:
    """Does torch's layer hold parameters or buffers?"""
    try:
        return bool(built(name, declared, sample).state_dict())
    except TorchRefuses:
        return False


def built(name: str, declared: Declaration, sample: LayerSample) -> torch.nn.Module:
    """torch's layer with changed weights, so that ones and zeros of the initialisation hide nothing.

    What has no counterpart in MindSpore's state, such as a loss's class weights, stays as the constructor made it.
    """
    torch.manual_seed(3)
    try:
        given = copied(sample.build)
        layer = resolve(name)(*_parts(given.args, of_torch=True), **_parts(given.kwargs, of_torch=True))
    except Exception as error:
        raise TorchRefuses(str(error)) from error
    assert isinstance(layer, torch.nn.Module)
    sized(layer, sample.call)
    with torch.no_grad():
        for key, value in layer.state_dict().items():
            if value.is_floating_point() and place(declared, layer, key) is not None:
                value += 0.1 * torch.rand(value.shape)
    return layer


def ours(declared: Declaration, sample: LayerSample, layer: torch.nn.Module, *, vendored: bool = False) -> Parent:
    """The declared layer in a parent, with the weights of torch's; LookupError where a mapped name does not exist."""
    target = as_vendored(declared.target) if vendored else declared.target
    parent = Parent(sized_here(target(*_parts(sample.build.args), **_parts(sample.build.kwargs)), sample.call))
    held = _held(parent)
    for name, value in layer.state_dict().items():
        there = place(declared, layer, name)
        if there is None:
            continue
        if there[0] not in held:
            raise LookupError(f"the state entry {name!r} has no counterpart {there[0]!r}; there are {sorted(held)}")
        moved = value if there[1] is None else value.unsqueeze(there[1])
        if tuple(held[there[0]].shape) != tuple(moved.shape):
            raise LookupError(f"{name!r} has shape {tuple(moved.shape)}, {there[0]!r} has {tuple(held[there[0]].shape)}")
        _set(parent, there[0], held[there[0]], tensor_to_mindspore(moved))
    return parent


def place(declared: Declaration, layer: torch.nn.Module, name: str) -> tuple[str, int | None] | None:
    """Where a torch state entry stands in MindSpore: name and axis to insert; None where there is no counterpart.

    What the layer's own map does not name is looked up in the map of the inner layer that holds it.
    """
    prefix, _, last = name.rpartition(".")
    found: str | Layout | None = declared.state.get(name, name)
    if name not in declared.state and prefix:
        inner = catalog.load().find(f"torch.nn.{type(layer.get_submodule(prefix)).__name__}")
        if inner and inner[0].kind == "layer":
            found = inner[0].state.get(last, last)
            if isinstance(found, Layout):
                return f"{prefix}.{found.name}", found.insert_axis
            found = found and f"{prefix}.{found}"
    if found is None:
        return None
    if isinstance(found, Layout):
        return found.name, found.insert_axis
    return found, None


def _parts(value: Any, *, of_torch: bool = False) -> Any:
    """Constructor arguments for one side, inner layers built."""
    match value:
        case Part() if of_torch:
            return resolve(value.name)(*_parts(value.args, of_torch=True), **_parts(value.kwargs, of_torch=True))
        case Part():
            target = declaration(catalog.load().find(value.name)[0]).target
            return target(*_parts(value.args), **_parts(value.kwargs))
        case tuple() | list():
            return type(value)(_parts(item, of_torch=of_torch) for item in value)
        case dict():
            return {key: _parts(item, of_torch=of_torch) for key, item in value.items()}
    return value if of_torch else to_mindspore(value)


def _held(parent: Parent) -> dict[str, Any]:
    """Parameters and buffers of the layer, by their names relative to it."""
    found = {key.removeprefix("layer."): value for key, value in parent.state_dict().items()}
    found.update({key.removeprefix("layer."): value for key, value in parent.parameters_dict().items()})
    return found


def _set(parent: Parent, name: str, held: Any, value: Any) -> None:
    if isinstance(held, ms.Parameter):
        held.set_data(value.astype(held.dtype))
        return
    owner = parent.layer
    *path, last = name.split(".")
    for part in path:
        owner = getattr(owner, part)
    owner._buffers[last] = value


def evaluation(name: str, declared: Declaration, sample: LayerSample) -> Result:
    """Compare results in evaluation mode."""
    return _compared(name, declared, sample, training_mode=False)


def training(name: str, declared: Declaration, sample: LayerSample) -> Result:
    """Compare results in training mode; of layers that draw, the distribution of results."""
    return _compared(name, declared, sample, training_mode=True)


def _compared(name: str, declared: Declaration, sample: LayerSample, training_mode: bool) -> Result:
    layer = built(name, declared, sample).train(training_mode)
    state = copy.deepcopy(layer.state_dict())
    expected = _called(layer, sample)
    draws = any(_differ(expected, _called(layer, sample)) for _ in range(FEW_TRIALS if isinstance(expected, torch.Tensor) and expected.numel() < FEW else 1))
    layer.load_state_dict(state)

    def difference() -> str:
        parent = ours(declared, sample, layer)
        parent.set_train(training_mode)
        if draws:
            return _distributions(layer, parent, sample)
        layout = sample.call.edge if sample.call.edge in (STRIDED, *LAYOUTS) else ""
        actual = parent.layer(*to_mindspore(sample.call.args, layout=layout), **to_mindspore(sample.call.kwargs))
        return compare.difference(expected, actual, terms=_largest(sample))

    return judged(declared, sample.build, told(name, sample), difference, sample.call.args)


def _differ(one: Any, other: Any) -> bool:
    return isinstance(one, torch.Tensor) and not torch.equal(one.nan_to_num(), other.nan_to_num())


def _largest(sample: LayerSample) -> float:
    """The largest number that sums of the layer keep the rounding of."""
    if sample.call.edge != LARGE_NUMBERS:
        return 0.0
    return max(float(t.abs().max()) for t in tensors([sample.call.args, sample.call.kwargs]) if t.numel())


def _called(layer: torch.nn.Module, sample: LayerSample) -> Any:
    given = copied(sample.call)
    try:
        return layer(*given.args, **given.kwargs)
    except Exception as error:
        raise TorchRefuses(str(error)) from error


def _distributions(layer: torch.nn.Module, parent: Parent, sample: LayerSample) -> str:
    right, left = [], []
    size = max(1, _called(layer, sample).numel())
    # Of a hard input structure alone: values that come back, or are not finite, have no distribution to compare.
    for _ in range(min(MOST_CALLS, -(-DRAWS // size)) if not sample.call.edge else 1):
        right.append(_called(layer, sample).detach())
        actual = parent.layer(*to_mindspore(sample.call.args), **to_mindspore(sample.call.kwargs))
        if found := compare.difference(right[-1], actual, values=False):
            return found
        left.append(tensor_to_torch(actual))
    return apart(torch.stack(right), torch.stack(left)) if not sample.call.edge else ""


def statistics(name: str, declared: Declaration, sample: LayerSample) -> Result | None:
    """Compare the buffers after some steps in training mode."""
    layer = built(name, declared, sample).train()
    buffers = [n for n, _ in layer.named_buffers() if n in layer.state_dict()]
    if not any(place(declared, layer, n) is not None for n in buffers):
        return None
    inputs = [sample] + [
        LayerSample(sample.build, Sample(mapped(sample.call.args, lambda t: t * 2 + 1), sample.call.kwargs)) for _ in range(TRAINING_STEPS - 1)
    ]
    before = copy.deepcopy(layer)
    for one in inputs:
        _called(layer, one)

    def difference() -> str:
        parent = ours(declared, sample, before)
        parent.set_train(True)
        for one in inputs:
            parent.layer(*to_mindspore(one.call.args), **to_mindspore(one.call.kwargs))
        held = _held(parent)
        for buffer, value in layer.named_buffers():
            there = place(declared, layer, buffer)
            if there is not None and buffer in layer.state_dict() and (found := compare.difference(value, ms.Tensor(held[there[0]]), terms=_largest(sample))):
                return f"{buffer} after {TRAINING_STEPS} steps: {found}"
        return ""

    return judged(declared, sample.build, told(name, sample), difference, sample.call.args)


def gradient(name: str, declared: Declaration, sample: LayerSample, *, finite: bool = False) -> Result | None:
    """Compare the gradients of inputs and parameters for a fixed random cotangent, in training mode.

    `finite`: elements whose gradient is infinite in torch, or as good as that, do not count.
    """
    layer = built(name, declared, sample).train()
    if draws(layer, sample):
        layer.eval()
    state = copy.deepcopy(layer.state_dict())
    given = copied(sample.call)
    leaves = [t.requires_grad_() for t in tensors([given.args, given.kwargs]) if t.is_floating_point()]
    try:
        expected = layer(*given.args, **given.kwargs)
    except Exception as error:
        raise TorchRefuses(str(error)) from error
    result = expected[0] if isinstance(expected, tuple) else expected
    named = {n: p for n, p in layer.named_parameters() if place(declared, layer, n) is not None}
    if not isinstance(result, torch.Tensor) or not result.requires_grad:
        return None
    cotangent = torch.randn(result.shape, generator=torch.Generator().manual_seed(1))
    try:
        found = torch.autograd.grad(result, [*leaves, *named.values()], cotangent, allow_unused=True)
    except RuntimeError as error:
        raise TorchRefuses(str(error)) from error
    wanted = [torch.zeros_like(x) if g is None else g for g, x in zip(found, [*leaves, *named.values()], strict=True)]
    if finite:
        wanted = without_poles(wanted)
    mode = layer.training
    layer.load_state_dict(state)

    def difference() -> str:
        parent = ours(declared, sample, layer)
        parent.set_train(mode)
        text = CallText(lambda tensor: tensor.is_floating_point())
        call = text.call("target", sample.call.args, sample.call.kwargs)
        picked = "result[0]" if isinstance(expected, tuple) else "result"
        program = f"def program({', '.join(text.parameters)}):\n    result = {call}\n    return {picked}\n"
        made = module(program, {"target": parent.layer, **text.constants})
        values = [to_mindspore(t) for t in text.parameters.values()]
        held = parent.parameters_dict()
        places = [place(declared, layer, n) for n in named]
        weights = ms.ParameterTuple([held[f"layer.{p[0]}"] for p in places if p is not None])
        derive = ms.ops.GradOperation(get_all=bool(values), get_by_list=bool(weights), sens_param=True)
        derived = derive(made.program, weights) if weights else derive(made.program)
        got = derived(*values, to_mindspore(cotangent))
        inputs, of_weights = (got if values and weights else (got, ()) if values else ((), got))
        for number, value in enumerate(inputs):
            if told_ := compare.difference(wanted[number], value, loosened=GRADIENT_LOOSENED):
                return f"input {number}: {told_}"
        for number, (key, where, value) in enumerate(zip(named, places, of_weights, strict=True)):
            right = wanted[len(leaves) + number]
            right = right if where is None or where[1] is None else right.unsqueeze(where[1])
            if told_ := compare.difference(right, value, loosened=GRADIENT_LOOSENED):
                return f"{key}: {told_}"
        return ""

    return judged(declared, sample.build, told(name, sample), difference, sample.call.args)


def draws(layer: torch.nn.Module, sample: LayerSample) -> bool:
    """Whether two calls in the layer's present mode give different results."""
    return _differ(_called(layer, sample), _called(layer, sample))


def initial(name: str, declared: Declaration, sample: LayerSample) -> Result | None:
    """Compare the distributions of freshly built weights, pooled over many layers."""
    cls = resolve(name)

    def fresh() -> torch.nn.Module:
        made = cls(*_parts(sample.build.args, of_torch=True), **_parts(sample.build.kwargs, of_torch=True))
        sized(made, sample.call)
        return made  # type: ignore[no-any-return]

    one = fresh()
    first = one.state_dict()
    keys = [k for k, v in first.items() if v.is_floating_point() and v.numel() and place(declared, one, k) is not None]
    if not keys:
        return None
    count = min(MOST_BUILT, max(3, -(-DRAWS // min(first[k].numel() for k in keys))))

    def difference() -> str:
        right: dict[str, list[torch.Tensor]] = {k: [] for k in keys}
        left: dict[str, list[torch.Tensor]] = {k: [] for k in keys}
        for _ in range(count):
            state = fresh().state_dict()
            made = sized_here(declared.target(*_parts(sample.build.args), **_parts(sample.build.kwargs)), sample.call)
            held = _held(Parent(made))
            for key in keys:
                right[key].append(state[key])
                there = place(declared, one, key)
                assert there is not None
                left[key].append(tensor_to_torch(ms.Tensor(held[there[0]])))
        for key in keys:
            if found := apart(torch.stack(right[key]), torch.stack(left[key])):
                return f"{key}: {found}"
        return ""

    return judged(declared, sample.build, told(name, sample), difference, sample.call.args)


def graph(name: str, declared: Declaration, sample: LayerSample) -> Result | None:
    """Compare results under ``ms.jit`` in evaluation mode, with the layer as converted projects hold it."""
    layer = built(name, declared, sample).eval()
    expected = _called(layer, sample)

    def difference() -> str:
        parent = ours(declared, sample, layer, vendored=True)
        parent.set_train(False)
        text = CallText(lambda tensor: True)
        call = text.call("target", sample.call.args, sample.call.kwargs)
        program = f"def program({', '.join(text.parameters)}):\n    return {call}\n"
        made = module(program, {"target": parent.layer, **text.constants})
        values = [to_mindspore(t) for t in text.parameters.values()]
        return compare.difference(expected, ms.jit(made.program)(*values), sequences_alike=True)

    return judged(declared, sample.build, told(name, sample), difference, sample.call.args)
