"""Steps of recurrent layers on CPU, where MindSpore's own RNN and GRU compute ``ops.tanh``, which is off by 1e-4 near 5 (equivalents/tangent.py).

With weights three times their initial size `nn.RNN` is off by 9e-5 and its gradient by 8e-4, where torch is by 7e-7 and 2e-6; `nn.LSTM` has a kernel
of its own, which is exact.
"""

from mindspore import nn, ops

from mindport.equivalents.tangent import tanh_of


def affine(x, weight, bias):
    """x Wᵀ + b for x (N, I), W (O, I), b (O) or None: (N, O)."""
    product = ops.MatMul(False, True)(x, weight)
    return product if bias is None else product + bias


def rnn_state(from_input, from_state, state):
    """The next state of an Elman network, of what comes from the input and from the state, (N, H) each."""
    return tanh_of(from_input + from_state)


def gru_state(from_input, from_state, state):
    """The next state of gated recurrent units, (N, H), of what comes from the input and from the state, (N, 3 H) each: reset, update, new."""
    reset_x, update_x, new_x = ops.chunk(from_input, 3, -1)
    reset_h, update_h, new_h = ops.chunk(from_state, 3, -1)
    new = tanh_of(new_x + ops.sigmoid(reset_x + reset_h) * new_h)
    return new + ops.sigmoid(update_x + update_h) * (state - new)


class Unrolled(nn.Cell):
    """One direction of one layer, step by step: the states (L, N, H), zeros behind a sequence's end, and each sequence's last, (N, H)."""

    def __init__(self, next_state):
        super().__init__()
        self.next_state = next_state

    def construct(self, x, state, lengths, w_ih, w_hh, b_ih, b_hh):
        steps, batch, width = x.shape
        w_hh = w_hh.astype(x.dtype)
        if b_ih is not None:
            b_ih, b_hh = b_ih.astype(x.dtype), b_hh.astype(x.dtype)
        from_input = affine(x.reshape(steps * batch, width), w_ih.astype(x.dtype), b_ih).reshape(steps, batch, -1)
        states = []
        for step, now in enumerate(ops.unstack(from_input)):
            new = self.next_state(now, affine(state, w_hh, b_hh), state)
            if lengths is None:
                state = new
                states.append(new)
            else:
                runs = (lengths > step).reshape(-1, 1)
                state = ops.where(runs, new, state)
                states.append(ops.where(runs, new, ops.zeros_like(new)))
        return ops.stack(states), state
