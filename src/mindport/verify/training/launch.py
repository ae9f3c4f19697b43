"""Runs a training command under the watch, and keeps what it leaves."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

ENTRY = Path(__file__).parent / "entry"


class Ending(msgspec.Struct):
    """How a command ended: its exit code (negative: the signal), whether mindport stopped it, and what it said last."""

    code: int
    expired: bool = False
    trouble: str | None = None
    said: str = ""

    def sentence(self) -> str:
        """For the user."""
        if self.trouble:
            return self.trouble
        if self.expired:
            return "it was stopped because it took too long"
        how = f"died with {signal.Signals(-self.code).name}" if self.code < 0 else f"ended with code {self.code}"
        return f"the command {how}: {self.said or 'no output'}"


def watched(
    command: Sequence[str], cwd: Path, folder: Path, job: Mapping[str, Any], *, path: Sequence[str] = (),
    environment: Mapping[str, str] | None = None, timeout: float | None = None,
    serve: Callable[[], str | None] | None = None, quiet: bool = True,
) -> Ending:
    """Run `command`; its recording and ``stdout.txt``, ``stderr.txt`` are in `folder`, which is emptied first.

    `serve` is called while it runs, and may answer with a sentence that ends it. Not `quiet`: what the command
    prints is shown as well.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # A process of an earlier run in this folder that outlived it must not take this run's place.
    token = uuid.uuid4().hex
    (folder / "job.json").write_bytes(msgspec.json.encode({**job, "out": str(folder), "parent": os.getpid(), "token": token}))
    watching = {"MINDPORT_RECORD": str(folder / "job.json"), "MINDPORT_TOKEN": token}
    return _run(command, cwd, folder, {**(environment or {}), **watching}, [str(ENTRY), *path], timeout, serve, quiet)


def alone(
    command: Sequence[str], cwd: Path, folder: Path, *, path: Sequence[str] = (), environment: Mapping[str, str] | None = None, timeout: float | None = None
) -> Ending:
    """Run `command` as it is, without the watch; ``stdout.txt`` and ``stderr.txt`` are in `folder`, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return _run(command, cwd, folder, environment or {}, path, timeout, None, True)


def _run(
    command: Sequence[str], cwd: Path, folder: Path, environment: Mapping[str, str], path: Sequence[str], timeout: float | None,
    serve: Callable[[], str | None] | None, quiet: bool,
) -> Ending:
    paths = [*path, *filter(None, [os.environ.get("PYTHONPATH", "")])]
    surroundings = {"GLOG_v": "3", **os.environ, **environment, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUNBUFFERED": "1"}
    with (folder / "stdout.txt").open("wb") as out, (folder / "stderr.txt").open("wb") as err:
        try:
            process = subprocess.Popen(
                list(command), cwd=cwd, env=surroundings, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                start_new_session=True,
            )
        except OSError as error:
            return Ending(127, trouble=f"{command[0]} cannot be started: {error.strerror or error}")
        ending = _attend(process, folder, timeout, serve, quiet)
    lines = (folder / "stderr.txt").read_text(errors="replace").strip().splitlines()
    ending.said = lines[-1][:400] if lines else ""
    return ending


def _attend(
    process: subprocess.Popen[bytes], folder: Path, timeout: float | None, serve: Callable[[], str | None] | None, quiet: bool
) -> Ending:
    ending = Ending(0)
    began = time.monotonic()
    shown = 0
    try:
        while True:
            code = process.poll()
            if not quiet:
                shown = _show(folder / "stdout.txt", shown)
            if code is not None:
                ending.code = code
                return ending
            if serve is not None and (trouble := serve()) is not None:
                ending.trouble = trouble
                return ending
            if timeout is not None and time.monotonic() - began > timeout:
                ending.expired = True
                return ending
            time.sleep(0.05)
    finally:
        # Workers of a process that ended without notice stay behind otherwise.
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            process.kill()
        process.wait()


def _show(path: Path, shown: int) -> int:
    with path.open("rb") as stream:
        stream.seek(shown)
        text = stream.read()
    if text:
        print(text.decode(errors="replace"), end="", flush=True)
    return shown + len(text)
