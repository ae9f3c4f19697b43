"""Scenarios of torch.utils.data: the same batches, in the same order, for the same seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from mindport.evidence.scenarios import Side, scenario

D = "torch.utils.data."
WEIGHTS = [0.5, 2.0, 1.0, 0.25, 3.0]


def generator(side: Side, seed: int) -> Any:
    """A generator that starts at `seed`."""
    made = side.make("torch.Generator")
    made.manual_seed(seed)
    return made


def rows(side: Side, count: int = 11) -> Any:
    """A data set of two columns."""
    x = torch.arange(2.0 * count).reshape(count, 2)
    return side.make(D + "TensorDataset", side.value(x), side.value(torch.arange(count)))


def batch(side: Side, value: Any) -> Any:
    """A batch as plain values, with dtypes."""
    if isinstance(value, (list, tuple)):
        return [batch(side, item) for item in value]
    if isinstance(value, dict):
        return {key: batch(side, item) for key, item in value.items()}
    return (side.dtype(value), value.tolist()) if hasattr(value, "dtype") else value


@scenario(D + "DataLoader")
def shuffled(side: Side) -> Any:
    """two epochs, shuffled from a generator, with and without a shorter last batch"""
    seen = []
    for last in (False, True):
        loader = side.call(rows(side), batch_size=3, shuffle=True, drop_last=last, generator=generator(side, 5))
        seen.append((len(loader), [[batch(side, b) for b in loader] for _ in range(2)]))
    return seen


@scenario(D + "DataLoader")
def from_the_global_seed(side: Side) -> Any:
    """shuffled from the global seed, with workers, a collate_fn and a batch sampler"""
    side.make("torch.manual_seed", 8)
    items = [{"a": i, "b": str(i), "c": np.full(2, i, np.float32)} for i in range(7)]
    workers = [batch(side, b) for b in side.call(items, 2, True)]
    own = list(side.call(items, 3, shuffle=True, collate_fn=len))
    lists = [batch(side, b) for b in side.call(items, batch_sampler=[[6, 0], [1, 2, 3]])]
    return workers, own, lists, batch(side, list(side.call([1, 2, 3], batch_size=None)))


@scenario(D + "TensorDataset", D + "ConcatDataset", D + "Subset", D + "StackDataset")
def items_by_place(side: Side) -> Any:
    """length and items"""
    first = rows(side, 3)
    if side.name.endswith("TensorDataset"):
        made = side.call(side.value(torch.arange(6).reshape(3, 2)), side.value(torch.arange(3.0)))
    elif side.name.endswith("ConcatDataset"):
        made = side.call([first, rows(side, 2)])
    elif side.name.endswith("Subset"):
        made = side.call(first, [2, 0])
    else:
        made = side.call(first, [4, 5, 6])
    return len(made), [batch(side, made[i]) for i in range(len(made))]


@scenario(D + "Dataset", D + "IterableDataset", D + "ChainDataset", D + "Sampler")
def as_a_base(side: Side) -> Any:
    """a base alone gives nothing"""
    if side.name.endswith("ChainDataset"):
        chained = side.call([side.call([]), side.call([])])
        return list(chained), len(chained)
    if side.name.endswith("IterableDataset"):
        base = torch.utils.data.IterableDataset if side.declared is None else side.declared.target
        own = type("Own", (base,), {"__iter__": lambda self: iter((1, 2))})
        return list(own()), list(own() + own())
    made = side.call()
    try:
        return list(made) if side.name.endswith("Sampler") else made[0]
    except (NotImplementedError, TypeError):  # torch's Sampler has no __iter__ at all
        return "refuses"


@scenario(D + "random_split")
def split(side: Side) -> Any:
    """by lengths and by fractions"""
    by_length = side.call(range(9), [4, 5], generator=generator(side, 1))
    by_share = side.call(range(9), [0.7, 0.3], generator=generator(side, 2))
    return [[part[i] for i in range(len(part))] for part in (*by_length, *by_share)]


@scenario(D + "SequentialSampler", D + "RandomSampler", D + "SubsetRandomSampler", D + "WeightedRandomSampler", D + "BatchSampler", D + "DistributedSampler")
def places(side: Side) -> Any:
    """two passes"""
    kind = side.name.rpartition(".")[2]
    if kind == "SequentialSampler":
        made = [side.call(range(4))]
    elif kind == "RandomSampler":
        made = [side.call(range(9), generator=generator(side, 3)), side.call(range(9), True, 40, generator(side, 3)), side.call(range(5), False, 12, generator(side, 4))]
    elif kind == "SubsetRandomSampler":
        made = [side.call([4, 8, 9, 1], generator=generator(side, 3))]
    elif kind == "WeightedRandomSampler":
        made = [side.call(WEIGHTS, 12, generator=generator(side, 3))]
    elif kind == "BatchSampler":
        made = [side.call(range(7), 3, last) for last in (False, True)]
    else:
        made = [side.call(range(7), 3, rank, shuffle=rank < 2, seed=4) for rank in range(3)]
    return [(len(one), [list(one) for _ in range(2)]) for one in made]


@scenario(D + "default_collate")
def collated(side: Side) -> Any:
    """numbers, arrays, strings and what holds them"""
    return [
        batch(side, side.call(items))
        for items in ([1, 2], [1.5, 2.5], [True, False], [(1, "a"), (2, "b")], [{"x": np.zeros(2)}, {"x": np.ones(2)}], [[1, 2.0], [3, 4.0]])
    ]


@scenario(D + "default_convert")
def converted(side: Side) -> Any:
    """arrays become tensors, the rest stays"""
    return batch(side, side.call([np.arange(3), {"a": np.float32(2)}, "text", 3]))


@scenario(D + "get_worker_info")
def outside_of_workers(side: Side) -> Any:
    """None where no worker is at work"""
    return side.call()


@scenario("torch.Generator", "torch.Generator.manual_seed", "torch.Generator.initial_seed", "torch.Generator.device")
def seeds(side: Side) -> Any:
    """the seed it was given"""
    if side.name == "torch.Generator":
        return side.call().initial_seed(), side.call().manual_seed(4).initial_seed()
    made = generator(side, 2**40)
    if side.name.endswith("manual_seed"):
        return side.call(made, 9) is made, made.initial_seed()
    return str(side.call(made))


@scenario("torch.Generator.get_state", "torch.Generator.set_state")
def states(side: Side) -> Any:
    """back to where it was: the order comes again"""
    made = generator(side, 3)
    state = side.call(made) if side.name.endswith("get_state") else made.get_state()
    first = list(side.make(D + "RandomSampler", range(8), generator=made))
    if side.name.endswith("set_state"):
        side.call(made, state)
    else:
        made.set_state(state)
    return first, list(side.make(D + "RandomSampler", range(8), generator=made))


@scenario("torch.get_rng_state", "torch.set_rng_state", "torch.random.fork_rng")
def state_of_all(side: Side) -> Any:
    """back to where it was: numbers of the operators and the order of data come again"""
    side.make("torch.manual_seed", 5)
    if side.name.endswith("fork_rng"):
        with side.call():
            first = drawn(side)
        return first[1] == drawn(side)[1]
    state = side.call() if side.name.endswith("get_rng_state") else side.make("torch.get_rng_state")
    first = drawn(side)
    if side.name.endswith("set_rng_state"):
        side.call(state)
    else:
        side.make("torch.set_rng_state", state)
    return [one == two for one, two in zip(first, drawn(side), strict=True)], str(state.dtype).rpartition(".")[2].lower(), len(state.shape)


def drawn(side: Side) -> tuple[Any, Any]:
    """Numbers of an operator, and an order of data."""
    return side.make("torch.rand", 4).tolist(), list(side.make(D + "RandomSampler", range(9)))


@scenario("torch.Generator.seed", "torch.seed")
def by_chance(side: Side) -> Any:
    """a number, and one that the generator remembers"""
    if side.name == "torch.seed":
        return isinstance(side.call(), int)
    made = generator(side, 3)
    return side.call(made) == made.initial_seed()


@scenario("torch.manual_seed", "torch.initial_seed")
def global_seed(side: Side) -> Any:
    """the seed is remembered, and the order of data follows it"""
    if side.name == "torch.initial_seed":
        side.make("torch.manual_seed", 77)
        return side.call()
    side.call(6)
    return side.make("torch.initial_seed"), list(side.make(D + "RandomSampler", range(9)))
