"""What changed between two MindSpore versions: names that came, went, or take other parameters."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import msgspec

from mindport.analysis.lookup import mindspore_names
from mindport.catalog import Catalog, Entry, KnowledgeModule
from mindport.evidence.fingerprint import reached
from mindport.evidence.store import Evidence
from mindport.inference.project import Project
from mindport.report.api_card import signature
from mindport.source.discover import Discovery
from mindport.targets import Target
from mindport.targets.load import Param

#: What MindSpore's pages write where platforms stand.
DEPRECATED = "Deprecated"


class Change(msgspec.Struct, frozen=True):
    """One name; `old` or `new` is null where the version does not have it. `grows`: every call of the old version is one of the new."""

    name: str
    old: str | None
    new: str | None
    grows: bool = False


class Affected(msgspec.Struct, frozen=True):
    """A MindSpore name that changed and that equivalents are written in, directly or through others.

    `what`: "gone", "new", "other parameters", "more parameters" (calls of the old version go on), "deprecated" or "other platforms"; `torch`: the PyTorch names; `uses`: where the project that
    was given calls one of them, or the MindSpore name itself, as ``file:line``.
    """

    name: str
    what: str
    torch: list[str]
    uses: list[str] = []


class Outcome(msgspec.Struct, frozen=True):
    """A PyTorch name whose equivalent was measured on both versions, and held on one alone.

    `old` and `new` are what evidence says of it; `told` is what the version that does worse gave for the first sample; `uses` as in `Affected`.
    """

    name: str
    old: str
    new: str
    told: str
    uses: list[str] = []


class TargetDiff(msgspec.Struct, frozen=True):
    """All changes from one version to another; `platforms`: what the documentation names, where both name some."""

    old: str
    new: str
    added: list[str]
    removed: list[str]
    changed: list[Change]
    platforms: list[Change] = []
    affected: list[Affected] = []
    measured: list[Outcome] = []


def diff(old: Target, new: Target) -> TargetDiff:
    """Compare two versions' tables; a signature that one of them does not know is no change."""
    before, after = set(old.names()), set(new.names())
    changed, platforms = [], []
    for name in sorted(before & after):
        was, now = old.get(name), new.get(name)
        assert was is not None and now is not None
        if was.parameters is not None and now.parameters is not None and was.parameters != now.parameters:
            changed.append(Change(name, signature(name, was.parameters), signature(name, now.parameters), _grows(was.parameters, now.parameters)))
        if was.platforms and now.platforms and set(was.platforms) != set(now.platforms):
            platforms.append(Change(name, ", ".join(was.platforms), ", ".join(now.platforms)))
    return TargetDiff(old.version, new.version, sorted(after - before), sorted(before - after), changed, platforms)


def _grows(old: Sequence[Param], new: Sequence[Param]) -> bool:
    """Whether the new parameters take every call that the old ones take: the same, and more with defaults behind them."""
    was, now = ([each for each in told if each.name != "self"] for told in (old, new))
    places = [each for each in now if each.kind in ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")]
    for number, each in enumerate(p for p in was if p.kind in ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")):
        if number >= len(places) or places[number].name != each.name or places[number].kind != each.kind:
            return False
        if places[number].default_text != each.default_text:
            return False
    named = {each.name for each in was}
    by_name = {each.name: each for each in now}
    if any(each.name not in by_name for each in was if each.kind == "KEYWORD_ONLY"):
        return False
    if any(each.kind not in {one.kind for one in now} for each in was if each.kind.startswith("VAR_")):
        return False
    return all(each.default_text is not None or each.kind.startswith("VAR_") for each in now if each.name not in named)


def measured(catalog: Catalog, old: Evidence, new: Evidence, discovery: Discovery | None = None) -> list[Outcome]:
    """The names whose equivalents hold on one version and not on the other, those that the project uses first."""
    uses = _uses(discovery) if discovery is not None else {}
    found: dict[str, Outcome] = {}
    for entry in catalog.entries:
        if entry.kind == "absent":
            continue
        before, after = old.status(entry), new.status(entry)
        if {before, after} == {"verified", "partial"}:
            worse = (old if before == "partial" else new).outcome(entry)
            failure = next(iter(worse.failures), None) if worse is not None else None
            told = " ".join(f"{failure.check}, {failure.dtype}: {failure.verdict}: {failure.message}: {failure.call}".split()) if failure is not None else ""
            for name in entry.names:
                found.setdefault(name, Outcome(name, before, after, told, uses.get(name, [])))
    return sorted(found.values(), key=lambda each: (not each.uses, each.name))


def affected(found: TargetDiff, catalog: Catalog, discovery: Discovery | None = None) -> TargetDiff:
    """The same changes with whom they touch: our equivalents, and the uses of a project's files."""
    users = _users(catalog)
    uses = _uses(discovery) if discovery is not None else {}
    kinds = {
        "gone": found.removed, "other parameters": [c.name for c in found.changed if not c.grows],
        "more parameters": [c.name for c in found.changed if c.grows], "new": found.added,
        "deprecated": [c.name for c in found.platforms if c.new == DEPRECATED], "other platforms": [c.name for c in found.platforms if c.new != DEPRECATED],
    }  # fmt: skip
    touched = []
    for what, names in kinds.items():
        for name in names:
            torch = sorted(users.get(name, ()))
            places = [place for each in (name, *torch) for place in uses.get(each, ())]
            if torch or places:
                touched.append(Affected(name, what, torch, places))
    touched.sort(key=lambda each: not each.uses)
    return msgspec.structs.replace(found, affected=touched)


def _users(catalog: Catalog) -> dict[str, set[str]]:
    """The torch names by each MindSpore name that their entries use, directly or through other functions of ours."""
    users: dict[str, set[str]] = {}
    parts: dict[ast.stmt, tuple[str, ...]] = {}  # many entries reach the same definitions
    for entry in catalog.entries:
        used = set(mindspore_names(entry))
        for (module, _), definition in reached(entry, catalog).items():
            if definition not in parts:
                parts[definition] = mindspore_names(_part(catalog.modules[module], definition))
            used.update(parts[definition])
        for name in used:
            users.setdefault(name, set()).update(entry.names)
    return users


def _part(module: KnowledgeModule, definition: ast.stmt) -> Entry:
    if isinstance(definition, ast.FunctionDef | ast.ClassDef):
        return Entry((), "function", module, definition.lineno, definition)
    value = getattr(definition, "value", None)
    return Entry((), "constant", module, definition.lineno, None, value)


def _uses(discovery: Discovery) -> dict[str, list[str]]:
    project = Project(discovery.files)
    places: dict[str, list[str]] = {}
    for file in discovery.files:
        facts = project.facts(file)
        for use in (*facts.uses, *facts.indirect):
            place = f"{file.relative.as_posix()}:{use.node.lineno}"
            if place not in places.setdefault(use.name, []):
                places[use.name].append(place)
    return places
