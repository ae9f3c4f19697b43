"""Which errors a handler meets: torch raises RuntimeError where shapes or dtypes do not fit, and IndexError for an axis that is not there.

MindSpore raises ValueError or TypeError there, NumPy LinAlgError (a ValueError). A program's own errors keep their classes.
"""

import os
import re
import sys

import mindspore as ms
import numpy as np

FROM_KERNELS = "C++ Call Stack"
LIBRARIES = tuple(os.path.join(os.path.dirname(module.__file__), "") for module in (ms, np))
NO_SUCH_AXIS = re.compile(r"\b(axis|axes|dims?|dimension)\b.*\bin (the )?(range )?(of )?\[-|out of range|axis .* out of bounds", re.IGNORECASE)


def raised_by_library(error):
    """Whether an error is MindSpore's own or NumPy's, not one that a line of the program raises."""
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    return FROM_KERNELS in str(error) or trace.tb_frame.f_code.co_filename.startswith(LIBRARIES)


def torch_errors(kinds):
    """The classes of a handler, a class or a tuple of them, and the class of the error at hand where torch raises one of these in its place.

    It is asked while the error is being handled: ``except torch_errors(RuntimeError):``.
    """
    kinds = kinds if isinstance(kinds, tuple) else (kinds,)
    error = sys.exc_info()[1]
    if not isinstance(error, (ValueError, TypeError)) or not raised_by_library(error):
        return kinds
    instead = IndexError if NO_SUCH_AXIS.search(str(error)) else RuntimeError
    return (*kinds, type(error)) if issubclass(instead, kinds) else kinds


class Suppressing:
    """``with contextlib.suppress(RuntimeError):``, and of the errors that torch raises as one of these."""

    def __init__(self, *kinds):
        self.kinds = kinds

    def __enter__(self):
        return None

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, torch_errors(self.kinds))
