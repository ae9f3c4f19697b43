"""The time of converted models beside the same models written for MindSpore by hand, and beside torch eager.

    python benchmarks/model_speed.py                          # every case, and the page docs/speed.md
    python benchmarks/model_speed.py --only gpt lstm          # these models
    python benchmarks/model_speed.py --page                   # the page alone, from the results that there are

`benchmarks/speed/pytorch` is converted by `mindport convert` as it stands; `benchmarks/speed/mindspore_by_hand` holds the
hand-written ones. The sides run in turn in one process, one thread each, and what counts is the median over rounds of
the ratio of two neighbours: another program on the machine disturbs both alike.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from speed import page

from mindport.convert import convert, write
from mindport.source.discover import discover

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "speed"
MODELS = ("resnet18", "resnet50", "unet", "gpt", "vit", "lstm")
MODES = ("pynative", "graph")
#: Small batches (2 to 8) show what a call costs beside its operators; the usual ones (24 to 128) what a training run takes.
BATCHES = ("", "-usual")


def converted(folder: Path) -> Path:
    """`mindport convert` of the PyTorch files."""
    conversion = convert(discover([HERE / "speed" / "pytorch"]))
    write(conversion, folder)
    return folder


def main() -> None:
    """Measures what is asked for, each model and mode in a process of its own, and writes the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*", default=MODELS)
    parser.add_argument("--modes", nargs="*", default=MODES)
    parser.add_argument("--batches", nargs="*", default=BATCHES, choices=BATCHES)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    if not options.page:
        RESULTS.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            there = converted(Path(folder) / "converted")
            for model in [model + batch for model in options.only for batch in options.batches]:
                for mode in options.modes:
                    target = RESULTS / f"{model}-{mode}.json"
                    command = [sys.executable, "-m", "speed.measure", model, mode, str(there), str(target), str(options.rounds)]
                    one_thread = {
                        "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "ONEDNN_MAX_CPU_ISA": "AVX2", "GLOG_v": "4", "PYTHONPATH": str(HERE),
                    }  # fmt: skip
                    subprocess.run(command, check=True, env={**os.environ, **one_thread}, cwd=folder)
    page.write(RESULTS, HERE.parent / "docs" / "speed.md")


if __name__ == "__main__":
    main()
