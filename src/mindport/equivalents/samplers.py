"""Samplers: which items a data loader takes, in torch's order for torch's seeds.

https://docs.pytorch.org/docs/2.13/data.html#data-loading-order-and-sampler
"""

import math

import numpy as np
from mindspore import Tensor

from mindport.declare import difference, layer
from mindport.equivalents.distributed import get_rank, get_world_size
from mindport.equivalents.generators import Generator, default_generator


@layer("torch.utils.data.Sampler")
class Sampler:
    """Base of what gives the places of items: a subclass defines ``__iter__``, and ``__len__`` where it has a length."""

    def __class_getitem__(cls, item):
        return cls

    def __iter__(self):
        raise NotImplementedError


@layer("torch.utils.data.SequentialSampler")
class SequentialSampler(Sampler):
    """Every place, in order."""

    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


@layer("torch.utils.data.RandomSampler")
class RandomSampler(Sampler):
    """Every place in random order, or `num_samples` of them, with replacement or without."""

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement is {replacement!r}, not a bool")
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={self.num_samples}")

    @property
    def num_samples(self):
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self):
        count = len(self.data_source)
        generator = self.generator
        if generator is None:
            generator = Generator().manual_seed(default_generator.long())
        whole, rest = divmod(self.num_samples, 32 if self.replacement else count)
        if self.replacement:
            for _ in range(whole):
                yield from generator.integers(0, count, 32)
            yield from generator.integers(0, count, rest)
        else:
            for _ in range(whole):
                yield from generator.permutation(count)
            yield from generator.permutation(count)[:rest]

    def __len__(self):
        return self.num_samples


@layer("torch.utils.data.SubsetRandomSampler")
class SubsetRandomSampler(Sampler):
    """The given places in random order."""

    def __init__(self, indices, generator=None):
        self.indices = indices
        self.generator = generator

    def __iter__(self):
        generator = default_generator if self.generator is None else self.generator
        for place in generator.permutation(len(self.indices)):
            yield self.indices[place]

    def __len__(self):
        return len(self.indices)


@layer(
    "torch.utils.data.WeightedRandomSampler",
    differs=[
        difference(
            "without replacement the places are drawn from the same distribution, but not the ones that torch draws for a seed",
            when="replacement == False", zh="不放回抽样时分布相同，但与 torch 同一种子的结果不同",
        )
    ],
)
class WeightedRandomSampler(Sampler):
    """`num_samples` places, drawn in proportion to weights."""

    def __init__(self, weights, num_samples, replacement=True, generator=None):
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={num_samples}")
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement should be a boolean value, but got replacement={replacement}")
        self.weights = np.asarray(weights.asnumpy() if isinstance(weights, Tensor) else weights, dtype=np.float64)
        if self.weights.ndim != 1:
            raise ValueError(f"weights should be a 1d sequence but given weights have shape {self.weights.shape}")
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self):
        generator = default_generator if self.generator is None else self.generator
        return iter(generator.weighted(self.weights, self.num_samples, self.replacement))

    def __len__(self):
        return self.num_samples


@layer("torch.utils.data.BatchSampler")
class BatchSampler(Sampler):
    """Lists of `batch_size` places of another sampler; a shorter last one is dropped if told so."""

    def __init__(self, sampler, batch_size, drop_last):
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self):
        batch = []
        for place in self.sampler:
            batch.append(place)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self):
        count = len(self.sampler)
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)


@layer("torch.utils.data.DistributedSampler", "torch.utils.data.distributed.DistributedSampler")
class DistributedSampler(Sampler):
    """One process's share of the places; `set_epoch` gives each epoch another order.

    Without `num_replicas` and `rank` it asks torch's group of processes, which is this one.
    """

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        if num_replicas is None:
            num_replicas = get_world_size()
        if rank is None:
            rank = get_rank()
        if rank >= num_replicas or rank < 0:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.epoch = 0
        self.drop_last = drop_last
        self.shuffle = shuffle
        self.seed = seed
        count = len(dataset)
        if drop_last and count % num_replicas != 0:
            self.num_samples = math.ceil((count - num_replicas) / num_replicas)
        else:
            self.num_samples = math.ceil(count / num_replicas)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self):
        count = len(self.dataset)
        order = Generator().manual_seed(self.seed + self.epoch).permutation(count) if self.shuffle else list(range(count))
        if not self.drop_last:
            while order and len(order) < self.total_size:
                order += order[: self.total_size - len(order)]
        order = order[: self.total_size]
        return iter(order[self.rank : self.total_size : self.num_replicas])

    def __len__(self):
        return self.num_samples

    def set_epoch(self, epoch):
        self.epoch = epoch
