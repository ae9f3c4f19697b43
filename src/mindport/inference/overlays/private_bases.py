"""PyTorch's private bases of layers and the bases of recurrent ones, and the public classes that derive from them.

Projects ask ``isinstance(m, _BatchNorm)`` for any of them. Sources: torch/nn/modules/{batchnorm,conv,instancenorm,dropout,rnn}.py.
"""

from __future__ import annotations

_NORMS = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm")
_INSTANCE_NORMS = ("InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d")
_TRANSPOSED = ("ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d")


def _layers(*names: str) -> tuple[str, ...]:
    return tuple(f"torch.nn.{name}" for name in names)


#: The public classes of a base.
PUBLIC = {
    "torch.nn.modules.batchnorm._BatchNorm": _layers(*_NORMS),
    "torch.nn.modules.instancenorm._InstanceNorm": _layers(*_INSTANCE_NORMS),
    "torch.nn.modules.batchnorm._NormBase": _layers(*_NORMS, *_INSTANCE_NORMS),
    "torch.nn.modules.conv._ConvNd": _layers("Conv1d", "Conv2d", "Conv3d", *_TRANSPOSED),
    "torch.nn.modules.conv._ConvTransposeNd": _layers(*_TRANSPOSED),
    "torch.nn.modules.dropout._DropoutNd": _layers("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout"),
    "torch.nn.RNNBase": _layers("RNN", "GRU", "LSTM"),
    "torch.nn.RNNCellBase": _layers("RNNCell", "GRUCell", "LSTMCell"),
}
#: Bases whose classes a compiler of torch's reads; the classes are what derives from these.
EAGER = {"torch.jit.ScriptModule": "torch.nn.Module"}
