"""Messages by which MindSpore says that an operator has no kernel on this device, as patterns.

These are no errors of an equivalent: on another device the same call may run. The run counts them as
"not run here".
"""

from __future__ import annotations

import re

PATTERNS = (
    r"kernel .*unregistered",
    r"unregistered",
    r"Unsupported op \[",
    r"Select CPU operator\[.*\] fail",
    r"Create kernelmod for op .* failed",
    r"not support(ed)? (on|in|for) (the )?CPU",
    r"only support(s|ed)? .*(Ascend|GPU)",
    r"is not supported on CPU",
    r"CPU platform",
    r"does not support this kernel data type",
    r"type_id:\d+ is invalid",
    r"bprop not defined",
    r"[Cc]an not find .*kernel",
    r"does not support .* on CPU",
)

#: The operator's own check of dtypes, on every device: counted the same for dtypes other than float32.
DTYPE_PATTERNS = (
    r"must be a type of \{.*but got",
    r"should be one of \[mindspore\.",
    r"must be in (the )?\[?.*dtype.*but got",
    r"Unsupported data type",
    r"supports types: .* [Bb]ut got",
    r"unsupported (data )?type",
    r"not support(ed)? .*(dtype|data type|complex|bfloat16|BFloat16|Complex)",
    r"(dtype|data type|type) .*not support",
    r"dtype of .* must be .*but got",
    r"inputs of type not FloatTensor",
    r"KernelMod Init Failed",
    r"bad_function_call",
    r"does not accept dtype",
    r"dtype of .* must not be",
    r"input dtype should be .*but got",
    r"must be a float type",
    r"<class 'complex'>",
    r"input.* type must be .*but got",
    r"must be (an )?(int|float|Number).* but got <class 'complex'>",
    r"other=<class 'complex'>",
)

_ANY = re.compile("|".join(f"(?:{pattern})" for pattern in PATTERNS))


def not_run_here(message: str) -> bool:
    """Does the message say that the device lacks the operator, or lacks it for this dtype?"""
    return _ANY.search(message) is not None


_DTYPE = re.compile("|".join(f"(?:{pattern})" for pattern in DTYPE_PATTERNS), re.DOTALL)


def not_for_this_dtype(message: str) -> bool:
    """Does the message say that the operator does not take the dtype?"""
    return _DTYPE.search(message) is not None
