"""Training steps, written for MindSpore."""

import mindspore as ms
import mindspore.experimental.optim as optim
import mindspore.nn as nn
import mindspore.ops as ops


def build(model, name):
    """SGD with momentum, or AdamW."""
    if name == "sgd":
        return optim.SGD(model.trainable_params(), lr=0.01, momentum=0.9)
    return optim.AdamW(model.trainable_params(), lr=1e-3, weight_decay=0.01)


def build_cell(model, name):
    """The same of `mindspore.nn`; its decoupled decay has no corrected start, so the numbers are others."""
    if name == "sgd":
        return nn.SGD(model.trainable_params(), learning_rate=0.01, momentum=0.9)
    return nn.AdamWeightDecay(model.trainable_params(), learning_rate=1e-3, beta2=0.999, eps=1e-8, weight_decay=0.01)


def gradient_function(model):
    """The loss and the gradients of all parameters that are trained."""

    def forward(x, y):
        return ops.cross_entropy(model(x), y)

    return ms.value_and_grad(forward, None, model.trainable_params())


def train_step(grad_fn, optimizer, x, y):
    """One step."""
    loss, grads = grad_fn(x, y)
    optimizer(grads)
    return loss
