"""Compares what inference says about torchvision's models with what runs.

    python benchmarks/trace_accuracy.py [resnet18 …]

Each model is built and run once under a `TorchFunctionMode` and a profile function. Of the calls of
torch's functions, methods, attributes and classes that are made directly from torchvision's files,
each is looked for in the facts at its exact place in the text (Python 3.11's positions). Operators
(``x + y``, ``x[0]``) are no named API and are left out, as are calls of module instances.
Of the tensor methods and attributes called `certain`, each whose line ran must have been seen.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import runpy
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from mindport.inference import Project, torchfacts  # noqa: E402
from mindport.inference.facts import Facts  # noqa: E402
from mindport.source.discover import discover  # noqa: E402
from tests.corpus.torchvision_wheel import folder  # noqa: E402

#: Builder and the input's side.
MODELS = {
    "resnet18": 64, "vgg11": 64, "densenet121": 64, "mobilenet_v2": 64, "mobilenet_v3_small": 64, "shufflenet_v2_x0_5": 64,
    "squeezenet1_1": 64, "mnasnet0_5": 64, "googlenet": 64, "inception_v3": 128, "efficientnet_b0": 64, "convnext_tiny": 64,
    "swin_t": 64, "vit_b_16": 224, "regnet_y_400mf": 64, "alexnet": 96, "maxvit_t": 224,
}  # fmt: skip

Place = tuple[str, int, int, int, int]  # file, line, column, end line, end column


@dataclass
class Outcome:
    """What was compared. `missing`: (place, name that ran); `wrong`: certain uses whose line ran without them."""

    ran: int = 0
    found: int = 0
    certain_methods: int = 0
    missing: set[tuple[Place, str]] = field(default_factory=set)
    wrong: set[tuple[Place, str]] = field(default_factory=set)

    @property
    def share(self) -> float:
        """How much of what ran was found."""
        return self.found / self.ran if self.ran else 0.0


def _positions(code: CodeType, offset: int) -> tuple[int, int, int, int] | None:
    found = next(itertools.islice(code.co_positions(), offset // 2, None), None)
    if found is None or None in found:
        return None
    line, end_line, column, end_column = found
    return line, column, end_line, end_column  # type: ignore[return-value]


class Recorder:
    """Records which API ran at which place of the files under `package`."""

    def __init__(self, package: Path) -> None:
        self.package = str(package)
        self.calls: set[tuple[Place, str]] = set()
        self.lines: set[tuple[str, int]] = set()

    def place(self, frame: FrameType | None) -> Place | None:
        """The expression that a frame of the package is at."""
        if frame is None or not frame.f_code.co_filename.startswith(self.package):
            return None
        found = _positions(frame.f_code, frame.f_lasti)
        return (frame.f_code.co_filename, *found) if found is not None else None

    def profile(self, frame: FrameType, event: str, argument: Any) -> None:
        """Python functions of torch that the package calls: classes' ``__init__``, functions, methods."""
        if event != "call" or "/torch/" not in frame.f_code.co_filename:
            return
        place = self.place(frame.f_back)
        if place is None:
            return
        owner, _, name = frame.f_code.co_qualname.rpartition(".")
        module = frame.f_globals.get("__name__", "")
        if "<" in name or "<" in owner or (name.startswith("_") and name != "__init__"):
            return
        if name == "__init__":
            instance = frame.f_locals.get("self")
            if instance is None or type(instance).__qualname__ != owner or type(instance).__module__ != module:
                return  # super().__init__() of a class of the package
            full = f"{module}.{owner}"
        else:
            full = f"{module}.{frame.f_code.co_qualname}"
        self.calls.add((place, torchfacts.canonical(full)))

    def lines_of(self, frame: FrameType, event: str, argument: Any) -> Any:
        """A trace function that notes which lines of the package run."""
        if not frame.f_code.co_filename.startswith(self.package):
            return None
        self.lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self.lines_of


def _mode(recorder: Recorder) -> Any:
    from torch.overrides import TorchFunctionMode, resolve_name

    class Mode(TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            frame: FrameType | None = sys._getframe(1)
            while frame is not None and "/torch/" in frame.f_code.co_filename and frame.f_code.co_filename.endswith(
                ("overrides.py", "_jit_internal.py")
            ) or frame is not None and frame.f_code is getattr(func, "__code__", None):
                frame = frame.f_back
            place = recorder.place(frame)
            if place is not None:
                name = resolve_name(func) or f"{func.__module__}.{func.__qualname__}"
                name = name.removesuffix(".__get__").replace("torch._C.TensorBase", "torch.Tensor").replace("._C._nn", ".nn.functional")
                recorder.calls.add((place, torchfacts.canonical(name)))
            return func(*args, **(kwargs or {}))

    return Mode()


def trace(models: list[str], home: Path) -> Recorder:
    """Build and run each model once."""
    import torch

    sys.path.insert(0, str(home))
    kept = runpy.run_path(str(ROOT / "examples" / "torchvision_prelude.py"))
    from torchvision import models as builders

    assert kept["LIBRARY"] is not None
    torch.manual_seed(0)
    recorder = Recorder(home / "torchvision")
    for name in models:
        size = MODELS[name]
        sys.settrace(recorder.lines_of)
        sys.setprofile(recorder.profile)
        try:
            with torch.no_grad(), _mode(recorder):
                model = getattr(builders, name)(weights=None).eval()
                model(torch.zeros(1, 3, size, size))
        finally:
            sys.setprofile(None)
            sys.settrace(None)
    return recorder


def _nodes(tree: ast.Module) -> dict[tuple[int, int, int, int], ast.AST]:
    found: dict[tuple[int, int, int, int], ast.AST] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Call, ast.Attribute, ast.With)) or (isinstance(node, ast.expr) and not isinstance(node, ast.Constant)):
            found.setdefault((node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0), node)
    return found


def _named(tree: ast.Module, place: Place) -> bool:
    """Whether the place is a call or attribute: not an operator, and no ``super().__init__``."""
    node = _NODES.setdefault(place[0], _nodes(tree)).get(place[1:])
    if isinstance(node, ast.Call):
        return not (isinstance(node.func, ast.Attribute) and node.func.attr in ("__init__", "forward"))
    return isinstance(node, ast.Attribute)


_NODES: dict[str, dict[tuple[int, int, int, int], ast.AST]] = {}


def _same(used: str, ran: str, node: ast.AST | None) -> bool:
    """The same API: torch's own spellings of one function (``torch.Tensor.relu`` for a method of its C++ base)."""
    if used == ran:
        return True
    return torchfacts.canonical(used) == torchfacts.canonical(ran)


def compare(recorder: Recorder, home: Path) -> Outcome:
    """Hold the facts against what was recorded."""
    discovery = discover([home / "torchvision"])
    project = Project(discovery.files)
    outcome = Outcome()
    for file in discovery.files:
        path = str(file.path)
        facts: Facts = project.facts(file)
        uses: dict[tuple[int, int, int, int], set[str]] = {}
        for use in (*facts.uses, *facts.indirect):
            uses.setdefault(_span(use.node), set()).add(use.name)
        calls = {(place, name) for place, name in recorder.calls if place[0] == path and _named(file.tree, place)}
        at: dict[tuple[int, int, int, int], set[str]] = {}
        for place, name in calls:
            at.setdefault(place[1:], set()).add(name)
        for span, names in at.items():
            known = uses.get(span, set())
            # One place may be seen twice: a builtin through the mode, its Python wrapper by the profiler.
            hit = any(_same(used, name, None) for used in known for name in names)
            outcome.ran += 1
            outcome.found += hit
            if not hit:
                outcome.missing.add(((path, *span), " ".join(sorted(names))))
        for use in _certain_methods(facts):
            if (path, use.node.lineno) in recorder.lines and (path, use.node.end_lineno) in recorder.lines:
                outcome.certain_methods += 1
                if not any(_same(use.name, name, None) for name in at.get(_span(use.node), ())):
                    outcome.wrong.add(((path, *_span(use.node)), use.name))
    return outcome


def _certain_methods(facts: Facts) -> Iterator[Any]:
    for use in facts.uses:
        if use.certainty == "certain" and use.kind in ("method", "attribute") and use.name.startswith("torch.Tensor."):
            yield use


def _span(node: ast.expr) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


def main() -> None:
    """Trace the models named on the command line, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", default=list(MODELS))
    models = parser.parse_args().models
    home = folder()
    if home is None:
        raise SystemExit("torchvision's wheel cannot be fetched")
    outcome = compare(trace(models, home), home)
    for place, name in sorted(outcome.missing):
        print(f"not found: {Path(place[0]).name}:{place[1]}:{place[2]} {name}")
    for place, name in sorted(outcome.wrong):
        print(f"certain, and not seen: {Path(place[0]).name}:{place[1]}:{place[2]} {name}")
    print(f"{len(models)} models; {outcome.found} of {outcome.ran} places found ({outcome.share:.1%});")
    print(f"{outcome.certain_methods} certain tensor methods and attributes ran, {len(outcome.wrong)} not seen as such")


if __name__ == "__main__":
    main()
