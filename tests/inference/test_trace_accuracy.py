"""What inference says of torchvision's models, held against a run of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpus.torchvision_wheel import ROOT, folder

pytestmark = pytest.mark.frameworks

#: Share of the places that ran whose API was found; the issue asks for 95 %.
LEAST = 0.95

#: In a process of its own: the trace hooks and torchvision's operators stay out of the other tests.
_RUN = """
import json, sys
sys.path[:0] = sys.argv[1:3]
import trace_accuracy as t
from pathlib import Path
outcome = t.compare(t.trace(list(t.MODELS), Path(sys.argv[3])), Path(sys.argv[3]))
print(json.dumps([outcome.ran, outcome.found, outcome.certain_methods, sorted(outcome.missing), sorted(outcome.wrong)]))
"""


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exact places of calls need Python 3.11")
def test_the_models_apis_are_found_and_certain_methods_are_right() -> None:
    home = folder()
    if home is None:
        pytest.skip(reason="torchvision's wheel is not at hand and cannot be fetched")
    command = [sys.executable, "-W", "ignore", "-c", _RUN, str(ROOT / "benchmarks"), str(ROOT), str(home)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=Path(ROOT))
    assert ran.returncode == 0, ran.stderr[-2000:]
    places, found, certain, missing, wrong = json.loads(ran.stdout.splitlines()[-1])
    assert places > 300 and certain > 60
    assert not wrong
    assert found / places >= LEAST, missing
