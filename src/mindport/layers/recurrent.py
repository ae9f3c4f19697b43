"""Recurrent layers and cells. Parameters have torch's names and layout.

MindSpore's cells take no packed sequences: where a project packs, the vendored classes stand in, which unpack.
"""

import math

import mindspore as ms
from mindspore import Parameter, nn, ops
from mindspore.common.initializer import Uniform, Zero, initializer

from mindport.declare import Refused, absent, difference, layer
from mindport.equivalents.tangent import tanh_of
from mindport.layers.packed_sequence import PackedSequence, run_packed
from mindport.layers.recurrent_steps import Unrolled, gru_state, rnn_state

DEVICE = {"device": "MindSpore places every parameter on the device of the context"}

RELU_NOT_FINITE = difference("NaN becomes 0 in relu on CPU", when="nonlinearity == 'relu' and inputs and isinstance(inputs[0], Tensor) and not (ms.isfinite(inputs[0]).all() and (len(inputs) == 1 or inputs[1] is None or ms.isfinite(inputs[1]).all()))", zh="relu 中 NaN 变为 0")

WITHOUT_BATCH = difference("an input without the batch axis raises", when="inputs and isinstance(inputs[0], Tensor) and not seen_axes(inputs[0], 2) and inputs[0].ndim == 2", risk="loud", zh="输入缺少批次维会报错")

absent(
    "torch.nn.RNNBase", "torch.nn.RNNCellBase",
    why="the common base of the recurrent layers: derive from nn.LSTM, nn.GRU or nn.RNN",
)


def run_alone(run, batch_first, input, hx):
    """A recurrent layer's outputs and state of one sequence without the batch axis."""
    axis = 0 if batch_first else 1
    if isinstance(hx, tuple):
        hx = (hx[0].expand_dims(1), hx[1].expand_dims(1))
    elif hx is not None:
        hx = hx.expand_dims(1)
    outputs, state = run(input.expand_dims(axis), hx)
    if isinstance(state, tuple):
        return outputs.squeeze(axis), (state[0].squeeze(1), state[1].squeeze(1))
    return outputs.squeeze(axis), state.squeeze(1)


@layer("torch.nn.RNN", drops=DEVICE, attributes={"bias": "has_bias"}, differs=[RELU_NOT_FINITE])
class RNN(nn.RNN):
    """tanh or relu of an affine function of input and state, over (L, N, input_size) or, with batch_first, (N, L, input_size).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.RNN.html
    """

    def __init__(
        self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False, dropout=0.0, bidirectional=False,
        device=None, dtype=None,
    ):
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        if isinstance(dropout, int):
            dropout = float(dropout)
        super().__init__(
            input_size, hidden_size, num_layers=num_layers, has_bias=bias, batch_first=batch_first,
            dropout=dropout, bidirectional=bidirectional, nonlinearity=nonlinearity,
        )
        if nonlinearity == "tanh" and ms.get_context("device_target") == "CPU":
            self.rnn = Unrolled(rnn_state)

    def construct(self, input, hx=None):
        if isinstance(input, PackedSequence):
            return run_packed(super(RNN, self).construct, self.batch_first, input, hx)
        if input.ndim == 2:
            return run_alone(super(RNN, self).construct, self.batch_first, input, hx)
        return super(RNN, self).construct(input, hx)


@layer("torch.nn.GRU", drops=DEVICE, attributes={"bias": "has_bias"})
class GRU(nn.GRU):
    """Gated recurrent units, over (L, N, input_size) or, with batch_first, (N, L, input_size).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.GRU.html
    """

    def __init__(
        self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False,
        device=None, dtype=None,
    ):
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        if isinstance(dropout, int):
            dropout = float(dropout)
        super().__init__(
            input_size, hidden_size, num_layers=num_layers, has_bias=bias, batch_first=batch_first,
            dropout=dropout, bidirectional=bidirectional,
        )
        if ms.get_context("device_target") == "CPU":
            self.rnn = Unrolled(gru_state)

    def construct(self, input, hx=None):
        if isinstance(input, PackedSequence):
            return run_packed(super(GRU, self).construct, self.batch_first, input, hx)
        if input.ndim == 2:
            return run_alone(super(GRU, self).construct, self.batch_first, input, hx)
        return super(GRU, self).construct(input, hx)


@layer("torch.nn.LSTM", drops=DEVICE, attributes={"bias": "has_bias"}, base_suffices=True, differs=[WITHOUT_BATCH])
class LSTM(nn.LSTM):
    """Long short-term memory, over (L, N, input_size) or, with batch_first, (N, L, input_size).

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.LSTM.html
    """

    def __init__(
        self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, proj_size=0,
        device=None, dtype=None,
    ):
        if proj_size != 0:
            raise Refused("proj_size: MindSpore's LSTM has no projection; write one with nn.LSTMCell and nn.Dense")
        if dtype is not None and dtype != ms.float32:
            raise Refused("dtype other than float32: build the layer in float32 and call to_float() on it")
        if isinstance(dropout, int):
            dropout = float(dropout)
        super().__init__(
            input_size, hidden_size, num_layers=num_layers, has_bias=bias, batch_first=batch_first,
            dropout=dropout, bidirectional=bidirectional,
        )

    def construct(self, input, hx=None):
        if isinstance(input, PackedSequence):
            return run_packed(super(LSTM, self).construct, self.batch_first, input, hx)
        if input.ndim == 2:
            return run_alone(super(LSTM, self).construct, self.batch_first, input, hx)
        return super(LSTM, self).construct(input, hx)


class _Cell(nn.Cell):
    """One step of a recurrent layer; the state defaults to zeros, which `nn.RNNCell` and its like do not offer."""

    gates = 1

    def __init__(self, input_size, hidden_size, bias, dtype):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        dtype = ms.float32 if dtype is None else dtype
        rows, start = self.gates * hidden_size, Zero()
        self.weight_ih = Parameter(initializer(start, [rows, input_size], dtype), name="weight_ih")
        self.weight_hh = Parameter(initializer(start, [rows, hidden_size], dtype), name="weight_hh")
        self.bias_ih = Parameter(initializer(start, [rows], dtype), name="bias_ih") if bias else None
        self.bias_hh = Parameter(initializer(start, [rows], dtype), name="bias_hh") if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        start = Uniform(1 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0)
        for parameter in self.get_parameters():
            parameter.set_data(initializer(start, parameter.shape, parameter.dtype))

    def zeros(self, input):
        return ops.zeros(input.shape[:-1] + (self.hidden_size,), input.dtype)

    def projected(self, input, state):
        """The input's and the state's contribution to each gate."""
        from_input, from_state = ops.dense(input, self.weight_ih), ops.dense(state, self.weight_hh)
        if self.bias_ih is None:
            return from_input, from_state
        return from_input + self.bias_ih, from_state + self.bias_hh


@layer("torch.nn.RNNCell", drops=DEVICE, differs=[RELU_NOT_FINITE])
class RNNCell(_Cell):
    """tanh or relu of W_ih x + b_ih + W_hh h + b_hh.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.RNNCell.html
    """

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, dtype)
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity: {nonlinearity}")
        self.nonlinearity = nonlinearity

    def construct(self, input, hx=None):
        from_input, from_state = self.projected(input, self.zeros(input) if hx is None else hx)
        if self.nonlinearity == "relu":
            return ops.relu(from_input + from_state)
        return rnn_state(from_input, from_state, hx)


@layer("torch.nn.GRUCell", drops=DEVICE)
class GRUCell(_Cell):
    """One gated recurrent step. https://docs.pytorch.org/docs/2.13/generated/torch.nn.GRUCell.html"""

    gates = 3

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, dtype)

    def construct(self, input, hx=None):
        state = self.zeros(input) if hx is None else hx
        from_input, from_state = self.projected(input, state)
        return gru_state(from_input, from_state, state)


@layer("torch.nn.LSTMCell", drops=DEVICE)
class LSTMCell(_Cell):
    """One long short-term memory step: (h, c). https://docs.pytorch.org/docs/2.13/generated/torch.nn.LSTMCell.html"""

    gates = 4

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, dtype)

    def construct(self, input, hx=None):
        state, memory = (self.zeros(input), self.zeros(input)) if hx is None else hx
        from_input, from_state = self.projected(input, state)
        enter, forget, new, leave = ops.chunk(from_input + from_state, 4, -1)
        memory = ops.sigmoid(forget) * memory + ops.sigmoid(enter) * tanh_of(new)
        return ops.sigmoid(leave) * tanh_of(memory), memory
