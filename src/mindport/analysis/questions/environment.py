"""D1: what the project depends on, with pins, and what MindSpore's world has instead."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence

from mindport.analysis.answers import Answer, Quote, Section, Table
from mindport.analysis.packages import (
    COUNTERPARTS,
    INDEPENDENT,
    NUMPY_LIMIT,
    PYTHON_VERSIONS,
    import_name,
    requirement,
)
from mindport.analysis.subject import MOST_QUOTED, Subject
from mindport.source.file import SourceFile

LETTER = "D"
_SETUP_KEYWORDS = ("install_requires", "requirements", "extras_require")


def section(subject: Subject) -> Section:
    """Dependencies, pins, conflicts, blockers."""
    pins = dict(_pins(subject))
    imported = dict(_imports(subject))
    names = sorted({*imported, *(import_name(name) for name in pins)})
    by_import = {import_name(name): (name, *found) for name, found in pins.items()}
    rows, blockers, quotes, others = [], [], [], 0
    for name in names:
        pin = by_import.get(name)
        known = COUNTERPARTS.get(name)
        place = imported.get(name) or (pin[2] if pin else None)
        if place is None:
            continue
        if known is None and name not in imported and name not in INDEPENDENT:
            others += 1  # what an environment file freezes and no file imports
            continue
        quotes.append(place)
        kind = known[2] if known else "none needed" if name in INDEPENDENT else "not known"
        rows.append((name, pin[1] if pin and pin[1] else "no pin", kind, known[1] if known else "itself" if name in INDEPENDENT else "", f"{place.path}:{place.line}"))
        if kind == "blocks" and name in imported:
            blockers.append((name, place))
    unpinned = [row[0] for row in rows if row[1] == "no pin" and row[2] not in ("none needed",) and row[0] in COUNTERPARTS]
    answers = [
        Answer(
            "D1", "Third-party packages", "found" if rows else "not found", _counted(rows, len(blockers), others),
            tuple(quotes[:30]), "" if not blockers else "These are built on PyTorch's internals: " + ", ".join(n for n, _ in blockers) + ".", "第三方库",
        ),
        _versions(subject, pins, unpinned),
    ]  # fmt: skip
    for name, place in blockers:
        _report(subject, name, place)
    table = Table("Packages", ("package", "version asked for", "for MindSpore", "instead", "place"), tuple(rows))
    return Section(LETTER, "Environment and data", "环境与数据", tuple(answers), (table,) if rows else ())


def _counted(rows: Sequence[tuple[str, ...]], blockers: int, others: int) -> str:
    """How many packages there are, by what MindSpore's world has for them."""
    told = [(kind, sum(row[2] == kind for row in rows)) for kind in ("none needed", "counterpart", "partial", "not known")]
    return f"{len(rows)} packages, {blockers} of them block" + "".join(f", {count} {_SAID[kind]}" for kind, count in told if count) + (
        f"; {others} more are listed and imported nowhere" if others else ""
    )


_SAID = {"none needed": "stay as they are", "counterpart": "with a counterpart", "partial": "with one in part", "not known": "not known"}


def _report(subject: Subject, name: str, place: Quote) -> None:
    for file in subject.files:
        if str(file.relative) == place.path:
            node = next(n for n in file.nodes if isinstance(n, (ast.Import, ast.ImportFrom)) and n.lineno == place.line)
            subject.report("MP601", file, node, f"{name}: {COUNTERPARTS[name][1]}")


def _versions(subject: Subject, pins: dict[str, tuple[str, Quote]], unpinned: list[str]) -> Answer:
    """A2: whether the versions are said, and which cannot stand beside MindSpore."""
    said, quotes = [], []
    for name, (version, quote) in pins.items():
        if name.lower() == "numpy" and re.search(r"[=>]=?\s*2", version):
            said.append(f"{name}{version} conflicts: MindSpore {subject.mindspore} needs {NUMPY_LIMIT}")
            quotes.append(quote)
        if name.lower() in ("torch", "torchvision", "numpy", "python") and version:
            said.append(f"{name}{version}")
            quotes.append(quote)
    for path, text in subject.texts("setup.py", "setup.cfg", "pyproject.toml"):
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(r"(requires-python|python_requires)", line):
                said.append(line.strip().strip(","))
                quotes.append(Quote(path, number, line.strip()[:MOST_QUOTED]))
    if unpinned:
        said.append("no version is given for " + ", ".join(unpinned))
    advice = f"MindSpore {subject.mindspore} runs on Python {', '.join(PYTHON_VERSIONS)} with {NUMPY_LIMIT}: pip install 'mindspore=={subject.mindspore}' '{NUMPY_LIMIT}'."
    return Answer("A2", "Versions", "found" if quotes else "not found", "; ".join(dict.fromkeys(said)) or "no file says which versions the results were made with", tuple(quotes), advice, "版本信息")


def _pins(subject: Subject) -> Iterator[tuple[str, tuple[str, Quote]]]:
    """(distribution, (version text, place)) of requirements files, setup scripts and pyproject.toml."""
    for path, text in subject.texts(".txt", ".in"):
        if "require" in path.rpartition("/")[2].lower():
            for number, line in enumerate(text.splitlines(), 1):
                if (found := requirement(line)) is not None:
                    yield found[0], (found[1], Quote(path, number, line.strip()[:MOST_QUOTED]))
    for path, text in subject.texts("pyproject.toml", "environment.yml", "environment.yaml", "conda.yaml", "setup.cfg"):
        inside = False
        for number, line in enumerate(text.splitlines(), 1):
            stripped = line.strip()
            if re.match(r"^(dependencies|install_requires|-\s*pip)\b", stripped):
                inside = True
                stripped = stripped.partition("[")[2] or ""
            elif inside and re.match(r"^(\]|\[|\w+\s*=)", stripped):
                inside = False
            for part in re.findall(r"[\"']([^\"']+)[\"']", stripped) if path.endswith(".toml") else [stripped.lstrip("- ")]:
                if inside and (found := requirement(part.replace("=", "==") if re.fullmatch(r"[\w.-]+=[\d.]+", part) else part)):
                    yield found[0], (found[1], Quote(path, number, line.strip()[:MOST_QUOTED]))
    for file in subject.files:
        if file.relative.name == "setup.py":
            yield from _setup(subject, file)


def _setup(subject: Subject, file: SourceFile) -> Iterator[tuple[str, tuple[str, Quote]]]:
    for node in file.nodes:
        values: list[ast.expr] = []
        if isinstance(node, ast.keyword) and node.arg in _SETUP_KEYWORDS or isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id.lower() in _SETUP_KEYWORDS:
            values = [node.value]
        for value in values:
            for item in ast.walk(value):
                if isinstance(item, ast.Constant) and isinstance(item.value, str) and (found := requirement(item.value)):
                    yield found[0], (found[1], subject.quote(file, item))


def _imports(subject: Subject) -> Iterator[tuple[str, Quote]]:
    """(top package, first place) of what is imported and is neither the project's nor Python's own."""
    own = {part for file in subject.files for part in (file.relative.parts[0].removesuffix(".py"), file.relative.stem)}
    own |= {parent for file in subject.files for parent in file.relative.parts[:-1]}
    seen: set[str] = set()
    for file in subject.files:
        for node in file.nodes:
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                names = [node.module]
            for name in names:
                top = name.partition(".")[0]
                if top not in seen and top not in own and top not in sys.stdlib_module_names:
                    seen.add(top)
                    yield top, subject.quote(file, node)
