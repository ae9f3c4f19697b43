"""Scenarios of torch.utils._pytree: containers in one another, taken apart, mapped, put together."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple
from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

Pair = namedtuple("Pair", ["first", "second"])
STRUCTURES: list[Any] = [
    3, None, [], (), {}, [1, (2, None)], {"b": 1, "a": [2, {"c": 3}]}, Pair(1, [2, 3]), OrderedDict(z=1, y=(2,)),
    defaultdict(list, {"k": [1, 2]}), deque([1, [2]], maxlen=4), [{1, 2}, "text", range(3)], ({"a": (1, 2)}, [[], [()]], {"x": {}}),
]
NAME = "torch.utils._pytree."


def structures(side: Side) -> list[Any]:
    """All of them, and one that holds tensors."""
    x = side.value(torch.arange(3.0))
    return [*STRUCTURES, {"x": x, "pair": Pair(x + 1, (x * 2, None))}]


@scenario(NAME + "tree_flatten", NAME + "tree_leaves", NAME + "tree_iter")
def leaves(side: Side) -> Any:
    """The leaves in their order, and how many containers there are; parts that a function names count as leaves."""
    found: list[Any] = []
    for tree in structures(side):
        for chosen in (None, lambda part: isinstance(part, tuple)):
            result = side.call(tree, is_leaf=chosen)
            if not side.name.endswith("tree_flatten"):
                found.append(list(result))
                continue
            spec = result[1]
            found += [result[0], spec.num_leaves, spec.num_nodes, spec.num_children, spec.is_leaf(), spec.type is list]
    return found


@scenario(NAME + "tree_structure")
def specs(side: Side) -> Any:
    """Which structures have equal specs."""
    made = [side.call(tree) for tree in [*structures(side), [7, (8, 9)], Pair(0, [0, 0]), {"a": [2, {"c": 3}], "b": 1}]]
    return [[one == other for other in made] for one in made] + [[child.num_leaves for child in spec.children()] for spec in made]


@scenario(NAME + "tree_unflatten")
def together(side: Side) -> Any:
    """What was taken apart, with its leaves and with others; too few are an error."""
    found: list[Any] = []
    for tree in structures(side):
        parts, spec = side.make(NAME + "tree_flatten", tree)
        found += [side.call(parts, spec), side.call(range(len(parts)), spec), type(side.call(parts, spec)).__name__]
        found.append(spec.unflatten(iter(parts)))
    try:
        side.call([1], side.make(NAME + "tree_flatten", [1, 2])[1])
    except ValueError:
        found.append("too few")
    return found


@scenario(NAME + "tree_map", NAME + "tree_map_")
def mapped(side: Side) -> Any:
    """Each leaf, pairs of leaves, whole parts in a leaf's place; structures that do not fit."""
    seen: list[Any] = []

    def doubled(leaf: Any) -> Any:
        seen.append(leaf)
        return leaf, 1

    found = [side.call(doubled, tree) for tree in structures(side)]
    found.append(side.call(lambda a, b: (b, a), {"b": 1, "a": [2]}, OrderedDict(a=[(5, 6)], b=None)))
    found.append(side.call(lambda a, b, c: [a, b, c], [1, 2], [3, (4,)], [{}, 5]))
    found.append(side.call(len, [[1], (2, 3)], is_leaf=lambda part: isinstance(part, tuple) or part == [1]))
    for one, other in (([1, 2], (1, 2)), ([1, 2], [1]), ({"a": 1}, {"b": 1}), (Pair(1, 2), (1, 2)), ((1, 2), Pair(1, 2)), ([[1]], [1])):
        try:
            found.append(side.call(lambda a, b: (a, b), one, other))
        except ValueError:
            found.append("does not fit")
    return [found, seen]


@scenario(NAME + "tree_map_only")
def chosen(side: Side) -> Any:
    """Leaves of one type, of two, and those that a function likes."""
    found = []
    for tree in STRUCTURES:
        for which in (int, (int, str), lambda leaf: leaf is None):
            found.append(side.call(which, lambda leaf: [leaf, leaf], tree))
    return found


@scenario(NAME + "tree_all", NAME + "tree_any")
def judged(side: Side) -> Any:
    """Some leaves, none."""
    return [side.call(lambda leaf: leaf is not None, tree) for tree in STRUCTURES]
