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

_ANY = re.compile("|".join(f"(?:{pattern})" for pattern in PATTERNS))


def not_run_here(message: str) -> bool:
    """Does the message say that the device lacks the operator, or lacks it for this dtype?"""
    return _ANY.search(message) is not None
