"""The same layers in MindSpore, as mindport vendors them."""

from mindspore import nn

from mindport.layers import (
    activation,
    attention,
    container,
    convolution,
    embedding,
    linear,
    normalization,
    recurrent,
    transformer,
    transposed_convolution,
)


class Zoo(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = convolution.Conv1d(4, 6, 3, padding=1, groups=2)
        self.conv2 = convolution.Conv2d(4, 6, 3, stride=2, bias=False)
        self.conv3 = convolution.Conv3d(4, 5, 2)
        self.up1 = transposed_convolution.ConvTranspose1d(4, 6, 3, stride=2)
        self.up2 = transposed_convolution.ConvTranspose2d(4, 6, 3, padding=1)
        self.norm1 = normalization.BatchNorm1d(4)
        self.norm2 = normalization.BatchNorm2d(4, momentum=0.03, eps=1e-3)
        self.norm3 = normalization.BatchNorm3d(4)
        self.plain = normalization.BatchNorm2d(4, affine=False)
        self.layer = normalization.LayerNorm((3, 5))
        self.group = normalization.GroupNorm(2, 4)
        self.prelu = activation.PReLU(4)
        self.words = embedding.Embedding(9, 4, padding_idx=0)
        self.line = linear.Linear(5, 3, bias=False)
        self.twice = linear.Bilinear(5, 5, 2)
        self.lstm = recurrent.LSTM(5, 4, 2, bidirectional=True, batch_first=True)
        self.gru = recurrent.GRU(5, 4)
        self.cell = recurrent.LSTMCell(5, 3)
        self.attention = attention.MultiheadAttention(4, 2, batch_first=True)
        self.encoder = transformer.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True)
        self.tied = container.Sequential(self.line, activation.ReLU())

    def construct(self, x1, x2, x3, ids):
        names = {
            "conv1": x1, "up1": x1, "norm1": x1, "conv2": x2, "up2": x2, "norm2": x2, "plain": x2, "group": x2, "prelu": x2,
            "conv3": x3, "norm3": x3, "words": ids, "layer": x1[:, :3], "line": x1, "tied": x1,
            "lstm": x1, "gru": x1,
        }
        out = {name: getattr(self, name)(value) for name, value in names.items()}
        out["twice"] = self.twice(x1, x1 + 1)
        out["cell"] = self.cell(x1[0])
        y = self.words(ids)
        out["attention"] = self.attention(y, y, y)
        out["encoder"] = self.encoder(y)
        return out
