"""Data loaders beside torch's: the same batches in the same order, for the same seeds."""

from __future__ import annotations

import random
from collections import OrderedDict, namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.frameworks
SETTINGS = settings(max_examples=60)
Pair = namedtuple("Pair", "x y")


class Side:
    """One framework's names."""

    def __init__(self, torch: bool) -> None:
        self.torch = torch

    def __getattr__(self, name: str) -> Any:
        if self.torch:
            import torch
            import torch.utils.data

            return getattr(torch, name, None) or getattr(torch.utils.data, name)
        from mindport import catalog
        from mindport.evidence.knowledge import declaration

        found = catalog.load().find(f"torch.utils.data.{name}") or catalog.load().find(f"torch.{name}")
        return declaration(found[0]).target

    def tensor(self, values: Any) -> Any:
        """A tensor of an array."""
        if self.torch:
            import torch

            return torch.from_numpy(np.array(values))
        import mindspore as ms

        return ms.Tensor(np.array(values))


def plain(value: Any) -> Any:
    """Structure, dtypes and values of a batch."""
    if hasattr(value, "asnumpy"):
        return str(value.dtype).lower(), value.shape, value.asnumpy().tolist()
    if type(value).__module__.startswith("torch"):
        return str(value.dtype).removeprefix("torch."), tuple(value.shape), value.tolist()
    if isinstance(value, dict):
        return type(value).__name__, [(key, plain(item)) for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [plain(item) for item in value]
    return type(value).__name__, value.tolist() if isinstance(value, np.ndarray) else value


def both(program: Callable[[Side], Any]) -> tuple[Any, Any]:
    """What a program gives on torch's side and on ours; an error counts by its type."""
    results = []
    for side in (Side(True), Side(False)):
        random.seed(11)
        np.random.seed(12)
        side.manual_seed(13)
        try:
            results.append(program(side))
        except (ValueError, TypeError, RuntimeError, AssertionError) as error:
            results.append(type(error).__name__)
    return results[0], results[1]


ITEMS: dict[str, Callable[[Side, int], Any]] = {
    "tuple": lambda side, i: (side.tensor(np.full((2, 3), i, np.float32)), i),
    "dict": lambda side, i: {"a": float(i), "b": (i, str(i)), "c": np.arange(3) + i},
    "namedtuple": lambda side, i: Pair(side.tensor(np.int32(i)), [i, i + 1]),
    "ordered": lambda side, i: OrderedDict(x=i % 2 == 0, y=b"bytes"),
    "number": lambda side, i: i,
    "scalar": lambda side, i: np.float32(i),
    "mixed numbers": lambda side, i: i if i % 2 == 0 else i + 0.5,
    "half": lambda side, i: np.full(2, i, np.float16),
    "deep": lambda side, i: [{"k": [np.int16(i), (i,)]}],
    "ragged": lambda side, i: [0] * (i % 3),
    "ragged arrays": lambda side, i: np.zeros(i % 3),
    "none": lambda side, i: None,
}


def data_set(side: Side, kind: str, count: int) -> Any:
    """A map-style data set of one kind of items."""

    class Items(side.Dataset):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return count

        def __getitem__(self, i: int) -> Any:
            return ITEMS[kind](side, i)

    return Items()


@SETTINGS
@given(
    kind=st.sampled_from(sorted(ITEMS)), count=st.integers(1, 23), batch=st.none() | st.integers(1, 9), drop=st.booleans(),
    shuffle=st.booleans(), generator=st.none() | st.integers(0, 2**63 - 1), collate=st.booleans(), again=st.booleans(),
)  # fmt: skip
def test_batches_of_map_style_data(
    kind: str, count: int, batch: int | None, drop: bool, shuffle: bool, generator: int | None, collate: bool, again: bool
) -> None:
    def program(side: Side) -> Any:
        if again:
            side.manual_seed(2)
        given_ = None if generator is None else side.Generator().manual_seed(generator)
        loader = side.DataLoader(
            data_set(side, kind, count), batch_size=batch, shuffle=shuffle, drop_last=drop, generator=given_,
            collate_fn=(lambda items: ("mine", items)) if collate else None,
        )  # fmt: skip
        return len(loader), loader.batch_size, [[plain(b) for b in loader] for _ in range(2)]

    expected, got = both(program)
    assert got == expected


@SETTINGS
@given(count=st.integers(1, 40), number=st.integers(1, 90), replacement=st.booleans(), seed=st.none() | st.integers(0, 2**40), which=st.integers(0, 5))
def test_samplers(count: int, number: int, replacement: bool, seed: int | None, which: int) -> None:
    def program(side: Side) -> Any:
        generator = None if seed is None else side.Generator().manual_seed(seed)
        weights = [(i * 7) % 5 + 0.25 for i in range(count)]
        sampler = [
            lambda: side.RandomSampler(range(count), replacement=replacement, num_samples=number, generator=generator),
            lambda: side.SubsetRandomSampler(list(range(0, 2 * count, 2)), generator=generator),
            lambda: side.WeightedRandomSampler(weights, number + 1, generator=generator),
            lambda: side.BatchSampler(side.SequentialSampler(range(count)), number % 7, replacement),
            lambda: side.DistributedSampler(range(count), num_replicas=number % 4 + 1, rank=number % 3, shuffle=replacement, seed=number, drop_last=bool(number % 2)),
            lambda: side.RandomSampler(range(count)),
        ][which]()
        if which == 4:
            sampler.set_epoch(count)
        return len(sampler), [list(sampler) for _ in range(2)]

    expected, got = both(program)
    assert got == expected


@SETTINGS
@given(sizes=st.lists(st.integers(0, 9), min_size=1, max_size=4), seed=st.none() | st.integers(0, 99), more=st.integers(0, 1))
def test_splits(sizes: list[int], seed: int | None, more: int) -> None:
    def program(side: Side) -> Any:
        generator = {} if seed is None else {"generator": side.Generator().manual_seed(seed)}
        parts = side.random_split(range(sum(sizes) + more), sizes, **generator)
        halves = side.random_split(range(sum(sizes)), [0.5, 0.3, 0.2], **generator)
        return [list(p.indices) for p in (*parts, *halves)], [[p[i] for i in range(len(p))] for p in parts]

    expected, got = both(program)
    assert got == expected


def test_data_sets_of_data_sets() -> None:
    def program(side: Side) -> Any:
        rows = side.TensorDataset(side.tensor(np.arange(8).reshape(4, 2)), side.tensor(np.arange(4.0)))
        twice = rows + rows
        stacked = side.StackDataset(rows, data_set(side, "dict", 4))
        named = side.StackDataset(a=rows, b=range(4))
        some = side.Subset(twice, [7, 0, 3])
        return [
            [plain(one[i]) for i in range(len(one))] for one in (rows, twice, stacked, named, some)
        ] + [plain(twice[-1]), plain(rows[1:3]), len(twice), isinstance(twice, side.Dataset)]  # fmt: skip

    expected, got = both(program)
    assert got == expected


@SETTINGS
@given(count=st.integers(1, 20), batch=st.integers(1, 7), part=st.booleans(), dtype=st.sampled_from(["float32", "float64", "int64", "uint8", "bool", "float16"]))
def test_batches_of_tensors(count: int, batch: int, part: bool, dtype: str) -> None:
    def program(side: Side) -> Any:
        rows = side.TensorDataset(side.tensor(np.arange(count * 6).reshape(count, 2, 3).astype(dtype)), side.tensor(np.arange(count)))
        data = side.Subset(rows, [count - 1, *range(0, count, 2), -1]) if part else rows
        return [plain(b) for b in side.DataLoader(data, batch, True)], plain(rows[count - 1]), plain(rows[0:2])

    expected, got = both(program)
    assert got == expected
    with pytest.raises(IndexError):
        next(iter(Side(False).DataLoader(Side(False).TensorDataset(Side(False).tensor(np.arange(3))), sampler=[5])))


def noisy(side: Side, iterable: bool) -> Any:
    """A data set that draws from every host generator, in a worker or not."""

    def item(i: int) -> Any:
        info = side.get_worker_info()
        where = (-1, 0, 0) if info is None else (info.id, info.num_workers, info.seed)
        return (i, random.random(), np.random.rand(), float(side.initial_seed() % 1000), *where)

    class Mapped(side.Dataset):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 13

        def __getitem__(self, i: int) -> Any:
            return item(i)

    class Streamed(side.IterableDataset):  # type: ignore[misc, name-defined]
        def __iter__(self) -> Any:
            info = side.get_worker_info()
            start, step = (0, 1) if info is None else (info.id, info.num_workers)
            return (item(i) for i in range(start, 12, step))

    return Streamed() if iterable else Mapped()


@pytest.mark.parametrize("iterable", [False, True])
@pytest.mark.parametrize("workers", [0, 2, 3])
@pytest.mark.parametrize("keeps", [False, True])
def test_random_numbers_of_workers(iterable: bool, workers: int, keeps: bool) -> None:
    if keeps and not workers:
        pytest.skip("there is no worker to keep")

    def program(side: Side) -> Any:
        loader = side.DataLoader(
            noisy(side, iterable), batch_size=2, num_workers=workers, shuffle=None if iterable else True, drop_last=True,
            persistent_workers=keeps, worker_init_fn=(lambda number: random.seed(random.random() + number)) if workers == 3 else None,
        )  # fmt: skip
        return [[plain(batch) for batch in loader] for _ in range(2)], random.random(), np.random.rand()

    expected, got = both(program)
    assert got == expected


@pytest.mark.parametrize("options", [
    {"shuffle": True, "sampler": [0]}, {"batch_sampler": [[0]], "batch_size": 2}, {"batch_size": 0}, {"num_workers": -1},
    {"prefetch_factor": 2}, {"persistent_workers": True}, {"batch_size": None, "drop_last": True}, {"timeout": -1},
    {"batch_sampler": [[0, 2], [1]]}, {"sampler": [2, 2, 0]}, {"batch_sampler": [[0]], "drop_last": True},
])  # fmt: skip
def test_options_that_exclude_each_other(options: dict[str, Any]) -> None:
    expected, got = both(lambda side: [plain(b) for b in side.DataLoader(data_set(side, "tuple", 3), **options)])
    assert got == expected


def test_the_seed_leaves_other_generators_alone() -> None:
    drawn = []
    for reseed in (False, True):
        random.seed(3)
        np.random.seed(4)
        drawn.append([random.random(), np.random.rand()])
        if reseed:
            Side(False).manual_seed(99)
        drawn[-1] += [random.random(), np.random.rand()]
    assert drawn[0] == drawn[1]


def test_a_worker_sets_its_share_of_the_data_for_itself() -> None:
    def program(side: Side) -> Any:
        class Numbers(side.IterableDataset):  # type: ignore[misc, name-defined]
            def __init__(self) -> None:
                self.start, self.end = 3, 9

            def __iter__(self) -> Any:
                return iter(range(self.start, self.end))

        def share(worker: int) -> None:
            info = side.get_worker_info()
            info.dataset.start, info.dataset.end = 3 + 3 * info.id, 6 + 3 * info.id

        numbers = Numbers()
        found = [plain(batch) for batch in side.DataLoader(numbers, num_workers=2, batch_size=2, worker_init_fn=share)]
        return found, numbers.start

    expected, got = both(program)
    assert got == expected
