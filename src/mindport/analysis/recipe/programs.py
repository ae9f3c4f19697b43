"""What a project's programs reach through imports: whose command line an option belongs to, and which programs train nothing."""

from __future__ import annotations

import ast
import re
from functools import cached_property

from mindport.analysis import torch_names
from mindport.analysis.recipe.evaluation import file_evaluates
from mindport.analysis.subject import Subject, main_blocks, runs_itself
from mindport.source.file import SourceFile
from mindport.source.programs import import_graph

#: Names of programs that start a training even where its code is found at run time.
_STARTS = re.compile(r"(.*_)?(train\w*|fine_?tun\w*|pre_?train\w*|learn|fit|launch|start)(_.*)?|main\w*|run|exp|experiment")
_READS = frozenset(("parse_args", "parse_known_args", "parse_args_into_dataclasses", "parse_json_file", "DEFINE_string", "DEFINE_integer"))


class Programs:
    """The import graph of one project, by the last names of modules (a name that several files have means all of them)."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._graph = import_graph(subject.files)

    @cached_property
    def _by_path(self) -> dict[str, SourceFile]:
        return {str(file.relative): file for file in self.subject.files}

    @cached_property
    def _training(self) -> frozenset[SourceFile]:
        names = (*torch_names.TRAINING, *torch_names.TRAINERS)
        return frozenset(file for file, use in self.subject.uses() if use.name.startswith(names) and not self.subject.in_self_test(file, use.node))

    def trains(self, file: SourceFile) -> bool:
        """Whether a file trains itself."""
        return file in self._training

    def reached(self, file: SourceFile) -> frozenset[SourceFile]:
        """The file itself and what it imports, directly or not."""
        return self._graph(file)

    def near(self, path: str, file: SourceFile) -> bool:
        """Whether the command line in the file at `path` can be what `file` reads: one of the two imports the other, or a program imports both."""
        home = self._by_path.get(path)
        if home is None or home is file or file in self.reached(home) or home in self.reached(file):
            return True
        return not _runs(home) and any({home, file} <= self.reached(program) for program in self._programs)

    @cached_property
    def _programs(self) -> tuple[SourceFile, ...]:
        return tuple(file for file in self.subject.files if _runs(file))

    def command_trains_nothing(self, path: str) -> bool:
        """Whether a command runs a program of that name that trains nothing."""
        named = [file for file in self.subject.files if str(file.relative) == path.lstrip("./") or str(file.relative).endswith("/" + path.rpartition("/")[2]) or str(file.relative) == path.rpartition("/")[2]]
        return bool(named) and all(self.trains_nothing(file) for file in named)

    def reads_options(self, file: SourceFile) -> bool:
        """Whether a file reads a command line itself; not where another one hands it the parser."""
        return any(isinstance(node, ast.Attribute) and node.attr in _READS and not self._is_handed(file, node.value) for node in file.nodes)

    def _is_handed(self, file: SourceFile, parser: ast.expr) -> bool:
        around = self.subject.function_around(file, parser)
        return around is not None and isinstance(parser, ast.Name) and parser.id in {a.arg for a in [*around.args.posonlyargs, *around.args.args, *around.args.kwonlyargs]}

    def apart(self, file: SourceFile) -> bool:
        """Whether a file is a program that has no part in training: it trains nothing, and nothing that trains imports it."""
        return self.trains_nothing(file) and file not in self._used

    def not_needed(self, file: SourceFile) -> bool:
        """Whether training does without a file: it is a program apart, or one of evaluation that reads a command line of its own."""
        evaluates = bool(self._training) and file not in self._training and file_evaluates(str(file.relative)) and self.reads_options(file)
        return self.apart(file) or evaluates and not self.helps_training(file)

    def only_shown(self, file: SourceFile) -> bool:
        """Whether no program but those of demonstration and evaluation reaches a file, in a project that others of its programs train."""
        reaching = [program for program in self._programs if file in self.reached(program)]
        trains = any(not file_evaluates(str(program.relative)) and self.reached(program) & self._training for program in self._programs)
        return trains and bool(reaching) and all(file_evaluates(str(program.relative)) for program in reaching)

    def helps_training(self, file: SourceFile) -> bool:
        """Whether something that trains imports the file."""
        return file in self._used

    def of_a_training(self, file: SourceFile) -> bool:
        """Whether a program reaches the file that reaches one that trains, and is no evaluation: ``train.py`` makes the network of ``builder.py`` for ``trainer.py``."""
        return not file_evaluates(str(file.relative)) and any(file in self.reached(p) and self.reached(p) & self._training and not file_evaluates(str(p.relative)) for p in self._programs)

    @cached_property
    def _used(self) -> frozenset[SourceFile]:
        return frozenset(other for file in self._training for other in self.reached(file))

    def trains_nothing(self, file: SourceFile) -> bool:
        """Whether a file is a program that trains nothing and imports nothing that trains, in a project that trains elsewhere."""
        if not self._training or _STARTS.fullmatch(file.relative.stem.lower()) or not (main_blocks(file) or runs_itself(file)):
            return False
        training = self.reached(file) & self._training
        return not training or file not in training and all(self._only_lends(file, other) for other in training)

    def _only_lends(self, file: SourceFile, other: SourceFile) -> bool:
        """Whether a program takes names from another program that do not train: ``from train import SPECIAL_TOKENS``."""
        if not (main_blocks(other) or runs_itself(other)) or any(isinstance(n, ast.Import) and other.relative.stem in {part for a in n.names for part in a.name.split(".")} for n in file.nodes):
            return False
        lent = {a.name for n in file.nodes if isinstance(n, ast.ImportFrom) and (n.module or "").rpartition(".")[2] == other.relative.stem for a in n.names}
        definitions = [n for n in other.tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name in lent]
        names = (*torch_names.TRAINING, *torch_names.TRAINERS)
        lines = [use.node.lineno for use in self.subject.facts[other].uses if use.name.startswith(names)]
        return bool(lent) and "*" not in lent and not any(d.lineno <= line <= (d.end_lineno or 0) for d in definitions for line in lines)


def _runs(file: SourceFile) -> bool:
    """Whether a file is a program."""
    return bool(main_blocks(file) or runs_itself(file))


