"""torch.utils._pytree: lists, tuples and dicts in one another, taken apart into their leaves and put together again.

Containers are what torch registers: list, tuple, named tuple, dict, OrderedDict, defaultdict, deque; everything else, None too,
is a leaf. Source: torch/utils/_pytree.py.
"""

from collections import OrderedDict, defaultdict, deque
from typing import NamedTuple

from mindport.declare import Refused, equivalent


class TreeSpec:
    """The containers of a structure: the type of the outermost, what it needs to be made again, and its parts' specs.

    A leaf has the type None. Two specs are equal where structures of the one fit into the other.
    """

    def __init__(self, type, context, children):
        self.type = type
        self.context = context
        self._children = children

    def __eq__(self, other):
        return isinstance(other, TreeSpec) and (self.type, self.context, self._children) == (other.type, other.context, other._children)

    def __hash__(self):
        return hash((self.type, str(self.context), self._children))

    def __repr__(self):
        return "*" if self.type is None else f"TreeSpec({self.type.__name__}, {self.context}, {list(self._children)})"

    @property
    def num_nodes(self):
        """How many containers and leaves there are."""
        return 1 + sum(child.num_nodes for child in self._children)

    @property
    def num_leaves(self):
        """How many leaves the structure has."""
        return 1 if self.type is None else sum(child.num_leaves for child in self._children)

    @property
    def num_children(self):
        """How many parts the outermost container has."""
        return len(self._children)

    def children(self):
        """The specs of the parts."""
        return list(self._children)

    def child(self, index):
        """The spec of one part."""
        return self._children[index]

    def is_leaf(self):
        """Whether the structure is a leaf alone."""
        return self.type is None

    def unflatten(self, leaves):
        """The structure with these leaves."""
        return tree_unflatten(leaves, self)


LEAF = TreeSpec(None, None, ())


def container_type(tree):
    """The kind of container that a value is, None for leaves: subclasses of the others are leaves, as in torch."""
    cls = type(tree)
    if isinstance(tree, tuple) and hasattr(cls, "_fields"):
        return NamedTuple
    return cls if cls in (list, tuple, dict, OrderedDict, defaultdict, deque) else None


def parts_of(tree):
    """A container's parts, and what is needed to make it again beside them."""
    kind = container_type(tree)
    if kind is NamedTuple:
        return list(tree), type(tree)
    if kind is defaultdict:
        return list(tree.values()), [tree.default_factory, list(tree)]
    if kind in (dict, OrderedDict):
        return list(tree.values()), list(tree)
    return list(tree), tree.maxlen if kind is deque else None


def assembled(spec, parts):
    """The container of a spec, with these parts."""
    if spec.type is NamedTuple:
        return spec.context(*parts)
    if spec.type is defaultdict:
        return defaultdict(spec.context[0], zip(spec.context[1], parts))
    if spec.type in (dict, OrderedDict):
        return spec.type(zip(spec.context, parts))
    return deque(parts, maxlen=spec.context) if spec.type is deque else spec.type(parts)


def collected(tree, leaves, is_leaf):
    """Append the leaves to a list; the spec is the result."""
    kind = container_type(tree)
    if kind is None or (is_leaf is not None and is_leaf(tree)):
        leaves.append(tree)
        return LEAF
    parts, context = parts_of(tree)
    return TreeSpec(kind, context, tuple(collected(part, leaves, is_leaf) for part in parts))


def placed(spec, leaves):
    """The structure of a spec around the leaves of an iterator."""
    if spec.type is None:
        return next(leaves)
    return assembled(spec, [placed(child, leaves) for child in spec._children])


@equivalent("torch.utils._pytree.tree_flatten")
def tree_flatten(tree, is_leaf=None):
    """The list of leaves, and the spec that puts them together again.

    https://github.com/pytorch/pytorch/blob/v2.13.0/torch/utils/_pytree.py
    """
    leaves = []
    spec = collected(tree, leaves, is_leaf)
    return leaves, spec


@equivalent("torch.utils._pytree.tree_unflatten")
def tree_unflatten(leaves, treespec):
    """The structure of a spec with other leaves."""
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a pytree that holds {treespec.num_leaves} items")
    return placed(treespec, iter(leaves))


@equivalent("torch.utils._pytree.tree_leaves")
def tree_leaves(tree, is_leaf=None):
    """The list of leaves."""
    return tree_flatten(tree, is_leaf)[0]


@equivalent("torch.utils._pytree.tree_iter")
def tree_iter(tree, is_leaf=None):
    """The leaves one by one."""
    return iter(tree_flatten(tree, is_leaf)[0])


@equivalent("torch.utils._pytree.tree_structure")
def tree_structure(tree, is_leaf=None):
    """The spec alone."""
    return tree_flatten(tree, is_leaf)[1]


def parts_like(spec, tree):
    """The leaves, or whole parts, of a structure where a spec has leaves."""
    if spec.type is None:
        return [tree]
    dicts = (dict, OrderedDict, defaultdict)
    if container_type(tree) is not spec.type and not (spec.type in dicts and type(tree) in dicts):
        raise ValueError(f"Node type mismatch; expected {spec.type!r}, but got {type(tree)!r}.")
    parts, context = parts_of(tree)
    if len(parts) != len(spec._children):
        raise ValueError(f"Node arity mismatch; expected {len(spec._children)}, but got {len(parts)}.")
    if spec.type in dicts:
        keys = spec.context[1] if spec.type is defaultdict else spec.context
        if set(tree) != set(keys):
            raise ValueError(f"Node keys mismatch; missing key(s): {set(keys) - set(tree)}; unexpected key(s): {set(tree) - set(keys)}.")
        parts = [tree[key] for key in keys]
    elif spec.type is not deque and context != spec.context:
        raise ValueError(f"Node context mismatch; expected {spec.context!r}, but got {context!r}.")
    return [leaf for child, part in zip(spec._children, parts) for leaf in parts_like(child, part)]


@equivalent("torch.utils._pytree.tree_map")
def tree_map(func, tree, *rests, is_leaf=None):
    """The same structure with each leaf replaced by `func` of it, and of what the other structures have in its place."""
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [parts_like(spec, rest) for rest in rests]
    return placed(spec, iter([func(*each) for each in zip(leaves, *others)]))


@equivalent("torch.utils._pytree.tree_map_")
def tree_map_(func, tree, *rests, is_leaf=None):
    """Calls `func` with each leaf, and gives the structure as it was."""
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


@equivalent("torch.utils._pytree.tree_map_only")
def tree_map_only(type_or_types_or_pred, func, tree, is_leaf=None):
    """The same structure in which `func` replaces the leaves of a type, or for which a function holds; the others stay."""
    chosen = type_or_types_or_pred
    if isinstance(chosen, (type, tuple)):
        return tree_map(lambda leaf: func(leaf) if isinstance(leaf, chosen) else leaf, tree, is_leaf=is_leaf)
    if not callable(chosen):
        raise Refused("leaves are chosen by a type, a tuple of types or a function")
    return tree_map(lambda leaf: func(leaf) if chosen(leaf) else leaf, tree, is_leaf=is_leaf)


@equivalent("torch.utils._pytree.tree_all")
def tree_all(pred, tree, is_leaf=None):
    """Whether `pred` holds for all leaves."""
    return all(map(pred, tree_flatten(tree, is_leaf)[0]))


@equivalent("torch.utils._pytree.tree_any")
def tree_any(pred, tree, is_leaf=None):
    """Whether `pred` holds for a leaf."""
    return any(map(pred, tree_flatten(tree, is_leaf)[0]))
