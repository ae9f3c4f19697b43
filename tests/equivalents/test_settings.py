"""Settings that MindSpore takes once."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import mindspore as ms
from mindport.equivalents.devices import use_deterministic_algorithms
from mindport.equivalents.queries import set_deterministic_debug_mode

use_deterministic_algorithms(False)
for _ in range(2):
    use_deterministic_algorithms(True)
    set_deterministic_debug_mode("warn")
print(ms.get_context("deterministic"))
"""


@pytest.mark.frameworks
def test_what_holds_already_is_asked_for_again() -> None:
    """A seeding function that two scripts call: mindspore.set_deterministic raises the second time."""
    assert subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout.split()[-1] == "ON"


BACK = """
from mindport.equivalents.devices import use_deterministic_algorithms
from mindport.equivalents.queries import are_deterministic_algorithms_enabled

for mode in (True, False, True):
    use_deterministic_algorithms(mode)
    print(are_deterministic_algorithms_enabled())
"""


@pytest.mark.frameworks
def test_what_was_asked_for_is_told_though_mindspore_takes_it_once() -> None:
    """Back to kernels of any kind: mindspore.set_deterministic raised."""
    assert subprocess.run([sys.executable, "-c", BACK], capture_output=True, text=True, check=True).stdout.split()[-3:] == ["True", "False", "True"]
