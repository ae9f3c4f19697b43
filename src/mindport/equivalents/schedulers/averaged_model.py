"""A model whose weights are averages over training, and statistics of batch normalisation computed anew."""

from copy import deepcopy

import mindspore as ms
from mindspore import Parameter, Tensor, _no_grad, nn

from mindport.declare import Refused, attribute, equivalent, layer
from mindport.equivalents.schedulers.averaging import get_swa_multi_avg_fn
from mindport.layers.module_tree import buffers, parameters

PLACE = {"device": "MindSpore computes on the target that ms.set_device names"}


@layer("torch.optim.swa_utils.AveragedModel", drops=PLACE)
class AveragedModel(nn.Cell):
    """A copy of a model that `update_parameters` moves towards the model; called like it.

    https://docs.pytorch.org/docs/2.13/generated/torch.optim.swa_utils.AveragedModel.html
    """

    statistics = ("n_averaged",)  # a buffer in torch: `parameters` leaves it out

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__(auto_prefix=False)
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        self.n_averaged = Parameter(Tensor(0, ms.int64), name="n_averaged", requires_grad=False)
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers
        self.add_flags(training=True)  # as every module of torch from its birth, whatever its copy is: update_bn gives this mode back

    def construct(self, *args, **kwargs):
        """What the averaged model gives."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        """Takes the model's parameters into the averages; its buffers are copied, or averaged with use_buffers."""
        ours, theirs = list(parameters(self.module)), list(parameters(model))
        held, given = list(buffers(self.module)), list(buffers(model))
        if self.use_buffers:
            ours, theirs = ours + held, theirs + given
        with _no_grad():  # the averages are parameters, too: where a tape records, it forbids leaves to change
            count = int(self.n_averaged)
            if count == 0:
                for average, current in zip(ours, theirs):
                    average.copy_(current)
            elif self.avg_fn is not None:
                for average, current in zip(ours, theirs):
                    average.copy_(self.avg_fn(average, current, self.n_averaged))
            else:
                move = self.multi_avg_fn or get_swa_multi_avg_fn()
                for dtype in dict.fromkeys(str(average.dtype) for average in ours):
                    pairs = [pair for pair in zip(ours, theirs) if str(pair[0].dtype) == dtype]
                    move([pair[0] for pair in pairs], [pair[1] for pair in pairs], self.n_averaged)
            if not self.use_buffers:
                for own, other in zip(held, given):
                    own.copy_(other)
            self.n_averaged.copy_(Tensor(count + 1, ms.int64))


@equivalent("torch.optim.swa_utils.AveragedModel.update_parameters")
def update_parameters(self, model):
    """Takes the model's parameters into the averages."""
    return self.update_parameters(model)


@attribute("torch.optim.swa_utils.AveragedModel.module")
def averaged_module(self):
    """The averaged copy."""
    return self.module


@attribute("torch.optim.swa_utils.AveragedModel.n_averaged")
def n_averaged(self):
    """How many models were averaged."""
    return self.n_averaged


@equivalent("torch.optim.swa_utils.update_bn", drops=PLACE)
def update_bn(loader, model, device=None):
    """One pass over a loader sets the running statistics of batch normalisation to their averages over all batches.

    A layer here moves its statistics by its momentum: they start at zero for every batch, and what is then in them
    is the batch's own times the momentum.
    """
    layers = [cell for _, cell in model.cells_and_names() if hasattr(cell, "moving_variance") and hasattr(cell, "bn_train")]
    if not layers:
        return
    if any(not cell.momentum > 0 for cell in layers):
        raise Refused("update_bn needs batch normalisation with a momentum above 0: MindSpore's layer keeps no statistics with 0")
    was_training = model.training
    model.set_train()
    means = [cell.moving_mean * 0.0 for cell in layers]
    variances = [cell.moving_variance * 0.0 + 1.0 for cell in layers]
    for number, batch in enumerate(loader, 1):
        for cell in layers:
            cell.moving_mean.copy_(cell.moving_mean * 0.0)
            cell.moving_variance.copy_(cell.moving_variance * 0.0)
        model(batch[0] if isinstance(batch, (list, tuple)) else batch)
        for place, cell in enumerate(layers):
            mean, variance = cell.moving_mean / cell.momentum, cell.moving_variance / cell.momentum
            means[place] = means[place] + (mean - means[place]) / number
            variances[place] = variances[place] + (variance - variances[place]) / number
    for cell, mean, variance in zip(layers, means, variances):
        cell.moving_mean.copy_(mean)
        cell.moving_variance.copy_(variance)
    model.set_train(was_training)
