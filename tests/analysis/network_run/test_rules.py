"""Each layer's parameters and each layer's and function's shapes, against torch itself."""

from __future__ import annotations

import pytest

from mindport.analysis.network_run.layer_rules import HOLDERS, PLAIN, PREFIX, WEIGHED
from tests.analysis.network_run.running import run, truth

pytestmark = pytest.mark.frameworks

#: A construction and an input's shape.
LAYERS = {
    "nn.Conv1d(4, 6, 3, 2, 1)": (2, 4, 9), "nn.Conv2d(4, 6, (3, 5), stride=(2, 1), padding=(1, 2), dilation=2, groups=2, bias=False)": (2, 4, 17, 16),
    "nn.Conv2d(3, 8, 3, padding='same')": (2, 3, 7, 8), "nn.Conv3d(2, 4, 3)": (1, 2, 5, 6, 7), "nn.Conv2d(3, 8, 3)": (3, 9, 9),
    "nn.ConvTranspose1d(4, 6, 4, 2, 1)": (2, 4, 9), "nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2)": (2, 4, 7, 8),
    "nn.ConvTranspose3d(2, 4, 2, 2)": (1, 2, 3, 4, 5), "nn.Linear(5, 7)": (2, 3, 5), "nn.Linear(5, 7, bias=False)": (5,), "nn.BatchNorm1d(4)": (2, 4, 3),
    "nn.BatchNorm2d(4, affine=False)": (2, 4, 3, 3), "nn.BatchNorm3d(4)": (2, 4, 3, 3, 3), "nn.SyncBatchNorm(4)": (2, 4, 3), "nn.InstanceNorm1d(4)": (2, 4, 3),
    "nn.InstanceNorm2d(4, affine=True)": (2, 4, 3, 3), "nn.InstanceNorm3d(4)": (2, 4, 3, 3, 3), "nn.GroupNorm(2, 4)": (2, 4, 5), "nn.LayerNorm((4, 5))": (2, 4, 5),
    "nn.LayerNorm(5, bias=False)": (2, 4, 5), "nn.RMSNorm(5)": (2, 5), "nn.PReLU(4)": (2, 4, 5), "nn.LSTM(5, 7, 2, bidirectional=True, batch_first=True)": (2, 3, 5),
    "nn.LSTM(5, 7, proj_size=3)": (4, 2, 5), "nn.GRU(5, 7, bias=False)": (4, 2, 5), "nn.RNN(5, 7, 3)": (4, 2, 5), "nn.LSTMCell(5, 7)": (2, 5), "nn.GRUCell(5, 7)": (2, 5),
    "nn.RNNCell(5, 7)": (2, 5), "nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)": (2, 3, 8), "nn.MaxPool1d(2)": (2, 3, 9), "nn.MaxPool2d(3, 2, 1)": (2, 3, 9, 10),
    "nn.MaxPool2d(3, 2, ceil_mode=True)": (2, 3, 8, 9), "nn.MaxPool3d(2)": (2, 3, 4, 5, 6), "nn.AvgPool1d(3)": (2, 3, 9), "nn.AvgPool2d(3, 1, 1)": (2, 3, 5, 6), "nn.AvgPool3d(2)": (2, 3, 4, 4, 5),
    "nn.MaxPool2d(2, return_indices=True)": (2, 3, 8, 8), "nn.AvgPool2d(2, 2, ceil_mode=True)": (1, 1, 5, 5), "nn.AvgPool2d(3, 2, 1, ceil_mode=True)": (1, 1, 6, 7),
    "nn.AdaptiveAvgPool1d(3)": (2, 3, 9), "nn.AdaptiveAvgPool2d((1, None))": (2, 3, 9, 8), "nn.AdaptiveAvgPool3d(2)": (2, 3, 9, 8, 7), "nn.AdaptiveMaxPool1d(3)": (2, 3, 9),
    "nn.AdaptiveMaxPool2d(3)": (2, 3, 9, 8), "nn.AdaptiveMaxPool3d(2)": (2, 3, 5, 5, 5), "nn.Flatten()": (2, 3, 4), "nn.Flatten(0, 1)": (2, 3, 4), "nn.Unflatten(1, (2, 3))": (4, 6, 5),
    "nn.Upsample(scale_factor=2)": (1, 2, 3, 4), "nn.Upsample(size=(5, 6), mode='bilinear')": (1, 2, 3, 4), "nn.UpsamplingNearest2d(scale_factor=2)": (1, 2, 3, 4),
    "nn.UpsamplingBilinear2d(size=7)": (1, 2, 3, 4), "nn.PixelShuffle(2)": (1, 8, 3, 4), "nn.PixelUnshuffle(2)": (1, 2, 4, 6), "nn.ZeroPad2d((1, 2, 3, 4))": (1, 2, 3, 4),
    "nn.ReflectionPad2d(1)": (1, 2, 3, 4), "nn.ReflectionPad1d(2)": (1, 2, 5), "nn.ReplicationPad2d(1)": (1, 2, 3, 4), "nn.ConstantPad1d((1, 2), 0.0)": (1, 2, 5),
    "nn.CircularPad2d(1)": (1, 2, 3, 4), "nn.GLU()": (2, 6), "nn.GLU(1)": (2, 6, 3), "nn.ReLU(inplace=True)": (2, 3), "nn.Softmax(dim=1)": (2, 3), "nn.Dropout(0.5)": (2, 3), "nn.Identity(7)": (2, 3),
    "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, bias=False), 3, nn.LayerNorm(8))": (2, 3, 8),
    "nn.Sequential(OrderedDict([('a', nn.Conv2d(3, 4, 1)), ('b', nn.ReLU())]))": (2, 3, 4, 4), "nn.Sequential(nn.Linear(3, 4), *[nn.Linear(4, 4)] * 2)[1:]": (2, 4),
}  # fmt: skip
#: Expressions of a tensor `x`, and its shape.
FUNCTIONS = {
    "x.view(2, -1)": (2, 3, 4), "x.view((2, 12))": (2, 3, 4), "x.reshape(x.shape[0], -1, 2)": (2, 3, 4), "torch.reshape(x, (6, 4))": (2, 3, 4), "x.permute(0, 2, 1)": (2, 3, 4), "torch.permute(x, (2, 0, 1))": (2, 3, 4),
    "x.transpose(1, 2)": (2, 3, 4), "x.T": (2, 3), "x.mT": (2, 3, 4), "x.flatten(1)": (2, 3, 4), "torch.flatten(x, 1)": (2, 3, 4), "torch.flatten(x)": (2, 3, 4), "x.expand(-1, 5, -1)": (2, 1, 4), "x.expand(3, 2, 4)": (2, 4), "x.repeat(2, 1, 3)": (2, 4),
    "x.squeeze()": (2, 1, 4, 1), "x.squeeze(1)": (2, 1, 4), "x.squeeze(0)": (2, 1, 4), "x.unsqueeze(-1)": (2, 3), "x.mean(dim=(2, 3))": (2, 3, 4, 5), "x.mean([2, 3], keepdim=True)": (2, 3, 4, 5), "x.mean(1, True)": (2, 3), "x.sum()": (2, 3), "x.var(1, unbiased=False)": (2, 3),
    "x.max()": (2, 3), "x.max(1)": (2, 3), "x.max(dim=1, keepdim=True)[0]": (2, 3), "torch.max(x, x * 2)": (2, 3), "x.argmax(1)": (2, 3), "x.norm(dim=1)": (2, 3), "x.norm(2, 1, True)": (2, 3), "x + x[:, :1]": (2, 3), "1 - x": (2, 3), "x @ x.transpose(-1, -2)": (2, 3, 4),
    "torch.bmm(x, x.permute(0, 2, 1))": (2, 3, 4), "torch.matmul(x, x[0, 0])": (2, 3, 4), "torch.cat([x, x], 1)": (2, 3), "torch.cat((x, x, x), dim=-1)": (2, 3), "torch.stack([x, x], dim=1)": (2, 3), "x.chunk(2, 1)": (2, 5), "x.split(2, dim=1)": (2, 5), "torch.split(x, [1, 4], 1)": (2, 5),
    "x.unbind(1)": (2, 3), "x[:, 0]": (2, 3, 4), "x[..., 1:]": (2, 3, 4), "x[:, None, :, ::2]": (2, 3, 4), "x[-1]": (2, 3), "x[:, -2:]": (2, 3, 4), "x[0, ..., 0]": (2, 3, 4), "F.relu(x)": (2, 3), "F.gelu(x).tanh().clamp(0, 1)": (2, 3), "F.softmax(x, dim=1)": (2, 3), "F.interpolate(x, scale_factor=2)": (1, 2, 3, 4),
    "F.interpolate(x, size=x.shape[2:], mode='bilinear')": (1, 2, 3, 4), "F.interpolate(x, (7, 8))": (1, 2, 3, 4), "F.interpolate(x, scale_factor=0.5)": (1, 2, 5, 7), "F.pad(x, (1, 2, 3, 4))": (1, 2, 3, 4), "F.max_pool2d(x, 2)": (1, 2, 5, 6), "F.avg_pool2d(x, 3, 1, 1)": (1, 2, 5, 6), "F.adaptive_avg_pool2d(x, 1)": (1, 2, 5, 6),
    "F.adaptive_avg_pool2d(x, (1, 1)).flatten(1)": (1, 2, 5, 6), "F.layer_norm(x, (4,))": (2, 3, 4), "F.normalize(x, dim=1)": (2, 3), "torch.einsum('bij,bkj->bik', x, x)": (2, 3, 4), "torch.einsum('ij,kj', x, x)": (2, 3), "F.scaled_dot_product_attention(x, x, x)": (2, 2, 3, 4), "x.topk(2)": (2, 3), "x.sort(dim=1)": (2, 3),
    "x.movedim(1, -1)": (2, 3, 4), "F.pixel_shuffle(x, 2)": (1, 8, 3, 3), "F.linear(x, torch.zeros(7, 3))": (2, 3), "torch.zeros(x.size(0), 3)": (2, 3), "torch.zeros_like(x)": (2, 3), "torch.arange(x.size(1))": (2, 3), "torch.linspace(0, 1, 5)": (2, 3), "torch.ones((2, 4))": (2,), "torch.full((2, 3), 1.0)": (2,), "torch.eye(3)": (2,),
    "torch.randn(2, 3, 4).sum(0)": (2,), "x.repeat_interleave(2, dim=1)": (2, 3), "x.narrow(1, 0, 2)": (2, 3), "x.select(1, 0)": (2, 3), "x.unflatten(1, (2, -1))": (2, 6), "x.view_as(x)": (2, 3), "torch.where(x > 0, x, x * 2)": (2, 3), "x.masked_fill(x > 0, 0.0)": (2, 3), "x.cumsum(1)": (2, 3), "torch.outer(x, x)": (3,), "x.diagonal()": (3, 3),
    "x.roll(1, 1)": (2, 3), "x.tril()": (3, 3), "torch.logsumexp(x, 1)": (2, 3), "x.std(1)": (2, 3), "x.prod(1)": (2, 3), "x.amax((1, 2))": (2, 3, 4), "x.numel() + x.dim() + x.ndim + x.new_zeros(2).numel()": (2, 3), "(x.new_zeros(3), x.unfold(1, 2, 1), torch.meshgrid(x[0], x[0]))": (2, 3),
    "torch.where(x > 0)": (2, 3), "x.index_select(1, torch.arange(2))": (2, 3), "x.gather(1, x.long())": (2, 3), "torch.broadcast_to(x, (4, 2, 3))": (2, 3), "torch.tensor([1, 2, 3])": (2,), "torch.tensor([[1, 2, 3], [4, 5, 6]])": (2,), "x.t()": (2, 3), "torch.linalg.norm(x, dim=1)": (2, 3), "torch.linalg.norm(x, 2, 1)": (2, 3), "x.permute(dims=(1, 0))": (2, 3), "x.reshape(shape=(3, 2))": (2, 3),
}  # fmt: skip
MODULE = "class N(nn.Module):\n    def forward(self, x):\n        return {}\n"


@pytest.mark.parametrize(("made", "shape"), LAYERS.items(), ids=str)
def test_layers(made: str, shape: tuple[int, ...]) -> None:
    found = run("", made, shape)
    parameters, macs, output = truth("", made, shape)
    assert (found.parameters, found.output) == (parameters, output), found
    assert found.macs == macs or (found.macs is None and "Transformer" in made)


def test_every_rule_has_a_case() -> None:
    text = " ".join(LAYERS) + "nn.Embedding( nn.EmbeddingBag( nn.Bilinear( nn.MultiheadAttention( nn.TransformerDecoderLayer( nn.ConstantPad2d( nn.ConstantPad3d( nn.MaxUnpool1d( nn.MaxUnpool2d( nn.MaxUnpool3d("
    rules = {name.removeprefix(PREFIX) for name in {*WEIGHED, *PLAIN, *HOLDERS}}
    without = {name for name in rules if f"nn.{name}(" not in text}
    same = {name for name in without if PLAIN.get(name) == "*args, **kwargs"}  # keep the shape, losses: one each is tried
    assert {n for n in without - same if not n.endswith(("Pad1d", "Pad2d", "Pad3d"))} == {"ModuleList", "ModuleDict", "CosineSimilarity", "PairwiseDistance"}


@pytest.mark.parametrize(("expression", "shape"), FUNCTIONS.items(), ids=str)
def test_functions(expression: str, shape: tuple[int, ...]) -> None:
    found = run(MODULE.format(expression), "N()", shape)
    assert not found.why
    expected = truth(MODULE.format(expression), "N()", shape)[2]
    # what is not known is fine, what is known must be right
    assert found.output is None or len(found.output) != len(expected) and set(found.output) <= {None} or all(
        mine is None or mine == theirs for mine, theirs in zip(found.output, expected, strict=True)
    ), (found, expected)  # fmt: skip


def test_most_functions_are_known() -> None:
    known = [e for e, shape in FUNCTIONS.items() if (output := run(MODULE.format(e), "N()", shape).output) is not None and None not in output]
    assert len(known) > 0.85 * len(FUNCTIONS), set(FUNCTIONS) - set(known)


@pytest.mark.parametrize(
    ("made", "shapes", "integers"),
    [
        ("nn.Embedding(10, 4, padding_idx=0)", [(2, 3)], True), ("nn.Bilinear(3, 4, 5)", [], False), ("nn.EmbeddingBag(10, 4)", [], False),
        ("nn.MultiheadAttention(8, 2, batch_first=True)", [(2, 3, 8)] * 3, False), ("nn.MultiheadAttention(8, 2, kdim=4, vdim=6, add_bias_kv=True, bias=False)", [], False),
        ("nn.TransformerDecoderLayer(8, 2, 16)", [(3, 2, 8)] * 2, False), ("nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2), 2)", [], False),
    ],
)  # fmt: skip
def test_layers_with_other_inputs(made: str, shapes: list[tuple[int, ...]], integers: bool) -> None:
    found = run("", made, *shapes)
    expected = truth("", made, *shapes, integers=integers)
    assert found.parameters == expected[0]
    if shapes:
        assert found.output is not None and found.output[0] == expected[2][0]


@pytest.mark.parametrize(
    ("pool", "back", "shape"),
    [
        ("nn.MaxPool1d(2, return_indices=True)", "nn.MaxUnpool1d(2)", (2, 3, 8)), ("nn.MaxPool2d(3, 2, 1, return_indices=True)", "nn.MaxUnpool2d(3, 2, 1)", (2, 3, 9, 9)),
        ("nn.MaxPool3d(2, return_indices=True)", "nn.MaxUnpool3d(2)", (1, 2, 4, 6, 8)),
    ],
)  # fmt: skip
def test_unpooling(pool: str, back: str, shape: tuple[int, ...]) -> None:
    source = (
        f"class N(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.pool, self.back = {pool}, {back}\n"
        "    def forward(self, x):\n        y, indices = self.pool(x)\n        return self.back(y, indices)\n"
    )
    found = run(source, "N()", shape)
    assert found.output == truth(source, "N()", shape)[2], found
