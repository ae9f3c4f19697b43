"""``python run.py FOLDER OUT``: runs ``main()`` of every script in FOLDER and saves what each notes."""

from __future__ import annotations

import importlib
import sys
import traceback
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
import shared


def main(folder: Path, out: Path) -> None:
    """One file of arrays a script; a script that raises leaves the traceback."""
    sys.path.insert(0, str(folder))
    for script in sorted(folder.glob("case_*.py")):
        try:
            importlib.import_module(script.stem).main()
            np.savez(out / f"{script.stem}.npz", **shared.collected())
        except BaseException:
            shared.collected()
            (out / f"{script.stem}.error").write_text(traceback.format_exc())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
