"""The differences: number, what differs, PyTorch's program and the naive MindSpore program; each is an expression.

Names in the programs: ``torch``, ``F``, ``ms``, ``ops``, ``nn``, ``np``, ``eo`` (mindspore.experimental.optim), ``ds`` (mindspore.dataset), and
the inputs of `inputs.py`: x (2x3x8x8), m (4x6), v (6), i (indices), all equal on both sides (t… for torch, s… for MindSpore).
An empty program means that the row cannot be run on one machine's CPU; `why` says so.
"""

from __future__ import annotations

from typing import NamedTuple


class Difference(NamedTuple):
    """One row; `area` is layers, functions, training or environment."""

    number: int
    area: str
    what: str
    torch: str = ""
    mindspore: str = ""
    why: str = ""


_L, _F, _T, _E = "layers", "functions", "training", "environment"
ROWS = (
    Difference(1, _L, "Conv2d: pad_mode is 'same' by default", "torch.nn.Conv2d(3, 4, 3)(tx).shape", "nn.Conv2d(3, 4, 3)(sx).shape"),
    Difference(2, _L, "Conv2d: has_bias is False by default", "len(list(torch.nn.Conv2d(3, 4, 3).parameters()))", "len(nn.Conv2d(3, 4, 3).trainable_params())"),
    Difference(3, _L, "Conv2d: padding=1 alone is refused", "torch.nn.Conv2d(3, 4, 3, padding=1)(tx).shape", "nn.Conv2d(3, 4, 3, padding=1)(sx).shape"),
    Difference(4, _L, "'same' padding with an even kernel: which side gets the odd element", "torch.nn.functional.conv2d(tx, torch.ones(1, 3, 2, 2), padding='same')", "ops.conv2d(sx, ops.ones((1, 3, 2, 2)), pad_mode='same')"),
    Difference(5, _L, "Dropout's first argument is keep_prob", "round(float((torch.nn.Dropout(0.1)(torch.ones(100000)) == 0).float().mean()), 1)", "round(float((nn.Dropout(0.1).set_train()(ops.ones(100000)) == 0).astype(ms.float32).mean()), 1)"),
    Difference(6, _L, "BatchNorm's momentum weighs the old value", "after(torch.nn.BatchNorm2d(3, momentum=0.1), tx).running_mean", "after(nn.BatchNorm2d(3, momentum=0.1).set_train(), sx).moving_mean.value()"),
    Difference(7, _L, "BatchNorm without running statistics has no such states", "len(torch.nn.BatchNorm2d(3, track_running_stats=False).state_dict())", "len(nn.BatchNorm2d(3, use_batch_statistics=True).parameters_dict())"),
    Difference(8, _L, "a new layer is in evaluation mode", "torch.nn.Linear(2, 2).training", "nn.Dense(2, 2).training"),
    Difference(9, _L, "BatchNorm's states have other names, num_batches_tracked is missing", "sorted(torch.nn.BatchNorm2d(3).state_dict())", "sorted(nn.BatchNorm2d(3).parameters_dict())"),
    Difference(10, _L, "LayerNorm's epsilon is 1e-7", "torch.nn.LayerNorm(6)(tm * 1e-3)", "nn.LayerNorm((6,))(sm * 1e-3)"),
    Difference(11, _L, "InstanceNorm2d has weights by default", "len(list(torch.nn.InstanceNorm2d(3).parameters()))", "len(nn.InstanceNorm2d(3).trainable_params())"),
    Difference(12, _L, "LeakyReLU's slope is 0.2", "torch.nn.LeakyReLU()(tm)", "nn.LeakyReLU()(sm)"),
    Difference(13, _L, "GELU approximates by default", "torch.nn.GELU()(tm)", "nn.GELU()(sm)"),
    Difference(14, _L, "Softmax's axis is the last; torch.nn.Softmax() takes 1 for images and 0 for 3-d input", "torch.nn.Softmax()(tx)", "nn.Softmax()(sx)"),
    Difference(15, _L, "MaxPool2d's stride is 1 by default", "torch.nn.MaxPool2d(2)(tx).shape", "nn.MaxPool2d(2)(sx).shape"),
    Difference(16, _L, "pooling needs pad_mode='pad' for padding", "torch.nn.MaxPool2d(3, 2, padding=1)(tx).shape", "nn.MaxPool2d(3, 2, padding=1)(sx).shape"),
    Difference(17, _L, "Embedding starts with a standard deviation of 0.01", "round(float(torch.nn.Embedding(1000, 64).weight.std()), 1)", "round(float(nn.Embedding(1000, 64).embedding_table.value().asnumpy().std()), 1)"),
    Difference(18, _L, "Dense starts as Linear does", "round(float(torch.nn.Linear(64, 999).weight.std()), 2)", "round(float(nn.Dense(64, 999).weight.value().asnumpy().std()), 2)"),
    Difference(19, _L, "ops.flatten keeps the first axis", "torch.flatten(tx).shape", "ops.flatten(sx).shape"),
    Difference(20, _L, "local response normalisation has other parameters and defaults", "torch.nn.LocalResponseNorm(5)(tx)", "nn.LRN(5)(sx)"),
    Difference(21, _L, "nn.Unfold takes (1, r, c, 1) and gives four axes", "torch.nn.Unfold(2)(tx).shape", "nn.Unfold(2, 1, 1)(sx).shape"),
    Difference(22, _L, "LSTM has no proj_size", "torch.nn.LSTM(6, 5, proj_size=3)(tm)[0].shape", "nn.LSTM(6, 5, proj_size=3)(sm)[0].shape"),
    Difference(23, _L, "Conv1d's weight has a fourth axis", "torch.nn.Conv1d(3, 4, 5).weight.shape", "nn.Conv1d(3, 4, 5).weight.shape"),
    Difference(24, _L, "LSTM's parameter names", "sorted(torch.nn.LSTM(3, 4).state_dict())", "sorted(nn.LSTM(3, 4).parameters_dict())"),
    Difference(25, _L, "ELU's alpha is 1.0 only", "torch.nn.ELU(0.5)(tm)", "nn.ELU(0.5)(sm)"),
    Difference(26, _L, "AdaptiveAvgPool1d's output has to divide the input", "torch.nn.AdaptiveAvgPool1d(4)(tx[0]).shape, torch.nn.AdaptiveAvgPool1d(3)(tx[0]).shape", "nn.AdaptiveAvgPool1d(4)(sx[0]).shape, nn.AdaptiveAvgPool1d(3)(sx[0]).shape"),
    Difference(27, _L, "SmoothL1Loss does not reduce by default", "torch.nn.SmoothL1Loss()(tm, tm * 2).shape", "nn.SmoothL1Loss()(sm, sm * 2).shape"),
    Difference(28, _L, "KLDivLoss has no log_target", "torch.nn.KLDivLoss(log_target=True)(tm, tm)", "nn.KLDivLoss(log_target=True)(sm, sm)"),
    Difference(29, _L, "TripletMarginLoss takes the margin in the call", "torch.nn.TripletMarginLoss(margin=2.0)(tm, tm * 2, tm * 3)", "nn.TripletMarginLoss(margin=2.0)(sm, sm * 2, sm * 3)"),
    Difference(30, _L, "GaussianNLLLoss with a negative variance", "torch.nn.functional.gaussian_nll_loss(tm, tm, tm.abs())", "ops.gaussian_nll_loss(sm, sm, sm)"),
    Difference(31, _L, "CellDict takes no nested CellDict", "len(torch.nn.ModuleDict({'a': torch.nn.ModuleDict()}))", "len(nn.CellDict({'a': nn.CellDict()}))"),
    Difference(32, _F, "std divides by n", "torch.std(tv)", "sv.std()"),
    Difference(33, _F, "the mean of integers is an integer", "torch.tensor([1, 2]).mean()", "ops.mean(ms.Tensor([1, 2]))"),
    Difference(34, _F, "max without an axis gives a tuple", "torch.max(tm)", "ops.max(sm)"),
    Difference(35, _F, "unique gives the inverse, too, in order of appearance", "torch.unique(torch.tensor([3, 1, 3]))", "ops.unique(ms.Tensor([3, 1, 3]))"),
    Difference(36, _F, "indices of argmin are int32", "torch.argmin(tm).dtype", "sm.argmin().dtype"),
    Difference(37, _F, "meshgrid's indexing is 'xy'", "torch.meshgrid(torch.arange(3), torch.arange(7), indexing='ij')[0].shape", "ops.meshgrid(ops.arange(3), ops.arange(7))[0].shape"),
    Difference(38, _F, "multinomial replaces by default", "len(torch.multinomial(torch.ones(6), 7))", "len(ops.multinomial(ops.ones(6), 7))"),
    Difference(39, _F, "cat of two dtypes", "torch.cat([tv, tv.half()]).dtype", "ops.cat([sv, sv.astype(ms.float16)]).dtype"),
    Difference(40, _F, "svd gives s first", "[tuple(o.shape) for o in torch.svd(tm)]", "[tuple(o.shape) for o in ops.svd(sm)]"),
    Difference(41, _F, "transpose takes a whole permutation", "torch.transpose(tx, 1, 2).shape", "ops.transpose(sx, 1, 2).shape"),
    Difference(42, _F, "size is a number, not a method", "tx.size()", "sx.size()"),
    Difference(43, _F, "Tensor.repeat has no CPU kernel", "tv.repeat(2).shape", "sv.repeat(2).shape"),
    Difference(44, _F, "Tensor.detach is missing", "tv.detach()", "sv.detach()"),
    Difference(45, _F, "interpolate takes no scale_factor for bilinear images", "F.interpolate(tx, scale_factor=2, mode='bilinear').shape", "ops.interpolate(sx, scale_factor=2.0, mode='bilinear').shape"),
    Difference(46, _F, "bicubic interpolation without align_corners", "F.interpolate(tx, size=(11, 11), mode='bicubic')", "ops.interpolate(sx, size=(11, 11), mode='bicubic')"),
    Difference(47, _F, "masked_select of a mask of fewer axes", "tx[tx[:, 0] > 0].shape", "ops.masked_select(sx, sx[:, 0] > 0).shape"),
    Difference(48, _F, "add_ leaves the tensor as it was", "changed(tv.clone(), 'add_')", "changed(sv.copy(), 'add_')"),
    Difference(49, _F, "scatter_add with an index smaller than the source", "torch.zeros(4, 6).scatter_add(0, ti, tm)", "ops.zeros((4, 6)).scatter_add(0, si, sm)"),
    Difference(50, _F, "diag of a matrix", "torch.diag(tm)", "ops.diag(sm)"),
    Difference(51, _F, "masked_scatter with a mask that broadcasts", "tm.masked_scatter(tv > 0, tm)", "sm.masked_scatter(sv > 0, sm)"),
    Difference(52, _F, "Tensor.to takes a dtype only", "tv.to('cpu').shape", "sv.to('CPU').shape"),
    Difference(53, _F, "Tensor.item gives a number", "type(tv[0].item()).__name__", "type(sv[0].item()).__name__"),
    Difference(54, _F, "prod has no dtype or axis parameter of torch's name", "torch.prod(tm, dim=1, keepdim=True)", "ops.prod(sm, dim=1, keepdim=True)"),
    Difference(55, _F, "log of integers", "torch.log(torch.tensor([1, 2]))", "ops.log(ms.Tensor([1, 2]))"),
    Difference(56, _F, "range stops before its end, in the dtype of its start", "torch.range(1, 4, 1)", "ops.range(1, 4, 1)"),
    Difference(57, _F, "randint needs a low", "torch.randint(5, (2,)).shape", "ops.randint(5, (2,)).shape"),
    Difference(58, _F, "grid_sample has no bicubic mode", "F.grid_sample(tx, torch.zeros(2, 4, 4, 2), mode='bicubic').shape", "ops.grid_sample(sx, ops.zeros((2, 4, 4, 2)), mode='bicubic').shape"),
    Difference(59, _F, "the first draw after the seed is set repeats", "bool((torch.manual_seed(1) and torch.rand(1)) == (torch.manual_seed(1) and torch.rand(1)))", "seeded() == seeded()"),
    Difference(60, _F, "split, chunk, remainder, permute and cross_entropy agree", "torch.remainder(tm, 0.7), torch.chunk(tv, 4)", "ops.remainder(sm, 0.7), ops.chunk(sv, 4)"),
    Difference(61, _F, "dim is axis, keepdim is keep_dims", "torch.mean(tm, dim=0, keepdim=True)", "ops.mean(sm, dim=0, keepdim=True)"),
    Difference(62, _T, "grad of a function with two results differentiates their sum", "float(torch.func.grad(lambda a: (a * a, 3 * a), has_aux=True)(torch.tensor(2.0))[0])", "float(ms.grad(two_results)(ms.Tensor(2.0)))"),
    Difference(63, _T, "there is no tape: a tensor has no backward", "hasattr(tv, 'backward'), hasattr(tv, 'requires_grad')", "hasattr(sv, 'backward'), hasattr(sv, 'requires_grad')"),
    Difference(64, _T, "NumPy inside the function cuts the gradient", "float(torch.func.grad(lambda a: torch.tensor(a.numpy()) * 2)(torch.tensor(2.0)))", "float(ms.grad(through_numpy)(ms.Tensor(2.0)))"),
    Difference(65, _T, "the gradient of a network runs it twice: BatchNorm is updated twice", "after(torch.nn.BatchNorm2d(3), tx).running_mean", "graded(nn.BatchNorm2d(3).set_train(), sx).moving_mean.value()"),
    Difference(66, _T, "requires_grad=False is set on a Parameter, not on a tensor", "torch.ones(2, requires_grad=True).requires_grad", "ms.Tensor([1.0]).requires_grad"),
    Difference(67, _T, "experimental.optim.SGD with momentum", "stepped(torch.optim.SGD, lr=0.1, momentum=0.9)", "stepped_ms(eo.SGD, lr=0.1, momentum=0.9)"),
    Difference(68, _T, "nn.Momentum with nesterov", "stepped(torch.optim.SGD, lr=0.1, momentum=0.9, nesterov=True)", "stepped_ms(nn.Momentum, learning_rate=0.1, momentum=0.9, use_nesterov=True)"),
    Difference(69, _T, "nn.AdamWeightDecay is not AdamW", "stepped(torch.optim.AdamW, lr=0.1)", "stepped_ms(nn.AdamWeightDecay, learning_rate=0.1)"),
    Difference(70, _T, "nn.RMSProp", "stepped(torch.optim.RMSprop, lr=0.1)", "stepped_ms(nn.RMSProp, learning_rate=0.1)"),
    Difference(71, _T, "nn.Adagrad", "stepped(torch.optim.Adagrad, lr=0.1)", "stepped_ms(nn.Adagrad, learning_rate=0.1)"),
    Difference(72, _T, "weight decay skips parameters named gamma and beta", "stepped(torch.optim.SGD, lr=0.1, weight_decay=0.5)", "stepped_ms(nn.SGD, name='gamma', learning_rate=0.1, weight_decay=0.5)"),
    Difference(73, _T, "an optimizer takes a list, and learning_rate for lr", "stepped(torch.optim.SGD, lr=0.1)", "stepped_ms(nn.SGD, lr=0.1)"),
    Difference(74, _T, "there is no L-BFGS", "hasattr(torch.optim, 'LBFGS')", "hasattr(nn, 'LBFGS') or hasattr(eo, 'LBFGS')"),
    Difference(75, _T, "cosine_decay_lr stops at its minimum", "cosine()[12] > cosine()[10]", "decayed()[11] > decayed()[9]"),
    Difference(76, _T, "nn's optimizers have no scheduler with step()", "hasattr(torch.optim.lr_scheduler.StepLR, 'step')", "hasattr(nn.ExponentialDecayLR, 'step')"),
    Difference(77, _T, "an optimizer has no param_groups to write the learning rate into", "hasattr(torch.optim.SGD([torch.nn.Parameter(tv)], 0.1), 'param_groups')", "hasattr(nn.SGD([ms.Parameter(sv)], 0.1), 'param_groups')"),
    Difference(78, _T, "an optimizer has no state_dict", "hasattr(torch.optim.SGD, 'state_dict')", "hasattr(nn.SGD, 'state_dict')"),
    Difference(79, _T, "clip_by_global_norm returns what clip_grad_norm_ writes", "clipped()", "ops.clip_by_global_norm([sv], 1.0)[0]"),
    Difference(80, _T, "loss scaling: what the scaler starts from", "torch.amp.GradScaler('cpu').get_scale()", "float(ms.amp.DynamicLossScaler(65536, 2, 50).scale_value)"),
    Difference(81, _T, "operators of Ascend alone, which take float16: flash attention", "F.scaled_dot_product_attention(torch.ones(1, 2, 8, 16), torch.ones(1, 2, 8, 16), torch.ones(1, 2, 8, 16)).shape", "ops.flash_attention_score(ops.ones((1, 2, 8, 16)), ops.ones((1, 2, 8, 16)), ops.ones((1, 2, 8, 16)), 2, input_layout='BNSD').asnumpy().shape"),
    Difference(82, _T, "to_float and a Model's amp_level exclude each other (O2, trained on a CPU)", "autocast()", "mixed('O2')"),
    Difference(83, _E, "GeneratorDataset shuffles by default", "[int(b) for b in torch.utils.data.DataLoader(list(range(20)))] == list(range(20))", "[int(b[0]) for b in ds.GeneratorDataset(list(range(20)), ['a'])] == list(range(20))"),
    Difference(84, _E, "batching has per_batch_map in place of collate_fn", "takes(torch.utils.data.DataLoader, 'collate_fn')", "takes(ds.GeneratorDataset.batch, 'collate_fn')"),
    Difference(85, _E, "iterating a data set again gives the same order", "twice(torch.utils.data.DataLoader(list(range(50)), shuffle=True))", "twice(ds.GeneratorDataset(list(range(50)), ['a'], shuffle=True))"),
    Difference(86, _E, "data sets are never downloaded", "takes(vision().datasets.MNIST, 'download')", "takes(ds.MnistDataset, 'download')"),
    Difference(87, _E, "Normalize takes height, width, channels", "'channels first'", "'channels last' if default(ds.vision.Normalize, 'is_hwc') else 'channels first'"),
    Difference(88, _E, "a length that is too large raises another error, which a worker of MindSpore may raise before the first row", "ended(torch.utils.data.DataLoader(TooLong()))", "ended(ds.GeneratorDataset(TooLong(), ['x'], shuffle=False, num_parallel_workers=1))"),
    Difference(89, _E, "DistributedSampler has no drop_last and no seed", "takes(torch.utils.data.DistributedSampler, 'drop_last')", "takes(ds.DistributedSampler, 'drop_last')"),
    Difference(90, _E, "the device is set once, not by tensor", "str(tv.to('cpu').device)", "str(sv.to('cpu').device)"),
    Difference(91, _E, "all_gather gives a tensor, groups are named", "(takes(torch.distributed.all_gather, 'tensor_list'), default(torch.distributed.all_gather, 'group'))", "(takes(comm_func.all_gather_into_tensor, 'tensor_list'), default(comm_func.all_gather_into_tensor, 'group'))"),
    Difference(92, _E, "data parallel training averages gradients only when gradients_mean says so (and a reducer is there)", "data_parallel() == 1.5", "ms.get_auto_parallel_context('gradients_mean')"),
    Difference(93, _E, "a Cell has no named_modules and register_buffer in torch's form", "hasattr(torch.nn.Module, 'named_modules')", "hasattr(nn.Cell, 'named_modules')"),
    Difference(94, _E, "initializer() is lazy", "float(torch.nn.init.ones_(torch.empty(2)).sum())", "float(ms.common.initializer.initializer('ones', (2,)).sum())"),
    Difference(95, _E, "calculate_gain is missing", "hasattr(torch.nn.init, 'calculate_gain')", "hasattr(ms.common.initializer, 'calculate_gain')"),
    Difference(96, _E, "graph mode: a list's clear()", "listed(lambda f: f)", "listed(ms.jit)"),
    Difference(97, _E, "graph mode: NumPy inside the function", "numbered(lambda f: f)", "numbered(ms.jit)"),
    Difference(98, _E, "dataset_sink_mode gives one result per epoch (on a CPU it is switched off)", "4", "callbacks(sink=True)"),
    Difference(99, _E, "checkpointing is a setting of a cell", "hasattr(torch.nn.Module, 'recompute')", "hasattr(nn.Cell, 'recompute')"),
    Difference(100, _E, "errors come when the value is read", "error_comes(lambda: torch.linalg.cholesky(-torch.eye(2)), torch.Tensor.numpy)", "error_comes(lambda: ops.cholesky(-ops.eye(2)), ms.Tensor.asnumpy)"),
)  # fmt: skip
