"""Scenarios for torch.distributed in one process, decorators that leave functions as they are, and device names."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import torch

from mindport.evidence.scenarios import Side, scenario

_GROUP = "torch.distributed."


def begin(side: Side) -> None:
    """A group of one process."""
    path = Path(tempfile.mkdtemp()) / "store"
    side.make(_GROUP + "init_process_group", "gloo", init_method=f"file://{path}", rank=0, world_size=1)


def end(side: Side) -> None:
    """The group goes, so that the next scenario finds none."""
    side.make(_GROUP + "destroy_process_group")


def numbers(side: Side) -> Any:
    """A small tensor on this side."""
    return side.value(torch.tensor([1.0, 2.0, 3.0]))


def listed(value: Any) -> Any:
    """A tensor's numbers."""
    return value.tolist() if hasattr(value, "tolist") else value


@scenario(*(_GROUP + name for name in ("get_rank", "get_world_size", "is_initialized", "is_available", "get_backend", "barrier")))
def questions(side: Side) -> Any:
    """inside a group of one"""
    begin(side)
    try:
        return side.call()
    finally:
        end(side)


@scenario(_GROUP + "is_initialized", _GROUP + "is_available")
def without_a_group(side: Side) -> Any:
    """before a group exists"""
    return side.call()


@scenario(*(_GROUP + name for name in ("all_reduce", "broadcast", "reduce")))
def in_place(side: Side) -> Any:
    """the tensor afterwards"""
    begin(side)
    try:
        x = numbers(side)
        side.call(x, **({} if side.name.endswith("all_reduce") else {"src": 0} if side.name.endswith("broadcast") else {"dst": 0}))
        return listed(x)
    finally:
        end(side)


@scenario(_GROUP + "all_gather")
def gathered(side: Side) -> Any:
    """one list with one tensor"""
    begin(side)
    try:
        out = [side.value(torch.zeros(3))]
        side.call(out, numbers(side))
        return [listed(x) for x in out]
    finally:
        end(side)


@scenario(_GROUP + "all_gather_object", _GROUP + "broadcast_object_list")
def objects(side: Side) -> Any:
    """one object"""
    begin(side)
    try:
        if side.name.endswith("list"):
            held: list[Any] = [{"a": 1}]
            side.call(held, src=0)
        else:
            held = [None]
            side.call(held, {"a": 1})
        return held
    finally:
        end(side)


def doubled(x: Any) -> Any:
    """Twice x."""
    return x + x


@scenario("torch.jit.unused", "torch.jit.ignore", "torch.jit.export", "torch.jit.script_if_tracing")
def decorated(side: Side) -> Any:
    """the function computes what it did"""
    return listed(side.call(doubled)(numbers(side)))


@scenario("torch.fx.wrap")
def wrapped(side: Side) -> Any:
    """the function computes what it did; torch asks to be called at the top of a module"""
    names: dict[str, Any] = {"doubled": doubled, "call": side.call}
    if side.declared is None:
        import torch.fx

        names["call"] = torch.fx.wrap
    exec("found = call(doubled)", names)
    return listed(names["found"](numbers(side)))


@scenario("torch.compile")
def compiled(side: Side) -> Any:
    """a function, without a compiler behind it on torch's side"""
    return listed(side.call(lambda x: x + x, backend="eager")(numbers(side)))


@scenario("torch.nn.Module.compile")
def compiled_module(side: Side) -> Any:
    """nothing is given back, and the module computes what it did"""
    module = side.layer("torch.nn.Linear", 3, 2)
    return [side.call(module, backend="eager"), listed(module(side.value(torch.arange(6.0).reshape(2, 3))))]


@scenario("torch.device.type", "torch.device.index")
def device_parts(side: Side) -> Any:
    """of names with and without a number"""
    return [side.call(side.make("torch.device", text)) for text in ("cpu", "cuda:1", "cuda")]


@scenario("torch.Tensor.numpy")
def as_array(side: Side) -> Any:
    """the numbers and the dtype"""
    array = side.call(numbers(side))
    return array.tolist(), str(array.dtype)


@scenario("torch.nn.DataParallel")
def data_parallel(side: Side) -> Any:
    """the wrapped module's result, and its names"""
    net = side.net()
    wrapped = side.call(net)
    x = side.value(torch.ones(2, 4))
    return listed(wrapped(x) - net(x)), wrapped.module is net


@scenario("torch.device_as_context")
def entered(side: Side) -> Any:
    """A tensor that is made inside of ``with torch.device(…)``; torch's API has no suffix."""
    made = side.call("cpu") if side.declared is not None else torch.device("cpu")
    with made:
        return (side.value(torch.arange(3)) * 2).tolist()
