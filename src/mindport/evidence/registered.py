"""Second gradients in graph mode are taken as projects take them that differentiate gradients: with the rules that MindSpore lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from mindspore.ops.function import array_func, nn_func


@contextmanager
def registered() -> Iterator[None]:
    """Registers the rules, which nothing else meets, and picks labels and gathers by a mask: that is put back, for losses do it everywhere."""
    plain, plain_gather = nn_func.gather_d_, array_func.gather_d_
    from mindport.equivalents.registered_gradients import gathered, picked  # importing it registers

    nn_func.gather_d_, array_func.gather_d_ = picked, gathered
    try:
        yield
    finally:
        nn_func.gather_d_, array_func.gather_d_ = plain, plain_gather


def with_rules(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, run with the rules."""

    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        with registered():
            return function(*args, **kwargs)

    return run
