"""Scenarios for the methods of modules, containers and parameters."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario


def kinds(modules: Any) -> list[str]:
    """Class names."""
    return [type(module).__name__ for module in modules]


@scenario("torch.nn.Module.train", "torch.nn.Module.eval", "torch.nn.Module.cpu")
def modes(side: Side) -> Any:
    """returns the module, and sets the mode of all inside it"""
    net = side.net()
    for each in (net, net[0]):
        side.trains(each, True)
    same = side.call(net) is net
    return same, net.training, net[0].training, net[0][0].training


@scenario("torch.nn.Module.train")
def training_off(side: Side) -> Any:
    """train(False)"""
    net = side.net()
    side.call(net, False)
    return net.training, net[0][0].training


@scenario("torch.nn.Module.training")
def training_read(side: Side) -> Any:
    """after evaluation mode was set"""
    net = side.net()
    side.trains(net, False)
    return side.call(net)


@scenario("torch.nn.Module.half", "torch.nn.Module.bfloat16", "torch.nn.Module.float", "torch.nn.Module.double")
def casts(side: Side) -> Any:
    """returns the module, its parameters in the dtype"""
    net = side.net()
    return side.call(net) is net, side.dtype(net[0][0].weight), side.dtype(net[1].bias)


@scenario("torch.nn.Module.to", "torch.nn.Module.type")
def conversions(side: Side) -> Any:
    """a dtype"""
    net = side.net()
    same = side.call(net, side.value(torch.float16)) is net
    return same, side.dtype(net[0][0].weight)


@scenario("torch.nn.Module.to")
def places(side: Side) -> Any:
    """a device, by name and as the first argument"""
    net = side.net()
    return side.call(net, "cpu") is net, side.call(net, device="cpu") is net, side.dtype(net[1].weight)


@scenario("torch.nn.Module.apply")
def visits(side: Side) -> Any:
    """the function sees inner modules first, itself last"""
    net, seen = side.net(), []

    def visit(module: Any) -> None:
        seen.append(type(module).__name__)

    return side.call(net, visit) is net, seen


@scenario("torch.nn.Module.zero_grad")
def nothing(side: Side) -> Any:
    """no result"""
    return side.call(side.make("torch.nn.LSTM", 2, 2))


@scenario("torch.nn.Module.modules", "torch.nn.Module.children")
def walks(side: Side) -> Any:
    """classes in order"""
    return kinds(side.call(side.net()))


@scenario("torch.nn.Module.named_modules", "torch.nn.Module.named_children")
def named_walks(side: Side) -> Any:
    """names and classes in order"""
    return [(name, type(module).__name__) for name, module in side.call(side.net())]


@scenario("torch.nn.Module.named_modules")
def prefixed(side: Side) -> Any:
    """with a prefix"""
    return [name for name, _ in side.call(side.net(), prefix="p")]


@scenario("torch.nn.Module.modules", "torch.nn.Module.named_modules")
def shared(side: Side) -> Any:
    """a module that stands twice is given once"""
    inner = side.make("torch.nn.ReLU")
    return len(list(side.call(side.make("torch.nn.Sequential", inner, inner))))


@scenario("torch.nn.Module.parameters", "torch.nn.Module.buffers")
def shapes(side: Side) -> Any:
    """shapes in order"""
    return [tuple(each.shape) for each in side.call(side.net())]


@scenario("torch.nn.Module.parameters", "torch.nn.Module.named_parameters")
def own_only(side: Side) -> Any:
    """recurse=False"""
    return len(list(side.call(side.net(), recurse=False))), len(list(side.call(side.net()[1], recurse=False)))


@scenario("torch.nn.Module.named_parameters", "torch.nn.Module.named_buffers")
def named_shapes(side: Side) -> Any:
    """names and shapes in order"""
    return [(name, tuple(each.shape)) for name, each in side.call(side.net())]


@scenario("torch.nn.Module.named_parameters")
def named_with_prefix(side: Side) -> Any:
    """with a prefix"""
    return [name for name, _ in side.call(side.net(), prefix="p")]


@scenario("torch.nn.Module.state_dict")
def state(side: Side) -> Any:
    """names and shapes"""
    return [(name, tuple(each.shape)) for name, each in side.call(side.net()).items()]


@scenario("torch.nn.Module.load_state_dict")
def loading(side: Side) -> Any:
    """the values arrive"""
    one, other = side.net(), side.net()
    side.call(other, one.state_dict())
    return bool((one[0][0].weight == other[0][0].weight).all())


@scenario("torch.nn.Module.requires_grad_")
def frozen(side: Side) -> Any:
    """returns the module, all parameters frozen"""
    net = side.net()
    same = side.call(net, False) is net
    return same, [p.requires_grad for p in (net[0][0].weight, net[1].weight, net[1].bias)]


@scenario("torch.nn.Module.register_parameter", "torch.nn.Module.register_buffer")
def registering(side: Side) -> Any:
    """the value is read as an attribute; no result"""
    net = side.make("torch.nn.Linear", 2, 2)
    value = side.make("torch.nn.Parameter", side.value(torch.ones(3))) if side.name.endswith("parameter") else side.value(torch.ones(3))
    result = side.call(net, "extra", value)
    return result, tuple(net.extra.shape), float(net.extra.sum())


@scenario("torch.nn.Module.add_module")
def adding(side: Side) -> Any:
    """the module is found by name"""
    net = side.net()
    side.call(net, "last", side.make("torch.nn.ReLU"))
    return type(net.last).__name__


@scenario("torch.nn.Module.get_submodule")
def inner(side: Side) -> Any:
    """a dotted name, and the empty one"""
    net = side.net()
    return type(side.call(net, "0.0")).__name__, side.call(net, "") is net


@scenario("torch.nn.Module.get_parameter")
def found(side: Side) -> Any:
    """a dotted name"""
    return tuple(side.call(side.net(), "0.0.weight").shape)


@scenario("torch.nn.Module.register_forward_hook")
def after(side: Side) -> Any:
    """what the hook returns replaces the result; a removed hook is not called"""
    net, seen = side.make("torch.nn.ReLU"), []

    def hook(module: Any, args: Any, output: Any) -> Any:
        seen.append((type(module).__name__, len(args)))
        return output + 1

    handle = side.call(net, hook)
    first = net(side.value(torch.tensor([1.0, -1.0]))).tolist()
    handle.remove()
    return first, net(side.value(torch.tensor([1.0, -1.0]))).tolist(), seen


@scenario("torch.nn.Module.register_forward_pre_hook")
def before(side: Side) -> Any:
    """what the hook returns replaces the arguments"""
    net = side.make("torch.nn.ReLU")

    def hook(module: Any, args: Any) -> Any:
        return (args[0] + 2,)

    side.call(net, hook)
    return net(side.value(torch.tensor([1.0, -1.0]))).tolist()


@scenario("torch.nn.Sequential.append", "torch.nn.Sequential.extend", "torch.nn.Sequential.insert", "torch.nn.Sequential.pop")
def sequences(side: Side) -> Any:
    """the order afterwards"""
    net, more = side.net(), side.make("torch.nn.Tanh")
    last = side.name.rpartition(".")[2]
    given = {"append": (more,), "extend": ([more],), "insert": (1, more), "pop": (0,)}[last]
    side.call(net, *given)
    return kinds(net), len(net)


@scenario("torch.nn.ModuleList.append", "torch.nn.ModuleList.insert", "torch.nn.ModuleList.extend", "torch.nn.ModuleList.pop")
def lists(side: Side) -> Any:
    """the order afterwards"""
    net, more = side.make("torch.nn.ModuleList", [side.make("torch.nn.ReLU")]), side.make("torch.nn.Tanh")
    last = side.name.rpartition(".")[2]
    given = {"append": (more,), "extend": ([more],), "insert": (0, more), "pop": (0,)}[last]
    side.call(net, *given)
    return kinds(net), len(net)


def named(side: Side) -> Any:
    """Two modules by name."""
    return side.make("torch.nn.ModuleDict", {"a": side.make("torch.nn.ReLU"), "b": side.make("torch.nn.Tanh")})


@scenario("torch.nn.ModuleDict.items", "torch.nn.ModuleDict.keys", "torch.nn.ModuleDict.values")
def reading(side: Side) -> Any:
    """contents in order"""
    found = list(side.call(named(side)))
    return [each if isinstance(each, str) else kinds(each[1:]) if isinstance(each, tuple) else type(each).__name__ for each in found]


@scenario("torch.nn.ModuleDict.update", "torch.nn.ModuleDict.pop", "torch.nn.ModuleDict.clear")
def changing(side: Side) -> Any:
    """contents afterwards"""
    net = named(side)
    last = side.name.rpartition(".")[2]
    side.call(net, *{"update": ({"c": side.make("torch.nn.ReLU")},), "pop": ("a",), "clear": ()}[last])
    return list(net.keys()), kinds(net.values())


@scenario("torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict")
def containers(side: Side) -> Any:
    """length, order, indices, slices"""
    if side.name.endswith("Dict"):
        net = side.call({"a": side.make("torch.nn.ReLU"), "b": side.make("torch.nn.Tanh")})
        return len(net), list(net.keys()), "a" in net, type(net["b"]).__name__
    modules = [side.make("torch.nn.Linear", 2, 2), side.make("torch.nn.ReLU"), side.make("torch.nn.Tanh")]
    net = side.call(*modules) if side.name.endswith("Sequential") else side.call(modules)
    return len(net), kinds(net), type(net[-1]).__name__, kinds(net[1:]), len(list(net[0].get_parameters() if side.declared else net.parameters()))


@scenario("torch.nn.modules.transformer._get_clones")
def clones(side: Side) -> Any:
    """how many, their kinds, and whether they are apart"""
    one = side.layer("torch.nn.Linear", 2, 2)
    made = side.call(one, 3)
    return len(made), kinds(made), made[0] is not made[1] and made[0] is not one, made[2](side.value(torch.ones(1, 2)))


@scenario("torch.nn.modules.transformer._get_activation_fn")
def activations(side: Side) -> Any:
    """what the functions give"""
    return [side.call(name)(side.value(torch.tensor([-1.0, 0.0, 2.0]))) for name in ("relu", "gelu")]


@scenario("torch.nn.Parameter", "torch.nn.Buffer", "torch.nn.Parameter_in_place_of")
def parameters(side: Side) -> Any:
    """the values, the shape"""
    made = side.call(side.value(torch.ones(2, 3)))
    return tuple(made.shape), float(made.sum())


@scenario("torch.nn.Parameter", "torch.nn.Parameter_in_place_of")
def frozen_parameter(side: Side) -> Any:
    """requires_grad by place and by name"""
    value = side.value(torch.ones(2))
    return side.call(value).requires_grad, side.call(value, False).requires_grad, side.call(value, requires_grad=False).requires_grad


@scenario("torch.nn.ParameterList", "torch.nn.ParameterDict")
def parameter_containers(side: Side) -> Any:
    """length, order, reading"""
    one, two = (side.make("torch.nn.Parameter", side.value(torch.full((n,), 2.0))) for n in (2, 3))
    if side.name.endswith("Dict"):
        made = side.call({"a": one, "b": two})
        return len(made), list(made.keys()), float(made["b"].sum()), "a" in made
    made = side.call([one, two])
    return len(made), [tuple(p.shape) for p in made], float(made[1].sum())


def two_parameters(side: Side) -> list[Any]:
    """One of two elements, one of three."""
    return [side.make("torch.nn.Parameter", side.value(torch.full((n,), 2.0))) for n in (2, 3)]


@scenario("torch.nn.ParameterList.append", "torch.nn.ParameterList.extend")
def longer(side: Side) -> Any:
    """the order afterwards"""
    one, two = two_parameters(side)
    made = side.make("torch.nn.ParameterList", [one])
    side.call(made, two if side.name.endswith("append") else [two, two])
    return [tuple(p.shape) for p in made], len(made)


@scenario("torch.nn.ParameterDict.items", "torch.nn.ParameterDict.keys", "torch.nn.ParameterDict.values")
def parameters_by_name(side: Side) -> Any:
    """contents in order"""
    one, two = two_parameters(side)
    found = list(side.call(side.make("torch.nn.ParameterDict", {"b": one, "a": two})))
    return [each if isinstance(each, str) else (each[0], tuple(each[1].shape)) if isinstance(each, tuple) else tuple(each.shape) for each in found]


@scenario("torch.nn.ParameterDict.update", "torch.nn.ParameterDict.pop", "torch.nn.ParameterDict.popitem", "torch.nn.ParameterDict.clear",
          "torch.nn.ParameterDict.get", "torch.nn.ParameterDict.setdefault")
def changed_parameters(side: Side) -> Any:
    """what it gives, and contents afterwards"""
    one, two = two_parameters(side)
    made, last = side.make("torch.nn.ParameterDict", {"a": one, "b": two}), side.name.rpartition(".")[2]
    given = {"update": ({"c": one, "a": two},), "pop": ("a",), "get": ("b",), "setdefault": ("c", one)}.get(last, ())
    got = side.call(made, *given)
    return str(type(got).__name__), list(made.keys()), [tuple(p.shape) for p in made.values()]


@scenario("torch.no_grad", "torch.inference_mode")
def as_a_context(side: Side) -> Any:
    """a value computed inside it"""
    with side.call():
        return float((side.value(torch.ones(2)) * 2).sum())


@scenario("torch.set_grad_enabled")
def mode_by_an_argument(side: Side) -> Any:
    """on and off as a context, one in the other, and as a decorator"""
    found = []
    with side.call(False):
        found.append(float((side.value(torch.ones(2)) * 2).sum()))
        with side.call(True):
            found.append(float((side.value(torch.ones(2)) * 3).sum()))
    return found, side.call(True)(lambda x: x + 1)(2)


@scenario("torch.enable_grad")
def enabled_as_a_context(side: Side) -> Any:
    """a value computed inside it, and as a decorator"""
    with side.call():
        inside = float((side.value(torch.ones(2)) * 2).sum())
    return inside, side.call()(lambda x: x + 1)(2)


@scenario("torch.is_grad_enabled")
def asked_for_the_mode(side: Side) -> Any:
    """as it stands at the start"""
    return bool(side.call())


@scenario("torch.nn.Module")
def derived(side: Side) -> Any:
    """a class that derives from it, with a part and a forward pass"""
    base = torch.nn.Module if side.declared is None else side.declared.target

    class Net(base):  # type: ignore[misc, valid-type]
        def __init__(self) -> None:
            super().__init__()
            self.part = side.make("torch.nn.ReLU")

        def forward(self, x: Any) -> Any:
            return self.part(x) + 1

        construct = forward

    result = Net()(side.value(torch.tensor([-1.0, 2.0])))
    return result.tolist(), side.dtype(result)


@scenario("torch.nn.RNNBase.flatten_parameters")
def weights_moved_together(side: Side) -> Any:
    """gives None"""
    return side.call(side.make("torch.nn.LSTM", 2, 2))


@scenario("torch.nn.modules.utils.consume_prefix_in_state_dict_if_present")
def names_without_prefix(side: Side) -> Any:
    """the names afterwards, in order, and what they stand for"""
    state = {"module.a": 1, "b": 2, "module.module.c": 3}
    found = side.call(state, "module.")
    return found, list(state.items())
