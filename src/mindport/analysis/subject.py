"""The project under analysis, as every question sees it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.answers import Quote
from mindport.analysis.api import Assessment
from mindport.analysis.regions import Regions
from mindport.catalog import Catalog
from mindport.evidence.store import Evidence
from mindport.findings import Finding, Span
from mindport.inference import Project
from mindport.inference.facts import Facts, Use
from mindport.source.file import SourceFile
from mindport.source.main_block import is_main_block
from mindport.trace.reading import Trace

#: Text files above this size are data, not documents.
MOST_TEXT = 2_000_000
#: A quoted line is cut here.
MOST_QUOTED = 160


if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.abstract import Source
    from mindport.analysis.network_tree import NetworkTree
    from mindport.analysis.recipe.following import Follower
    from mindport.analysis.recipe.programs import Programs
    from mindport.analysis.recipe.settings import Settings
    from mindport.analysis.traced import Traced

_TESTS = re.compile(r"(^|/)tests?/|(^|/)test_|(^|/)unit_?tests?\.py$|_unittest\.py$")
_BACKWARD = torch_names.BACKWARD.rpartition(".")[2]
_FOLDER_OF_TESTS = re.compile(r"(^|/)tests?/")
#: Folders with a kit that measures or shows: SentEval, voc_eval_lib, evaluation, visualize. Such a kit may train probes of its own.
_MEASURES = re.compile(r"(^|[^a-z])(eval|evals|evaluate|evaluation|evaluations|evaluator|metrics|visuali[sz]e|visuali[sz]ation|visuali[sz]er|visuali[sz]ers)([^a-z]|$)")
#: What else networks are written in.
_FRAMEWORKS = frozenset(("tensorflow", "keras", "mxnet", "gluoncv", "caffe", "jax", "flax", "haiku", "paddle", "chainer", "theano", "mindspore", "oneflow", "megengine"))
Function = ast.FunctionDef | ast.AsyncFunctionDef


def in_tests(path: object) -> bool:
    """Whether a path, relative to the root, is that of a test: what stands there says nothing about the project's runs."""
    return bool(_TESTS.search(str(path)))


@dataclass
class Subject:
    """A project whose files are read and whose API uses are judged. Nothing here runs its code.

    `assessments` are the verdicts on every use (those of `mindport scan`); `findings` collects what questions
    report about places (MP2xx, MP3xx …); `others` are absolute paths of files that are not Python;
    `evidence` is what runs found about each entry; `trace`, what a run of the project showed.
    """

    root: Path
    facts: Mapping[SourceFile, Facts]
    inference: Project
    catalog: Catalog
    assessments: Sequence[Assessment] = ()
    others: Sequence[Path] = ()
    mindspore: str = "2.10.0"
    device: str = "cpu"
    findings: list[Finding] = field(default_factory=list)
    evidence: Evidence | None = None
    trace: Trace | None = None
    _functions: dict[SourceFile, list[Function]] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def files(self) -> tuple[SourceFile, ...]:
        """The Python files and notebooks, in the order of their paths."""
        return tuple(self.facts)

    @cached_property
    def use_at(self) -> dict[int, Use]:
        """The use of PyTorch at a place, by the node's id."""
        return {id(use.node): use for known in self.facts.values() for use in known.uses}

    @cached_property
    def written_names(self) -> frozenset[str] | None:
        """Every name that code and configuration write somewhere else than where it is defined; many rows ask."""
        from mindport.analysis.recipe.tricks import written_names

        return written_names(self)

    @cached_property
    def regions(self) -> Regions:
        """Network code, data code, everything else."""
        return Regions(self.facts)

    @cached_property
    def traced(self) -> Traced | None:
        """The trace's places among the project's files; None without a trace."""
        from mindport.analysis.traced import Traced

        return Traced(self.trace, self.files) if self.trace is not None else None

    @cached_property
    def shape_sources(self) -> list[Source]:
        """The places where shapes begin to change."""
        from mindport.analysis.dynamic_shape.findings import sources_of

        return sources_of(self)

    @cached_property
    def settings(self) -> Settings:
        """What the project's code and files set."""
        from mindport.analysis.recipe.settings import Settings

        return Settings(self)

    @cached_property
    def programs(self) -> Programs:
        """What the project's programs reach."""
        from mindport.analysis.recipe.programs import Programs

        return Programs(self)

    @cached_property
    def follower(self) -> Follower:
        """What expressions stand for, through these settings."""
        from mindport.analysis.recipe.following import Follower

        return Follower(self, self.settings)

    @cached_property
    def network_tree(self) -> NetworkTree:
        """The module classes and what builds what."""
        from mindport.analysis.network_tree import NetworkTree

        return NetworkTree(self)

    def function_around(self, file: SourceFile, node: ast.AST) -> Function | None:
        """The innermost function that a node stands in."""
        if file not in self._functions:
            self._functions[file] = [n for n in file.nodes if isinstance(n, Function)]
        line = getattr(node, "lineno", 0)
        inside = [f for f in self._functions[file] if f.lineno <= line <= (f.end_lineno or 0)]
        return max(inside, key=lambda f: f.lineno, default=None)

    def in_tests(self, path: object) -> bool:
        """Whether a path is that of a test; a program that is called like one and trains is none: ``test_physionet.py``."""
        return in_tests(path) and str(path) not in self.called_tests

    @cached_property
    def called_tests(self) -> frozenset[str]:
        """Paths of programs that train, define no test and ask no kit for tests, and are called ``test_…``."""
        found = set()
        for file, known in self.facts.items():
            path = str(file.relative)
            if not in_tests(path) or _FOLDER_OF_TESTS.search(path) or not any(isinstance(n, ast.Attribute) and n.attr == _BACKWARD for n in file.nodes) or not any(u.name.startswith(torch_names.OPTIMIZERS) for u in known.uses):
                continue
            kits = any(name.partition(".")[0] in ("pytest", "unittest") for name in imports(file))
            if not kits and not any(isinstance(n, ast.FunctionDef) and n.name.startswith("test_") for n in file.nodes):
                found.add(path)
        return frozenset(found)

    def aside(self, path: object) -> bool:
        """Whether a path is that of a test, or of an evaluation kit in a project that trains elsewhere: no part of the training recipe."""
        return self.in_tests(path) or self._trains_elsewhere and (_in_kit(str(path)) or self._twin(str(path)))

    def _twin(self, path: str) -> bool:
        """Whether a path is below a folder that holds the same network in another framework: ``tensorflow/train.py`` beside ``pytorch/``."""
        folders = path.split("/")[:-1]
        return path in self._twin_files or any("/".join(folders[: depth + 1]) in self._twins for depth in range(len(folders)))

    @cached_property
    def _twin_files(self) -> frozenset[str]:
        """Files that import another framework, and no PyTorch."""
        named = {str(file.relative): {n.partition(".")[0] for n in imports(file)} for file in self.files}
        return frozenset(path for path, names in named.items() if names & _FRAMEWORKS and "torch" not in names)

    @cached_property
    def _twins(self) -> frozenset[str]:
        """Folders where files import another framework and none imports PyTorch."""
        other: set[str] = set()
        torch: set[str] = set()
        for file in self.files:
            names = {n.partition(".")[0] for n in imports(file)}
            above = [parent.as_posix() for parent in file.relative.parents if parent.as_posix() != "."]
            if names & _FRAMEWORKS:
                other.update(above)
            if "torch" in names:
                torch.update(above)
        return frozenset(other - torch)

    @cached_property
    def _trains_elsewhere(self) -> bool:
        training = (*torch_names.TRAINING, *torch_names.TRAINERS)
        return any(use.name.startswith(training) for file, use in self.uses() if not self.in_tests(file.relative) and not _in_kit(str(file.relative)))

    def in_self_test(self, file: SourceFile, node: ast.AST) -> bool:
        """Whether a node stands under ``if __name__ == "__main__"`` of a module that other files import: it tries the module out, unless it trains."""
        line = getattr(node, "lineno", 0)
        if file not in self._self_tests:
            self._self_tests[file] = [block for block in main_blocks(file) if not self._trains_there(file, block)] if file.relative.stem in self._imported else []
        return any(first <= line <= last for first, last in self._self_tests[file])

    @cached_property
    def _self_tests(self) -> dict[SourceFile, list[tuple[int, int]]]:
        """The blocks of each file that was asked about."""
        return {}

    def _trains_there(self, file: SourceFile, block: tuple[int, int]) -> bool:
        """Whether the statements of a program train, or the functions of the same file that they call: with an optimizer, and backwards."""
        uses = self.facts[file].uses
        inside = [use.name for use in uses if block[0] <= use.node.lineno <= block[1]]
        steps = any(use.name == torch_names.BACKWARD and not block[0] <= use.node.lineno <= block[1] for use in uses)
        if any(name in torch_names.TRAINING_OBJECTS or steps and name.startswith(torch_names.OPTIMIZERS) for name in inside):
            return True
        own = {node.name: node for node in file.tree.body if isinstance(node, Function)}
        waiting = [n.id for n in file.nodes if isinstance(n, ast.Name) and n.id in own and block[0] <= n.lineno <= block[1]]
        reached: set[str] = set()
        while steps and waiting:
            if (name := waiting.pop()) not in reached:
                reached.add(name)
                waiting += [n.id for n in ast.walk(own[name]) if isinstance(n, ast.Name) and n.id in own]
        there = [use.name for use in uses for name in reached if own[name].lineno <= use.node.lineno <= (own[name].end_lineno or 0)]
        return torch_names.BACKWARD in there and any(name.startswith(torch_names.OPTIMIZERS) for name in there)

    def tool(self, file: SourceFile) -> bool:
        """Whether a file is a program of its own that trains nothing and defines no network: a count of boxes, a conversion of data."""
        known = self.facts[file]
        program = bool(main_blocks(file) or runs_itself(file)) and file.relative.stem not in self._imported
        return program and not any(torch_names.MODULE in a for a in known.ancestors.values()) and not any(u.name.startswith((*torch_names.TRAINING, *torch_names.TRAINERS)) for u in known.uses)

    @cached_property
    def _imported(self) -> frozenset[str]:
        """Last names of the modules that the project's files import."""
        found: set[str] = set()
        for file in self.files:
            for node in file.nodes:
                if isinstance(node, ast.ImportFrom):
                    found |= {(node.module or "").rpartition(".")[2], *(alias.name for alias in node.names)}
                elif isinstance(node, ast.Import):
                    found |= {alias.name.rpartition(".")[2] for alias in node.names}
        for _, text in self.texts(".py"):  # files that do not parse import, too
            found |= {name for line in re.findall(r"^\s*(?:from|import)\s+([\w., ]+)", text, re.M) for name in re.findall(r"\w+", line)}
        return frozenset(found)

    def uses(self, *prefixes: str) -> Iterator[tuple[SourceFile, Use]]:
        """Uses of outside APIs whose canonical name starts with one of `prefixes` (all without any)."""
        for file, known in self.facts.items():
            for use in known.uses:
                if not prefixes or use.name.startswith(prefixes):
                    yield file, use

    def quote(self, file: SourceFile, node: ast.AST) -> Quote:
        """The place of a node, with its first line's text."""
        line = getattr(node, "lineno", 1)
        return Quote(str(file.relative), line, file.line(line).strip()[:MOST_QUOTED])

    def texts(self, *suffixes: str) -> Iterator[tuple[str, str]]:
        """(path from the root, text) of files that are not Python and end so: README.md, requirements.txt, *.yaml.

        What is no text, or too long for a document, is left out.
        """
        for path in self.others:
            if path.name.lower().endswith(suffixes) and path.stat().st_size <= MOST_TEXT:
                raw = path.read_bytes()
                if b"\0" not in raw:
                    yield path.relative_to(self.root).as_posix(), raw.decode("utf-8", "replace")

    def report(self, code: str, file: SourceFile, node: ast.AST, message: str, **more: object) -> None:
        """Add a finding about a node; see `findings.CODES` for the codes."""
        span: Span = file.span(node)  # type: ignore[arg-type]
        from mindport.findings import CODES

        more.setdefault("risk", CODES[code].risk)
        self.findings.append(Finding(code, message, file.relative, span, **more))  # type: ignore[arg-type]


def imports(file: SourceFile) -> Iterator[str]:
    """Modules that a file imports anywhere."""
    for node in file.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or ""


def runs_itself(file: SourceFile) -> bool:
    """Whether a file's own statements call one of its functions."""
    own = {node.name for node in file.tree.body if isinstance(node, Function)}
    return any(isinstance(node, ast.Expr) and isinstance(call := node.value, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in own for node in file.tree.body)


def _in_kit(path: str) -> bool:
    folders = path.rpartition("/")[0].split("/")
    return any(_MEASURES.search(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", folder).lower()) for folder in folders)


def main_blocks(file: SourceFile) -> list[tuple[int, int]]:
    """(first line, last line) of the statements that run only when the file is the program."""
    return [
        (node.lineno, node.end_lineno or node.lineno) for node in file.tree.body
        if is_main_block(node)
    ]  # fmt: skip
