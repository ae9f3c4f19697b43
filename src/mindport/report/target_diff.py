"""What changed between two MindSpore versions: names that came, went, or take other parameters."""

from __future__ import annotations

import ast

import msgspec

from mindport.analysis.lookup import mindspore_names
from mindport.catalog import Catalog, Entry, KnowledgeModule
from mindport.evidence.fingerprint import reached
from mindport.inference.project import Project
from mindport.report.api_card import signature
from mindport.source.discover import Discovery
from mindport.targets import Target


class Change(msgspec.Struct, frozen=True):
    """One name; `old` or `new` is null where the version does not have it."""

    name: str
    old: str | None
    new: str | None


class Affected(msgspec.Struct, frozen=True):
    """A MindSpore name that changed and that equivalents are written in, directly or through others.

    `what`: "gone", "new", "other parameters" or "other platforms"; `torch`: the PyTorch names; `uses`: where the project that
    was given calls one of them, or the MindSpore name itself, as ``file:line``.
    """

    name: str
    what: str
    torch: list[str]
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


def diff(old: Target, new: Target) -> TargetDiff:
    """Compare two versions' tables; a signature that one of them does not know is no change."""
    before, after = set(old.names()), set(new.names())
    changed, platforms = [], []
    for name in sorted(before & after):
        was, now = old.get(name), new.get(name)
        assert was is not None and now is not None
        if was.parameters is not None and now.parameters is not None and was.parameters != now.parameters:
            changed.append(Change(name, signature(name, was.parameters), signature(name, now.parameters)))
        if was.platforms and now.platforms and set(was.platforms) != set(now.platforms):
            platforms.append(Change(name, ", ".join(was.platforms), ", ".join(now.platforms)))
    return TargetDiff(old.version, new.version, sorted(after - before), sorted(before - after), changed, platforms)


def affected(found: TargetDiff, catalog: Catalog, discovery: Discovery | None = None) -> TargetDiff:
    """The same changes with whom they touch: our equivalents, and the uses of a project's files."""
    users = _users(catalog)
    uses = _uses(discovery) if discovery is not None else {}
    kinds = {
        "gone": found.removed, "other parameters": [c.name for c in found.changed], "new": found.added,
        "other platforms": [c.name for c in found.platforms],
    }  # fmt: skip
    touched = []
    for what, names in kinds.items():
        for name in names:
            torch = sorted(users.get(name, ()))
            places = [place for each in (name, *torch) for place in uses.get(each, ())]
            if torch or places:
                touched.append(Affected(name, what, torch, places))
    return msgspec.structs.replace(found, affected=touched)


def _users(catalog: Catalog) -> dict[str, set[str]]:
    """The torch names by each MindSpore name that their entries use, directly or through other functions of ours."""
    users: dict[str, set[str]] = {}
    for entry in catalog.entries:
        used = set(mindspore_names(entry))
        for (module, _), definition in reached(entry, catalog).items():
            used |= set(mindspore_names(_part(catalog.modules[module], definition)))
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
