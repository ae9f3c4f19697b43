"""What a recording keeps of a training run, whichever framework runs it.

A *root* is a model that the program calls itself: a module with parameters or buffers, called from outside of any
other. Roots are numbered in the order of their first calls, which conversion keeps; so are optimizers.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np

from mindport.verify.recording import values
from mindport.verify.training.digest import digest
from mindport.verify.training.journal import BY_HAND, Journal
from mindport.verify.training.names import Names


class Framework(Protocol):
    """What the watch needs to know of a framework."""

    name: str

    def is_tensor(self, value: Any) -> bool: ...
    def array(self, value: Any) -> tuple[np.ndarray, str]: ...
    def wide(self, value: Any) -> np.ndarray: ...
    def norm(self, gradients: list[Any]) -> float: ...
    def children(self, root: Any) -> list[tuple[str, Any]]: ...
    def hook(self, module: Any, note: Callable[[Any], None]) -> Any: ...
    def traced(self, module: Any, done: Callable[[list[dict[str, Any]]], None]) -> None: ...
    def named_parameters(self, root: Any) -> list[tuple[str, Any]]: ...
    def state(self, root: Any) -> list[tuple[str, Any]]: ...
    def opened(self, watch: Watch, number: int, root: Any) -> None: ...
    def environment(self) -> dict[str, Any]: ...


class Watch:
    """Collects the events of one process and writes them into its journal.

    `job`: ``out`` (the folder), ``detail`` (layers, gradients and parameters in full around the first step),
    ``steps`` (the process ends after so many steps), ``every`` (how often gradient norms are taken), ``by_hand`` (so many
    first steps are losses differentiated without an optimizer; without it, that is found out).
    """

    def __init__(self, job: dict[str, Any], framework: Framework) -> None:
        self.job, self.framework = job, framework
        self.journal = Journal(job["out"], job.get("token"))
        self.detail: bool = job.get("detail", False)
        self.roots: list[Any] = []
        self.sizes: list[int | None] = []
        self.names = Names()
        self.kept: list[Any] = []
        self.depth = 0
        self.optimizers: dict[int, int] = {}
        self.taken: dict[int, int] = {}
        self.total = 0
        self.losses: list[float] = []
        self.seconds = {"data": 0.0, "forward": 0.0, "backward": 0.0, "optimizer": 0.0, "recording": 0.0}
        self.last: float | None = None
        self.batches = 0
        self.recording: dict[int, tuple[values.Recorder, list[Any]]] = {}
        self.open = False
        #: With ``layers``: seconds in each class of layers itself, without those it calls.
        self.classes: dict[str, list[float]] | None = {} if job.get("layers") else None
        self.inside: list[float] = []
        self.stepping_now = False
        #: What the program compiles and is running now, outermost first; what was told about it.
        self.compiling: list[str] = []
        self.told: set[str] = set()
        #: Whether the program has built an optimizer.
        self.built = False
        self.pending: dict[str, Any] = {}
        self.began = 0.0

    # --- the life of a recording -------------------------------------------------------------------------------

    def active(self) -> bool:
        """Whether this process records; the first event of a run writes its environment."""
        if not self.journal.claim():
            return False
        if not self.open:
            self.open = True
            self.journal.write(
                "start", framework=self.framework.name, python=platform.python_version(), machine=platform.platform(),
                processors=os.cpu_count(), arguments=sys.argv, folder=os.getcwd(), process=os.getpid(),
                **self.framework.environment(),
            )
            self.last = time.perf_counter()
        return True

    def note(self, sentence: str) -> None:
        """A sentence for the report."""
        if self.active():
            self.journal.write("note", message=sentence)

    def tell(self, event: str, **fields: str) -> None:
        """A line that is the same each time it is told: it is written once."""
        line = f"{event} {fields}"
        if line not in self.told and self.active():
            self.told.add(line)
            self.journal.write(event, **fields)

    def _hidden(self, what: str) -> None:
        """What stands in compiled code is not seen where that runs as a graph."""
        if self.compiling:
            self.tell("hidden", what=what)

    def finish(self) -> None:
        """The end of the program: the last parameters, and the sign that the recording is whole."""
        if self.open and self.journal.claim():
            self._state("last")
            self._layers()
            self.journal.write("end", steps=self.total, memory=_memory())

    # --- events ------------------------------------------------------------------------------------------------

    def called(self, module: Any, call: Callable[[], Any], inputs: Any) -> Any:
        """A module's call; the outermost one of a model opens it, and is recorded the first time."""
        if self.depth or not self.framework.state(module) or not self.active():
            return self._timed(call) if not self.depth else call()
        with self.aside():
            number = self.opened(module)
            recorder = self._record(number, module, inputs)
        try:
            result = self._timed(call)
        finally:
            if recorder is not None:
                for hook in recorder[1]:
                    hook.remove()
        if recorder is not None:
            with self.aside():
                for name, value in values.leaves(result, self.framework.is_tensor):
                    if self.framework.is_tensor(value):
                        recorder[0].add("output", name, value)
                self._save("forward", number, recorder[0])
        return result

    def within(self, module: Any, call: Callable[[], Any]) -> Any:
        """A module's call inside of another's: its own time goes to its class."""
        if self.classes is None:
            return call()
        self.inside.append(0.0)
        began = time.perf_counter()
        try:
            return call()
        finally:
            whole = time.perf_counter() - began
            own = self.classes.setdefault(type(module).__name__, [0.0, 0])
            own[0] += whole - self.inside.pop()
            own[1] += 1
            if self.inside:
                self.inside[-1] += whole

    def loss(self, value: Any) -> None:
        """A scalar that was differentiated."""
        if self.active():
            self._hidden("loss")
            with self.aside():
                self.losses.append(float(np.asarray(self.framework.wide(value)).sum()))
            if self.by_hand():
                self._step_by_hand()

    def by_hand(self) -> bool:
        """Whether each differentiated loss is a step: no optimizer has been built, or (on the other side) torch's run says so."""
        wanted = self.job.get("by_hand")
        return not self.built if wanted is None else self.total < wanted

    def _step_by_hand(self) -> None:
        """A step of a program that moves its parameters itself: its loss is all that is seen of it."""
        self.total += 1
        self.journal.write("step", total=self.total, optimizer=BY_HAND, n=self.total, lr=[], loss=[_json(v) for v in self.losses], seconds=dict(self.seconds))
        self.losses, self.seconds = [], dict.fromkeys(self.seconds, 0.0)
        self._end_if_enough()

    def batch(self, value: Any, seconds: float) -> None:
        """What a data loader gave."""
        if not self.active():
            return
        self.seconds["data"] += seconds
        self.batches += 1
        if self.detail or self.batches == 1:
            with self.aside():
                arrays = {
                    name: self.framework.array(leaf)[0] if self.framework.is_tensor(leaf) else np.asarray(leaf)
                    for name, leaf in values.leaves(value, self.framework.is_tensor)
                    if self.framework.is_tensor(leaf) or isinstance(leaf, np.ndarray | int | float)
                }
                self.journal.write("batch", n=self.batches, leaves={k: digest(a) for k, a in arrays.items()})
                if self.batches == 1:
                    self.journal.arrays("batch", arrays)

    def stepping(self, optimizer: Any, groups: list[tuple[float, list[Any], list[Any]]]) -> None:
        """Before an optimizer's step: `groups` are (learning rate, parameters, gradients or None)."""
        if not self.active():
            return
        self._hidden("step")
        with self.aside():
            number = self.optimizers.setdefault(id(optimizer), len(self.optimizers))
            if len(self.kept) <= number:
                self.kept.append(optimizer)
            count = self.taken[number] = self.taken.get(number, 0) + 1
            self.pending = {"optimizer": number, "n": count, "lr": [lr for lr, _, _ in groups]}
            gradients = [g for _, _, found in groups for g in found if g is not None]
            if count <= 10 or self.detail or count % self.job.get("every", 10) == 0:
                self.pending["gradient_norm"] = self.framework.norm(gradients)
            named = list(self._named(number, groups))
            if count == 1:
                self.journal.write("optimizer", number=number, kind=type(optimizer).__name__, parameters=[n for n, _, _ in named])
            if count == 1 and self.detail:
                recorder = values.Recorder(self.framework.is_tensor, self.framework.array)
                for name, _, gradient in named:
                    if gradient is not None:
                        recorder.add("parameter gradient", name, gradient)
                self._save("gradients", number, recorder)
                self._parameters("before", number, named)
        self.began = time.perf_counter()

    def stepped(self, optimizer: Any, groups: list[tuple[float, list[Any], list[Any]]]) -> None:
        """After an optimizer's step: the line of this step is complete."""
        if not self.open or not self.active():
            return
        now = time.perf_counter()
        self.seconds["optimizer"] += now - self.began
        number = self.optimizers[id(optimizer)]
        if self.taken[number] == 1 and self.detail:
            with self.aside():
                self._parameters("after", number, list(self._named(number, groups)))
                if self.total == 0:
                    self._state("stepped")
        whole = now - self.last if self.last is not None else 0.0
        self.total += 1
        seconds = {k: round(v, 6) for k, v in self.seconds.items()}
        # What the recording itself takes is no part of the step.
        seconds["whole"] = round(max(0.0, whole - self.seconds["recording"]), 6)
        if self.losses and self.losses[-1] != self.losses[-1]:
            self.pending["nan"] = True
        self.journal.write(
            "step", total=self.total, **self.pending, loss=[_json(v) for v in self.losses], seconds=seconds,
            **({"memory": _memory()} if self.total % 50 == 1 else {}),
        )
        if self.total % 50 == 0:
            self._layers()
        self.losses, self.seconds = [], dict.fromkeys(self.seconds, 0.0)
        self.last = time.perf_counter()
        self._end_if_enough()

    def _end_if_enough(self) -> None:
        if self.job.get("steps") and self.total >= self.job["steps"]:
            self.finish()
            sys.stdout.flush()
            sys.stderr.flush()
            # The wanted steps are recorded; nothing of the user's may catch this end.
            os._exit(0)

    def aside(self) -> _Aside:
        """The time in this block is the recording's, not the program's."""
        return _Aside(self)

    def _layers(self) -> None:
        if self.classes:
            self.journal.write("layers", seconds={k: [round(s, 6), n] for k, (s, n) in self.classes.items()})

    # --- parts -------------------------------------------------------------------------------------------------

    def _timed(self, call: Callable[[], Any]) -> Any:
        self.depth += 1
        began = time.perf_counter()
        try:
            return call()
        finally:
            self.depth -= 1
            self.seconds["forward"] += time.perf_counter() - began

    def opened(self, module: Any) -> int:
        """The number of a model of the program; a new one gets the other side's values."""
        # A model that is put together between calls is another one each time it has grown, until training begins.
        size = sum(1 for _ in self.framework.named_parameters(module)) if self.total == 0 else None
        for number in reversed(range(len(self.roots))):
            if self.roots[number] is module and (size is None or self.sizes[number] in (None, size)):
                return number
        number = len(self.roots)
        self.roots.append(module)
        self.sizes.append(size)
        modes = {path: [type(child).__name__, bool(child.training)] for path, child in self.framework.children(module)} if self.detail else {}
        self.journal.write("root", number=number, kind=type(module).__name__, training=bool(module.training), modes=modes, steps=self.total)
        # The other side's values are put in here; names follow once they are the model's own.
        self.framework.opened(self, number, module)
        for name, parameter in self.framework.named_parameters(module):
            self.names.put(parameter, f"{number}/{name}")
        self._state("first", [number])
        self._trace(number, module)
        return number

    def _trace(self, number: int, module: Any) -> None:
        """Where a module's operators are wanted: its first call is kept, and the program ends."""
        wanted = self.job.get("trace")
        if not wanted or wanted["root"] != number:
            return

        def done(found: list[dict[str, Any]]) -> None:
            self.journal.json("trace", found)
            os._exit(0)

        target = dict(self.framework.children(module)).get(wanted["path"], module) if wanted["path"] else module
        self.framework.traced(target, done)

    def _record(self, number: int, module: Any, inputs: Any) -> tuple[values.Recorder, list[Any]] | None:
        # A graph shows no layers, and holds no hooks.
        if not self.detail or number in self.recording or self.job.get("trace") or "as_run" in self.job:
            return None
        recorder = values.Recorder(self.framework.is_tensor, self.framework.array)
        for name, value in values.leaves(inputs, self.framework.is_tensor):
            if self.framework.is_tensor(value):
                recorder.add("layer", f"(input {name})", value, "Input")
        hooks = []
        for path, child in self.framework.children(module):
            def note(output: Any, path: str = path, kind: str = type(child).__name__) -> None:
                with self.aside():
                    recorder.layer(path, kind, output)

            hooks.append(self.framework.hook(child, note))
        self.recording[number] = (recorder, hooks)
        return self.recording[number]

    def _named(self, number: int, groups: list[tuple[float, list[Any], list[Any]]]) -> Iterator[tuple[str, Any, Any]]:
        for index, (_, parameters, gradients) in enumerate(groups):
            for place, (parameter, gradient) in enumerate(zip(parameters, gradients, strict=True)):
                yield self.names.get(parameter, f"optimizer {number}/{index}.{place}"), parameter, gradient

    def _parameters(self, moment: str, number: int, named: list[tuple[str, Any, Any]]) -> None:
        self.journal.arrays(f"{moment}-{number}", {name: self.framework.wide(p).copy() for name, p, _ in named})

    def _state(self, moment: str, only: list[int] | None = None) -> None:
        for number, root in enumerate(self.roots):
            if only is None or number in only:
                arrays = {name: self.framework.wide(value).copy() for name, value in self.framework.state(root)}
                self.journal.arrays(f"{moment}-root-{number}", arrays)

    def _save(self, what: str, number: int, recorder: values.Recorder) -> None:
        arrays: dict[str, np.ndarray] = {}
        records = []
        for record in recorder.records:
            record = dict(record)
            if "array" in record:
                key = str(len(arrays))
                arrays[key] = record.pop("array")
                record |= {"key": key, "shape": list(arrays[key].shape)}
            records.append(record)
        self.journal.arrays(f"{what}-{number}", arrays)
        self.journal.json(f"{what}-{number}", records)
        self.journal.write("recorded", what=what, number=number)


class _Aside:
    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def __enter__(self) -> None:
        self.began = time.perf_counter()

    def __exit__(self, *error: object) -> None:
        self.watch.seconds["recording"] += time.perf_counter() - self.began


def _json(value: float) -> float | str:
    return value if np.isfinite(value) else repr(value)


def _memory() -> int:
    """The largest resident memory so far, in bytes."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
