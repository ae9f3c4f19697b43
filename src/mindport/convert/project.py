"""Converts a project: every file, the vendored module, the other files copied, and the log."""

from __future__ import annotations

import ast
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

import msgspec

from mindport import catalog as knowledge
from mindport import targets
from mindport.catalog import Catalog, Entry
from mindport.convert.context import Shared
from mindport.convert.known_definitions import known_definitions, outside, with_known
from mindport.convert.log import LogRecord
from mindport.convert.module_values import words
from mindport.convert.named_in_settings import named_in_settings, names_layers
from mindport.convert.named_self import named_self
from mindport.convert.one_file import convert_file
from mindport.convert.prepared import prepared
from mindport.convert.read_attributes import wanted, without_parameters
from mindport.convert.script_paths import reach
from mindport.convert.second_gradients import second_gradients
from mindport.convert.star_names import handed_over
from mindport.convert.training.tape import sharing
from mindport.convert.vendor import MODULE, Vendored
from mindport.convert.vendored_layers import vendored_layers
from mindport.convert.written_dtypes import written_dtypes
from mindport.findings import Finding, defect
from mindport.inference import Project
from mindport.inference.facts import Facts
from mindport.source import edits, notebook
from mindport.source.apart import apart
from mindport.source.discover import Discovery
from mindport.source.file import SourceFile
from mindport.targets import Target

LOG = "mindport-log.json"
#: Statements that share lines are set apart where one of them needs a line; what comes behind such a statement may need one, too, which only the next round shows.
MOST_ROUNDS = 4


@dataclass(frozen=True)
class Options:
    """How to convert. `mindspore`: the version to write for; `status`: evidence of an entry."""

    mindspore: str = "2.10.0"
    status: Callable[[Entry], str] = lambda entry: ""


@dataclass
class Conversion:
    """A converted project, not yet written. Paths are relative to the project's root."""

    root: Path
    files: dict[PurePosixPath, str] = field(default_factory=dict)
    sources: dict[PurePosixPath, SourceFile] = field(default_factory=dict)
    vendored: PurePosixPath | None = None
    others: list[Path] = field(default_factory=list)
    carried: list[tuple[Path, PurePosixPath]] = field(default_factory=list)
    log: list[LogRecord] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def counts(self) -> Counter[str]:
        """How many uses each strategy took."""
        return Counter(record.strategy for record in self.log)


def convert(discovery: Discovery, options: Options | None = None, progress: Callable[[SourceFile], None] = lambda f: None) -> Conversion:
    """Convert all files of a discovery. Reads only; `write` puts the result on disk."""
    options = options or Options()
    catalog = knowledge.load()
    given = discovery.files
    project = Project(given)
    facts = {file.relative: project.facts(file) for file in given}
    written = written_dtypes([(file, facts[file.relative]) for file in discovery.files])
    double = written.double if written is not None else frozenset()
    if written is not None:
        discovery = replace(discovery, findings=[*discovery.findings, *written.told])
        discovery, project, facts = _of_files(discovery, written.files(), project, facts)
    target = targets.load(options.mindspore)
    files, project = prepared(discovery.files, project)
    discovery, facts = replace(discovery, files=files), {file.relative: project.facts(file) for file in files}
    as_written = discovery.files, facts, project
    discovery, project, facts = _of_files(discovery, [named_self(file, facts[file.relative]) for file in discovery.files], project, facts)
    for again in range(MOST_ROUNDS):
        shared, conversion = _convert(discovery, options, project, facts, catalog, target, frozenset(), {}, double, (lambda f: None) if again else progress)
        files = [apart(file, shared.crowded.get(file.relative, ())) for file in discovery.files]
        if files == discovery.files or again == MOST_ROUNDS - 1:
            break
        discovery, project, facts = _of_files(discovery, files, project, facts)
    if shared.wanting_tape:  # again: all files of one process have one form of gradients
        why = shared.wanting_tape
        tape = sharing(discovery.files, frozenset(file.relative for file in discovery.files if any(id(n) in why for n in file.nodes)))
        shared, conversion = _convert(discovery, options, project, facts, catalog, target, tape, why, double, lambda f: None)
    files, facts, project = as_written
    conversion.findings += second_gradients(discovery.root, {file: facts[file.relative] for file in files}, project, catalog, options.mindspore)
    _restore(conversion, given)
    return conversion


def _restore(conversion: Conversion, files: list[SourceFile]) -> None:
    """Put the user's own files in the place of those that were written otherwise before (`prepared`, `written_dtypes`); a file that could not be converted has its own text."""
    for file in files:
        if conversion.files[file.relative] == conversion.sources[file.relative].text:
            conversion.files[file.relative] = file.text
        conversion.sources[file.relative] = file


def _of_files(discovery: Discovery, files: list[SourceFile], project: Project, facts: dict[PurePosixPath, Facts]) -> tuple[Discovery, Project, dict[PurePosixPath, Facts]]:
    """The project with other files in the place of some, inferred anew."""
    if files == discovery.files:
        return discovery, project, facts
    project = Project(files)
    return replace(discovery, files=files), project, {file.relative: project.facts(file) for file in files}


def _convert(
    discovery: Discovery, options: Options, project: Project, facts: dict[PurePosixPath, Facts], catalog: Catalog, target: Target,
    tape: frozenset[PurePosixPath], why: dict[int, str], double: frozenset[PurePosixPath], progress: Callable[[SourceFile], None],
) -> tuple[Shared, Conversion]:  # fmt: skip
    """One pass over all files; those of `tape` get their gradients from MindSpore's tape."""
    read = wanted(catalog, discovery.files, facts)
    shared = Shared(catalog, target, Vendored(catalog, read), options.status, vendored_layers(catalog, discovery.files, facts, read, bool(double)))
    shared.tape, shared.wanting_tape, shared.double = tape, dict(why), double
    shared.unfilled = without_parameters(catalog, facts.values())
    shared.words = words(discovery.files, discovery.others)
    shared.project = tuple((file, facts[file.relative]) for file in discovery.files)
    shared.evaluated = names_layers(discovery.others)
    home = _home(discovery)
    found = reach(discovery.files, project, home)
    over = handed_over(project)
    known = known_definitions(catalog, project, discovery.files)
    conversion = Conversion(discovery.root, others=list(discovery.others), carried=list(discovery.carried), findings=list(discovery.findings))
    for file in discovery.files:
        progress(file)
        conversion.sources[file.relative] = file.original or file
        try:
            project.check(file)
            text, context = convert_file(file, facts[file.relative], shared, found.module(file.relative), project.reexports(file), frozenset(over.get(file.relative, ())))
            if file.library:
                text = with_known(file, text, known, shared.vendored, found.module(file.relative))
            ast.parse(text, str(file.relative))
        except Exception as error:  # the file keeps its text, and the rest of the project goes on
            conversion.findings.append(defect(file.relative, error))
            conversion.files[file.relative] = conversion.sources[file.relative].text
            continue
        told, log = outside(file, known, context.findings, context.log)
        conversion.files[file.relative] = text
        conversion.log += log
        conversion.findings += told
    settings = named_in_settings(discovery.others, discovery.root, found, shared, conversion.findings, conversion.log)
    if shared.vendored:
        conversion.files |= found.with_paths(conversion.files, frozenset(file.relative for file in discovery.files if file.cells))
        conversion.vendored = home / f"{MODULE}.py"
        conversion.files[conversion.vendored] = shared.vendored.text()
    conversion.files |= settings
    return shared, conversion


def _home(discovery: Discovery) -> PurePosixPath:
    """The folder of the vendored module: the package where there is exactly one, else the root."""
    relatives = {file.relative for file in discovery.files}
    if PurePosixPath("__init__.py") in relatives:
        return PurePosixPath()
    tops = {path.parts[0] for path in relatives if len(path.parts) > 1 and PurePosixPath(path.parts[0], "__init__.py") in relatives}
    outside = [path for path in relatives if path.parts[0] not in tops]
    return PurePosixPath(tops.pop()) if len(tops) == 1 and not outside else PurePosixPath()


def write(conversion: Conversion, out: Path) -> None:
    """Write the converted project to `out`, which must be empty or absent. Raises FileExistsError.

    It is written beside its place and renamed, so that `out` is whole or not there, whenever the process dies;
    what a dead process left beside is taken away by the next.
    """
    if out.exists() and any(out.iterdir()):
        raise FileExistsError(f"{out} is not empty; name a new folder for the converted project")
    out = out.resolve()
    part = out.parent / f".{out.name}.mindport-part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        _write_all(conversion, part)
    except BaseException:  # interrupted, or the disk is full
        shutil.rmtree(part, ignore_errors=True)
        raise
    if out.exists():
        out.rmdir()
    part.rename(out)


def _write_all(conversion: Conversion, out: Path) -> None:
    for path, relative in [*((path, path.relative_to(conversion.root)) for path in conversion.others), *conversion.carried]:
        place = out / relative
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, place)
    for relative, text in conversion.files.items():
        source = conversion.sources.get(relative)
        if source is None:
            edits.write(out / relative, text)
        else:
            _write_source(out / relative, source, text)
    edits.write(out / LOG, log_json(conversion))


def _write_source(place: Path, source: SourceFile, text: str) -> None:
    """Write a converted file in its own encoding and line ends, a notebook as a notebook."""
    if source.cells:
        edits.write(place, notebook.restore(source.path, text))
        return
    try:
        edits.write(place, text, source.encoding, source.newline)
    except UnicodeEncodeError:  # a name of ours that the declared encoding lacks cannot occur; a comment may quote one
        edits.write(place, text, "utf-8", source.newline)


def log_json(conversion: Conversion) -> str:
    """The conversion log as JSON text, one record a use."""
    return msgspec.json.format(msgspec.json.encode(conversion.log), indent=1).decode() + "\n"
