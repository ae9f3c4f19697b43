"""One go at an entry's steps, across as many workers as it takes."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from mindport.catalog import Entry
from mindport.evidence.processes import ENTRY_SECONDS, Died, TimedOut, Worker
from mindport.evidence.record import Found

#: After so many deaths, time-outs and broken workers an entry is left as it is.
MOST_DEATHS = 6

#: Checks whose errors are tried again in a new worker. Second gradients and empty tensors are known to break workers.
CONFIRMED = ("forward", "edge", "gradient", "graph", "eval", "train", "statistics", "initial", "unbatched", "second shape", "dynamic shape")


@dataclass
class Attempt:
    """`results` by step number; `notes` on steps that could not run; `stopped`: no more is to be tried."""

    entry: Entry
    worker: Worker
    step_seconds: float
    began: float
    results: dict[int, Found] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    stopped: bool = False
    _deaths: int = 0

    def run(self, job: dict[str, Any]) -> None:
        """Run the job's steps; a worker that dies or breaks is replaced and the rest goes on."""
        while not self.stopped:
            running: dict[str, Any] = {}
            try:
                for event in self.worker.events(job, self.step_seconds):
                    if "begin" in event:
                        job = {**job, "first": event["begin"] + 1}
                        running = event
                        if time.monotonic() - self.began > ENTRY_SECONDS:
                            self._stop(f"stopped after {ENTRY_SECONDS:g} s, before step {event['begin']}")
                            return
                    elif "verdict" in event:
                        self._found(running, event["verdict"], event["call"] or running["call"], event["message"])
                    elif "problem" in event:
                        self.notes.append(event["problem"])
                    elif "broken" in event:
                        break
                else:
                    return
                self.worker.stop()
                self._died("samples that left MindSpore unusable")
            except (Died, TimedOut) as end:
                self.worker.stop()
                if not running:
                    self._stop(f"no step began: {end}")
                    return
                if isinstance(end, Died) and running["death"]:
                    self._found(running, "declared", running["call"], f"{running['death']} ({end})")
                else:
                    self._found(running, "crash" if isinstance(end, Died) else "timeout", running["call"], str(end))
                self._died("crashes and time-outs")

    def _found(self, running: dict[str, Any], verdict: str, call: str, message: str) -> None:
        self.results[running["begin"]] = Found(running["check"], running["dtype"], verdict, call, message)

    def _died(self, how: str) -> None:
        self._deaths += 1
        if self._deaths == MOST_DEATHS:
            self._stop(f"stopped after {MOST_DEATHS} {how}")

    def _stop(self, why: str) -> None:
        self.worker.stop()
        self.notes.append(why)
        self.stopped = True
