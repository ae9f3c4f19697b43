"""The adaptive softmax, and folded normalisation, give torch's numbers."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="this file compares the frameworks")
ms = pytest.importorskip("mindspore", reason="this file compares the frameworks")

from mindport.declare import Refused  # noqa: E402
from mindport.layers.adaptive_softmax import AdaptiveLogSoftmaxWithLoss  # noqa: E402
from mindport.layers.batch_norm_fusion import fuse_conv_bn_eval, fuse_linear_bn_eval  # noqa: E402
from mindport.layers.convolution import Conv2d  # noqa: E402
from mindport.layers.linear import Linear  # noqa: E402
from mindport.layers.normalization import BatchNorm1d, BatchNorm2d  # noqa: E402
from mindport.layers.state_dict import load_state_dict, state_dict  # noqa: E402


def same_state(cell: object, module: torch.nn.Module) -> None:
    load_state_dict(cell, {k: v.numpy() for k, v in module.state_dict().items()})


@pytest.mark.parametrize("head_bias", [False, True])
@pytest.mark.parametrize("batched", [False, True])
def test_adaptive_softmax(head_bias: bool, batched: bool) -> None:
    theirs = torch.nn.AdaptiveLogSoftmaxWithLoss(16, 10, [2, 6], div_value=2.0, head_bias=head_bias)
    cell = AdaptiveLogSoftmaxWithLoss(16, 10, [2, 6], div_value=2.0, head_bias=head_bias)
    same_state(cell, theirs)
    assert list(state_dict(cell)) == list(theirs.state_dict())
    x = torch.randn(10, 16, requires_grad=True)
    target = torch.arange(10)
    row, label = (x, target) if batched else (x[3], target[3])
    output, loss = theirs(row, label)
    expected = torch.autograd.grad(loss, [x, *theirs.parameters()], allow_unused=True)

    def step(value: ms.Tensor) -> tuple[ms.Tensor, ms.Tensor]:
        found = cell(value if batched else value[3], ms.Tensor(label.numpy()))
        return found.loss, found.output

    (value, rows), (gradient, parameters) = ms.value_and_grad(step, 0, cell.trainable_params(), has_aux=True)(ms.Tensor(x.detach().numpy()))
    assert value.asnumpy() == pytest.approx(loss.item(), abs=1e-5)
    assert rows.asnumpy() == pytest.approx(output.detach().numpy(), abs=1e-5)
    for ours, wanted in zip([gradient, *parameters], expected, strict=True):
        assert ours.asnumpy() == pytest.approx(0 * ours.asnumpy() if wanted is None else wanted.numpy(), abs=1e-5)
    given = ms.Tensor(x.detach().numpy())
    assert cell.log_prob(given).asnumpy() == pytest.approx(theirs.log_prob(x).detach().numpy(), abs=1e-5)
    assert cell.predict(given).asnumpy().tolist() == theirs.predict(x).tolist()


def test_its_errors_are_torchs() -> None:
    with pytest.raises(ValueError, match="unique, positive"):
        AdaptiveLogSoftmaxWithLoss(4, 5, [3, 2])
    with pytest.raises(RuntimeError, match="Target values should be in"):
        AdaptiveLogSoftmaxWithLoss(4, 5, [2])(ms.ops.ones((1, 4)), ms.Tensor([7]))


@pytest.mark.parametrize("kind", ["convolution", "unbiased", "linear"])
def test_folded_normalisation(kind: str) -> None:
    torch.manual_seed(0)
    if kind != "linear":
        theirs, bn = torch.nn.Conv2d(2, 3, 3, bias=kind == "convolution"), torch.nn.BatchNorm2d(3)
        ours, norm, x = Conv2d(2, 3, 3, bias=kind == "convolution"), BatchNorm2d(3), torch.randn(2, 2, 5, 5)
        fuse, expected_fuse = fuse_conv_bn_eval, torch.nn.utils.fuse_conv_bn_eval
    else:
        theirs, bn = torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3)
        ours, norm, x = Linear(2, 3), BatchNorm1d(3), torch.randn(4, 2)
        fuse, expected_fuse = fuse_linear_bn_eval, torch.nn.utils.fuse_linear_bn_eval
    bn.running_mean.normal_()
    bn.running_var.uniform_(0.5, 2)
    torch.nn.init.normal_(bn.weight)
    theirs.eval()
    bn.eval()
    same_state(ours, theirs)
    same_state(norm, bn)
    folded = fuse(ours.set_train(False), norm.set_train(False))  # as on torch's side: how cells are born is a setting of the process
    assert folded(ms.Tensor(x.numpy())).asnumpy() == pytest.approx(expected_fuse(theirs, bn)(x).detach().numpy(), abs=1e-5)
    assert ours(ms.Tensor(x.numpy())).asnumpy() == pytest.approx(theirs(x).detach().numpy(), abs=1e-5)


def test_a_linear_layer_without_bias_is_refused() -> None:
    with pytest.raises(Refused, match="bias"):
        fuse_linear_bn_eval(Linear(2, 2, bias=False).set_train(False), BatchNorm1d(2).set_train(False))
