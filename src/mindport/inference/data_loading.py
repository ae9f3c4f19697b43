"""What data sets hold and what loaders yield: a loader's batches are its data set's items, collated.

Sources: https://docs.pytorch.org/docs/2.13/data.html (default_collate: arrays and numbers become tensors, sequences and
mappings are collated inside, texts stay in lists).
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from mindport.inference.arguments import Arguments
from mindport.inference.certainty import likely
from mindport.inference.containers import iterate
from mindport.inference.frame import Frame
from mindport.inference.values import (
    NONE,
    Builtin,
    Const,
    Instance,
    Mapping,
    ProjectFunction,
    ProjectInstance,
    Sequence,
    TensorValue,
    Unknown,
    Value,
    join,
    options,
)

if TYPE_CHECKING:
    from mindport.inference.project import Project

_TENSOR = TensorValue(likely=True)
#: What a batch is where nothing is known of the items: a tensor, or a list of tensors.
_BATCH = join(_TENSOR, Sequence("list", None, _TENSOR))
#: Data sets whose items are those of their first argument.
_PASSING = ("torch.utils.data.Subset", "torch.utils.data.ConcatDataset", "torch.utils.data.ChainDataset")


def data_loader(frame: Frame, node: ast.Call, arguments: Arguments) -> Value:
    """``DataLoader(dataset, collate_fn=…)``: an instance whose element is a batch."""
    collate = arguments.keywords.get("collate_fn")
    made = Instance("torch.utils.data.DataLoader", False, None)
    if collate is not None and collate != NONE:
        found = [frame.project.result(o.scope) for o in options(collate) if isinstance(o, ProjectFunction)]
        known = [value for value in found if not isinstance(value, Unknown)]
        return Instance(made.cls, False, join(*known) if known and len(known) == len(found) else _BATCH)
    dataset = arguments.get(0, "dataset")
    if isinstance(arguments.keywords.get("batch_size"), Const) and arguments.keywords["batch_size"] == NONE:
        return Instance(made.cls, False, item(frame.project, dataset) if dataset is not None else _BATCH)
    return Instance(made.cls, False, collated(item(frame.project, dataset)) if dataset is not None else _BATCH)


def tensor_dataset(frame: Frame, node: ast.Call, arguments: Arguments) -> Value:
    """``TensorDataset(x, y)``: tuples with a tensor for each argument."""
    parts = tuple(
        TensorValue(value.dtype, value.shape[1:] if value.shape else None) if isinstance(value, TensorValue) else TensorValue()
        for value in arguments.positional
    )
    known = Sequence("tuple", parts) if arguments.star is None else Sequence("tuple", None, TensorValue())
    return Instance("torch.utils.data.TensorDataset", False, known)


def passing(name: str) -> Callable[[Frame, ast.Call, Arguments], Value | None]:
    """The maker of a data set whose items are those of the data set it is made from."""

    def make(frame: Frame, node: ast.Call, arguments: Arguments) -> Value:
        given = arguments.get(0, "dataset") or arguments.get(0, "datasets")
        if isinstance(given, Sequence):
            given = iterate(frame.project, given)
        return Instance(name, False, item(frame.project, given) if given is not None else None)

    return make


def random_split(frame: Frame, node: ast.Call, arguments: Arguments) -> Value:
    """``random_split(dataset, lengths)``: a list of subsets."""
    given = arguments.get(0, "dataset")
    subset = Instance("torch.utils.data.Subset", False, item(frame.project, given) if given is not None else None)
    return Sequence("list", None, subset)


def first_argument(frame: Frame, node: ast.Call, arguments: Arguments) -> Value | None:
    """A progress bar yields what it is given."""
    given = arguments.get(0, "iterable")
    return given if given is not None else None


def item(project: Project, dataset: Value) -> Value:
    """What ``dataset[i]`` gives."""
    found: list[Value] = []
    for option in options(dataset):
        if isinstance(option, Instance) and option.element is not None:
            found.append(option.element)
        elif isinstance(option, Instance) and option.cls.startswith("torchvision.datasets."):
            found.append(Sequence("tuple", (Unknown("an image or what the transform makes of it"), Unknown("a target"))))
        elif isinstance(option, ProjectInstance):
            method = project.method(option.cls.scope, "__getitem__")
            found.append(project.result(method) if method is not None else _yielded(project, option))
        elif isinstance(option, Sequence):
            found.append(iterate(project, option))
        elif option != NONE:
            found.append(Unknown("what the data set holds is not known"))
    return join(*found) if found else Unknown("what the data set holds is not known")


def _yielded(project: Project, dataset: ProjectInstance) -> Value:
    method = project.method(dataset.cls.scope, "__iter__")
    return iterate(project, project.result(method)) if method is not None else Unknown("what the data set holds is not known")


def collated(value: Value) -> Value:
    """What the default collation makes of items."""
    if isinstance(value, Unknown):
        return _BATCH
    return join(*(_collated(option) for option in options(value)))


def _collated(value: Value) -> Value:
    if isinstance(value, TensorValue):
        return TensorValue(value.dtype, None, likely=value.likely)
    if isinstance(value, Sequence):
        if value.items is not None:
            return Sequence("list", tuple(_part(part) for part in value.items))
        return Sequence("list", None, _part(value.element))
    if isinstance(value, Mapping):
        if value.items is not None:
            return Mapping(tuple((key, _part(part)) for key, part in value.items))
        return Mapping(None, _part(value.element))
    if isinstance(value, Builtin) and value.type == "str" or isinstance(value, Const) and isinstance(value.value, str):
        return Sequence("list", None, Builtin("str"))
    if isinstance(value, (Builtin, Const)) or isinstance(value, Instance) and value.cls == "numpy.ndarray":
        return TensorValue(_of_number(value))
    return _TENSOR


def _part(value: Value) -> Value:
    """A member of an item; what is not known is, collated, most likely a tensor."""
    return _TENSOR if isinstance(value, Unknown) else likely(collated(value))


def _of_number(value: Value) -> str | None:
    kind = value.type if isinstance(value, Builtin) else value.kind.__name__ if isinstance(value, Const) else ""
    return {"int": "torch.int64", "bool": "torch.bool", "float": "torch.float64"}.get(kind)


#: By canonical name: functions and classes whose result `calls` asks here.
MAKERS: dict[str, Callable[[Frame, ast.Call, Arguments], Value | None]] = {
    "torch.utils.data.DataLoader": data_loader, "torch.utils.data.TensorDataset": tensor_dataset,
    "torch.utils.data.random_split": random_split, **{name: passing(name) for name in _PASSING},
    **dict.fromkeys((*(f"tqdm{part}.tqdm" for part in ("", ".asyncio", ".auto", ".autonotebook", ".notebook", ".rich", ".std")), "tqdm.tqdm_notebook", "rich.progress.track"), first_argument),
}  # fmt: skip
