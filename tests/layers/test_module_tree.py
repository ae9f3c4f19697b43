"""The tree below a module: names, order, modes and late additions agree with torch's."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from mindspore import nn, ops  # noqa: E402

from mindport.layers import container, module, module_tree, parameter, state_dict  # noqa: E402
from mindport.layers.convolution import Conv2d  # noqa: E402
from mindport.layers.linear import Linear  # noqa: E402
from mindport.layers.normalization import BatchNorm2d, BatchNorm3d, LayerNorm  # noqa: E402


def torch_net() -> Any:
    net = torch.nn.Module()
    net.w = torch.nn.Parameter(torch.zeros(3))
    net.register_parameter("bias", None)
    net.register_buffer("buf", torch.ones(2))
    net.features = torch.nn.Sequential(OrderedDict(c0=torch.nn.Conv2d(2, 2, 1), n0=torch.nn.BatchNorm2d(2)))
    net.features.add_module("c1", torch.nn.Conv2d(2, 2, 1))
    net.several = torch.nn.ModuleList([torch.nn.Linear(2, 2)])
    net.several.append(torch.nn.Linear(1, 1))
    net.named = torch.nn.ModuleDict({"a": torch.nn.Linear(2, 2)})
    net.named.add_module("b", torch.nn.Linear(3, 3))
    net.shared = net.several[0]
    net.loose = torch.nn.ParameterList([torch.zeros(2), torch.ones(1)])
    net.add_module("late", torch.nn.Linear(2, 3))
    return net


def mindspore_net() -> Any:
    net = nn.Cell()
    net.w = parameter.new_parameter(ops.zeros((3,)))
    module_tree.register_parameter(net, "bias", None)
    module_tree.register_buffer(net, "buf", ops.ones((2,)))
    net.features = container.Sequential(OrderedDict(c0=Conv2d(2, 2, 1), n0=BatchNorm2d(2)))
    module_tree.add_module(net.features, "c1", Conv2d(2, 2, 1))
    net.several = container.ModuleList([Linear(2, 2)])
    container.append_to_list(net.several, Linear(1, 1))
    net.named = container.ModuleDict({"a": Linear(2, 2)})
    module_tree.add_module(net.named, "b", Linear(3, 3))
    net.shared = net.several[0]
    net.loose = parameter.ParameterList([ops.zeros((2,)), ops.ones((1,))])
    module_tree.add_module(net, "late", Linear(2, 3))
    return net


def names(pairs: Any) -> list[str]:
    """The names of (name, value) pairs."""
    return [name for name, _ in pairs if not name.endswith("num_batches_tracked")]


@pytest.mark.parametrize("what", ["named_parameters", "named_modules", "named_children", "named_buffers"])
def test_names_come_in_torchs_order(what: str) -> None:
    ours = getattr(module_tree, what)(mindspore_net())
    assert names(ours) == names(getattr(torch_net(), what)())


def test_the_state_dict_holds_the_same_entries() -> None:
    assert names(state_dict.state_dict(mindspore_net()).items()) == names(torch_net().state_dict().items())


def test_parameters_leave_running_statistics_alone() -> None:
    net = mindspore_net()
    module_tree.set_requires_grad(net, False)
    assert net.trainable_params() == []
    module_tree.set_requires_grad(net, True)
    assert len(net.trainable_params()) == len(list(torch_net().parameters()))


def test_a_module_added_late_runs_and_is_named() -> None:
    net = mindspore_net()
    x = ops.ones((1, 2, 3, 3))
    before = net.features.n0(net.features.c0(x)).asnumpy()
    assert abs(net.features(x).asnumpy() - before).max() > 1e-3
    assert net.features.c1.weight.name == "features.c1.weight"
    assert net.late.bias.name == "late.bias"


def test_modes_reach_every_cell() -> None:
    net = mindspore_net()
    assert module.train(net) is net and net.features.n0.training
    assert module.evaluation(net) is net and not net.several[1].training


@pytest.mark.parametrize(("layer", "axes"), [(BatchNorm2d, 4), (BatchNorm3d, 5)])
def test_setting_momentum_later_takes_effect(layer: Any, axes: int) -> None:
    bn = layer(1).set_train()
    bn.momentum = 1.0
    bn.eps = 1e-3
    bn(ops.ones((1, 1, 2, 2, 2)[:axes]) * 10)
    assert bn.running_mean.asnumpy() == pytest.approx([10.0])
    assert (bn.momentum, bn.eps) == (1.0, 1e-3)


def test_setting_eps_of_a_normalisation_over_the_last_axes_takes_effect() -> None:
    norm = LayerNorm(2)
    norm.eps = 1.0
    assert norm(ops.arange(2.0).view(1, 2)).asnumpy().tolist()[0] == pytest.approx([-0.4472136, 0.4472136], abs=1e-5)
    assert norm.eps == 1.0


def test_sequential_grows_and_shrinks() -> None:
    net = container.Sequential(Linear(2, 2))
    container.append(net, Linear(2, 3))
    container.extend(net, [Linear(3, 4)])
    container.insert(net, 0, Linear(2, 2))
    assert net(ops.ones((1, 2))).shape == (1, 4)
    assert [p.name for p in net.get_parameters()][::2] == ["0.weight", "1.weight", "2.weight", "3.weight"]
    container.pop(net, 3)
    assert net(ops.ones((1, 2))).shape == (1, 3)


def test_children_are_replaced_through_modules() -> None:
    net = nn.SequentialCell(nn.SequentialCell(nn.Dense(2, 3), nn.ReLU()), nn.ReLU())
    inner = module_tree._modules(module_tree._modules(net)["0"])
    assert list(inner) == ["0", "1"]
    inner["0"] = nn.Dense(2, 5)
    inner["2"] = nn.Dense(5, 4)
    assert net(ops.ones((1, 2))).shape == (1, 4)
    assert [p.name for p in net.get_parameters()] == ["0.0.weight", "0.0.bias", "0.2.weight", "0.2.bias"]
    del inner["2"]
    assert net(ops.ones((1, 2))).shape == (1, 5)
    with pytest.raises(KeyError):
        inner["2"]


def test_a_norms_buffers_go_by_torchs_names() -> None:
    norm = BatchNorm2d(3)
    assert list(module_tree._modules(norm)) == []
    assert list(module_tree._parameters(norm)) == ["weight", "bias"]
    assert list(module_tree._buffers(norm)) == ["running_mean", "running_var"]
