"""torch.utils.data.DataLoader in plain Python over NumPy: torch's batches, in torch's order.

https://docs.pytorch.org/docs/2.13/data.html. Decision 008 says why the batches are not made by
`mindspore.dataset.GeneratorDataset`.
"""

import copy
import itertools

from mindport.declare import difference, equivalent, layer
from mindport.equivalents.collate import default_collate, default_convert
from mindport.equivalents.datasets import IterableDataset, Subset, TensorDataset
from mindport.equivalents.generators import default_generator, set_streams, streams, worker_streams
from mindport.equivalents.samplers import BatchSampler, RandomSampler, SequentialSampler

HOST = "MindSpore copies to the device itself"


class WorkerInfo:
    """What `get_worker_info` gives: `id`, `num_workers`, `seed`, `dataset`."""

    #: The worker whose work is being done.
    current = None

    def __init__(self, id, num_workers, seed, dataset):
        self.id = id
        self.num_workers = num_workers
        self.seed = seed
        self.dataset = dataset


@equivalent("torch.utils.data.get_worker_info")
def get_worker_info():
    """In a data set's code that works for a worker: which one; None otherwise."""
    return WorkerInfo.current


class Endless:
    """The sampler of a data set that is only iterated: it asks for one more item, for ever."""

    def __iter__(self):
        return itertools.repeat(None)


class Fetcher:
    """Makes batches out of what a sampler asks for."""

    def __init__(self, loader, dataset):
        self.loader, self.dataset = loader, dataset
        self.items = iter(dataset) if loader.iterable else None
        self.ended = False

    def fetch(self, wanted):
        """The batch for one entry of the sampler; StopIteration where the data set has no more."""
        loader, dataset = self.loader, self.dataset
        if loader.iterable:
            if not loader.collates:
                return loader.collate_fn(next(self.items))
            items = [] if self.ended else list(itertools.islice(self.items, len(wanted)))
            self.ended = len(items) < len(wanted)
            if not items or (self.ended and loader.drop_last):
                raise StopIteration
            return loader.collate_fn(items)
        if not loader.collates:
            return loader.collate_fn(dataset[wanted])
        if loader.collate_fn is default_collate:
            places = wanted
            while type(dataset) is Subset:
                dataset, places = dataset.dataset, [dataset.indices[place] for place in places]
            if type(dataset) is TensorDataset and all(isinstance(place, int) for place in places):
                return list(dataset[places])  # all rows at once: what stacking them one by one gives
            dataset = self.dataset
        several = getattr(dataset, "__getitems__", None)
        return loader.collate_fn(several(wanted) if several else [dataset[place] for place in wanted])


class Worker:
    """One of torch's worker processes, at work in this process: with random numbers of its own.

    A `worker_init_fn` may set attributes of the data set (its share of the data), which no other worker sees in torch, either.
    """

    def __init__(self, loader, number, base_seed):
        dataset = loader.dataset if loader.worker_init_fn is None else copy.copy(loader.dataset)
        self.info = WorkerInfo(number, loader.num_workers, base_seed + number, dataset)
        self.loader = loader
        self.streams = None
        self.fetcher = None

    def start(self):
        """Begins an epoch; a worker that persists keeps its random numbers."""
        self.fetcher = None
        if self.streams is None:
            self._inside(self._begin)

    def fetch(self, wanted):
        """The batch for one entry of the sampler."""
        return self._inside(self._fetch, wanted)

    def _begin(self):
        worker_streams(self.info.seed - self.info.id, self.info.id)
        if self.loader.worker_init_fn is not None:
            self.loader.worker_init_fn(self.info.id)

    def _fetch(self, wanted):
        if self.fetcher is None:
            self.fetcher = Fetcher(self.loader, self.info.dataset)
        return self.fetcher.fetch(wanted)

    def _inside(self, work, *args):
        outer, WorkerInfo.current = streams(), self.info
        if self.streams is not None:
            set_streams(self.streams)
        try:
            return work(*args)
        finally:
            self.streams = streams()
            set_streams(outer)
            WorkerInfo.current = None


class BatchIterator:
    """One pass over a loader."""

    def __init__(self, loader):
        self.loader = loader
        self.wanted = iter(loader.index_sampler)
        generator = default_generator if loader.generator is None else loader.generator
        self.yielded = 0
        self.fetcher = None
        self.workers = loader.kept_workers
        if self.workers is None:
            base_seed = generator.long()  # drawn without workers, too: the default generator moves on
            self.workers = [Worker(loader, i, base_seed) for i in range(loader.num_workers)]
        if loader.num_workers == 0:
            self.fetcher = Fetcher(loader, loader.dataset)
            return
        if loader.persistent_workers:
            loader.kept_workers = self.workers
        for worker in self.workers:
            worker.start()
        self.active = list(self.workers)
        self.turn = itertools.cycle(self.workers)
        self.asked = []
        for _ in range(loader.prefetch_factor * loader.num_workers):
            self._ask()

    def _ask(self):
        """Gives the sampler's next entry to the next worker that has data left."""
        if not self.active:
            return
        wanted = next(self.wanted, self)
        if wanted is not self:
            worker = next(worker for worker in self.turn if worker in self.active)
            self.asked.append((worker, wanted))

    def __iter__(self):
        return self

    def __len__(self):
        return len(self.loader.index_sampler)

    def __next__(self):
        batch = self.fetcher.fetch(next(self.wanted)) if self.fetcher is not None else self._from_workers()
        self.yielded += 1
        return batch

    def _from_workers(self):
        while self.asked:
            worker, wanted = self.asked.pop(0)
            if worker not in self.active:
                continue
            try:
                batch = worker.fetch(wanted)
            except StopIteration:
                self.active.remove(worker)
                self._ask()
                continue
            self._ask()
            return batch
        raise StopIteration


@layer(
    "torch.utils.data.DataLoader",
    drops={
        "pin_memory": HOST, "pin_memory_device": HOST, "timeout": "the work is done in this process",
        "multiprocessing_context": "the work is done in this process", "in_order": "batches always come in order",
    },
    differs=[difference("a shuffle repeats torch's order only where nothing else has drawn from torch's generator since the seed: weights, dropout and noise take no numbers from it here", when="shuffle and generator is None", zh="仅当种子之后没有其他随机操作时，打乱顺序才与 torch 相同")],
)
class DataLoader:
    """Batches of a data set: https://docs.pytorch.org/docs/2.13/data.html#torch.utils.data.DataLoader

    The order is torch's for torch's seeds. With `num_workers` the random numbers of items are those of torch's worker
    processes, too, but the work is done in this process, when a batch is asked for.
    """

    def __init__(
        self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,
        pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None, generator=None,
        *, prefetch_factor=None, persistent_workers=False, pin_memory_device="", in_order=True,
    ):
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError("prefetch_factor option could only be specified in multiprocessing: let num_workers > 0")
        if prefetch_factor is not None and prefetch_factor < 0:
            raise ValueError("prefetch_factor option should be non-negative")
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        self.iterable = isinstance(dataset, IterableDataset)
        if self.iterable and (shuffle or sampler is not None or batch_sampler is not None):
            raise ValueError("DataLoader with IterableDataset: expected no shuffle, sampler or batch_sampler option")
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError("batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last")
            batch_size = None
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        if sampler is None:
            if self.iterable:
                sampler = Endless()
            elif shuffle:
                sampler = RandomSampler(dataset, generator=generator)
            else:
                sampler = SequentialSampler(dataset)
        if batch_sampler is None and batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.dataset = dataset
        self.batch_size = batch_size
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.num_workers = num_workers
        self.collates = batch_sampler is not None
        self.collate_fn = collate_fn if collate_fn is not None else default_collate if self.collates else default_convert
        self.drop_last = drop_last
        self.worker_init_fn = worker_init_fn
        self.generator = generator
        self.prefetch_factor = 2 if num_workers > 0 and prefetch_factor is None else prefetch_factor
        self.persistent_workers = persistent_workers
        self.kept_workers = None
        self.pin_memory = pin_memory
        self.timeout = timeout

    def __class_getitem__(cls, item):
        return cls

    @property
    def index_sampler(self):
        return self.batch_sampler if self.collates else self.sampler

    def __iter__(self):
        return BatchIterator(self)

    def _get_iterator(self):
        # What a loader that is never done asks anew, past its own `__iter__` (Ultralytics' InfiniteDataLoader).
        return BatchIterator(self)

    def __len__(self):
        if not self.iterable:
            return len(self.index_sampler)
        count = len(self.dataset)
        if self.batch_size is None:
            return count
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
