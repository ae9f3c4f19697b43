"""Custom operators over PyTorch's ATen (the guide's route for quick verification): built and tested, about a minute.

    python benchmarks/aten_operators.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mindport.report.operator import generate, operators

with tempfile.TemporaryDirectory() as place:
    for name, operator in operators().items():
        if operator.aten:
            folder = Path(place, f"op_{operator.stem}")
            generate(name, folder)
            begun = time.monotonic()
            environment = {**os.environ, "PYTHON": sys.executable, "GLOG_v": "3", "PYTHONPATH": str(folder)}
            subprocess.run(["sh", str(folder / "build_aten.sh")], check=True, env=environment)
            built = time.monotonic() - begun
            subprocess.run([sys.executable, "-m", "pytest", "-q", str(folder)], check=True, cwd=folder, env=environment)
            print(f"{name}: built in {built:.0f} s, its tests pass")
