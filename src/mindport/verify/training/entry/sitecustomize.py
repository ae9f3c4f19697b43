"""Python runs this file at its start where this folder stands in PYTHONPATH: it starts a recording.

Where something goes wrong before the recording starts, the user's program runs on as if nothing had been asked.
"""

import os
import sys


def _start() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [p for p in sys.path if os.path.abspath(p or ".") != here]
    job = os.environ.get("MINDPORT_RECORD")
    package = os.path.dirname(os.path.dirname(os.path.dirname(here)))
    if job:
        import types

        # The interpreter may know nothing of mindport; the package is made importable by its place.
        module = types.ModuleType("mindport")
        module.__path__ = [package]
        sys.modules["mindport"] = module
        from mindport.verify.training.installing import install

        install(job)
    # Another sitecustomize that this one hid (a distribution's, a virtual environment's) has its turn.
    import importlib.machinery
    import importlib.util

    spec = importlib.machinery.PathFinder.find_spec("sitecustomize")
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


_start()
