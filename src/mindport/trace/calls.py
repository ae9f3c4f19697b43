"""Which functions of PyTorch the project's own files call, and from which line.

Python reports every call to a profile function; only those from a file of the project to a function of the
watched packages are kept. The report costs time, so it is on in the first iterations, whenever something new
happens (a network or a mode not seen before), and in one iteration of ten otherwise.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Sequence
from types import CodeType, FrameType, ModuleType
from typing import Any

from mindport.trace.journal import Journal

#: Different (name, place) pairs that are recorded.
MOST_PLACES = 20_000
#: Iterations that are watched after something new, and the distance between those that are watched later.
ALL_AFTER_NEW, ONE_OF = 20, 10
_MOST_FRAMES = 12
_OTHER, _PROJECT, _WATCHED = 0, 1, 2
#: What a function that wraps another one calls it.
_WRAPPED = ("func", "fn", "f", "function", "orig_func", "forward_call")


class Calls:
    """Calls from the project's files (below one of `roots`, and in no environment) to functions of `packages`."""

    def __init__(self, journal: Journal, roots: Sequence[str], packages: Sequence[str]) -> None:
        self.journal = journal
        self.roots = tuple(os.path.join(os.path.realpath(root), "") for root in roots)
        self.packages = tuple(packages)
        self.places: list[list[int]] = []
        self.watched = 0
        self.iteration = 0
        self._kinds: dict[CodeType, int] = {}
        self._sites: dict[Any, list[int] | None] = {}
        self._numbers: dict[tuple[str, str, int], list[int]] = {}
        self._left = ALL_AFTER_NEW
        self._on = False

    def start(self) -> None:
        """Begin to watch this thread."""
        self._on = True
        sys.setprofile(self._event)

    def stop(self) -> None:
        """Watch no more."""
        if self._on:
            sys.setprofile(None)
        self._on = False

    def new(self) -> None:
        """Something new happened: what follows is watched whole again."""
        self._left = ALL_AFTER_NEW
        if not self._on:
            self.start()

    def turn(self, iteration: int) -> None:
        """An iteration ended."""
        self.iteration = iteration
        if self._on:
            self.watched += 1
        self._left -= 1
        wanted = self._left > 0 or iteration % ONE_OF == 0
        if wanted and not self._on:
            self.start()
        elif self._on and not wanted and sys.getprofile() == self._event:
            self.stop()

    def counts(self) -> dict[str, int]:
        """Place number → calls, in the iterations that were watched."""
        return {str(number): count for number, count in self.places}

    @property
    def on(self) -> bool:
        """Whether calls are watched now."""
        return self._on

    def of_project(self, code: CodeType) -> bool:
        """Whether code stands in one of the project's files."""
        kind = self._kinds.get(code)
        return (self._classify(code) if kind is None else kind) == _PROJECT

    def line(self, frame: FrameType | None) -> tuple[str, int] | None:
        """The nearest line of the project that a frame was called from, or stands in."""
        for _ in range(_MOST_FRAMES):
            if frame is None:
                return None
            if self.of_project(frame.f_code):
                return os.path.realpath(frame.f_code.co_filename), frame.f_lineno
            frame = frame.f_back
        return None

    def real(self, code: CodeType) -> str:
        """The file of code, without links."""
        return os.path.realpath(code.co_filename)

    # --- parts -------------------------------------------------------------------------------------------------

    def _event(self, frame: FrameType, event: str, argument: Any) -> None:
        kinds = self._kinds
        if event == "c_call":
            code = frame.f_code
            kind = kinds.get(code)
            if kind is None:
                kind = self._classify(code)
            if kind != _PROJECT:
                return
            key: Any = (code, frame.f_lasti, argument.__name__)
            caller = frame
        elif event == "call":
            back = frame.f_back
            if back is None:
                return
            code = back.f_code
            kind = kinds.get(code)
            if kind is None:
                kind = self._classify(code)
            if kind != _PROJECT:
                return
            kind = kinds.get(frame.f_code)
            if kind is None:
                kind = self._classify(frame.f_code)
            if kind != _WATCHED:
                return
            key = (code, back.f_lasti, frame.f_code)
            caller = back
        else:
            return
        try:
            place = self._sites[key]
        except KeyError:
            name = self._of_builtin(argument) if event == "c_call" else self._of_python(frame)
            place = self._sites[key] = self._place(name, caller) if name is not None else None
        if place is not None:
            place[1] += 1

    def _classify(self, code: CodeType) -> int:
        name = os.path.realpath(code.co_filename)
        folders = name.split(os.sep)
        if code.co_filename.startswith("<"):  # no file: the import system, exec
            kind = _OTHER
        elif any(folder in ("site-packages", "dist-packages") for folder in folders) or not name.startswith(self.roots):
            kind = _WATCHED if any(package in folders for package in self.packages) else _OTHER
        else:
            kind = _PROJECT
        self._kinds[code] = kind
        return kind

    def _place(self, name: str, caller: FrameType) -> list[int] | None:
        path = os.path.realpath(caller.f_code.co_filename)
        key = (name, path, caller.f_lineno)
        place = self._numbers.get(key)
        if place is None and len(self.places) < MOST_PLACES:
            place = self._numbers[key] = [len(self.places), 0]
            self.places.append(place)
            self.journal.write("api", number=place[0], name=name, file=path, line=caller.f_lineno, iteration=self.iteration)
        return place

    def _of_builtin(self, function: Any) -> str | None:
        owner = getattr(function, "__objclass__", None) or getattr(function, "__self__", None)
        name: str = function.__name__
        if owner is None:
            module = getattr(function, "__module__", None) or ""
            return f"{module}.{name}" if self._of_package(module) else None
        if isinstance(owner, ModuleType):
            return self._in_module(owner.__name__, name) if self._of_package(owner.__name__) else None
        cls = owner if isinstance(owner, type) else type(owner)
        home = next((c for c in cls.__mro__ if self._of_package(c.__module__)), None)
        if home is None or not any(name in c.__dict__ for c in cls.__mro__ if self._of_package(c.__module__)):
            return None
        return self._in_class(home, name)

    def _of_python(self, frame: FrameType) -> str | None:
        code = frame.f_code
        module = str(frame.f_globals.get("__name__", ""))
        if code.co_flags & inspect.CO_NESTED:
            return self._of_wrapper(frame)
        if code.co_name == "__init__":
            cls = type(frame.f_locals.get(code.co_varnames[0])) if code.co_varnames else None
            if cls is not None and self._of_package(cls.__module__):
                return f"{cls.__module__}.{cls.__qualname__}"
            return None  # a class of the project calls the constructor that it inherits
        if code.co_name.startswith(("_", "<")) or not self._of_package(module):
            return None
        return f"{module}.{_qualified(frame)}"

    def _of_wrapper(self, frame: FrameType) -> str | None:
        """A function that stands around another one is called like that one."""
        inside = frame.f_locals
        choice = inside.get("if_false")
        if choice is not None:  # one of two by an argument (`boolean_dispatch`); they are called like it, with "_"
            return f"{choice.__module__}.{choice.__name__.lstrip('_')}"
        for free in _WRAPPED:
            if free not in frame.f_code.co_freevars:
                continue
            function = inspect.unwrap(inside[free]) if callable(inside.get(free)) else None
            module = getattr(function, "__module__", None) or ""
            name = getattr(function, "__qualname__", "")
            if name and self._of_package(module) and "<" not in name and not name.rpartition(".")[2].startswith("_"):
                return f"{module}.{name}"
        return None

    def _of_package(self, module: str) -> bool:
        return module.partition(".")[0] in self.packages

    # The framework's own names for what it documents elsewhere are replaced by `in_module` and `in_class`.
    in_module: Callable[[str, str], str] = staticmethod(lambda module, name: f"{module}.{name}")
    in_class: Callable[[type, str], str] = staticmethod(lambda cls, name: f"{cls.__module__}.{cls.__qualname__}.{name}")

    def _in_module(self, module: str, name: str) -> str:
        return self.in_module(module, name)

    def _in_class(self, cls: type, name: str) -> str:
        return self.in_class(cls, name)


def _qualified(frame: FrameType) -> str:
    code = frame.f_code
    qualname = getattr(code, "co_qualname", None)
    if qualname is not None:
        return str(qualname)
    # Python 3.10 does not say it: the class is the one of the first argument's whose body the function stands in.
    first = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
    for cls in type(first).__mro__ if first is not None else ():
        found = cls.__dict__.get(code.co_name)
        if getattr(inspect.unwrap(found) if callable(found) else found, "__code__", None) is code:
            return f"{cls.__qualname__}.{code.co_name}"
    return code.co_name
