"""Waits for the user's program to import its framework, and puts the watch in place right then."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from mindport.verify.recording.parent import end_with
from mindport.verify.training.callers import VENDORED


class _Loader(importlib.abc.Loader):
    """Runs another loader, then one function more."""

    def __init__(self, inner: Any, then: Callable[[Any], None]) -> None:
        self.inner, self.then = inner, then

    def create_module(self, spec: Any) -> Any:
        return self.inner.create_module(spec)

    def exec_module(self, module: Any) -> None:
        # What reads the module's data later has to find its own loader.
        module.__spec__.loader = module.__loader__ = self.inner
        self.inner.exec_module(module)
        self.then(module)


class Finder(importlib.abc.MetaPathFinder):
    """Gives the wanted modules a loader that calls back once their code has run."""

    def __init__(self, wanted: Callable[[str], Callable[[Any], None] | None]) -> None:
        self.wanted = wanted
        self.busy: set[str] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        then = self.wanted(fullname)
        if then is None or fullname in self.busy:
            return None
        self.busy.add(fullname)
        try:
            for finder in sys.meta_path:
                if finder is self or not hasattr(finder, "find_spec"):
                    continue
                spec = finder.find_spec(fullname, path, target)
                if spec is not None and spec.loader is not None:
                    spec.loader = _Loader(spec.loader, then)
                    return spec
        finally:
            self.busy.discard(fullname)
        return None


def install(job_path: str) -> None:
    """Watch for the job's framework (``torch`` or ``mindspore``; without one, the first of them)."""
    with open(job_path, encoding="utf-8") as stream:
        job: dict[str, Any] = json.load(stream)
    if job.get("token") != os.environ.get("MINDPORT_TOKEN"):
        os._exit(1)  # the job is another run's: the one that started this process was killed, and then run again
    end_with(job.get("parent"))
    started: dict[str, Any] = {}

    def torch_arrived(module: Any) -> None:
        if not started and job.get("tool") == "trace":
            from mindport.trace import recorder

            started["watch"] = recorder.install(job)
        elif not started:
            from mindport.verify.training import torch_watch

            started["watch"] = torch_watch.install(job)

    def mindspore_arrived(module: Any) -> None:
        if not started:
            from mindport.verify.training import mindspore_watch

            started["watch"] = mindspore_watch.install(job)

    def vendored_arrived(module: Any) -> None:
        from mindport.verify.training import mindspore_vendored

        if "watch" in started:
            mindspore_vendored.install(started["watch"], module)

    framework = job.get("framework")

    def wanted(name: str) -> Callable[[Any], None] | None:
        if name == "torch" and framework in (None, "torch"):
            return torch_arrived
        if name == "mindspore" and framework in (None, "mindspore"):
            return mindspore_arrived
        return vendored_arrived if name.rpartition(".")[2] == VENDORED else None

    sys.meta_path.insert(0, Finder(wanted))
